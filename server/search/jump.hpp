#pragma once
// What:     the tables and the line scans of block-based jump point search.
// Contract: lines have a word of ones before word 0 and after the last, so a scan always ends.
// Cost:     64 cells a load.
// Source:   Harabor and Grastien 2011, 2014; forced neighbours for "no corner cutting".

#include <array>
#include <bit>
#include <cstdint>

#include "outrider/search/moves.hpp"

namespace outrider::search {

[[nodiscard]] inline std::int32_t first_stop_after(const std::uint64_t* stops, std::int32_t at) {
    const std::int32_t from = at + 1;
    std::int32_t word = from >> 6;
    // At least 57 cells, up to the end of the word or beyond it.
    const std::uint64_t rest =
        bits_from_byte_of<std::uint64_t>(stops, from) >> static_cast<unsigned>(from & 7);
    if (rest != 0) {
        return from + std::countr_zero(rest);
    }
    do {
        ++word;
    } while (stops[word] == 0);
    return word * 64 + std::countr_zero(stops[word]);
}

[[nodiscard]] inline std::int32_t last_stop_before(const std::uint64_t* stops, std::int32_t at) {
    const std::int32_t from = at - 1;
    std::int32_t word = from >> 6;
    // The eight bytes that end with the one that holds `from`.
    const std::uint64_t rest = bits_from_byte_of<std::uint64_t>(stops, from - 56)
                               << static_cast<unsigned>(7 - (from & 7));
    if (rest != 0) {
        return from - std::countl_zero(rest);
    }
    do {
        --word;
    } while (stops[word] == 0);
    return word * 64 + 63 - std::countl_zero(stops[word]);
}

// What a unit that came straight by `arrival` has to try next: on, and around each corner that it
// has just passed. Coming by E:  # F      F is forced, and so is the cell between F's east and ours
//                                p x  ->  (north-east); the same below.
[[nodiscard]] constexpr MoveMask forced_in(unsigned around, Move arrival) {
    const auto open = [around](std::int32_t dx, std::int32_t dy) {
        return ((around >> static_cast<unsigned>((dy + 1) * 3 + dx + 1)) & 1U) != 0;
    };
    const std::int32_t dx = kMoveX[arrival];
    const std::int32_t dy = kMoveY[arrival];
    unsigned mask = 1U << arrival;
    for (unsigned move = 0; move < kMoveCount; ++move) {
        // The straight side moves, and the diagonal between each of them and the way on.
        const std::int32_t side_x = move < kNE ? kMoveX[move] : kMoveX[move] - dx;
        const std::int32_t side_y = move < kNE ? kMoveY[move] : kMoveY[move] - dy;
        const bool beside = (side_x != 0) != (side_y != 0) && side_x * dx + side_y * dy == 0 &&
                            side_x * side_x + side_y * side_y == 1;
        if (beside && open(side_x, side_y) && !open(side_x - dx, side_y - dy)) {
            mask |= 1U << move;
        }
    }
    return static_cast<MoveMask>(mask);
}

// By the set of arrivals (bit m: came by move m; 0..15), and by the 3 x 3 bits around. Row
// kAnyMove: all legal moves, for a start.
inline constexpr std::size_t kAnyMove = 16;
using JumpTable = std::array<MoveTable, kAnyMove + 1>;

[[nodiscard]] constexpr JumpTable make_jump_table() {
    JumpTable table{};
    table[kAnyMove] = make_move_table(model::Directions::kEight, model::CornerRule::kBothOpen);
    for (const Move arrival : {kN, kE, kS, kW}) {
        for (unsigned around = 0; around < 512; ++around) {
            table[1U << arrival][around] =
                static_cast<MoveMask>(forced_in(around, arrival) & table[kAnyMove][around]);
        }
    }
    for (unsigned arrivals = 1; arrivals < kAnyMove; ++arrivals) {
        const unsigned one = arrivals & (~arrivals + 1);
        for (unsigned around = 0; around < 512; ++around) {
            table[arrivals][around] =
                static_cast<MoveMask>(table[one][around] | table[arrivals - one][around]);
        }
    }
    return table;
}

inline constexpr JumpTable kJumpTable = make_jump_table();

}  // namespace outrider::search
