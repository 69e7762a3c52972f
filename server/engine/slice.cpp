#include "outrider/engine/slice.hpp"

#include <utility>

#include "outrider/base/check.hpp"

namespace outrider::engine {
namespace {

using Kind = SliceReport::Kind;

const map::Layer& layer_of(const Job& job, model::ClassId movement_class) {
    const map::Layer* layer = job.snapshot->layer(movement_class);
    OUTRIDER_CHECK(layer != nullptr);  // classes are only added, and validation saw this one
    return *layer;
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
        search.start(layer_of(job, query.movement_class), query, *job.bench->buffers);
        job.live = true;
        job.expansions = 0;
    }
    const search::Step step = search.step(config.expansions_per_slice);
    report.work = search.expansions() - job.expansions;
    job.expansions += report.work;
    if (step == search::Step::kDone) {
        report.kind = Kind::kDone;
        report.scope = search.scope();
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
        search.start(layer_of(job, survey.movement_class), survey);
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
