#pragma once
// What: the ends of a group by the slowest sure way: every cell of the map sorted, one list.

#include <optional>
#include <vector>

#include "outrider/model/survey.hpp"
#include "support/oracle.hpp"

namespace outrider::test {

struct ExpectedEnds {
    // Regions from 0; nothing for a unit on a blocked cell, or on one that is of no region.
    std::vector<std::optional<std::size_t>> region_of_unit;
    // With own_ends: by region, in order. With a formation: empty.
    std::vector<std::vector<model::Cell>> ends_of_region;
    // With a formation: one a unit.
    std::vector<std::optional<model::Cell>> slots;
};

// Needs a query whose units all stand on open cells.
[[nodiscard]] ExpectedEnds ends_of(const WeightGrid& grid, const Mover& mover,
                                   std::int32_t footprint, const model::GroupQuery& query);

[[nodiscard]] bool overlap(model::Cell a, model::Cell b, std::int32_t footprint);

}  // namespace outrider::test
