#include "outrider/engine/slice.hpp"

#include <utility>

#include "outrider/base/check.hpp"

namespace outrider::engine {
namespace {

SliceReport work_on(Job& job, const Config& config) {
    using Kind = SliceReport::Kind;
    if (!job.bench) {
        job.bench = std::make_unique<Workbench>();
    }
    if (config.before_slice) {
        config.before_slice(job.query);
    }
    search::Search& search = job.bench->search;
    if (job.collect) {
        return {Kind::kDone,
                std::make_shared<model::PathResult>(search.stop(model::Outcome::kDeadline)), 0, 0};
    }
    if (!job.live) {
        const map::Layer* layer = job.snapshot->layer(job.query.movement_class);
        OUTRIDER_CHECK(layer != nullptr);  // classes are only added, and validation saw this one
        search.start(*layer, job.query, *job.bench->buffers);
        job.live = true;
        job.expansions = 0;
    }
    const search::Step step = search.step(config.expansions_per_slice);
    const std::uint64_t work = search.expansions() - job.expansions;
    job.expansions += work;
    if (step == search::Step::kRunning) {
        return {Kind::kUnfinished, nullptr, work, 0};
    }
    auto scope = search.scope();
    return {Kind::kDone, std::make_shared<model::PathResult>(search.take_result()), work, 0,
            std::move(scope)};
}

}  // namespace

SliceReport run_slice(Job& job, const Config& config) noexcept {
    try {
        return work_on(job, config);
    } catch (...) {
        const std::size_t bytes_lost = job.bench ? job.bench->bytes : 0;
        job.bench.reset();
        return {SliceReport::Kind::kFailed, nullptr, 0, bytes_lost};
    }
}

}  // namespace outrider::engine
