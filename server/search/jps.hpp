#pragma once
// What:     jump point search on uniform terrain, 8 directions, no corner cutting.
//           Block-based, with intermediate pruning.
// Contract: optimal. A node keeps the arrivals that wait (pending) and those expanded (done): a
//           cell that is reached at equal cost from a second side is expanded again, for the new
//           moves alone.
// Source:   Harabor, Grastien: "Online graph pruning for pathfinding on grid maps" (AAAI 2011) and
//           "Improving jump point search" (ICAPS 2014).

#include "outrider/search/diagonal_run.hpp"
#include "outrider/search/goal_bound.hpp"
#include "outrider/search/goal_steps.hpp"
#include "outrider/search/jump.hpp"
#include "outrider/search/jump_node.hpp"
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
    using Arrivals = JumpArrivals;
    static constexpr Arrivals kGoalHere = 1U << 4U;
    static constexpr Arrivals kStartHere = 1U << 5U;

    // The cell nearest to the goal so far looks whether the goal is straight ahead: the start from
    // anywhere, another from no farther than this. On cluttered ground looks from farther away cost
    // more than the few that find it save (decisions/0040).
    static constexpr model::Cost kNear = 12 * model::kStraight;

    // Where a run of jumps began: the parent of all that it finds.
    struct Origin {
        std::int32_t x;
        std::int32_t y;
        model::Cost g;
        model::CellIndex cell;

        // A cell of the diagonal run that begins here.
        template <Move kMove>
        [[nodiscard]] Origin after(std::int32_t steps) const {
            return {x + steps * kMoveX[kMove], y + steps * kMoveY[kMove],
                    g + static_cast<model::Cost>(steps) * model::kDiagonal, cell};
        }
    };

    [[nodiscard]] model::Cost estimate(std::int32_t x, std::int32_t y) const;
    [[nodiscard]] MoveMask moves_of(const Origin& at, Arrivals arrivals) const;
    void expand(const Origin& origin, MoveMask moves);
    template <Move kMove>
    void jump_straight(const Origin& at);
    template <Move kMove>
    void jump_past(std::int32_t x, std::int32_t y, model::Cost g);
    template <Move kMove>
    void jump_diagonal(const Origin& origin);
    template <Move kMove>
    bool meet_goal(const Origin& origin, const GoalSteps& goal, std::int32_t step,
                   DiagonalRun& run);
    // True where the goal lies straight ahead and has been reached: no other jump is needed.
    bool find_ahead(const Origin& origin, MoveMask moves);
    // Found cells wait here while their nodes come from memory, all at once instead of one by one.
    void find(const FoundJump& found);
    void reach_found();
    // The node's link: the cell it was reached from.
    void reach(const FoundJump& found, model::CellIndex parent);

    Task task_;
    GoalBound bound_;
    Buffers* buffers_{nullptr};
    const map::Layer* layer_{nullptr};
    Node* nodes_{nullptr};
    std::uint32_t generation_{0};
    model::Cost unit_{1};
    std::array<FoundJump, kFoundJumpsMax> found_{};
    std::size_t found_count_{0};
    model::CellIndex parent_{0};  // of all finds that wait
};

}  // namespace outrider::search
