#pragma once
// What:     many units to one goal by one search that the goal sends out and that ends when it has
//           come to them all.
// Contract: each unit's outcome, reason and cost are those of a path query of its own. One search
//           serves all regions: besides the goal's cells it starts, for units that cannot reach
//           the goal and want a partial path, from the cells of their region nearest to the goal;
//           what starts in different regions never meets.
//           Parts: units by (distance, index), first those that need no search; parts of 16, 64 and
//           then 256 units.
//           What settles the units is chosen by group_choice.hpp: a search by jumps, one for each
//           unit, or a wave over the cells. Each is deterministic, and so is the choice.

#include <vector>

#include "outrider/search/group_choice.hpp"
#include "outrider/search/group_jumps.hpp"
#include "outrider/search/group_lanes.hpp"
#include "outrider/search/group_units.hpp"
#include "outrider/search/group_wave.hpp"
#include "outrider/search/survey_kernel.hpp"
#include "outrider/search/unit_parts.hpp"

namespace outrider::search {

class GroupKernel final : public SurveyKernel {
  public:
    void begin(const map::Layer& layer, const model::Survey& survey, Field& field) override;
    bool step(std::uint64_t cells_max, std::uint64_t& done) override;
    std::optional<model::SurveyResult> take_part() override;
    bool stop(model::Outcome outcome) override;
    model::SurveyResult take_result(model::Outcome outcome) override;
    [[nodiscard]] std::size_t bytes() const override;

  private:
    void begin_settling();
    std::uint64_t write_next();
    [[nodiscard]] GroupSettler& settler_of(GroupWay way);
    void take_sorted();
    void add(model::UnitPath path, std::uint64_t needed);
    // From now on all units that have no answer end so.
    void begin_failing(model::Outcome outcome);
    std::uint64_t fail_next();

    const map::Layer* layer_{nullptr};
    const model::GroupQuery* query_{nullptr};
    std::uint64_t expansions_max_{0};
    GroupUnits units_;
    std::size_t answers_{0};  // of units_.answered() that are in parts_
    GroupWave wave_;
    GroupJumps jumps_;
    GroupLanes lanes_;
    GroupSettler* settler_{nullptr};
    std::vector<SettledUnit> order_;
    std::size_t written_{0};  // of order_
    bool failing_{false};
    bool stopped_{false};
    std::uint64_t needed_to_fail_{0};  // expansions
    std::size_t failed_{0};            // units that this has come by
    std::vector<bool> has_answer_;     // by unit
    UnitParts parts_;
    model::Outcome outcome_{model::Outcome::kComplete};
    std::vector<model::Cell> points_;
};

}  // namespace outrider::search
