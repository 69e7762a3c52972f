#pragma once
// What:     units that walk the paths they are given, on ground that they share.
//
//               A > . . < B    Each cell is held by one unit at most. Who finds its next cell held
//               . . . . . .    waits; who meets another head-on steps around it, or sends it out of
//                              the way.
//
// Contract: pure and deterministic: the same calls give the same units. No thread, no clock: time
//           is the number of ticks.
//           A unit stands on open cells alone (unless it was built on) and takes only steps that
//           are legal for its class on the snapshot of that tick. Unhindered it takes exactly
//           ceil((cost of its path + turns) / speed) ticks.
//           It waits for a friend on its way; it does not ask for another path around him. Of two
//           in each other's way the one with the order, then the one with the smaller index, goes
//           first: it may send the other aside, who comes back afterwards, and whoever stands
//           behind that one, too.
//           It wants a (new) path when its next step is closed, when a path does not lead over its
//           place, and each kPatienceTicks that it is held in one place.
//           It has arrived when a COMPLETE path brought it to its end; or, where a unit with the
//           same goal has arrived and stands in its way, beside that one. Never by a path that is
//           not complete.
// Threads:  one at a time.
// Cost:     a tick is a few nanoseconds a unit that walks, and some microseconds a unit that looks
//           for a way around another.
// Source:   who goes first is as in priority inheritance: Okumura and others, "Priority Inheritance
//           with Backtracking for Iterative Multi-agent Path Finding", 2022.

#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "outrider/map/snapshot.hpp"
#include "outrider/model/outcome.hpp"
#include "units/ground.hpp"
#include "units/local_search.hpp"
#include "units/unit.hpp"

namespace outrider::units {

// Held in one place for so long it asks again: some six seconds at ten ticks a second.
inline constexpr std::uint32_t kPatienceTicks = 64;

struct Arrival {
    UnitIndex unit{};
    std::uint32_t waited_ticks{};
    // It stands beside the goal, which is taken.
    bool beside{false};
};

class Troops {
  public:
    Troops(std::int32_t width, std::int32_t height) : ground_(width, height) {}

    // False when it cannot stand there: blocked for its class, or held.
    [[nodiscard]] bool add(const map::Snapshot& snapshot, const Traits& traits, model::Cell at);
    [[nodiscard]] std::span<const Unit> units() const { return units_; }
    [[nodiscard]] const Ground& ground() const { return ground_; }

    // It stops, forgets what it did, and waits for its path.
    void order(UnitIndex unit, model::Cell goal);
    // The newest answer to its order, or a path that was pushed: turning points, waypoints or
    // cells. A path over the unit's place is walked on from there.
    void take_path(UnitIndex unit, model::Outcome outcome, std::span<const model::Cell> points);
    // One that is stranded wants a path.
    void try_again(UnitIndex unit);

    void tick(const map::Snapshot& snapshot);
    [[nodiscard]] std::uint32_t ticks() const { return tick_; }

    // Since the last call: who wants a path, each once, and who has arrived.
    [[nodiscard]] std::vector<UnitIndex> take_wanting();
    [[nodiscard]] std::vector<Arrival> take_arrivals() { return std::exchange(arrivals_, {}); }
    // Units whose rest of way has a step that is no longer legal. They stop, and want a path.
    void stop_the_broken(const map::Snapshot& snapshot);

  private:
    // One unit sends another aside.
    struct Push {
        UnitIndex pusher;
        const map::Snapshot& snapshot;
    };

    void want(UnitIndex unit);
    void rest(Unit& unit, State state);
    void arrive(UnitIndex index, bool beside);
    void end_way(UnitIndex index);
    void lose_way(UnitIndex index);
    void walk(UnitIndex index, const map::Layer& layer);
    void step(UnitIndex index, const Step& step);

    // courtesy.cpp: what a unit does when another is in its way.
    [[nodiscard]] std::tuple<int, UnitIndex, int> rank(UnitIndex index) const;
    [[nodiscard]] bool outranks(UnitIndex index, UnitIndex other) const;
    [[nodiscard]] bool may_go_on(UnitIndex index) const;
    [[nodiscard]] bool settles_beside(const Unit& unit, const Unit& other) const;
    void wait_for(UnitIndex index, UnitIndex other, const map::Snapshot& snapshot);
    void settle(UnitIndex index, const map::Layer& layer);
    [[nodiscard]] LocalSearch::Cost free_cells(UnitIndex index) const;
    [[nodiscard]] bool go_around(UnitIndex index, const map::Layer& layer);
    void send_aside(UnitIndex pusher, UnitIndex other, const map::Snapshot& snapshot);
    [[nodiscard]] bool step_aside(UnitIndex index, const Push& push, UnitIndex for_whom,
                                  std::uint32_t depth);
    [[nodiscard]] bool clear_cells(UnitIndex index, std::span<const model::Cell> cells,
                                   const Push& push, std::uint32_t depth);
    [[nodiscard]] std::vector<model::Cell> find_aside(UnitIndex index, UnitIndex pusher,
                                                      const map::Layer& layer);

    std::vector<Unit> units_;
    std::vector<bool> wants_;
    std::vector<Arrival> arrivals_;
    Ground ground_;
    LocalSearch search_;
    std::uint32_t tick_{0};
    std::uint32_t pushes_{0};
};

}  // namespace outrider::units
