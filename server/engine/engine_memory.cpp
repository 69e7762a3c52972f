// What the process's ceiling of memory means for maps and for the cache.

#include <utility>

#include "outrider/engine/engine_impl.hpp"
#include "outrider/engine/map_bytes.hpp"

namespace outrider::engine {

base::Result<model::MapId> Engine::Impl::add_map(std::string name, map::Grid grid,
                                                 std::vector<model::MovementClass> classes) {
    const std::size_t bytes = map_bytes(grid, classes);
    if (!memory_.has_room(bytes)) {
        return base::fail("needs about " + std::to_string(bytes) + " bytes of memory, and of " +
                          std::to_string(memory_.bytes_max()) + " " +
                          std::to_string(memory_.sum()) +
                          " are in use; raise --memory-max, or serve fewer or smaller maps");
    }
    auto id = maps_.add(std::move(name), std::move(grid), std::move(classes));
    if (id) {
        memory_.add(MemoryPart::kMaps, bytes);
        keeper_.look_at(*maps_.find(*id)->store().snapshot());
    }
    return id;
}

MemoryLedger& Engine::Impl::memory() {
    memory_.set(MemoryPart::kSurveyAnswers, results_.bytes());
    return memory_;
}

void Engine::Impl::keep(const Job& job, const SliceReport& report) noexcept {
    try {
        cache_.insert(
            {job.map->id(), *job.path()},
            {job.version, std::get<std::shared_ptr<const model::PathResult>>(report.result),
             *report.scope});
        keep_cache_small();
    } catch (...) {
        // No memory to keep it: an answer that is not kept is an answer all the same.
    }
}

void Engine::Impl::keep_cache_small() {
    std::size_t bytes = cache_.counts().bytes;
    memory_.set(MemoryPart::kCache, bytes);
    if (memory_.tight() && bytes > 0) {
        cache_.shrink_to(bytes / 2);
        bytes = cache_.counts().bytes;
        memory_.set(MemoryPart::kCache, bytes);
    }
}

}  // namespace outrider::engine
