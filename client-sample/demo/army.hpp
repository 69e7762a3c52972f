#pragma once
// What:     the units of the demo: an army that marches on the paths of a server that follows it.
// Contract: pure: no network, no time. Units walk by units/troops.hpp. Besides that the army knows
//           what the server knows: the path that each unit was last told, and from where on. A unit
//           has arrived only on its goal, never at the end of a partial path.
// Cost:     a look for broken paths goes over the rest of each.

#include <cstdint>
#include <span>
#include <vector>

#include "outrider/map/snapshot.hpp"
#include "outrider/model/cell.hpp"
#include "units/troops.hpp"

namespace outrider::demo {

inline constexpr model::ClassId kClass{0};
// Cells of plain ground that a unit crosses in ten ticks, straight ahead.
inline constexpr model::Cost kCellsInTenTicks = 12;

// Where a unit stands before the march, where it goes, and the tick of its first step: the army is
// a column, not a blot.
struct Post {
    model::Cell at;
    model::Cell goal;
    std::uint32_t departs{};
};

class Army {
  public:
    // Needs posts on open cells, no two on one.
    Army(const map::Snapshot& snapshot, std::span<const Post> posts);

    [[nodiscard]] std::span<const units::Unit> units() const { return troops_.units(); }
    [[nodiscard]] bool has_marched(std::size_t unit) const {
        return units()[unit].at != start_[unit];
    }
    // Tick of its last new path; 0: none.
    [[nodiscard]] std::uint32_t replanned(std::size_t unit) const { return replanned_[unit]; }
    [[nodiscard]] std::size_t arrived() const;
    [[nodiscard]] bool all_arrived() const { return arrived() == units().size(); }

    // Everybody takes the steps of one tick. Returns who must order (again).
    [[nodiscard]] std::vector<std::size_t> step(const map::Snapshot& snapshot);
    // It stands still until it is told its path.
    void order(std::size_t unit) { troops_.order(static_cast<units::UnitIndex>(unit), goal(unit)); }
    // The server's newest path for the unit, from where it knows it to be. Empty: there is none.
    void tell(std::size_t unit, std::span<const model::Cell> cells);
    // As tell(), for one that an edit made necessary.
    void tell_anew(std::size_t unit, std::span<const model::Cell> cells);

    // The unit says where it stands. False when that is not on what was left of its told path, so
    // that the server is going to tell another.
    [[nodiscard]] bool report(std::size_t unit);
    // Units whose told path has a step that is no longer legal, or that were told of none.
    [[nodiscard]] std::vector<std::size_t> find_untold(const map::Snapshot& snapshot) const;
    // Units that stand in a building's way on steps of their own go back to what they were told.
    void stop_the_broken(const map::Snapshot& snapshot);

  private:
    [[nodiscard]] model::Cell goal(std::size_t unit) const { return units()[unit].goal; }

    units::Troops troops_;
    std::vector<model::Cell> start_;
    std::vector<std::uint32_t> replanned_;
    // From the last reported place on, that included.
    std::vector<std::vector<model::Cell>> told_;
};

}  // namespace outrider::demo
