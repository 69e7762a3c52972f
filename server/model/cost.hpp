#pragma once
// What:     exact integer costs. An edge between neighbours a and b costs (wa + wb) * 408 straight
//           and (wa + wb) * 577 diagonal, w being the terrain weight in tenths. 577 / 408 is a
//           continued-fraction convergent of the square root of two, right within 1.5e-6.
// Contract: totals are 64-bit; the dearest path on the largest map stays below 2^45.
// Source:   DESIGN of the project, "Costs".

#include <algorithm>
#include <cstdint>

#include "outrider/model/cell.hpp"

namespace outrider::model {

using Cost = std::uint64_t;

inline constexpr Cost kStraight = 408;
inline constexpr Cost kDiagonal = 577;
// Weight of plain ground, "cost 1.0".
inline constexpr std::uint8_t kWeightOne = 10;
// A straight step over plain ground: the unit of "length in cells".
inline constexpr Cost kCostPerCell = 2 * Cost{kWeightOne} * kStraight;

// Octile distance of sides known not to be negative. One minimum alone: with a maximum as well,
// compilers make a branch of it, and which side is longer is a coin toss to a search.
[[nodiscard]] constexpr Cost octile_of_sides(Cost across, Cost down) {
    return (across + down) * kStraight - std::min(across, down) * (2 * kStraight - kDiagonal);
}

// Octile distance in units of one (wa + wb): multiply by 2 * weight for a cost.
[[nodiscard]] constexpr Cost octile_distance(std::int64_t dx, std::int64_t dy) {
    return octile_of_sides(static_cast<Cost>(dx < 0 ? -dx : dx),
                           static_cast<Cost>(dy < 0 ? -dy : dy));
}

// Distance when only straight steps are allowed (4 directions), in the same units.
[[nodiscard]] constexpr Cost manhattan_distance(std::int64_t dx, std::int64_t dy) {
    return static_cast<Cost>((dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy)) * kStraight;
}

[[nodiscard]] constexpr double length_in_cells(Cost cost) {
    return static_cast<double>(cost) / static_cast<double>(kCostPerCell);
}

}  // namespace outrider::model
