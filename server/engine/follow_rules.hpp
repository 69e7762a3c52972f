#pragma once
// What:     the arithmetic behind Follows: bounds, distances, and which of two answers is better.
//           Pure functions. Private to the engine room.

#include <optional>

#include "outrider/engine/follow.hpp"

namespace outrider::engine {

[[nodiscard]] bool is_at_goal(const model::PathQuery& query, model::Cell cell);
// No way from the query's start through the box to the goal costs less: octile distances at the
// class's cheapest weight. The box is grown by one cell, since a cell that opens also frees the
// diagonal steps beside it.
[[nodiscard]] model::Cost bound_through(const map::Layer& layer, const model::PathQuery& query,
                                        const model::Rect& box);
// For a unit without a complete path: its goal, or a cell nearer to it than where its path ends, is
// in its region now.
[[nodiscard]] bool may_come_nearer(const map::Layer& layer, const Follow& follow);

// An answer as it stands on the newest map: the cost from the unit on, nothing where it has no path
// or its path is closed.
struct Standing {
    const model::PathResult& result;
    std::optional<model::Cost> cost;
};
// Needs an old path that is not closed.
[[nodiscard]] bool is_better(const model::PathQuery& query, const Standing& fresh,
                             const Standing& old);

}  // namespace outrider::engine
