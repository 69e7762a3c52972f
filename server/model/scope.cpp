#include "outrider/model/scope.hpp"

#include "outrider/model/rect_distance.hpp"

namespace outrider::model {

bool Scope::touches(const Rect& changed) const {
    if (limit == kEverywhere) {
        return true;
    }
    if (!intersect(changed, also).empty()) {
        return true;
    }
    // The anchors over a changed cell, and all cells from which a search looks at one of them.
    const Rect seen{changed.x - footprint, changed.y - footprint, changed.width + footprint + 1,
                    changed.height + footprint + 1};
    const Cost to_goal = distance_between(seen, goal);
    const Cost beyond = to_goal > aim.range ? to_goal - aim.range : 0;
    const Cost from_start = distance_between(seen, start);
    return start_factor * from_start + goal_factor * beyond <= limit;
}

}  // namespace outrider::model
