#pragma once
// What:     settles a group by a wave, cell by cell: for every class.
// Contract: as GroupSettler. A way descends the field against the first, in the order of moves, of
//           the moves that Field::arrivals() names.
// Source:   search/field.hpp.

#include <vector>

#include "outrider/search/goal_seeds.hpp"
#include "outrider/search/group_settler.hpp"
#include "outrider/search/survey_kernel.hpp"

namespace outrider::search {

class GroupWave final : public GroupSettler {
  public:
    // Before begin(); outlives the run.
    void use(Field& field) { field_ = &field; }

    void begin(const map::Layer& layer, const GroupUnits& units,
               std::uint64_t expansions_max) override;
    std::uint64_t step(std::uint64_t cells_max, std::vector<SettledUnit>& settled) override;
    [[nodiscard]] bool ended() const override { return ended_; }
    std::uint64_t write_way(const SettledUnit& unit, std::vector<model::Cell>& points) override;
    [[nodiscard]] model::Cost unit() const override { return field_->unit(); }
    [[nodiscard]] std::uint64_t expansions() const override;
    // The field is counted by who owns it.
    [[nodiscard]] std::size_t bytes() const override;

  private:
    std::uint64_t seed();
    void begin_look();
    std::uint64_t look_some(std::uint64_t looks_max);
    std::uint64_t hand_out(std::uint64_t units_max, std::vector<SettledUnit>& settled);
    [[nodiscard]] model::Cost distance_of(const WaitingUnit& unit) const;

    const map::Layer* layer_{nullptr};
    const GroupUnits* units_{nullptr};
    Field* field_{nullptr};
    Wave wave_;
    GoalSeeds seeds_;
    std::size_t regions_seeded_{0};
    std::int32_t region_row_{0};            // the next of the region being seeded, from its first
    std::vector<std::uint32_t> unsettled_;  // places, ascending
    std::uint64_t look_at_{0};              // expansions at the next look
    bool looking_{false};
    std::size_t looked_{0};           // of unsettled_, in this look
    std::size_t kept_{0};             // of those, still unsettled
    bool looked_at_end_{false};       // of the wave
    std::vector<SettledUnit> found_;  // a heap: the nearest first
    bool ended_{false};
};

}  // namespace outrider::search
