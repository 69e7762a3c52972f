// What the process's ceiling of memory means for the cache.

#include <utility>

#include "outrider/engine/engine_impl.hpp"

namespace outrider::engine {

MemoryLedger& Engine::Impl::memory() {
    memory_.set(MemoryPart::kSurveyAnswers, results_.bytes());
    memory_.set(MemoryPart::kLandmarks, keeper_.bytes());
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
