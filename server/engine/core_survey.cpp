#include <algorithm>
#include <iterator>
#include <utility>

#include "outrider/engine/core.hpp"
#include "outrider/engine/replies.hpp"

namespace outrider::engine {

void Core::submit(SurveySubmission submission, Effects& effects) {
    Client* client = find_client(submission.client);
    if (client == nullptr) {
        effects.maps.push_back(std::move(submission.map));  // maybe the last to hold it
        return;
    }
    ++stats_.submitted;
    ++stats_.surveys_submitted;
    const Asked asked{.id = submission.id,
                      .mark = submission.mark,
                      .kind = submission.kind,
                      .map = id_of(submission.map)};
    look_for_drop(submission, effects);
    advance(submission.now);
    if (auto refusal = refusal_at_the_door(*client, asked.id)) {
        return reply_survey(*client, asked, std::unexpected(std::move(*refusal)), effects);
    }
    if (submission.early && !*submission.early) {
        return reply_survey(*client, asked, std::unexpected(std::move(submission.early->error())),
                            effects);
    }
    if (submission.early) {
        const model::SurveyAnswer known{submission.version, std::move(**submission.early)};
        return reply_survey(*client, asked, known, effects);
    }
    if (submission.deadline && *submission.deadline <= submission.now) {
        const model::SurveyAnswer late{
            submission.version, without_survey(*submission.survey, model::Outcome::kDeadline)};
        return reply_survey(*client, asked, SurveyBody(late), effects);
    }
    auto refusal = survey_overload_of(*client, submission.bytes);
    if (!refusal && !door_rules_.always_open()) {
        const auto estimate = estimates_.of(submission.map->id(), submission.survey);
        refusal = shed(*client, estimate, submission.priority, submission.now);
    }
    if (refusal) {
        return reply_survey(*client, asked, std::unexpected(std::move(*refusal)), effects);
    }
    const ClientIndex payer = index_of(client->id);
    const JobIndex job = make_job(std::move(submission.map), std::move(submission.survey),
                                  submission.priority, submission.now);
    std::uint32_t request = kNowhere;
    try {
        scheduler_.make_room(job, payer);
        request = add_request({.id = asked.id,
                               .client = payer,
                               .mark = asked.mark,
                               .kind = submission.kind,
                               .admitted_at = submission.now,
                               .deadline = submission.deadline});
    } catch (...) {
        take_back(job);
        throw;
    }
    survey_bytes_ += submission.bytes;
    attach(request, job);
    enqueue(job);
}

std::optional<model::Refusal> Core::survey_overload_of(const Client& client, std::size_t bytes) {
    if (auto refusal = overload_of(client)) {
        return refusal;
    }
    if (survey_bytes_ + bytes > survey_bytes_max_) {
        return overloaded("bytes of surveys in flight", survey_bytes_max_, retry_after_);
    }
    if (results_.bytes() >= survey_result_bytes_max_) {
        return overloaded("bytes of survey answers that are still held", survey_result_bytes_max_,
                          retry_after_);
    }
    return std::nullopt;
}

void Core::reply_survey(Client& client, Asked asked, SurveyBody body, Effects& effects) {
    const End end = body ? end_of(body->result->outcome) : end_of(body.error().code);
    effects.post(client.box,
                 model::SurveyReply{asked.id, std::move(body), /*last=*/true, asked.mark});
    count_reply(asked, end);
}

void Core::hold_parts(Job& job, SliceReport& report) {
    std::ranges::move(report.parts, std::back_inserter(job.held));
    report.parts.clear();
}

void Core::send_parts(JobIndex index, Effects& effects) {
    Job& job = jobs_[index];
    if (!job.held.empty() && (job.pinned || may_pin(job))) {
        job.pinned = true;
        post_parts(index, effects);
    }
}

void Core::post_parts(JobIndex index, Effects& effects) {
    Job& job = jobs_[index];
    if (job.request_count > 0) {
        const Request& request = requests_[job.first_request];
        for (SurveyPart& part : job.held) {
            ++stats_.survey_parts;
            effects.post(
                clients_[request.client].box,
                model::SurveyReply{request.id, model::SurveyAnswer{job.version, std::move(part)},
                                   /*last=*/false, request.mark});
        }
    }
    job.held.clear();
}

bool Core::may_pin(const Job& job) const {
    std::vector<model::Version> pinned;
    for (const JobIndex index : started_) {
        const Job& other = jobs_[index];
        if (other.pinned && other.map == job.map) {
            pinned.push_back(other.version);
        }
    }
    if (std::ranges::find(pinned, job.version) != pinned.end()) {
        return true;
    }
    std::ranges::sort(pinned);
    const auto repeated = std::ranges::unique(pinned);
    return pinned.size() - repeated.size() < pins_per_map_max_;
}

bool Core::version_pinned(const Job& job) const {
    return std::ranges::any_of(started_, [&](JobIndex index) {
        const Job& other = jobs_[index];
        return other.pinned && other.map == job.map && other.version == job.version;
    });
}

}  // namespace outrider::engine
