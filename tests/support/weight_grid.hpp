#pragma once
// What: the plainest map there is, for oracles: one weight a cell, no planes, no chunks.

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "outrider/model/cell.hpp"
#include "outrider/model/movement_class.hpp"

namespace outrider::test {

struct WeightGrid {
    std::int32_t width{};
    std::int32_t height{};
    std::vector<std::uint8_t> weights;  // row-major, 0 = blocked

    [[nodiscard]] std::uint8_t at(model::Cell cell) const {
        if (cell.x < 0 || cell.y < 0 || cell.x >= width || cell.y >= height) {
            return 0;
        }
        return weights[static_cast<std::size_t>(cell.y) * static_cast<std::size_t>(width) +
                       static_cast<std::size_t>(cell.x)];
    }
    [[nodiscard]] bool open(model::Cell cell) const { return at(cell) != 0; }
};

// A legal step between two neighbours that are both open, under the class's directions and rule.
[[nodiscard]] bool legal_step(const WeightGrid& grid, model::Directions directions,
                              model::CornerRule rule, model::Cell from, model::Cell to);

// Rows as drawn in tests: every row of equal length.
[[nodiscard]] std::vector<model::Terrain> terrain_of(std::initializer_list<std::string_view> rows);

}  // namespace outrider::test
