#pragma once
// What:     the units of a group before any wave: who has the answer already, who waits for the
//           wave, and from which cells the wave must start for those that cannot reach the goal.
// Contract: begin(), then step() until done(); only then are the lists whole. They depend on layer
//           and query alone.
// Cost:     a few loads a unit; a look at the regions a component.

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "outrider/map/layer.hpp"
#include "outrider/model/survey.hpp"
#include "outrider/search/goal_region.hpp"
#include "outrider/search/moves.hpp"
#include "outrider/search/start_components.hpp"

namespace outrider::search {

// Then no unit stays where it stands, unless that is the end that it is given.
[[nodiscard]] inline bool has_own_ends(const model::GroupQuery& query) {
    return query.own_ends || !query.formation.empty();
}

struct WaitingUnit {
    std::uint32_t unit;
    model::Cell cell;
    // kComplete or kPartial, and why.
    model::Outcome outcome;
    model::Outcome reason;
    // On a blocked cell: the moves off it that lead to where it shall end. On an open one 0.
    MoveMask first_moves;
};

// Units of this component end on its cells at this distance from the goal's rectangle.
struct PartialRegion {
    map::Component component;
    model::Cost distance;
};

class GroupUnits {
  public:
    void begin(const map::Layer& layer, const model::GroupQuery& query);
    void step(std::size_t units_max);
    // About as much as settling that many cells takes; returns how much that was.
    std::uint64_t step_for(std::uint64_t cells_max);
    [[nodiscard]] bool done() const { return sorted_ == query_->starts.size(); }
    // Units looked at so far, the first ones of the query.
    [[nodiscard]] std::size_t sorted() const { return sorted_; }

    [[nodiscard]] const GoalRegion& goal() const { return goal_; }
    // By index of the unit.
    [[nodiscard]] const std::vector<model::UnitPath>& answered() const { return answered_; }
    [[nodiscard]] const std::vector<WaitingUnit>& waiting() const { return waiting_; }
    [[nodiscard]] const std::vector<PartialRegion>& partial_regions() const { return partial_; }
    [[nodiscard]] std::size_t bytes() const;

  private:
    struct Reach {
        bool goal{false};
        bool seeded{false};                   // stands in partial_
        std::optional<model::Cost> distance;  // to the rectangle; filled where it is asked for
    };

    void sort_out(std::uint32_t unit, model::Cell cell);
    void answer(std::uint32_t unit, model::Outcome outcome, model::Outcome reason);
    void stay(std::uint32_t unit, model::Outcome outcome, model::Outcome reason);
    Reach& reach_of(map::Component component);
    [[nodiscard]] MoveMask moves_into(model::Cell from, std::optional<model::Cost> distance);
    void wait_for_partial(std::uint32_t unit, const StartComponents& from);
    [[nodiscard]] model::Outcome why_not();

    const map::Layer* layer_{nullptr};
    const model::GroupQuery* query_{nullptr};
    GoalRegion goal_;
    std::size_t sorted_{0};
    std::uint64_t work_{0};
    std::optional<model::Outcome> why_not_;
    std::unordered_map<map::Component, Reach> reach_;
    std::vector<model::UnitPath> answered_;
    std::vector<WaitingUnit> waiting_;
    std::vector<PartialRegion> partial_;
};

}  // namespace outrider::search
