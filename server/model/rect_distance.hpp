#pragma once
// What: octile distance between rectangles: of their two nearest cells, 0 where they meet. Neither
//       may be empty.

#include <algorithm>
#include <cstdint>

#include "outrider/model/cell.hpp"
#include "outrider/model/cost.hpp"

namespace outrider::model {

[[nodiscard]] constexpr Cost distance_between(const Rect& a, const Rect& b) {
    constexpr std::int64_t kMeet = 0;
    return octile_distance(std::max({a.x - (b.end_x() - 1), b.x - (a.end_x() - 1), kMeet}),
                           std::max({a.y - (b.end_y() - 1), b.y - (a.end_y() - 1), kMeet}));
}
[[nodiscard]] constexpr Cost distance_between(const Rect& rect, Cell cell) {
    return distance_between(rect, Rect{cell.x, cell.y, 1, 1});
}

}  // namespace outrider::model
