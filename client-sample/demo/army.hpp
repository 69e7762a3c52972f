#pragma once
// What:     the units of the demo: they stand, march cell by cell along the path they were given,
//           and notice when a building stands on what is left of it.
// Contract: pure: no network, no time. A unit never enters a blocked cell. A unit has arrived only
//           on its goal, never at the end of a partial path.
// Cost:     a tick looks at the rest of every path.

#include <cstdint>
#include <span>
#include <vector>

#include "outrider/map/layer.hpp"
#include "outrider/model/cell.hpp"

namespace outrider::demo {

enum class UnitState : std::uint8_t {
    kMarching,
    kWantsPath,  // has none, or its path is broken
    kStuck,      // asked, and there is no way at present
    kArrived,
};

struct Unit {
    model::Cell at;
    model::Cell goal;
    std::uint32_t departs{};  // tick of its first step, so that the army is a column, not a blot
    UnitState state{UnitState::kWantsPath};
    std::vector<model::Cell> path;  // cells still to enter, nearest last
    std::uint32_t replanned{};      // tick of its last new path, for the picture
    bool has_marched{false};
};

class Army {
  public:
    explicit Army(std::vector<Unit> units) : units_(std::move(units)) {}

    [[nodiscard]] std::span<const Unit> units() const { return units_; }
    [[nodiscard]] std::size_t arrived() const;
    [[nodiscard]] bool all_arrived() const { return arrived() == units_.size(); }

    // Units whose rest of path crosses a blocked cell, or a corner that it may no longer cut, want
    // a new one; with `retry_stuck` (the map changed) so do those that had no way. Returns the
    // indices of all that want one.
    [[nodiscard]] std::vector<std::size_t> find_wanting(const map::Layer& layer, bool retry_stuck);
    // The cells of a complete path from where the unit stands; empty: there is no way.
    void give_path(std::size_t index, std::span<const model::Cell> cells, std::uint32_t tick);
    // Every marching unit takes one step.
    void step(std::uint32_t tick);

  private:
    std::vector<Unit> units_;
};

// The rest of the path is legal on the layer.
[[nodiscard]] bool path_holds(const map::Layer& layer, const Unit& unit);

}  // namespace outrider::demo
