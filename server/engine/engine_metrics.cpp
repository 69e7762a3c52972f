// What the engine tells of itself.

#include "outrider/engine/engine_impl.hpp"

namespace outrider::engine {

void Engine::Impl::count_edit(model::MapId map, base::Duration time) {
    const base::Lock lock(edits_mutex_);
    edit_times_.add(time);
    if (std::uint64_t* edits = edits_.of(map)) {
        ++*edits;
    }
}

Stats Engine::Impl::stats() const {
    Stats stats;
    {
        const base::Lock lock(mutex_);
        core_.fill(stats);
    }
    const cache::PathCache::Counts counts = cache_.counts();
    stats.cache_hits = counts.hits;
    stats.cache_misses = counts.misses;
    stats.cache_carried = counts.carried;
    stats.cache_fallen = counts.fallen;
    stats.cache_evictions = counts.evictions;
    stats.cache_bytes = counts.bytes;
    stats.landmark_bytes = keeper_.bytes();
    stats.survey_result_bytes = results_.bytes();
    stats.map_bytes = memory_.bytes(MemoryPart::kMaps);
    stats.verdicts = verdicts_.load(std::memory_order_relaxed);
    for (const MapPtr& map : maps_.all()) {
        stats.views += map->store().views_alive();
    }
    const base::Lock lock(edits_mutex_);
    stats.edits = edit_times_.count();
    return stats;
}

Metrics Engine::Impl::metrics() const {
    Metrics metrics;
    const std::vector<MapPtr> maps = maps_.all();
    for (const MapPtr& map : maps) {
        metrics.maps.push_back({.id = map->id(),
                                .name = map->name(),
                                .version = map->store().snapshot()->version(),
                                .watchers = map->watchers(),
                                .snapshots = map->store().snapshots_alive()});
    }
    {
        const base::Lock lock(mutex_);
        core_.fill(metrics, maps);
    }
    const base::Lock lock(edits_mutex_);
    metrics.edit_times = edit_times_;
    for (MapMetrics& map : metrics.maps) {
        const std::uint64_t* edits = edits_.find(map.id);
        map.edits = edits == nullptr ? 0 : *edits;
    }
    return metrics;
}

}  // namespace outrider::engine
