#pragma once
// What:     many units to one goal, each to an end of its own (GroupQuery::own_ends and formation).
// Contract: own_ends: the ends of a region are the first anchors, by distance from the goal by
//           path, then by octile distance from the middle of the goal's rectangle, then by index,
//           that overlap none taken before; as many as the region has units. They are shared out by
//           share_out(). formation: unit after unit takes the free anchor of its region nearest to
//           its place in the formation (end_picker.hpp), which is moved onto the map.
//           A unit that cannot reach the goal gets an end in its own region if it may
//           (allow_partial): kPartial. Where the region has no free ground left: kGoalBlocked. With
//           own_ends that is for the last of the region's units; with a formation likewise.
//           Each path is legal, costs what it says, and costs at most kOwnEndBoundPercent of the
//           optimum to its end; `bound_percent` says what is proven of it. No path at all comes
//           when the budget is spent before the wave has come to all units.
//           Parts: those without a path first; then by distance from the goal.
// How:      one wave from the goal finds the ends, goes on to all units, and each unit walks down
//           it to where its end is near; the rest is a search of its own. A cheapest path to the
//           end costs at least as much as the unit is farther from the goal than the end, which
//           proves the bound. Up to kAlone units, units off blocked cells and those whose end is no
//           nearer to the goal than they are: a search of their own from the start.
// Cost:     the wave's cells, and for each unit a search about the size of the crowd of ends.
// Source:   search/README.md, "Ends of their own".

#include <unordered_map>
#include <vector>

#include "outrider/search/end_picker.hpp"
#include "outrider/search/group_units.hpp"
#include "outrider/search/search.hpp"
#include "outrider/search/survey_kernel.hpp"
#include "outrider/search/unit_parts.hpp"

namespace outrider::search {

class OwnEndsKernel final : public SurveyKernel {
  public:
    // Fewer units are not worth a wave over the ground between them and the goal.
    static constexpr std::size_t kAlone = 8;

    void begin(const map::Layer& layer, const model::Survey& survey, Field& field) override;
    bool step(std::uint64_t cells_max, std::uint64_t& done) override;
    std::optional<model::SurveyResult> take_part() override { return parts_.take_part(); }
    model::SurveyResult take_result(model::Outcome outcome) override;
    [[nodiscard]] std::size_t bytes() const override;

  private:
    // The least that the wave grows between two looks at what it has come to.
    static constexpr std::uint64_t kCellsPerLook = 256;

    enum class Phase : std::uint8_t { kSort, kSeed, kEnds, kApproach, kWalk, kDone };
    // Units of one region, as places in units_.waiting(), ascending, and the ends found for them.
    struct Troop {
        std::vector<std::uint32_t> places;
        std::vector<model::Cell> ends;
    };
    struct Walker {
        model::Cost distance;  // from the goal; 0 where it is not asked for
        std::uint32_t place;
        model::Cell end;
    };

    std::uint64_t sort_units(std::uint64_t cells_max);
    void form_troops();
    [[nodiscard]] map::Component component_of(const WaitingUnit& unit) const;
    [[nodiscard]] bool alone() const { return units_.waiting().size() <= kAlone; }
    std::uint64_t seed_row();
    std::uint64_t find_ends(std::uint64_t cells_max);
    std::uint64_t take_candidates();
    void share_ends();
    std::uint64_t choose_slot();
    void begin_approach();
    std::uint64_t approach(std::uint64_t cells_max);
    [[nodiscard]] bool settled(const Walker& walker) const;
    void begin_walks();
    std::uint64_t walk(std::uint64_t cells_max);
    void begin_search(bool may_descend);
    void end_search();
    [[nodiscard]] std::uint32_t bound_of(const Walker& walker, model::Cost cost) const;
    void answer(std::uint32_t unit, model::Outcome outcome);
    void answer_rest(model::Outcome outcome);
    void run_out();
    [[nodiscard]] bool spent() const { return budget_ != 0 && spent_ >= budget_; }

    const map::Layer* layer_{nullptr};
    const model::GroupQuery* query_{nullptr};
    model::ClassId class_;
    std::uint64_t budget_{0};
    std::uint64_t spent_{0};  // the same wherever steps are cut
    Phase phase_{Phase::kDone};
    Wave wave_;
    GroupUnits units_;
    UnitParts parts_;
    std::vector<bool> answered_;
    model::Outcome outcome_{model::Outcome::kComplete};

    std::unordered_map<map::Component, Troop> troops_;
    std::int32_t row_{0};            // of the goal, the next to be seeded
    std::size_t regions_seeded_{0};  // of those that cannot reach it
    std::vector<model::Cell> settled_;
    std::size_t looked_at_{0};  // of settled_
    std::size_t missing_{0};    // ends
    TakenGround taken_;
    SlotScan scan_;
    std::size_t slots_{0};  // places of the formation looked at

    std::vector<Walker> walkers_;
    std::vector<std::uint32_t> pending_;  // walkers whose distance is not known yet
    std::size_t walked_{0};
    bool searching_{false};
    std::vector<model::Cell> descent_;  // cells from the start on, before the search's first
    model::Cost descent_cost_{0};
    Search search_;
    BuffersPtr buffers_;  // made when first needed
};

}  // namespace outrider::search
