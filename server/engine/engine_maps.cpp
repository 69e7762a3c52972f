// How maps come and go.

#include <utility>

#include "outrider/engine/engine_impl.hpp"
#include "outrider/engine/map_bytes.hpp"

namespace outrider::engine {

std::expected<LoadedMap, model::Refusal> Engine::Impl::load_map(NewMap map) {
    if (auto no = maps_.refusal_of(map.name, map.replace)) {
        return std::unexpected(std::move(*no));
    }
    const std::string title = "map \"" + map.name + "\": ";
    const std::size_t bytes = map_bytes(map.grid, map.classes);
    std::optional<MemoryClaim> claim = memory().claim(MemoryPart::kMaps, bytes);
    if (!claim) {
        return std::unexpected(map_refused(
            model::RefusalCode::kOverloaded, "",
            title + "needs about " + std::to_string(bytes) + " bytes of memory, and of " +
                std::to_string(memory_.bytes_max()) + " " + std::to_string(memory_.sum()) +
                " are in use; raise --memory-max, or serve fewer or smaller maps"));
    }
    auto store = map::Store::create(std::move(map.grid), std::move(map.classes));
    if (!store) {
        return std::unexpected(
            map_refused(model::RefusalCode::kInvalidArgument, "", title + store.error().message));
    }
    const std::shared_ptr<const map::Snapshot> first = (*store)->snapshot();
    auto added =
        maps_.add({std::move(map.name), *std::move(store), *std::move(claim)}, map.replace);
    if (!added) {
        return std::unexpected(std::move(added.error()));
    }
    const LoadedMap loaded{added->map->id(), id_of(added->replaced)};
    if (added->replaced) {
        end_map(std::move(added->replaced), loaded.id);
    }
    keeper_.look_at(*first);
    return loaded;
}

std::expected<void, model::Refusal> Engine::Impl::drop_map(model::MapId map) {
    MapPtr entry = maps_.remove(map);
    if (!entry) {
        return std::unexpected(unknown_map(map));
    }
    end_map(std::move(entry), {});
    return {};
}

void Engine::Impl::end_map(MapPtr map, model::MapId successor) {
    map->drop(successor);
    MapDrop drop{std::move(map)};
    for (bool more = true; more;) {
        press_on([&] {
            with_core([&](Core& core, Effects& effects) { more = core.end_all_on(drop, effects); });
        });
    }
    drop.map->deliver();
    press_on([&] { cache_.forget(drop.map->id()); });
    memory_.set(MemoryPart::kCache, cache_.counts().bytes);
    keeper_.forget_dropped();
}

}  // namespace outrider::engine
