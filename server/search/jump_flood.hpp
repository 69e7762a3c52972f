#pragma once
// What:     jump point search from many sources to many targets: as JpsKernel, but a jump goes on
//           past a target and reports it. Targets and jump points share nodes and open list, so
//           that a target comes up, like a goal, when no cheaper way to it can be left.
// Contract: for layers with stops. begin(), add_source() for each source, then next() until it
//           says false; expand() what is a jump point. A target that came up has its final cost
//           and parents, targets come up by cost, and all depends on layer, sources and targets
//           alone.
//           Why each target is found: of the shortest ways to a cell some one is never pruned
//           (canonical.hpp), and a jump looks at every cell of it, the stop and those before it.
//           Only diagonal moves, straight moves and the bound come in: no matter which jump saw a
//           target first, the cheapest keeps it.
// Cost:     as JpsKernel, and on a line that holds targets a word a chunk. Nodes: 16 bytes a cell,
//           touched pages only.
// Source:   as jps.hpp; decisions/0025-an-army-is-met-by-jumps.md.

#include <array>
#include <vector>

#include "outrider/search/diagonal_run.hpp"
#include "outrider/search/jump.hpp"
#include "outrider/search/jump_node.hpp"
#include "outrider/search/jump_queue.hpp"
#include "outrider/search/jump_ways.hpp"
#include "outrider/search/node_pool.hpp"
#include "outrider/search/target_bits.hpp"
#include "outrider/search/targets_bound.hpp"

namespace outrider::search {

class JumpFlood {
  public:
    // What has come up. Costs are octile units.
    struct Met {
        model::Cost f;
        model::Cost g;
        model::CellIndex cell;
        std::int32_t x;
        std::int32_t y;
        bool target;
        MoveMask moves;  // none: not a jump point
    };

    // All outlive the search. The bound may grow while it runs.
    void begin(const map::Layer& layer, const TargetBits& targets, const TargetsBound& bound);
    // An open cell, and the moves that a way from the sources may begin with there.
    void add_source(model::Cell cell, MoveMask moves);
    // False when nothing is left.
    bool next(Met& met);
    void expand(const Met& met);

    // From a target that came up back to the source. `points` ends at the target or beside it.
    std::uint64_t write_way(model::Cell target, std::vector<model::Cell>& points) {
        return ways_.write(target, nodes_[index_of(target.x, target.y)].link, points);
    }
    [[nodiscard]] model::CellIndex index_of(std::int32_t x, std::int32_t y) const {
        return static_cast<model::CellIndex>(y) * width_ + static_cast<model::CellIndex>(x);
    }
    [[nodiscard]] std::size_t bytes() const {
        return pool_.capacity() * sizeof(Node) + open_.bytes() + ways_.bytes();
    }

  private:
    // Bits 0..3: came straight by N, E, S, W. A target leads nowhere, and a source has been left.
    using Arrivals = JumpArrivals;
    static constexpr Arrivals kTargetHere = 1U << 4U;
    static constexpr Arrivals kStraightArrivals = 15;

    struct Origin {
        std::int32_t x;
        std::int32_t y;
        model::Cost g;

        template <Move kMove>
        [[nodiscard]] Origin after(std::int32_t steps) const {
            return {x + steps * kMoveX[kMove], y + steps * kMoveY[kMove],
                    g + static_cast<model::Cost>(steps) * model::kDiagonal};
        }
    };

    void expand_from(const Origin& origin, MoveMask moves);
    template <Move kMove>
    void jump_straight(const Origin& at);
    template <Move kMove>
    void jump_diagonal(const Origin& origin);
    template <Move kMove>
    void report_line(const Origin& at);
    template <Move kMove>
    void report_run(const Origin& first, map::ChunkPlace place, std::int32_t cells);
    template <Move kMove>
    [[nodiscard]] std::uint64_t lines_with_targets(map::ChunkPlace place, std::uint64_t lines,
                                                   bool falling, std::int32_t from) const;
    template <Move kMove>
    [[nodiscard]] bool may_report(std::int32_t line, std::int32_t along) const;
    void find(std::int32_t x, std::int32_t y, model::Cost g, Arrivals arrivals);
    void reach_found();
    // The node's link: the leg that reached it.
    void reach(const FoundJump& found);
    [[nodiscard]] model::Cost estimate(std::int32_t x, std::int32_t y) const;

    const map::Layer* layer_{nullptr};
    const TargetBits* targets_{nullptr};
    const TargetsBound* bound_{nullptr};
    NodePool pool_;
    JumpQueue open_;
    Node* nodes_{nullptr};
    std::uint32_t generation_{0};
    model::CellIndex width_{0};
    bool any_source_{false};
    std::array<FoundJump, kFoundJumpsMax> found_{};
    std::size_t found_count_{0};
    JumpWays ways_;  // the last leg is that of all finds that wait
};

}  // namespace outrider::search
