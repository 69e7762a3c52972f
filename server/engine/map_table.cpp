#include "outrider/engine/map_table.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "outrider/engine/replies.hpp"
#include "outrider/model/per_map.hpp"

namespace outrider::engine {
namespace {

// Rectangles kept apart until somebody takes them; beyond, the box around them all.
constexpr std::size_t kChangedRectsMax = 4 * base::limits::kEditsPerBatchMax;
constexpr auto kPlaces = static_cast<std::uint32_t>(base::limits::kMapsMax);
// Then ids would be given out a second time: a place is not used again.
constexpr std::uint32_t kMapsPerPlaceMax = std::numeric_limits<std::uint32_t>::max() / kPlaces;

}  // namespace

MapEntry::MapEntry(model::MapId id, Parts parts, OnChange on_change)
    : id_(id),
      claim_(std::move(parts.claim)),
      name_(std::move(parts.name)),
      store_(std::move(parts.store)),
      on_change_(std::move(on_change)),
      last_made_(store_->snapshot()) {
    changes_.before = changes_.after = last_made_;
    store_->listen([this](const auto& next, const auto& batch, const auto& publish) {
        note(next, batch, publish);
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

std::optional<map::State> MapEntry::watch(model::ClientId client, std::shared_ptr<Sink> sink) {
    std::optional<Watcher> before;  // its sink goes where no lock is held
    {
        const base::Lock lock(mutex_);
        before = take_watcher(client);
        if (dropped()) {
            return std::nullopt;
        }
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
    std::optional<Watcher> gone;
    const base::Lock lock(mutex_);
    gone = take_watcher(client);
}

std::optional<MapEntry::Watcher> MapEntry::take_watcher(model::ClientId client) {
    std::optional<Watcher> taken;
    if (Watcher* const watcher = find_watcher(client)) {
        taken = std::move(*watcher);
        watchers_.erase(watchers_.begin() + (watcher - watchers_.data()));
    }
    return taken;
}

std::size_t MapEntry::watchers() const {
    const base::Lock lock(mutex_);
    return watchers_.size();
}

void MapEntry::deliver() {
    for (bool is_mine = false;;) {
        std::shared_ptr<Sink> sink;
        std::vector<Note> notes;
        bool ends = false;
        {
            const base::Lock lock(mutex_);
            if (!is_mine && delivering_) {
                return;
            }
            is_mine = true;
            Watcher* const watcher = next_to_serve();
            delivering_ = watcher != nullptr;
            if (watcher == nullptr) {
                return;
            }
            sink = watcher->sink;
            notes = std::exchange(watcher->notes, {});
            ends = dropped();
            watcher->knows_end = ends;
        }
        for (const Note& note : notes) {
            sink->on_edit(id_, note.version, note.batch);
        }
        if (ends) {
            sink->on_map_dropped(id_, {successor_.load(std::memory_order_relaxed)});
        }
    }
}

void MapEntry::drop(model::MapId successor) noexcept {
    successor_.store(successor.value, std::memory_order_relaxed);
    const base::Lock lock(mutex_);
    dropped_.store(true, std::memory_order_release);
}

model::Refusal MapEntry::refusal() const {
    return map_dropped(id_, {successor_.load(std::memory_order_relaxed)});
}

MapEntry::Changes MapEntry::take_changes() {
    const base::Lock lock(mutex_);
    Changes taken = std::move(changes_);
    changes_ = {taken.after, taken.after, {}};
    return taken;
}

// What may fail comes before the version is the newest, and the lock keeps the room that was made.
void MapEntry::note(const std::shared_ptr<const map::Snapshot>& next,
                    const std::shared_ptr<const model::EditBatch>& batch,
                    const std::function<void()>& publish) {
    const map::Change change = map::change_between(*last_made_, *next);
    const model::Version version = next->version();
    const auto hears = [version](const Watcher& watcher) {
        return !watcher.from || version > *watcher.from;
    };
    const base::Lock lock(mutex_);
    std::vector<model::Rect>& rects = changes_.rects;
    rects.insert(rects.end(), next->changed().begin(), next->changed().end());
    if (rects.size() > kChangedRectsMax) {
        rects.front() = model::box_of(rects);
        rects.resize(1);
    }
    for (Watcher& watcher : watchers_) {
        if (hears(watcher) && watcher.notes.size() == watcher.notes.capacity()) {
            watcher.notes.reserve(2 * watcher.notes.size() + 1);
        }
    }
    publish();
    on_change_(id_, change);
    last_made_ = next;
    changes_.after = next;
    if (dropped()) {
        return;  // the watchers hear of no more
    }
    for (Watcher& watcher : watchers_) {
        if (hears(watcher)) {
            watcher.notes.push_back({version, batch});
        }
    }
}

MapEntry::Watcher* MapEntry::find_watcher(model::ClientId client) {
    const auto found = std::ranges::find(watchers_, client, &Watcher::client);
    return found == watchers_.end() ? nullptr : &*found;
}

MapEntry::Watcher* MapEntry::next_to_serve() {
    for (std::size_t looks = 0; looks < watchers_.size(); ++looks) {
        served_ = served_ < watchers_.size() ? served_ : 0;
        Watcher& watcher = watchers_[served_++];
        if (watcher.from && (!watcher.notes.empty() || (dropped() && !watcher.knows_end))) {
            return &watcher;
        }
    }
    return nullptr;
}

std::optional<model::Refusal> MapTable::refusal_of(std::string_view name, bool replace) const {
    const base::Lock lock(mutex_);
    auto place = choose(name, replace);
    return place ? std::nullopt : std::optional(std::move(place.error()));
}

std::expected<std::size_t, model::Refusal> MapTable::choose(std::string_view name,
                                                            bool replace) const {
    using model::RefusalCode;
    const std::string title = "map \"" + std::string(name) + "\"";
    if (name.empty() || name.size() > base::limits::kNameBytesMax) {
        return std::unexpected(map_refused(RefusalCode::kInvalidArgument, "name",
                                           title + ": give a name of 1 to " +
                                               std::to_string(base::limits::kNameBytesMax) +
                                               " bytes"));
    }
    if (std::ranges::any_of(name, [](unsigned char c) { return c < 0x20 || c == 0x7F; })) {
        return std::unexpected(map_refused(RefusalCode::kInvalidArgument, "name",
                                           "a map's name holds a control character: leave it out"));
    }
    const Place* old = place_of(name);
    if (old != nullptr && !replace) {
        return std::unexpected(
            map_refused(RefusalCode::kInvalidArgument, "name",
                        title + " is there already: choose another name, or replace it"));
    }
    const auto is_usable = [](const Place& place) { return place.used < kMapsPerPlaceMax; };
    // In the old one's place, so that a map can be replaced also where all are taken.
    if (old != nullptr && is_usable(*old)) {
        return static_cast<std::size_t>(old - places_.data());
    }
    const auto found = std::ranges::find_if(
        places_, [&](const Place& place) { return !place.map && is_usable(place); });
    if (found == places_.end()) {
        return std::unexpected(map_refused(RefusalCode::kOverloaded, "name",
                                           title + ": " + std::to_string(kPlaces) +
                                               " maps are loaded, which is the most: drop one"));
    }
    return static_cast<std::size_t>(found - places_.begin());
}

std::expected<MapTable::Added, model::Refusal> MapTable::add(MapEntry::Parts parts, bool replace) {
    const base::Lock lock(mutex_);
    const auto chosen = choose(parts.name, replace);
    if (!chosen) {
        return std::unexpected(chosen.error());
    }
    Place& place = places_[*chosen];
    const auto number = static_cast<std::uint32_t>(*chosen);
    const model::MapId id{number + 1U + kPlaces * place.used};
    Added added{std::make_shared<MapEntry>(id, std::move(parts), on_change_), nullptr};
    if (const Place* old = place_of(added.map->name())) {
        added.replaced =
            std::exchange(places_[static_cast<std::size_t>(old - places_.data())].map, nullptr);
    }
    place.map = added.map;
    ++place.used;
    changes_.fetch_add(1, std::memory_order_release);
    return added;
}

MapPtr MapTable::remove(model::MapId id) {
    const base::Lock lock(mutex_);
    Place& place = places_[model::place_of(id)];
    if (!place.map || place.map->id() != id) {
        return nullptr;
    }
    changes_.fetch_add(1, std::memory_order_release);
    return std::exchange(place.map, nullptr);
}

MapPtr MapTable::find(model::MapId id) const {
    const base::Lock lock(mutex_);
    const MapPtr& map = places_[model::place_of(id)].map;
    return map && map->id() == id ? map : nullptr;
}

MapPtr MapTable::find(std::string_view name) const {
    const base::Lock lock(mutex_);
    const Place* place = place_of(name);
    return place == nullptr ? nullptr : place->map;
}

const MapTable::Place* MapTable::place_of(std::string_view name) const {
    const auto found = std::ranges::find_if(
        places_, [&](const Place& place) { return place.map && place.map->name() == name; });
    return found == places_.end() ? nullptr : &*found;
}

std::vector<MapPtr> MapTable::all() const {
    std::vector<MapPtr> maps;
    const base::Lock lock(mutex_);
    for (const Place& place : places_) {
        if (place.map) {
            maps.push_back(place.map);
        }
    }
    return maps;
}

}  // namespace outrider::engine
