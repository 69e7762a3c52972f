#pragma once
// What:  the eight moves in the order that breaks ties, and, for each corner rule, a table from the
//        3 x 3 bits around a cell to the mask of its legal moves.

#include <array>
#include <cstdint>

#include "outrider/model/movement_class.hpp"

namespace outrider::map {

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

}  // namespace outrider::map
