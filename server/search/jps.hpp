#pragma once
// What:     jump point search on uniform terrain, 8 directions, no corner cutting.
//           Block-based, with intermediate pruning.
// Contract: optimal. A node keeps the arrivals that wait (pending) and those expanded (done): a
//           cell that is reached at equal cost from a second side is expanded again, for the new
//           moves alone.
// Source:   Harabor, Grastien: "Online graph pruning for pathfinding on grid maps" (AAAI 2011) and
//           "Improving jump point search" (ICAPS 2014).

#include "outrider/search/jump.hpp"
#include "outrider/search/kernel.hpp"

namespace outrider::search {

class JpsKernel final : public Kernel {
  public:
    void begin(const Task& task, Buffers& buffers) override;
    Progress step(std::uint64_t expansions_max) override;
    model::Cost trail(model::CellIndex end, std::vector<model::Cell>& points) const override;
    [[nodiscard]] model::Cost unit() const override { return unit_; }

  private:
    // Bits 0..3: came straight by N, E, S, W. A goal leads nowhere, a start everywhere.
    using Arrivals = std::uint8_t;
    static constexpr Arrivals kGoalHere = 1U << 4U;
    static constexpr Arrivals kStartHere = 1U << 5U;

    // A node's word: g in octile units, pending, done. Its link: the cell it was reached from.
    static constexpr unsigned kPendingShift = 48;
    static constexpr unsigned kDoneShift = 56;
    static constexpr std::uint64_t kGMask = (std::uint64_t{1} << kPendingShift) - 1;

    // Where a run of jumps began: the parent of all that it finds.
    struct Origin {
        std::int32_t x;
        std::int32_t y;
        model::Cost g;
        model::CellIndex cell;
    };

    struct Found {
        model::Cost g;
        model::CellIndex cell;
        std::uint16_t x;
        std::uint16_t y;
        Arrivals arrivals;
    };
    // The finds of one expansion, bar very long diagonals.
    static constexpr std::size_t kFoundMax = 64;

    [[nodiscard]] MoveMask moves_of(const Origin& at, Arrivals arrivals) const;
    void expand(const Origin& origin, MoveMask moves);
    template <Move kMove>
    void jump_straight(const Origin& at);
    template <Move kMove>
    void jump_diagonal(const Origin& origin);
    // Found cells wait here while their nodes come from memory, all at once instead of one by one.
    void find(const Found& found);
    void reach_found(model::CellIndex parent);
    void reach(const Found& found, model::CellIndex parent);

    Task task_;
    Buffers* buffers_{nullptr};
    const map::Layer* layer_{nullptr};
    Node* nodes_{nullptr};
    std::uint32_t generation_{0};
    model::Cost unit_{1};
    std::array<Found, kFoundMax> found_{};
    std::size_t found_count_{0};
};

}  // namespace outrider::search
