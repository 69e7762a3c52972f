#pragma once
// What:     whether the goal lies straight ahead of a cell that jump point search expands: so many
//           diagonal steps, then so many straight ones, all free and with no stop before the goal.
//           Such a goal needs none of the other jumps of the expansion.
// Contract: `moves`: those that the expansion would make. The answer is the one cell of the goal
//           that is nearest in octile distance, and only where one of those moves finds it at that
//           very distance, along that very way. Goals with a range have none: several of their
//           cells may be as near.
// Cost:     a word a chunk of the diagonal, and one a chunk of the straight part.
// Source:   decisions/0040-a-goal-straight-ahead-ends-the-looking.md

#include <optional>

#include "outrider/map/layer.hpp"
#include "outrider/search/goal_region.hpp"
#include "outrider/search/moves.hpp"

namespace outrider::search {

[[nodiscard]] std::optional<model::Cell> goal_ahead(const map::Layer::BitTiles& tiles,
                                                    const GoalRegion& goal, model::Cell at,
                                                    MoveMask moves);

}  // namespace outrider::search
