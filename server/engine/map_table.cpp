#include "outrider/engine/map_table.hpp"

#include <algorithm>
#include <utility>

namespace outrider::engine {
namespace {

// Rectangles kept apart until somebody takes them; beyond, the box around them all.
constexpr std::size_t kChangedRectsMax = 4 * base::limits::kEditsPerBatchMax;

}  // namespace

MapEntry::MapEntry(model::MapId id, std::string name, std::unique_ptr<map::Store> store,
                   OnChange on_change)
    : id_(id),
      name_(std::move(name)),
      store_(std::move(store)),
      on_change_(std::move(on_change)),
      last_made_(store_->snapshot()) {
    changes_.before = changes_.after = last_made_;
    store_->listen(
        [this](model::Version version, const std::shared_ptr<const model::EditBatch>& batch) {
            note(version, batch);
        });
}

MapEntry::~MapEntry() {
    store_->listen(nullptr);
}

MapInfo MapEntry::info(const map::Snapshot& snapshot) const {
    MapInfo info{id_, name_, snapshot.width(), snapshot.height(), snapshot.version(), {}, {}};
    for (std::uint16_t i = 0; i < snapshot.class_count(); ++i) {
        info.classes.push_back(snapshot.layer(model::ClassId{i})->movement_class());
    }
    return info;
}

map::State MapEntry::watch(model::ClientId client, std::shared_ptr<Sink> sink) {
    unwatch(client);
    {
        const base::Lock lock(mutex_);
        watchers_.push_back({client, std::move(sink), std::nullopt, {}});
    }
    map::State state = store_->state();
    {
        const base::Lock lock(mutex_);
        if (Watcher* watcher = find_watcher(client)) {
            watcher->from = state.version;
            std::erase_if(watcher->notes,
                          [&](const Note& note) { return note.version <= state.version; });
        }
    }
    deliver();
    return state;
}

void MapEntry::unwatch(model::ClientId client) {
    const base::Lock lock(mutex_);
    std::erase_if(watchers_, [&](const Watcher& watcher) { return watcher.client == client; });
}

std::size_t MapEntry::watchers() const {
    const base::Lock lock(mutex_);
    return watchers_.size();
}

void MapEntry::deliver() {
    mutex_.lock();
    if (!delivering_) {
        delivering_ = true;
        while (Watcher* watcher = next_to_serve()) {
            const std::shared_ptr<Sink> sink = watcher->sink;
            const std::vector<Note> notes = std::exchange(watcher->notes, {});
            mutex_.unlock();
            for (const Note& note : notes) {
                sink->on_edit(id_, note.version, note.batch);
            }
            mutex_.lock();
        }
        delivering_ = false;
    }
    mutex_.unlock();
}

MapEntry::Changes MapEntry::take_changes() {
    const base::Lock lock(mutex_);
    Changes taken = std::move(changes_);
    changes_ = {taken.after, taken.after, {}};
    return taken;
}

// Inside the writer turn, so that the newest snapshot is the one of `version`.
void MapEntry::note(model::Version version, const std::shared_ptr<const model::EditBatch>& batch) {
    std::shared_ptr<const map::Snapshot> made = store_->snapshot();
    on_change_(id_, map::change_between(*last_made_, *made));
    last_made_ = made;
    const base::Lock lock(mutex_);
    std::vector<model::Rect>& rects = changes_.rects;
    rects.insert(rects.end(), made->changed().begin(), made->changed().end());
    if (rects.size() > kChangedRectsMax) {
        rects = {model::box_of(rects)};
    }
    changes_.after = std::move(made);
    for (Watcher& watcher : watchers_) {
        if (!watcher.from || version > *watcher.from) {
            watcher.notes.push_back({version, batch});
        }
    }
}

MapEntry::Watcher* MapEntry::find_watcher(model::ClientId client) {
    const auto found = std::ranges::find(watchers_, client, &Watcher::client);
    return found == watchers_.end() ? nullptr : &*found;
}

MapEntry::Watcher* MapEntry::next_to_serve() {
    const auto found = std::ranges::find_if(
        watchers_, [](const Watcher& watcher) { return watcher.from && !watcher.notes.empty(); });
    return found == watchers_.end() ? nullptr : &*found;
}

base::Result<model::MapId> MapTable::add(std::string name, map::Grid grid,
                                         std::vector<model::MovementClass> classes) {
    if (name.empty() || name.size() > base::limits::kNameBytesMax) {
        return base::fail("map name \"" + name + "\": give 1 to " +
                          std::to_string(base::limits::kNameBytesMax) + " bytes");
    }
    auto store = map::Store::create(std::move(grid), std::move(classes));
    if (!store) {
        return base::fail("map \"" + name + "\": " + store.error().message);
    }
    const base::Lock lock(writer_);
    const std::size_t count = count_.load(std::memory_order_relaxed);
    if (find(name) != nullptr) {
        return base::fail("map \"" + name + "\" is there already: choose another name");
    }
    if (count == base::limits::kMapsMax) {
        return base::fail("map \"" + name + "\": " + std::to_string(count) +
                          " maps are loaded, which is the most");
    }
    const model::MapId id{static_cast<std::uint32_t>(count + 1)};
    entries_[count] =
        std::make_unique<MapEntry>(id, std::move(name), std::move(*store), on_change_);
    count_.store(count + 1, std::memory_order_release);
    return id;
}

MapEntry* MapTable::find(model::MapId id) const {
    const std::size_t count = count_.load(std::memory_order_acquire);
    return id.value >= 1 && id.value <= count ? entries_[id.value - 1].get() : nullptr;
}

MapEntry* MapTable::find(std::string_view name) const {
    for (MapEntry* entry : all()) {
        if (entry->name() == name) {
            return entry;
        }
    }
    return nullptr;
}

std::vector<MapEntry*> MapTable::all() const {
    const std::size_t count = count_.load(std::memory_order_acquire);
    std::vector<MapEntry*> entries;
    for (std::size_t i = 0; i < count; ++i) {
        entries.push_back(entries_[i].get());
    }
    return entries;
}

}  // namespace outrider::engine
