#include "outrider/engine/landmark_keeper.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "outrider/map/terrain_layer.hpp"

#if defined(__linux__)
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace outrider::engine {
namespace {

using map::Landmarks;

// Searches and sessions go first. Where the system cannot do that, the thread runs as any other.
void yield_to_all_others() {
#if defined(__linux__)
    constexpr int kLowest = 19;
    (void)setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kLowest);
#endif
}

// The same, counted for as long as somebody holds it.
std::shared_ptr<const Landmarks> counted(std::shared_ptr<const Landmarks> landmarks,
                                         std::shared_ptr<std::atomic<std::size_t>> total) {
    total->fetch_add(landmarks->bytes(), std::memory_order_relaxed);
    const Landmarks* const held = landmarks.get();
    return {held, [owner = std::move(landmarks), sum = std::move(total)](const Landmarks*) mutable {
                sum->fetch_sub(owner->bytes(), std::memory_order_relaxed);
                owner.reset();
            }};
}

std::size_t bytes_for(const map::Snapshot& snapshot) {
    return Landmarks::storage_cells(snapshot.width(), snapshot.height()) *
           sizeof(Landmarks::Quanta);
}

}  // namespace

LandmarkKeeper::LandmarkKeeper(const Config& config, const base::Clock& clock, const MapTable& maps,
                               const MemoryLedger& memory, std::function<void(MapEntry&)> announce)
    : config_(config),
      clock_(clock),
      maps_(maps),
      memory_(memory),
      announce_(std::move(announce)) {}

LandmarkKeeper::~LandmarkKeeper() {
    stop();
}

void LandmarkKeeper::start() {
    thread_ = std::thread([this] { run(); });
}

void LandmarkKeeper::stop() {
    {
        const base::Lock lock(mutex_);
        stopped_ = true;
        changed_.notify_all();
    }
    if (thread_.joinable()) {
        thread_.join();
    }
}

void LandmarkKeeper::look_at(const map::Snapshot& snapshot) {
    const auto has_landmarks = [](const auto& layer) { return layer->landmarks() != nullptr; };
    if (!eligible(snapshot) || std::ranges::all_of(snapshot.parts().layers, has_landmarks)) {
        return;
    }
    const base::Lock lock(mutex_);
    look_again_ = true;
    changed_.notify_all();
}

void LandmarkKeeper::forget_dropped() {
    const base::Lock lock(mutex_);
    look_again_ = true;
    changed_.notify_all();
}

bool LandmarkKeeper::step() {
    {
        const base::Lock lock(mutex_);
        if (busy_ || stopped_) {
            return false;
        }
        busy_ = true;
        look_again_ = false;
    }
    bool worked = false;
    try {
        worked = work();
    } catch (const std::bad_alloc&) {
        // Answers are as right without. Later there may be memory.
        build_.reset();
        waiting_ = true;
    }
    const base::Lock lock(mutex_);
    busy_ = false;
    return worked;
}

void LandmarkKeeper::run() {
    yield_to_all_others();
    for (;;) {
        if (step()) {
            continue;
        }
        // Only this thread steps, so that waiting_ is its own.
        const bool waiting = waiting_;
        const base::Lock lock(mutex_);
        bool woken = true;
        while (woken && !stopped_ && !look_again_) {
            if (waiting) {
                woken = changed_.wait_for(mutex_, config_.landmark_calm);
            } else {
                changed_.wait(mutex_);
            }
        }
        if (stopped_) {
            return;
        }
    }
}

bool LandmarkKeeper::eligible(const map::Snapshot& snapshot) const {
    const auto cells =
        static_cast<std::size_t>(snapshot.width()) * static_cast<std::size_t>(snapshot.height());
    return config_.landmark_bytes_max != 0 && cells >= config_.landmark_cells_min;
}

bool LandmarkKeeper::fits(const map::Snapshot& snapshot) const {
    const std::size_t bytes_more = bytes_for(snapshot);
    return bytes() + bytes_more <= config_.landmark_bytes_max && memory_.has_ample_room(bytes_more);
}

std::vector<LandmarkState> LandmarkKeeper::states(const map::Snapshot& snapshot) const {
    std::vector<LandmarkState> states;
    const bool wanted = eligible(snapshot) && fits(snapshot);
    for (std::uint16_t i = 0; i < snapshot.class_count(); ++i) {
        const bool ready = snapshot.layer(model::ClassId{i})->landmarks() != nullptr;
        states.push_back(ready    ? LandmarkState::kReady
                         : wanted ? LandmarkState::kPending
                                  : LandmarkState::kNone);
    }
    return states;
}

bool LandmarkKeeper::work() {
    if (!build_ && !choose()) {
        return false;
    }
    Build& build = *build_;
    const MapPtr map = maps_.find(build.place.map);
    if (!map) {
        build_.reset();  // it was dropped
        return true;
    }
    const std::shared_ptr<const map::Snapshot> newest = map->store().snapshot();
    if (newest->cheapened(build.place.id) > build.measured_on) {
        ++unrest_[build.place].overtaken;
        build_.reset();
    } else if (!build.builder) {
        build.measured_on = newest->version();
        build.builder.emplace(map::make_terrain_layer(*newest, build.place.id));
    } else if (!build.builder->step(kCellsPerSlice)) {
        finish(*map);
    }
    return true;
}

bool LandmarkKeeper::choose() {
    waiting_ = false;
    std::erase_if(unrest_, [&](const auto& one) { return !maps_.find(one.first.map); });
    for (const MapPtr& entry : maps_.all()) {
        const std::shared_ptr<const map::Snapshot> snapshot = entry->store().snapshot();
        if (!eligible(*snapshot)) {
            continue;
        }
        for (std::uint16_t i = 0; i < snapshot->class_count(); ++i) {
            const Place place{entry->id(), {i}};
            if (snapshot->layer(place.id)->landmarks() == nullptr && due(place, *snapshot)) {
                build_.emplace(Build{place, snapshot->version(), std::nullopt});
                return true;
            }
        }
    }
    return false;
}

bool LandmarkKeeper::due(const Place& place, const map::Snapshot& snapshot) {
    const model::Version cheapened = snapshot.cheapened(place.id);
    Unrest& unrest = unrest_[place];
    const base::TimePoint now = clock_.now();
    if (unrest.version != cheapened) {
        unrest.version = cheapened;
        unrest.since = now;
        unrest.hopeless = false;
    }
    if (unrest.hopeless) {
        return false;
    }
    const auto calm = config_.landmark_calm * (1U << std::min(unrest.overtaken, kDoublingsMax));
    const bool calm_now = cheapened == 0 || now - unrest.since >= calm;
    const bool ready = calm_now && fits(snapshot);
    waiting_ |= !ready;
    return ready;
}

void LandmarkKeeper::finish(MapEntry& map) {
    const Place place = build_->place;
    const model::Version measured_on = build_->measured_on;
    std::shared_ptr<const Landmarks> built = build_->builder->take();
    build_.reset();
    if (!built) {
        unrest_[place].hopeless = true;
        return;
    }
    auto landmarks = counted(std::move(built), held_bytes_);
    if (map.store().adopt_landmarks(place.id, measured_on, std::move(landmarks))) {
        unrest_[place].overtaken = 0;
        announce_(map);
    } else {
        ++unrest_[place].overtaken;
    }
}

}  // namespace outrider::engine
