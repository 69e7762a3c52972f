// How surveys come in; from admission on they are jobs among jobs.

#include <algorithm>
#include <utility>

#include "outrider/engine/engine_impl.hpp"
#include "outrider/engine/replies.hpp"

namespace outrider::engine {

void Engine::Impl::submit(model::ClientId client, model::SurveyRequest request) {
    SurveySubmission submission = look_at(client, std::move(request));
    with_core([&](Core& core, Effects& effects) { core.submit(std::move(submission), effects); });
}

SurveySubmission Engine::Impl::look_at(model::ClientId client, model::SurveyRequest request) {
    SurveySubmission submission;
    submission.client = client;
    submission.id = request.id;
    submission.kind = kind_of(request.survey);
    submission.priority = request.priority;
    submission.deadline = request.deadline;
    submission.mark = request.mark;
    if (memory().tight()) {
        keep_cache_small();
    }
    try {
        answer_early(submission, request.map, std::move(request.survey));
    } catch (...) {
        submission.early = std::unexpected(internal_error());
    }
    if (!submission.early) {
        submission.now = clock_.now();
    }
    return submission;
}

void Engine::Impl::answer_early(SurveySubmission& submission, model::MapId map,
                                model::Survey survey) {
    const auto snapshot = ground_of(submission, map, submission.priority, survey);
    if (snapshot == nullptr) {
        return;
    }
    if (auto verdict = search::verdict(*snapshot->layer(survey.movement_class), survey)) {
        submission.early = results_.hold(std::move(*verdict));
        verdicts_.fetch_add(1, std::memory_order_relaxed);
        return;
    }
    shrink(survey);
    submission.bytes = bytes_of(survey);
    submission.survey = std::make_shared<const model::Survey>(std::move(survey));
}

}  // namespace outrider::engine
