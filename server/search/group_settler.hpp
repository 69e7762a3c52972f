#pragma once
// What:     what settles the units of a group: says, nearest first, how far each is and which way
//           it goes.
// Contract: begin() before anything else. Where the steps are cut changes nothing: not the costs,
//           the ways, nor the order.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "outrider/search/group_units.hpp"

namespace outrider::search {

struct SettledUnit {
    model::Cost distance;  // in units of GroupSettler::unit()
    std::uint32_t place;   // in GroupUnits::waiting()
    std::uint64_t needed;  // expansions until it was final
    friend auto operator<=>(const SettledUnit&, const SettledUnit&) = default;
};

class GroupSettler {
  public:
    virtual ~GroupSettler() = default;
    // `units` are done; both outlive the run. expansions_max 0: no budget.
    virtual void begin(const map::Layer& layer, const GroupUnits& units,
                       std::uint64_t expansions_max) = 0;
    // Works for about `cells_max`, and appends whoever has become final, by (distance, place).
    // Returns the work done, at least 1.
    virtual std::uint64_t step(std::uint64_t cells_max, std::vector<SettledUnit>& settled) = 0;
    // Nobody more will become final: all are, or the budget is spent.
    [[nodiscard]] virtual bool ended() const = 0;
    // Appends the turning points of its way, from where it stands to its end. Returns the looks
    // that this took.
    virtual std::uint64_t write_way(const SettledUnit& unit, std::vector<model::Cell>& points) = 0;
    [[nodiscard]] virtual model::Cost unit() const = 0;
    // Once ended.
    [[nodiscard]] virtual std::uint64_t expansions() const = 0;
    [[nodiscard]] virtual std::size_t bytes() const = 0;
};

}  // namespace outrider::search
