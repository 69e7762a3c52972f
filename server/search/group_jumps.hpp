#pragma once
// What:     settles a group by jumps: a search from the goal over jump points that is told of the
//           units that it passes.
// Contract: as GroupSettler, for layers with stops. Each unit's way is the chain of jump points by
//           which it was first met at its least cost.
//           The search is steered to the units that still wait (targets_bound.hpp): an army that
//           stands together is found as one unit would be, and one that stands everywhere costs
//           one search of the whole region.
// Cost:     as JumpFlood; about a microsecond a unit beside the search.
// Source:   decisions/0025-an-army-is-met-by-jumps.md.

#include <vector>

#include "outrider/search/cell_chains.hpp"
#include "outrider/search/group_settler.hpp"
#include "outrider/search/jump_flood.hpp"

namespace outrider::search {

class GroupJumps final : public GroupSettler {
  public:
    void begin(const map::Layer& layer, const GroupUnits& units,
               std::uint64_t expansions_max) override;
    std::uint64_t step(std::uint64_t cells_max, std::vector<SettledUnit>& settled) override;
    [[nodiscard]] bool ended() const override { return ended_; }
    std::uint64_t write_way(const SettledUnit& unit, std::vector<model::Cell>& points) override;
    [[nodiscard]] model::Cost unit() const override { return unit_; }
    [[nodiscard]] std::uint64_t expansions() const override { return expansions_; }
    [[nodiscard]] std::size_t bytes() const override;

  private:
    // A cell where the search may meet a unit: where it stands, or where it can step to.
    struct Target {
        std::uint32_t place;
        std::uint32_t cell;  // in cells_
        model::Cost step;    // from the unit to the cell; 0 where it stands
    };
    struct Best {
        model::Cost distance;
        model::Cell cell;
        bool settled;
    };
    struct Candidate {
        model::Cost distance;
        std::uint32_t place;
        friend auto operator<=>(const Candidate&, const Candidate&) = default;
    };

    [[nodiscard]] bool prepared() const { return prepared_ == units_->waiting().size(); }
    std::uint64_t prepare(std::uint64_t cells_max);
    void add_unit(std::uint32_t place);
    void add_target(model::Cell cell, std::uint32_t place, model::Cost step);
    void begin_search();
    // Sources are found row by row of the region at hand: the goal, then the partial regions.
    [[nodiscard]] bool seeded() const {
        return row_ > rows_.last && regions_seeded_ == units_->partial_regions().size();
    }
    std::uint64_t seed();
    void seed_from(const GoalRegion& region);
    void add_source(model::Cell cell);
    void meet_next(std::vector<SettledUnit>& settled);
    void meet_target(const JumpFlood::Met& met);
    void settle_below(model::Cost f, std::vector<SettledUnit>& settled);

    const map::Layer* layer_{nullptr};
    const GroupUnits* units_{nullptr};
    model::Cost unit_{1};
    std::uint64_t budget_{0};
    std::uint64_t expansions_{0};
    bool ended_{false};

    std::size_t prepared_{0};         // units
    std::vector<model::Cell> cells_;  // of targets, each once
    std::size_t cells_left_{0};
    std::vector<Target> targets_;
    CellChains on_cell_;  // targets
    TargetBits bits_;
    TargetsBound bound_;
    JumpFlood flood_;

    GoalRegion region_;
    Span rows_;
    std::int32_t row_{0};
    map::Component component_{map::kNoComponent};  // of the partial region at hand
    std::size_t regions_seeded_{0};

    std::vector<Best> best_;             // by place
    std::vector<Candidate> candidates_;  // a heap, the nearest on top
    std::size_t reached_{0};             // units that have a candidate
    std::size_t settled_{0};
};

}  // namespace outrider::search
