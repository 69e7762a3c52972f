#pragma once
// What: the one cell of a goal region that a route is planned to.

#include <optional>

#include "outrider/model/cell.hpp"
#include "outrider/search/goal_region.hpp"
#include "outrider/search/start_components.hpp"

namespace outrider::search {

// The open cell of the region that the unit can reach and that is nearest to `start` in octile
// distance; among equals the smallest y, then x. Looks at the chunks that the region touches,
// and into those alone that could hold it.
[[nodiscard]] std::optional<model::Cell> nearest_goal_cell(const map::Layer& layer,
                                                           const GoalRegion& goal,
                                                           const StartComponents& from,
                                                           model::Cell start);

}  // namespace outrider::search
