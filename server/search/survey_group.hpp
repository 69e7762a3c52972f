#pragma once
// What:     many units to one goal by one wave that the goal sends out and that ends when it has
//           come to them all.
// Contract: each unit's outcome, reason and cost are those of a path query of its own. One wave
//           serves all regions: besides the goal's cells it starts, for units that cannot reach
//           the goal and want a partial path, from the cells of their region nearest to the goal;
//           waves of different regions never meet.
//           Parts: units by (distance, index), first those that need no wave; parts of 16, 64 and
//           then 256 units.

#include <vector>

#include "outrider/search/goal_seeds.hpp"
#include "outrider/search/group_units.hpp"
#include "outrider/search/survey_kernel.hpp"

namespace outrider::search {

class GroupKernel final : public SurveyKernel {
  public:
    void begin(const map::Layer& layer, const model::Survey& survey, Field& field) override;
    bool step(std::uint64_t cells_max, std::uint64_t& done) override;
    std::optional<model::SurveyResult> take_part() override;
    bool stop(model::Outcome outcome) override;
    model::SurveyResult take_result(model::Outcome outcome) override;
    [[nodiscard]] std::size_t bytes() const override;

    // The part that begins after `units` units.
    [[nodiscard]] static std::size_t part_size(std::size_t units) {
        return units < 16 ? 16 : units < 80 ? 64 : 256;
    }

  private:
    struct Settled {
        model::Cost distance;
        std::uint32_t place;  // in units_.waiting()
        friend auto operator<=>(const Settled&, const Settled&) = default;
    };

    std::uint64_t seed();
    void grow(std::uint64_t cells_max);
    void begin_look();
    std::uint64_t look_some(std::uint64_t looks_max);
    std::uint64_t write_next();
    void take_sorted();
    void add(model::UnitPath path, std::uint64_t needed);
    // From now on all units that have no answer end so.
    void begin_failing(model::Outcome outcome);
    std::uint64_t fail_next();
    [[nodiscard]] model::Cost distance_of(const WaitingUnit& unit) const;
    [[nodiscard]] model::SurveyResult part(std::size_t units, model::Outcome outcome);

    const map::Layer* layer_{nullptr};
    const model::GroupQuery* query_{nullptr};
    Wave wave_;
    GroupUnits units_;
    GoalSeeds seeds_;
    std::size_t places_{0};   // of units_.waiting() that are in unsettled_, or were
    std::size_t answers_{0};  // of units_.answered() that are in ready_
    std::size_t regions_seeded_{0};
    std::int32_t region_row_{0};            // the next of the region being seeded, from its first
    std::vector<std::uint32_t> unsettled_;  // places in units_.waiting(), ascending
    std::uint64_t look_at_{0};              // expansions at the next look
    bool looking_{false};
    std::size_t looked_{0};       // of unsettled_, in this look
    std::size_t kept_{0};         // of those, still unsettled
    std::vector<Settled> order_;  // a heap: the nearest first
    bool looked_at_end_{false};   // of the wave
    bool failing_{false};
    bool stopped_{false};
    std::uint64_t needed_to_fail_{0};  // expansions
    std::size_t failed_{0};            // units that this has come by
    std::vector<bool> has_answer_;     // by unit
    std::vector<model::UnitPath> ready_;
    std::vector<std::uint64_t> needed_;  // expansions, one a unit of ready_
    std::size_t taken_{0};               // of ready_
    model::Outcome outcome_{model::Outcome::kComplete};
    std::vector<model::Cell> points_;
};

}  // namespace outrider::search
