#pragma once
// What: the places of a group's units around its goal, as differences from it.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "outrider/base/result.hpp"
#include "outrider/model/cell.hpp"

namespace outrider::cli {

enum class Formation : std::uint8_t {
    kNone,
    kKeep,  // as the units stand, about their middle
    kBox,   // rows of a square, in the order of the units
    kLine,  // one row
};

// none, keep, box, line.
[[nodiscard]] base::Result<Formation> parse_formation(std::string_view text);

// Empty for kNone; else one a unit, units of so many cells a side beside one another.
[[nodiscard]] std::vector<model::Cell> places_of(Formation formation,
                                                 std::span<const model::Cell> starts,
                                                 std::int32_t footprint);

}  // namespace outrider::cli
