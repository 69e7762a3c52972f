#pragma once
// What:     builds the landmarks of every class in the background, at load and again after an edit
//           made them void. Private to the engine room.
// Contract: what becomes ready is a new version of the map (law 4); requests are answered before as
//           after. A class whose landmarks an edit made void gets new ones once no edit has made
//           its terrain cheaper for Config::landmark_calm; each build that such an edit overtakes
//           doubles that, up to 64 times, until one comes through. A class that would exceed
//           Config::landmark_bytes_max goes without.
// Threads:  any. One at a time builds: the keeper's own thread between start() and stop(), or who
//           calls step().
// Cost:     a slice is kCellsPerSlice cells, below a millisecond; the first of a build copies the
//           terrain, as if the map were loaded for one class.

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "outrider/base/clock.hpp"
#include "outrider/base/mutex.hpp"
#include "outrider/engine/config.hpp"
#include "outrider/engine/engine.hpp"
#include "outrider/engine/map_table.hpp"
#include "outrider/engine/memory.hpp"
#include "outrider/search/landmark_builder.hpp"

namespace outrider::engine {

class LandmarkKeeper {
  public:
    // `announce` is called after each version that the keeper makes, with no lock held.
    // `memory` must have ample room for what is built.
    LandmarkKeeper(const Config& config, const base::Clock& clock, const MapTable& maps,
                   const MemoryLedger& memory, std::function<void(MapEntry&)> announce);
    ~LandmarkKeeper();
    LandmarkKeeper(const LandmarkKeeper&) = delete;
    LandmarkKeeper& operator=(const LandmarkKeeper&) = delete;

    void start();
    // Ends within a slice; harmless when never started.
    void stop();
    // A map's newest version: after it was added or edited, or got a class.
    void look_at(const map::Snapshot& snapshot);
    // A map was dropped: what is being built for it is thrown away before long.
    void forget_dropped();
    // One slice of work. False when there is nothing to do now, or somebody else is at it.
    bool step();
    [[nodiscard]] std::vector<LandmarkState> states(const map::Snapshot& snapshot) const;
    // Of all landmarks that somebody holds.
    [[nodiscard]] std::size_t bytes() const { return held_bytes_->load(std::memory_order_relaxed); }

  private:
    static constexpr std::uint64_t kCellsPerSlice = 16384;
    static constexpr unsigned kDoublingsMax = 6;

    struct Place {
        model::MapId map;
        model::ClassId id;
        friend auto operator<=>(const Place&, const Place&) = default;
    };
    // What is known of a class without landmarks whose terrain an edit made cheaper.
    struct Unrest {
        model::Version version{};  // the newest such edit
        base::TimePoint since;
        unsigned overtaken{};  // builds since the last that came through
        bool hopeless{};       // every cell is blocked
    };
    struct Build {
        Place place;
        model::Version measured_on{};
        std::optional<search::LandmarkBuilder> builder;
    };

    [[nodiscard]] bool eligible(const map::Snapshot& snapshot) const;
    [[nodiscard]] bool fits(const map::Snapshot& snapshot) const;
    [[nodiscard]] bool work();
    [[nodiscard]] bool choose();
    [[nodiscard]] bool due(const Place& place, const map::Snapshot& snapshot);
    void finish(MapEntry& map);
    void run();

    const Config& config_;
    const base::Clock& clock_;
    const MapTable& maps_;
    const MemoryLedger& memory_;
    const std::function<void(MapEntry&)> announce_;

    // Belong to whoever set busy_.
    std::optional<Build> build_;
    std::map<Place, Unrest> unrest_;
    bool waiting_{false};  // some class waits for calm, or for room

    mutable base::Mutex mutex_;
    base::Condition changed_;
    bool busy_ OUTRIDER_GUARDED_BY(mutex_){false};
    bool stopped_ OUTRIDER_GUARDED_BY(mutex_){false};
    bool look_again_ OUTRIDER_GUARDED_BY(mutex_){false};
    // Of the landmarks that somebody holds, also where that is after the keeper's end.
    const std::shared_ptr<std::atomic<std::size_t>> held_bytes_{
        std::make_shared<std::atomic<std::size_t>>(0)};
    std::thread thread_;
};

}  // namespace outrider::engine
