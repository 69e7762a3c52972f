#pragma once
// What:     which moves a cell needs to try, by the moves that reached it: the canonical pruning of
//           jump point search, for every corner rule and for 4 directions, without the jumps.
// Contract: where the cells of the 3 x 3 around a cell that are open have one weight, leaving out
//           the other moves loses no cell's least distance, provided that a cell remembers every
//           move that reached it at its least distance (CanonicalMoves::next takes the set).
//           Proof: x came by p -> x, and x -> n is left out. Then p -> n goes inside the 3 x 3
//           without x, cheaper (so that no shortest path takes p, x, n), or equally dear with the
//           diagonal step before the straight one (4 directions: the vertical before the
//           horizontal). Putting the other way in moves a diagonal step forward, which cannot go on
//           for ever: some shortest path is never left out.
// Cost:     16 KB a rule, made at first use.
// Source:   Harabor, Grastien 2011; for mixed terrain Carlson, Harabor, Stuckey: "Jump point search
//           with weighted terrain" (2023).

#include <array>
#include <cstddef>
#include <cstdint>

#include "outrider/search/moves.hpp"

namespace outrider::search {

// A set of moves that reached a cell, bit m for move m. A source counts as reached by all, so that
// it tries every legal move.
using Arrivals = std::uint8_t;
inline constexpr Arrivals kFromEverywhere = 0xFF;
// The 3 x 3 of a cell that has only open ones around it, as an index into the tables.
inline constexpr unsigned kAllAround = 0x1FF;

class CanonicalMoves {
  public:
    CanonicalMoves(model::Directions directions, model::CornerRule rule);
    // The one for the rule.
    [[nodiscard]] static const CanonicalMoves& of(const model::MovementClass& movement_class);

    // `around` as for MoveTable.
    [[nodiscard]] MoveMask next(Arrivals arrivals, unsigned around) const {
        return static_cast<MoveMask>(straight_[arrivals & 15U][around] |
                                     diagonal_[arrivals >> 4U][around]);
    }
    // The same where all the cells around are open.
    [[nodiscard]] MoveMask next_on_even(Arrivals arrivals) const { return on_even_[arrivals]; }

  private:
    using BySet = std::array<MoveTable, 16>;
    static void close_under_union(BySet& table);

    BySet straight_{};
    BySet diagonal_{};
    std::array<MoveMask, 256> on_even_{};
};

}  // namespace outrider::search
