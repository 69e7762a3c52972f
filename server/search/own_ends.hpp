#pragma once
// What: the bounds of groups whose units have ends of their own; group_ends.hpp says what they get.

#include <cstdint>

namespace outrider::search {

// No path of such a group costs more than this many percent of the optimum to its end. Where the
// short cut by the group's wave would, the unit gets a search of its own.
inline constexpr std::uint32_t kOwnEndBoundPercent = 110;
// Cells of the goal and its range, as far as they lie on the map: they are sorted at once, which
// takes some milliseconds. More than 10,000 units of 2 x 2 cells need.
inline constexpr std::int64_t kOwnEndsGoalCellsMax = 1 << 16;

}  // namespace outrider::search
