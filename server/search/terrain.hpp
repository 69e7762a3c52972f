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
#include <bit>

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

    // A bucket is no wider than the cheapest step, so that few cells come up before their g is
    // final; narrower ones would cost more than the few that they save. With landmarks most cells
    // that matter have an f close below the path's cost, and a wide bucket would expand all of them
    // that lie close above it as well: a sixteenth halves the time.
    //
    // The ring of buckets is mostly longer than what one step can add to f: twice the dearest step
    // and a quantum of the landmarks. With landmarks it is shorter where the dearest cells weigh
    // some fifty times as much as the cheapest, or where a quantum is as large (a path of millions
    // of cells). What lies beyond waits in the ring's last bucket and may come up too early, never
    // too late: the answer is as right, a few cells are expanded twice or in vain. Measured on
    // weights 1 and 255: none on most maps, 1.1 % more on noise.
    [[nodiscard]] static constexpr unsigned bucket_shift(model::Cost cheapest_step,
                                                         bool landmarks) {
        return static_cast<unsigned>(
                   std::bit_width(landmarks ? cheapest_step / 16 : cheapest_step)) -
               1;
    }

  private:
    static constexpr model::Cost kNoGoal = ~model::Cost{0};

    template <bool kUniform>
    Progress run(std::uint64_t expansions_max);
    void expand_uniform(CellQueue::Entry entry, CellNode& node);
    void expand_mixed(CellQueue::Entry entry, CellNode& node);
    void reach(CellQueue::Entry entry, CellNode& node, std::uint32_t g, unsigned move);
    // The whole of a waiting cell's g, from its low half and its estimate.
    [[nodiscard]] model::Cost whole(std::uint32_t g, model::Cost h) const;
    // Closes a cell that may be a goal cell, the nearest to the goal so far, or too dear for the
    // best goal cell. True where it is to be expanded.
    [[nodiscard]] bool takes(CellNode& node, std::int32_t x, std::int32_t y);
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
    std::array<CellNode, kMoveCount> fresh_{};  // what a move makes of a node, bar its g
    CellQueue* open_{nullptr};
    const MoveTable* legal_{nullptr};
    const CanonicalMoves* canonical_{nullptr};
    std::uint16_t generation_{0};
    model::Cost unit_{1};
    // The cheapest goal cell so far.
    Closed goal_;
    // Cells farther from the goal than this are neither goal cells nor the best end so far. The
    // others are marked as they are pushed.
    model::Cost watch_{0};
    // The mark, once there is a goal cell: what comes up may then be too dear.
    CellQueue::Entry look_at_all_{0};
};

}  // namespace outrider::search
