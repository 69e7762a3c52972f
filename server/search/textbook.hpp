#pragma once
// What:     Dijkstra, A* and weighted A* as the textbook has them: one node a cell, a binary heap
//           with decrease-key, every neighbour looked at. The reference for all faster kernels.
// Contract: f = g * g_factor + h * h_factor. Factors (1, 0) are Dijkstra, (1, 1) A*, (100, weight)
//           weighted A*, which never opens a closed cell again and still stays inside its bound.
// Source:   Hart, Nilsson, Raphael 1968; Pohl 1970; Likhachev, Gordon, Thrun 2003 (the bound
//           without re-opening).

#include "outrider/search/kernel.hpp"
#include "outrider/search/moves.hpp"

namespace outrider::search {

class TextbookKernel final : public Kernel {
  public:
    void begin(const Task& task, Buffers& buffers) override;
    Progress step(std::uint64_t expansions_max) override;
    model::Cost trail(model::CellIndex end, std::vector<model::Cell>& points) const override;
    [[nodiscard]] model::Cost unit() const override { return 1; }

  private:
    // Above the bits of the heap's place, a node's link holds the move that reached it.
    static constexpr unsigned kMoveShift = OpenList::kPlaceBits;

    template <bool kUniform>
    Progress run(std::uint64_t expansions_max);
    template <bool kUniform>
    void expand(const OpenCell& from);
    void reach(std::int32_t x, std::int32_t y, model::Cost g, std::uint32_t move);
    [[nodiscard]] model::Cost estimate(std::int32_t x, std::int32_t y) const;

    Task task_;
    Buffers* buffers_{nullptr};
    Node* nodes_{nullptr};
    const MoveTable* moves_{nullptr};
    std::uint32_t generation_{0};
    bool four_{false};
    model::Cost weight_min_{1};
    // What a 4-direction estimate must give away for the goal's octile range.
    model::Cost manhattan_range_{0};
    std::uint64_t g_factor_{1};
    std::uint64_t h_factor_{1};
};

}  // namespace outrider::search
