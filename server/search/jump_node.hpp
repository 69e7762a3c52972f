#pragma once
// What:     what a jump point search keeps of a cell in its node, and of one that a jump has found.
// Contract: a node's word: g in octile units, the arrivals that wait (pending) and those expanded
//           (done). A cell that is reached at equal cost from a second side is expanded again, for
//           the new moves alone. The link is the search's own affair. Bits 0..3 of the arrivals:
//           came straight by N, E, S, W; those above are the search's own.
// Cost:     no branch on whether a find is the first of its cell: that is a coin toss which no
//           branch predictor guesses.

#include <cstddef>
#include <cstdint>

#include "outrider/model/cell.hpp"
#include "outrider/model/cost.hpp"
#include "outrider/search/node_pool.hpp"

namespace outrider::search {

using JumpArrivals = std::uint8_t;

struct FoundJump {
    model::Cost g;
    model::CellIndex cell;
    std::uint16_t x;
    std::uint16_t y;
    JumpArrivals arrivals;
};
// The finds of one expansion, bar those of very long diagonals.
inline constexpr std::size_t kFoundJumpsMax = 64;

class JumpNode {
  public:
    explicit JumpNode(Node& node) : node_(node) {}

    // Notes the find. True where the cell must be pushed to the open list for it.
    [[nodiscard, gnu::always_inline]] bool reach(const FoundJump& at, std::uint32_t generation,
                                                 std::uint32_t link) {
        // Untouched reads as infinitely dear.
        const model::Cost stale = model::Cost{0} - model::Cost{node_.stamp != generation};
        const model::Cost known_g = (node_.word | stale) & kGMask;
        if (known_g < at.g) {
            return false;
        }
        if (known_g == at.g) {
            const JumpArrivals waits = pending();
            const auto fresh = static_cast<JumpArrivals>(at.arrivals & ~(waits | done()));
            node_.word |= std::uint64_t{fresh} << kPendingShift;
            return fresh != 0 && waits == 0;
        }
        node_ = {at.g | std::uint64_t{at.arrivals} << kPendingShift, generation, link};
        return true;
    }
    // Of an entry of the open list with this g: nothing where it is out of date.
    [[nodiscard]] bool waits_at(model::Cost g) const {
        return (node_.word & kGMask) == g && pending() != 0;
    }
    [[nodiscard]] JumpArrivals pending() const {
        return static_cast<JumpArrivals>(node_.word >> kPendingShift);
    }
    [[nodiscard]] JumpArrivals done() const {
        return static_cast<JumpArrivals>(node_.word >> kDoneShift);
    }
    // What waited is expanded.
    void close(model::Cost g) {
        const auto all = static_cast<JumpArrivals>(done() | pending());
        node_.word = g | std::uint64_t{all} << kDoneShift;
    }
    // At g 0, with these arrivals done.
    void leave(JumpArrivals arrivals, std::uint32_t generation, std::uint32_t link) {
        node_ = {std::uint64_t{arrivals} << kDoneShift, generation, link};
    }

  private:
    static constexpr unsigned kPendingShift = 48;
    static constexpr unsigned kDoneShift = 56;
    static constexpr std::uint64_t kGMask = (std::uint64_t{1} << kPendingShift) - 1;

    Node& node_;
};

}  // namespace outrider::search
