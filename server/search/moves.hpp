#pragma once
// What: a map's moves as the kernels use them, and the 3 x 3 bits around a cell of a layer.

#include <cstdint>

#include "outrider/map/layer.hpp"
#include "outrider/map/moves.hpp"

namespace outrider::search {

using map::kMoveCount;
using map::kMoveX;
using map::kMoveY;
using map::legal_in;
using map::make_move_table;
using map::Move;
using map::move_table;
using map::MoveMask;
using map::MoveTable;
using enum map::Move;

// The three bits x - 1, x, x + 1 of row y, as bits 0..2.
[[nodiscard]] inline unsigned three_bits(const map::Layer& layer, std::int32_t x, std::int32_t y) {
    const std::int32_t word = x >> 6;
    const auto bit = static_cast<unsigned>(x & 63);
    const std::uint64_t cells = layer.row_word(word, y);
    const std::uint64_t before =
        bit != 0 ? cells >> (bit - 1) : cells << 1 | layer.row_word(word - 1, y) >> 63;
    const std::uint64_t after = bit != 63 ? 0 : layer.row_word(word + 1, y) << 2;
    return static_cast<unsigned>((before | after) & 7U);
}

// The 3 x 3 bits around a cell: the index into the tables.
[[nodiscard]] inline unsigned bits_around(const map::Layer& layer, std::int32_t x, std::int32_t y) {
    const auto bit = static_cast<unsigned>(x & 63);
    const std::int32_t line = y & 63;
    if (bit - 1 < 62 && static_cast<unsigned>(line) - 1 < 62) [[likely]] {
        const std::uint64_t* rows =
            map::plane_of(layer.bits().at({x >> 6, y >> 6}), map::Plane::kRows) + line;
        const unsigned from = bit - 1;
        return static_cast<unsigned>((rows[-1] >> from & 7U) | (rows[0] >> from & 7U) << 3U |
                                     (rows[1] >> from & 7U) << 6U);
    }
    return three_bits(layer, x, y - 1) | three_bits(layer, x, y) << 3U |
           three_bits(layer, x, y + 1) << 6U;
}

}  // namespace outrider::search
