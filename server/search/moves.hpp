#pragma once
// What:  the eight moves in the order that breaks ties, and, for each corner rule, a table from the
//        3 x 3 bits around a cell to the mask of its legal moves.

#include <array>
#include <cstdint>

#include "outrider/map/layer.hpp"
#include "outrider/model/movement_class.hpp"

namespace outrider::search {

enum Move : std::uint8_t { kN, kE, kS, kW, kNE, kSE, kSW, kNW };
inline constexpr int kMoveCount = 8;
inline constexpr std::array<std::int32_t, kMoveCount> kMoveX{0, 1, 0, -1, 1, 1, -1, -1};
inline constexpr std::array<std::int32_t, kMoveCount> kMoveY{-1, 0, 1, 0, -1, 1, 1, -1};

// Bit m: move m is legal.
using MoveMask = std::uint8_t;
// Index: bits 0..2 the row above (west to east), 3..5 the cell's own row, 6..8 the row below.
using MoveTable = std::array<MoveMask, 512>;

[[nodiscard]] constexpr bool legal_in(unsigned around, int move, model::Directions directions,
                                      model::CornerRule rule) {
    const auto open = [around](std::int32_t dx, std::int32_t dy) {
        return ((around >> static_cast<unsigned>((dy + 1) * 3 + dx + 1)) & 1U) != 0;
    };
    const auto index = static_cast<std::size_t>(move);
    const std::int32_t dx = kMoveX[index];
    const std::int32_t dy = kMoveY[index];
    if (!open(dx, dy)) {
        return false;
    }
    if (dx == 0 || dy == 0) {
        return true;
    }
    const int sides = (open(dx, 0) ? 1 : 0) + (open(0, dy) ? 1 : 0);
    const int needed = rule == model::CornerRule::kBothOpen  ? 2
                       : rule == model::CornerRule::kOneOpen ? 1
                                                             : 0;
    return directions == model::Directions::kEight && sides >= needed;
}

[[nodiscard]] constexpr MoveMask move_table_entry(unsigned around, model::Directions directions,
                                                  model::CornerRule rule) {
    unsigned mask = 0;
    for (int move = 0; move < kMoveCount; ++move) {
        mask |= legal_in(around, move, directions, rule) ? 1U << move : 0U;
    }
    return static_cast<MoveMask>(mask);
}

[[nodiscard]] constexpr MoveTable make_move_table(model::Directions directions,
                                                  model::CornerRule rule) {
    MoveTable table{};
    for (unsigned around = 0; around < table.size(); ++around) {
        table[around] = move_table_entry(around, directions, rule);
    }
    return table;
}

[[nodiscard]] inline const MoveTable& move_table(model::Directions directions,
                                                 model::CornerRule rule) {
    using enum model::CornerRule;
    static constexpr MoveTable kFour = make_move_table(model::Directions::kFour, kBothOpen);
    static constexpr MoveTable kBoth = make_move_table(model::Directions::kEight, kBothOpen);
    static constexpr MoveTable kOne = make_move_table(model::Directions::kEight, kOneOpen);
    static constexpr MoveTable kNone = make_move_table(model::Directions::kEight, kNoneOpen);
    if (directions == model::Directions::kFour) {
        return kFour;
    }
    switch (rule) {
        case kBothOpen: return kBoth;
        case kOneOpen: return kOne;
        case kNoneOpen: return kNone;
    }
    return kBoth;
}

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
