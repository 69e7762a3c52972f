#pragma once
// What:     the tables and the line scans of block-based jump point search.
// Contract: all cells of the guard tiles are stops, so that a scan always ends.
// Cost:     64 cells a load.
// Source:   Harabor and Grastien 2011, 2014; forced neighbours for "no corner cutting".

#include <array>
#include <bit>
#include <cstdint>

#include "outrider/search/moves.hpp"

namespace outrider::search {

struct Stop {
    std::int32_t at;
    bool open;
};

// The first stop after (x, y) in the direction of a straight move; `at` is its x or its y. Where
// the cell is known to find something in its chunk, if it has a stop there (`kHinted`), only a stop
// farther away is asked whether it is open.
template <Move kMove, bool kHinted>
[[gnu::always_inline]] inline Stop scan(const map::Layer::BitTiles& tiles, std::int32_t x,
                                        std::int32_t y) {
    using map::Plane;
    constexpr bool kAlongRow = kMove == kE || kMove == kW;
    constexpr bool kForward = kMove == kE || kMove == kS;
    constexpr Plane kStops = kMove == kE   ? Plane::kStopsEast
                             : kMove == kW ? Plane::kStopsWest
                             : kMove == kS ? Plane::kStopsSouth
                                           : Plane::kStopsNorth;
    const std::int32_t line = kAlongRow ? y & 63 : x & 63;
    const std::int32_t from = kAlongRow ? x : y;
    const std::uint64_t* const* row = tiles.row(y >> 6);
    const auto tile_at = [&](std::int32_t word) {
        return kAlongRow ? row[word] : tiles.row(word)[x >> 6];
    };
    const auto stop_in = [](std::int32_t word, std::uint64_t stops) {
        return word * 64 + (kForward ? std::countr_zero(stops) : 63 - std::countl_zero(stops));
    };
    std::int32_t word = from >> 6;
    const std::uint64_t* tile = tile_at(word);
    const auto bit = static_cast<unsigned>(from & 63);
    std::uint64_t stops = map::plane_of(tile, kStops)[line] &
                          (kForward ? ~std::uint64_t{1} << bit : ~(~std::uint64_t{0} << bit));
    if (kHinted && stops != 0) {
        return {stop_in(word, stops), true};
    }
    while (stops == 0) {
        word += kForward ? 1 : -1;
        tile = tile_at(word);
        stops = map::plane_of(tile, kStops)[line];
    }
    const std::int32_t at = stop_in(word, stops);
    const std::uint64_t cells =
        map::plane_of(tile, kAlongRow ? Plane::kRows : Plane::kColumns)[line];
    return {at, ((cells >> (at & 63)) & 1) != 0};
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
