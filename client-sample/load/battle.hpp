#pragma once
// What:     the units of a load run on their feet: armies that walk the paths which the server
//           gives them, on the client's own copy of the map, and say where they are.
// Contract: the same orders, answers and edits between the same ticks give the same battle. Answers
//           and pushes may come on any thread and at any time; they are heard at the next tick, and
//           those to an order that a newer one has replaced are not heard at all.
// Threads:  told(), ended() from any thread; all else from one.
// Cost:     units/troops.hpp; a copy of the map, and what its edits touch.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "load/push_log.hpp"
#include "outrider/base/mutex.hpp"
#include "outrider/map/store.hpp"
#include "outrider/model/follow.hpp"
#include "units/troops.hpp"

namespace outrider::load {

class Battle {
  public:
    // `key` is the run's own number of the order that is answered.
    struct Told {
        units::UnitIndex unit{};
        std::uint64_t key{};
        model::Outcome outcome{};
        std::vector<model::Cell> points;
    };
    // On the connection that took the order.
    struct Place {
        std::size_t connection{};
        model::Progress progress;
    };
    struct Follow {
        std::size_t connection{};
        model::RequestId id;  // 0: none
    };

    // `pushes` has the edits of the map from the store's version on.
    Battle(std::unique_ptr<map::Store> store, std::shared_ptr<const PushLog> pushes,
           const units::Traits& traits);

    // A unit at the free cell nearest to `at`; false when there is no room on the whole map.
    [[nodiscard]] bool muster(model::Cell at);
    [[nodiscard]] std::span<const units::Unit> units() const { return troops_.units(); }

    // It stops and waits for the answer that will be told under this key.
    void order(units::UnitIndex unit, model::Cell goal, std::uint64_t key);
    // The server follows the order from now on. Answer and end may have been told before.
    void followed(units::UnitIndex unit, std::uint64_t key, const Follow& follow);
    // The unit's follow, which is forgotten: for who cancels it.
    [[nodiscard]] Follow take_follow(units::UnitIndex unit);

    void told(Told told) OUTRIDER_EXCLUDES(mutex_);
    // The follow of that order is over.
    void ended(units::UnitIndex unit, std::uint64_t key) OUTRIDER_EXCLUDES(mutex_);

    void tick() OUTRIDER_EXCLUDES(mutex_);
    // Of the last tick: where the followed units are that moved or wait for a path.
    [[nodiscard]] std::vector<Place> take_places();
    // Units that must order again, and those that have arrived, since the last call.
    [[nodiscard]] std::vector<units::UnitIndex> take_wanting();
    [[nodiscard]] std::vector<units::Arrival> take_arrivals() { return troops_.take_arrivals(); }

  private:
    struct Soldier {
        std::uint64_t key{0};
        Follow follow;
        model::Cell reported{-1, -1};
        // Since when it waits for a push that its report should bring.
        std::uint32_t hopes_since{0};
    };
    struct Ended {
        units::UnitIndex unit{};
        std::uint64_t key{};
    };

    void follow_edits();
    void hear();

    std::unique_ptr<map::Store> store_;
    std::shared_ptr<const PushLog> pushes_;
    std::size_t applied_{0};
    units::Traits traits_;
    units::Troops troops_;
    std::vector<Soldier> soldiers_;
    std::vector<units::UnitIndex> hopeful_;
    std::vector<units::UnitIndex> wanting_;

    base::Mutex mutex_;
    std::vector<Told> told_ OUTRIDER_GUARDED_BY(mutex_);
    std::vector<Ended> ended_ OUTRIDER_GUARDED_BY(mutex_);
};

}  // namespace outrider::load
