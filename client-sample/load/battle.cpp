#include "load/battle.hpp"

#include <algorithm>
#include <utility>

namespace outrider::load {
namespace {

// A report that strays brings a path within this time, or the unit orders anew: a second at ten
// ticks a second.
constexpr std::uint32_t kHopeTicks = 10;

}  // namespace

Battle::Battle(std::unique_ptr<map::Store> store, std::shared_ptr<const PushLog> pushes,
               const units::Traits& traits)
    : store_(std::move(store)),
      pushes_(std::move(pushes)),
      traits_(traits),
      troops_(store_->snapshot()->width(), store_->snapshot()->height()) {}

bool Battle::muster(model::Cell at) {
    const auto snapshot = store_->snapshot();
    const std::int32_t rings = std::max(snapshot->width(), snapshot->height());
    for (std::int32_t ring = 0; ring <= rings; ++ring) {
        for (std::int32_t dy = -ring; dy <= ring; ++dy) {
            // Only the ring itself: its top and bottom rows, and the ends of the others.
            const bool whole_row = dy == -ring || dy == ring;
            const std::int32_t stride = whole_row ? 1 : std::max(1, 2 * ring);
            for (std::int32_t dx = -ring; dx <= ring; dx += stride) {
                if (troops_.add(*snapshot, traits_, {at.x + dx, at.y + dy})) {
                    soldiers_.emplace_back();
                    return true;
                }
            }
        }
    }
    return false;
}

void Battle::order(units::UnitIndex unit, model::Cell goal, std::uint64_t key) {
    troops_.order(unit, goal);
    soldiers_[unit].key = key;
    soldiers_[unit].reported = {-1, -1};
}

void Battle::followed(units::UnitIndex unit, std::uint64_t key, const Follow& follow) {
    if (soldiers_[unit].key == key) {
        soldiers_[unit].follow = follow;
    }
}

Battle::Follow Battle::take_follow(units::UnitIndex unit) {
    return std::exchange(soldiers_[unit].follow, {});
}

void Battle::told(Told told) {
    const base::Lock lock(mutex_);
    told_.push_back(std::move(told));
}

void Battle::ended(units::UnitIndex unit, std::uint64_t key) {
    const base::Lock lock(mutex_);
    ended_.push_back({unit, key});
}

void Battle::follow_edits() {
    for (const codec::MapEdited& edited : pushes_->batches_from(applied_)) {
        ++applied_;
        // One that does not apply is the verifier's to report.
        static_cast<void>(store_->replay(edited.batch));
    }
}

void Battle::hear() {
    std::vector<Told> told;
    std::vector<Ended> ended;
    {
        const base::Lock lock(mutex_);
        std::swap(told, told_);
        std::swap(ended, ended_);
    }
    for (const Told& news : told) {
        if (soldiers_[news.unit].key == news.key) {
            troops_.take_path(news.unit, news.outcome, news.points);
        }
    }
    for (const Ended& end : ended) {
        if (soldiers_[end.unit].key == end.key) {
            soldiers_[end.unit].follow = {};
        }
    }
}

void Battle::tick() {
    follow_edits();
    hear();
    troops_.tick(*store_->snapshot());
    for (const units::UnitIndex unit : troops_.take_wanting()) {
        const bool hopes = soldiers_[unit].follow.id != model::RequestId{} &&
                           units()[unit].state == units::State::kAwaiting;
        soldiers_[unit].hopes_since = troops_.ticks();
        (hopes ? hopeful_ : wanting_).push_back(unit);
    }
    std::erase_if(hopeful_, [&](units::UnitIndex unit) {
        const bool in_vain = units()[unit].state == units::State::kAwaiting;
        const bool over = soldiers_[unit].hopes_since + kHopeTicks <= troops_.ticks();
        if (in_vain && over) {
            wanting_.push_back(unit);
        }
        return !in_vain || over;
    });
}

std::vector<Battle::Place> Battle::take_places() {
    std::vector<Place> places;
    for (units::UnitIndex unit = 0; unit < soldiers_.size(); ++unit) {
        Soldier& soldier = soldiers_[unit];
        const units::Unit& on_foot = units()[unit];
        const bool speaks =
            on_foot.at != soldier.reported || on_foot.state == units::State::kAwaiting;
        if (soldier.follow.id != model::RequestId{} && speaks) {
            soldier.reported = on_foot.at;
            places.push_back({soldier.follow.connection, {soldier.follow.id, on_foot.at}});
        }
    }
    return places;
}

std::vector<units::UnitIndex> Battle::take_wanting() {
    std::vector<units::UnitIndex> wanting = std::exchange(wanting_, {});
    std::ranges::sort(wanting);
    const auto twice = std::ranges::unique(wanting);
    wanting.erase(twice.begin(), twice.end());
    return wanting;
}

}  // namespace outrider::load
