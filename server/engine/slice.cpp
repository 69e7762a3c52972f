#include "outrider/engine/slice.hpp"

#include <utility>

#include "outrider/base/check.hpp"
#include "outrider/engine/path_steps.hpp"

namespace outrider::engine {
namespace {

using Kind = SliceReport::Kind;

const map::Layer& layer_of(const map::Snapshot& snapshot, model::ClassId movement_class) {
    const map::Layer* layer = snapshot.layer(movement_class);
    OUTRIDER_CHECK(layer != nullptr);  // classes are only added, and validation saw this one
    return *layer;
}

// A view costs a writer turn: as much as so many expansions.
constexpr std::uint64_t kViewWork = 100;

// The snapshot that a path is searched for on, or null with the refusal noted.
const map::Snapshot* ground_of(const Job& job, const model::PathQuery& query, SliceReport& report) {
    if (!query.ignore_obstacle) {
        return job.snapshot.get();
    }
    auto view = job.map->store().snapshot_without(query.movement_class, *query.ignore_obstacle);
    if (!view) {
        report.kind = Kind::kRefused;
        report.refusal = std::move(view.error());
        return nullptr;
    }
    report.work = kViewWork;
    report.view = *std::move(view);
    return report.view.get();
}

SliceReport step_path(Job& job, const model::PathQuery& query, const Config& config) {
    if (config.before_slice) {
        config.before_slice(query);
    }
    SliceReport report;
    search::Search& search = job.bench->search;
    if (job.collect) {
        report.kind = Kind::kDone;
        report.result = std::make_shared<model::PathResult>(search.stop(model::Outcome::kDeadline));
        return report;
    }
    if (!job.live) {
        const map::Snapshot* fresh = ground_of(job, query, report);
        if (fresh == nullptr) {
            return report;
        }
        search.start(layer_of(*fresh, query.movement_class), query, *job.bench->buffers);
        job.live = true;
        job.expansions = 0;
    }
    const map::Snapshot& ground = report.view ? *report.view : *job.snapshot;
    PathSteps steps(job, layer_of(ground, query.movement_class), config, report);
    const search::Step step = steps.run(query);
    if (step == search::Step::kDone) {
        report.kind = Kind::kDone;
        // The log of changes does not know what only this query sees.
        report.scope = query.ignore_obstacle ? std::nullopt : search.scope();
        report.result = std::make_shared<model::PathResult>(search.take_result());
    }
    return report;
}

SliceReport step_survey(Job& job, const model::Survey& survey, const Config& config,
                        const ResultMeter& results) {
    if (config.before_survey_slice) {
        config.before_survey_slice(survey);
    }
    SliceReport report;
    if (!job.bench->survey) {
        job.bench->survey = std::make_unique<search::SurveySearch>();
    }
    search::SurveySearch& search = *job.bench->survey;
    if (!job.live) {
        search.start(layer_of(*job.snapshot, survey.movement_class), survey);
        job.live = true;
        job.expansions = 0;
    }
    search::Step step = search::Step::kRunning;
    if (job.collect && !std::exchange(job.stopped, true)) {
        step = search.stop(model::Outcome::kDeadline);
    }
    if (step == search::Step::kRunning) {
        step = search.step(config.expansions_per_slice);
    }
    report.work = search.expansions() - job.expansions;
    job.expansions += report.work;
    while (auto part = search.take_part()) {
        report.parts.push_back(results.hold(std::move(*part)));
    }
    if (step == search::Step::kDone) {
        report.kind = Kind::kDone;
        report.result = results.hold(search.take_result());
    }
    return report;
}

SliceReport work_on(Job& job, const Config& config, const ResultMeter& results) {
    if (!job.bench) {
        job.bench = std::make_unique<Workbench>();
    }
    if (const model::PathQuery* query = job.path()) {
        return step_path(job, *query, config);
    }
    return step_survey(job, *job.survey(), config, results);
}

}  // namespace

SliceReport run_slice(Job& job, const Config& config, const ResultMeter& results) noexcept {
    try {
        return work_on(job, config, results);
    } catch (...) {
        SliceReport report;
        report.kind = Kind::kFailed;
        report.bytes_lost = job.bench ? job.bench->bytes : 0;
        job.bench.reset();
        return report;
    }
}

}  // namespace outrider::engine
