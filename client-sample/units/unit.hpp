#pragma once
// What: one unit: where it stands, what it was told, and how it is getting on.

#include <cstdint>

#include "outrider/model/cost.hpp"
#include "outrider/model/ids.hpp"
#include "units/ground.hpp"
#include "units/way.hpp"

namespace outrider::units {

enum class State : std::uint8_t {
    kIdle,      // never had an order, or has done with it
    kAwaiting,  // has an order, and no path to walk
    kWalking,
    kHeld,      // another stands where it must go next, or it lets another pass
    kStranded,  // its path ended short of the goal, or there is none
    kArrived,   // a complete path has brought it to its goal
};

// What kind of unit it is.
struct Traits {
    model::ClassId movement_class{};
    // Cost per tick: with model::kCostPerCell it crosses a cell of plain ground a tick. At least 1.
    model::Cost speed{model::kCostPerCell};
    // What an eighth of a turn costs, in the same currency.
    model::Cost turn{0};
    // The tick of its first step.
    std::uint32_t departs{0};
};

struct Unit {
    Traits traits;
    std::int32_t side{1};  // of its footprint, in cells
    model::Cell at;
    std::uint8_t heading{2};  // as in steps.hpp: looks east until it first steps

    State state{State::kIdle};
    // What it becomes when its way is over.
    State at_end{State::kIdle};
    model::Cell goal;
    bool done{true};     // with its order
    bool beside{false};  // its way ends beside the goal, which is taken
    Way way;

    // What it has paid towards its next step.
    model::Cost credit{0};
    std::uint32_t held_ticks{0};    // in this place
    std::uint32_t waited_ticks{0};  // since its order
    std::uint32_t sidestepped{0};   // tick

    // Whom it lets pass, and whoever sent it aside for that, whose rank it has meanwhile.
    UnitIndex yields_to{kNobody};
    UnitIndex sent_by{kNobody};
    // The last push that came to it, and whether it could not leave.
    std::uint32_t sent_aside{0};
    bool refused{false};

    [[nodiscard]] bool moves() const { return state == State::kWalking || state == State::kHeld; }
};

}  // namespace outrider::units
