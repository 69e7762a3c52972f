#pragma once
// What:     the maps of the engine and who watches them. Private to the engine room.
// Contract: maps are only added. A watcher gets each batch after its state once, in version order:
//           the store's listener notes a batch for every watcher inside the writer turn; deliver()
//           hands the notes out afterwards, with no lock held, by one thread at a time.
// Threads:  any. find() takes no lock.

#include <array>
#include <atomic>
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
#include "outrider/map/change.hpp"
#include "outrider/map/store.hpp"

namespace outrider::engine {

class MapEntry {
  public:
    // Called inside the writer turn, once a version.
    using OnChange = std::function<void(model::MapId, const map::Change&)>;
    MapEntry(model::MapId id, std::string name, std::unique_ptr<map::Store> store,
             OnChange on_change);
    ~MapEntry();
    MapEntry(const MapEntry&) = delete;
    MapEntry& operator=(const MapEntry&) = delete;

    [[nodiscard]] model::MapId id() const { return id_; }
    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] map::Store& store() const { return *store_; }
    // All but the state of its landmarks.
    [[nodiscard]] MapInfo info(const map::Snapshot& snapshot) const;

    // The state to start from. A client that watches already starts anew.
    [[nodiscard]] map::State watch(model::ClientId client, std::shared_ptr<Sink> sink);
    void unwatch(model::ClientId client);
    [[nodiscard]] std::size_t watchers() const;
    // After each batch.
    void deliver();

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
    };

    void note(model::Version version, const std::shared_ptr<const model::EditBatch>& batch);
    [[nodiscard]] Watcher* find_watcher(model::ClientId client) OUTRIDER_REQUIRES(mutex_);
    [[nodiscard]] Watcher* next_to_serve() OUTRIDER_REQUIRES(mutex_);

    const model::MapId id_;
    const std::string name_;
    const std::unique_ptr<map::Store> store_;
    const OnChange on_change_;
    // The writer turn's own.
    std::shared_ptr<const map::Snapshot> last_made_;
    mutable base::Mutex mutex_;
    std::vector<Watcher> watchers_ OUTRIDER_GUARDED_BY(mutex_);
    bool delivering_ OUTRIDER_GUARDED_BY(mutex_){false};
    Changes changes_ OUTRIDER_GUARDED_BY(mutex_);
};

class MapTable {
  public:
    explicit MapTable(MapEntry::OnChange on_change) : on_change_(std::move(on_change)) {}

    [[nodiscard]] base::Result<model::MapId> add(std::string name, map::Grid grid,
                                                 std::vector<model::MovementClass> classes);
    // Null when there is no such map.
    [[nodiscard]] MapEntry* find(model::MapId id) const;
    [[nodiscard]] MapEntry* find(std::string_view name) const;
    [[nodiscard]] std::vector<MapEntry*> all() const;

  private:
    const MapEntry::OnChange on_change_;
    base::Mutex writer_;
    std::array<std::unique_ptr<MapEntry>, base::limits::kMapsMax> entries_;
    std::atomic<std::size_t> count_{0};  // entries below it are published
};

}  // namespace outrider::engine
