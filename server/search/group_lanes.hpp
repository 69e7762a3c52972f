#pragma once
// What:     settles a group of few units that stand far apart, one by one: a lane for each.
// Contract: as GroupSettler, for layers with stops, where no unit waits for a partial path. All are
//           settled when the last is found, and each says so by its `needed`; with a budget those
//           that were found before it was spent.
// Cost:     for each unit that of a path query.
// Source:   decisions/0025-an-army-is-met-by-jumps.md.

#include <vector>

#include "outrider/search/group_jumps.hpp"

namespace outrider::search {

class GroupLanes final : public GroupSettler {
  public:
    void begin(const map::Layer& layer, const GroupUnits& units,
               std::uint64_t expansions_max) override;
    std::uint64_t step(std::uint64_t cells_max, std::vector<SettledUnit>& settled) override;
    [[nodiscard]] bool ended() const override { return ended_; }
    std::uint64_t write_way(const SettledUnit& unit, std::vector<model::Cell>& points) override;
    [[nodiscard]] model::Cost unit() const override { return lane_.unit(); }
    [[nodiscard]] std::uint64_t expansions() const override { return expansions_; }
    [[nodiscard]] std::size_t bytes() const override;

  private:
    struct Way {
        std::size_t first{0};  // of points_
        std::size_t count{0};
    };

    void begin_lane();
    void end_lane();
    void settle_all(std::vector<SettledUnit>& settled);

    const map::Layer* layer_{nullptr};
    const GroupUnits* units_{nullptr};
    std::uint64_t budget_{0};  // 0: none
    std::uint64_t expansions_{0};
    bool ended_{false};
    std::uint32_t place_{0};  // of the unit whose lane it is
    GroupJumps lane_;
    std::vector<SettledUnit> found_;
    std::vector<Way> ways_;  // by place
    std::vector<model::Cell> points_;
    std::vector<model::Cell> way_;
};

}  // namespace outrider::search
