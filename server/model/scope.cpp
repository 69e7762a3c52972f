#include "outrider/model/scope.hpp"

#include <algorithm>

namespace outrider::model {
namespace {

// Cells between two intervals [from, end), 0 where they meet.
std::int64_t gap(std::int64_t from_a, std::int64_t end_a, std::int64_t from_b, std::int64_t end_b) {
    return std::max({from_a - (end_b - 1), from_b - (end_a - 1), std::int64_t{0}});
}

Cost distance(const Rect& a, const Rect& b) {
    return octile_distance(gap(a.x, a.end_x(), b.x, b.end_x()),
                           gap(a.y, a.end_y(), b.y, b.end_y()));
}

}  // namespace

bool Scope::touches(const Rect& changed) const {
    if (limit == kEverywhere) {
        return true;
    }
    // The anchors over a changed cell, and all cells from which a search looks at one of them.
    const Rect seen{changed.x - footprint, changed.y - footprint, changed.width + footprint + 1,
                    changed.height + footprint + 1};
    const Cost to_goal = distance(seen, goal);
    const Cost beyond = to_goal > aim.range ? to_goal - aim.range : 0;
    const Cost from_start = distance(seen, {start.x, start.y, 1, 1});
    return start_factor * from_start + goal_factor * beyond <= limit;
}

}  // namespace outrider::model
