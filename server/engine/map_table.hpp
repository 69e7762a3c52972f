#pragma once
// What:     the maps of the engine and who watches them. Private to the engine room.
// Contract: a map is in the table from add() to remove(), or until another one replaces it, between
//           which its name always leads to one of the two. Who has found it keeps it; it is freed,
//           and its memory given back, when the last lets go. A watcher gets each batch after its
//           state once, in version order, and that the map was dropped after all of them: the
//           store's listener notes a batch for every watcher inside the writer turn; deliver()
//           hands the notes out afterwards, with no lock held, by one thread at a time.
// Threads:  any.
// Cost:     find() by id: a lock and the copy of a pointer.

#include <array>
#include <atomic>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "outrider/base/limits.hpp"
#include "outrider/base/mutex.hpp"
#include "outrider/engine/engine.hpp"
#include "outrider/engine/memory.hpp"
#include "outrider/map/change.hpp"
#include "outrider/map/store.hpp"

namespace outrider::engine {

class MapEntry {
  public:
    // Called inside the writer turn, once a version, when that is the newest. Must not throw.
    using OnChange = std::function<void(model::MapId, const map::Change&)>;
    struct Parts {
        std::string name;
        std::unique_ptr<map::Store> store;
        MemoryClaim claim{};  // what the store takes
    };
    MapEntry(model::MapId id, Parts parts, OnChange on_change);
    ~MapEntry();
    MapEntry(const MapEntry&) = delete;
    MapEntry& operator=(const MapEntry&) = delete;

    [[nodiscard]] model::MapId id() const { return id_; }
    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] map::Store& store() const { return *store_; }
    // All but the state of its landmarks.
    [[nodiscard]] MapInfo info(const map::Snapshot& snapshot) const;

    // The state to start from; nothing once the map is dropped. A client that watches already
    // starts anew.
    [[nodiscard]] std::optional<map::State> watch(model::ClientId client,
                                                  std::shared_ptr<Sink> sink);
    void unwatch(model::ClientId client);
    [[nodiscard]] std::size_t watchers() const;
    // After each batch, and after drop().
    void deliver();
    // It has left the table: nothing new begins on it, and its watchers are to be told. `successor`
    // has its name now; 0: none.
    void drop(model::MapId successor) noexcept;
    [[nodiscard]] bool dropped() const { return dropped_.load(std::memory_order_acquire); }
    // Needs dropped(): why nothing more is answered on it.
    [[nodiscard]] model::Refusal refusal() const;

    // What has changed since the last call: every version is in exactly one answer.
    struct Changes {
        std::shared_ptr<const map::Snapshot> before;
        std::shared_ptr<const map::Snapshot> after;
        std::vector<model::Rect> rects;
    };
    [[nodiscard]] Changes take_changes();

  private:
    struct Note {
        model::Version version{};
        std::shared_ptr<const model::EditBatch> batch;
    };
    struct Watcher {
        model::ClientId client;
        std::shared_ptr<Sink> sink;
        // Nothing while the state is being copied: notes then only gather.
        std::optional<model::Version> from;
        std::vector<Note> notes;
        bool knows_end{false};  // of the map
    };

    void note(const std::shared_ptr<const map::Snapshot>& next,
              const std::shared_ptr<const model::EditBatch>& batch,
              const std::function<void()>& publish);
    [[nodiscard]] Watcher* find_watcher(model::ClientId client) OUTRIDER_REQUIRES(mutex_);
    // To be let go of without the lock.
    [[nodiscard]] std::optional<Watcher> take_watcher(model::ClientId client)
        OUTRIDER_REQUIRES(mutex_);
    // Each in its turn.
    [[nodiscard]] Watcher* next_to_serve() OUTRIDER_REQUIRES(mutex_);

    const model::MapId id_;
    const MemoryClaim claim_;  // given back after the store
    const std::string name_;
    const std::unique_ptr<map::Store> store_;
    const OnChange on_change_;
    // The writer turn's own.
    std::shared_ptr<const map::Snapshot> last_made_;
    mutable base::Mutex mutex_;
    std::vector<Watcher> watchers_ OUTRIDER_GUARDED_BY(mutex_);
    bool delivering_ OUTRIDER_GUARDED_BY(mutex_){false};
    std::size_t served_ OUTRIDER_GUARDED_BY(mutex_){0};  // place of the watcher after the last
    Changes changes_ OUTRIDER_GUARDED_BY(mutex_);
    std::atomic<bool> dropped_{false};
    std::atomic<std::uint32_t> successor_{0};
};

using MapPtr = std::shared_ptr<MapEntry>;
// 0 of none.
[[nodiscard]] inline model::MapId id_of(const MapPtr& map) {
    return map ? map->id() : model::MapId{};
}

class MapTable {
  public:
    explicit MapTable(MapEntry::OnChange on_change) : on_change_(std::move(on_change)) {}

    // What refuses a map of this name however it looks: a bad name, one that is there (but to be
    // replaced), no place.
    [[nodiscard]] std::optional<model::Refusal> refusal_of(std::string_view name,
                                                           bool replace) const;
    struct Added {
        MapPtr map;
        MapPtr replaced;  // null: none
    };
    [[nodiscard]] std::expected<Added, model::Refusal> add(MapEntry::Parts parts, bool replace);
    // Null when it is not there, or not any more.
    [[nodiscard]] MapPtr remove(model::MapId id);
    // The same.
    [[nodiscard]] MapPtr find(model::MapId id) const;
    [[nodiscard]] MapPtr find(std::string_view name) const;
    [[nodiscard]] std::vector<MapPtr> all() const;
    // Rises with each map that comes or goes.
    [[nodiscard]] std::uint64_t changes() const { return changes_.load(std::memory_order_acquire); }

  private:
    struct Place {
        MapPtr map;
        std::uint32_t used{};  // how many maps have had it
    };
    [[nodiscard]] const Place* place_of(std::string_view name) const OUTRIDER_REQUIRES(mutex_);
    // Where a map of this name would go, or why nowhere.
    [[nodiscard]] std::expected<std::size_t, model::Refusal> choose(std::string_view name,
                                                                    bool replace) const
        OUTRIDER_REQUIRES(mutex_);

    const MapEntry::OnChange on_change_;
    mutable base::Mutex mutex_;
    std::array<Place, base::limits::kMapsMax> places_ OUTRIDER_GUARDED_BY(mutex_);
    std::atomic<std::uint64_t> changes_{0};
};

}  // namespace outrider::engine
