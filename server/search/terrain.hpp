#pragma once
// What:     A* from cell to cell for terrain of mixed cost, and for uniform terrain that jump point
//           search does not serve (4 directions, other corner rules).
// Contract: optimal with any estimate that is never too large and, between two cells, differs from
//           what lies between them by a bounded amount at most (GoalBound: a quantum).
//           Order: smaller bucket of f, then the later push; moves in the order of moves.hpp.
//           Of several equally cheap parents the trail takes that of the first move.
// Cost:     a node of 8 bytes and an open entry of 4; most cells make one move, not eight.
// Source:   Hart, Nilsson, Raphael 1968; Dial 1969 for the buckets; search/canonical.hpp. Why it is
//           optimal: server/search/README.md, "The terrain kernel".

#include <array>

#include "outrider/search/canonical.hpp"
#include "outrider/search/cell_nodes.hpp"
#include "outrider/search/cell_queue.hpp"
#include "outrider/search/goal_bound.hpp"
#include "outrider/search/kernel.hpp"

namespace outrider::search {

class TerrainKernel final : public Kernel {
  public:
    void begin(const Task& task, Buffers& buffers) override;
    Progress step(std::uint64_t expansions_max) override;
    model::Cost trail(model::CellIndex end, std::vector<model::Cell>& points) const override;
    [[nodiscard]] model::Cost unit() const override { return unit_; }

  private:
    static constexpr model::Cost kNoGoal = ~model::Cost{0};

    [[nodiscard]] unsigned bucket_shift() const;
    template <bool kUniform>
    Progress run(std::uint64_t expansions_max);
    void expand_even(CellQueue::Entry entry, CellNode& node, model::Cost g);
    void expand_mixed(CellQueue::Entry entry, CellNode& node, model::Cost g);
    // Of the moves that the node's arrivals call for, those that have not been made.
    [[nodiscard]] MoveMask take_moves(CellNode& node, unsigned around) const;
    void reach(CellQueue::Entry entry, CellNode& node, model::Cost g, unsigned move);
    // The whole of a waiting node's g.
    [[nodiscard]] model::Cost g_of(const CellNode& node, std::int32_t x, std::int32_t y) const;
    // True where the cell is to be expanded: no goal cell, and not too dear for the best one.
    [[nodiscard]] bool takes(const Closed& at, CellNode& node, std::int32_t x, std::int32_t y);
    template <bool kUniform>
    void prefetch(CellQueue::Entry soon) const;
    Progress finish();
    [[nodiscard]] model::Cost weight_of(model::Cell cell) const;
    [[nodiscard]] std::ptrdiff_t node_index(std::int32_t x, std::int32_t y) const {
        return y * stride_ + x;
    }

    Task task_;
    Buffers* buffers_{nullptr};
    GoalBound bound_;
    CellNode* nodes_{nullptr};
    std::ptrdiff_t stride_{0};
    std::array<std::ptrdiff_t, kMoveCount> beside_{};
    CellQueue* open_{nullptr};
    const MoveTable* legal_{nullptr};
    const CanonicalMoves* canonical_{nullptr};
    std::uint16_t generation_{0};
    model::Cost unit_{1};
    // The cheapest goal cell so far.
    Closed goal_;
};

}  // namespace outrider::search
