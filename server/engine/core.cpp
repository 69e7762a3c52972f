#include "outrider/engine/core.hpp"

#include <algorithm>
#include <utility>

#include "outrider/base/check.hpp"
#include "outrider/engine/replies.hpp"

namespace outrider::engine {
namespace {

// The ending of a job as that of a request of its kind.
template <class Answer, class Ending>
std::expected<Answer, model::Refusal> body_of(Ending ending) {
    if (!ending) {
        return std::unexpected(std::move(ending.error()));
    }
    return Answer{ending->version, std::get<decltype(Answer::result)>(std::move(ending->result))};
}

}  // namespace

Core::Core(const Config& config, const ResultMeter& results, MemoryLedger& memory)
    : requests_max_(config.requests_max),
      requests_per_client_max_(config.requests_per_client_max),
      clients_max_(config.clients_max),
      follows_max_(config.follows_max),
      follows_per_client_max_(config.follows_per_client_max),
      follow_bytes_max_(config.follow_bytes_max),
      slots_max_(std::max<std::size_t>(config.suspended_max, config.workers)),
      survey_bytes_max_(config.survey_bytes_max),
      survey_result_bytes_max_(config.survey_result_bytes_max),
      pins_per_map_max_(config.snapshots_per_map_max - 2),
      retry_after_(config.retry_after),
      workers_(std::max(1U, config.workers)),
      door_rules_{config.queue_wait, config.overload_patience},
      results_(results),
      memory_(memory),
      scheduler_(config.ageing_step) {}

std::expected<model::ClientId, model::Refusal> Core::connect(std::shared_ptr<Sink> sink) {
    if (draining_) {
        return std::unexpected(shutting_down());
    }
    if (clients_.in_use() >= clients_max_) {
        return std::unexpected(overloaded("clients", clients_max_, retry_after_));
    }
    const ClientIndex index = clients_.take();
    Client& client = clients_[index];
    // The generation keeps a late call with an old id from meeting the record's next client.
    client.id = {std::uint64_t{++client.generation} << 32U | (index + std::uint64_t{1})};
    client.box = std::make_shared<Postbox>(std::move(sink));
    return client.id;
}

void Core::disconnect(model::ClientId id, Effects& effects) {
    Client* client = find_client(id);
    if (client == nullptr) {
        return;
    }
    stats_.dropped_by_disconnect += client->requests.size();
    while (!client->requests.empty()) {
        forget_request(client->requests.begin()->second, effects);
    }
    while (!client->follows.empty()) {
        drop_follow(client->follows.begin()->second, effects);
    }
    const ClientIndex index = index_of(id);
    scheduler_.close(index);
    const std::uint32_t generation = client->generation;
    *client = Client{};
    client->generation = generation;
    clients_.give(index);
}

std::shared_ptr<Sink> Core::sink_of(model::ClientId id) const {
    const Client* client = const_cast<Core*>(this)->find_client(id);
    return client == nullptr ? nullptr : client->box->sink();
}

void Core::submit(Submission submission, Effects& effects) {
    Client* client = find_client(submission.client);
    if (client == nullptr) {
        return;
    }
    ++stats_.submitted;
    const model::RequestId id = submission.request.id;
    const Asked asked{id, submission.request.mark};
    if (std::optional<model::Refusal> refusal = refusal_at_the_door(*client, id)) {
        return reply(*client, asked, std::unexpected(std::move(*refusal)), effects);
    }
    if (submission.early && !*submission.early) {
        return reply(*client, asked, std::unexpected(std::move(submission.early->error())),
                     effects);
    }
    const auto found = client->units.find(submission.request.unit);
    const std::uint32_t older = found == client->units.end() ? kNowhere : found->second;
    const FollowSlot older_path = older_follow(*client, older, submission.request.unit);
    const bool follows = submission.request.follow.has_value();
    if (follows && older_path == kNowhere) {
        if (std::optional<model::Refusal> refusal = follow_overload_of(*client)) {
            return reply(*client, asked, std::unexpected(std::move(*refusal)), effects);
        }
    }
    const ClientIndex index = index_of(client->id);
    if (std::optional<Body> known = answer_without_search(submission)) {
        supersede(older, older_path, effects);
        reply(*client, {id, submission.request.mark, false}, *known, effects);
        if (follows) {
            begin_follow(reserve_follow(index, submission), *known, effects);
            start_replans(submission.now, effects);
        }
        return;
    }
    if (older == kNowhere) {
        std::optional<model::Refusal> refusal = overload_of(*client);
        if (!refusal && !would_join(submission)) {
            refusal = shed(*client, submission.request.priority, submission.now);
        }
        if (refusal) {
            return reply(*client, asked, std::unexpected(std::move(*refusal)), effects);
        }
    }
    // The newer order comes before the older one leaves, and in its place: when both ask the same,
    // the search goes on under the newer one, however often a unit repeats itself.
    admit(index, submission, follows ? reserve_follow(index, submission) : kNowhere);
    supersede(older, older_path, effects);
}

std::optional<Core::Body> Core::answer_without_search(Submission& submission) {
    if (submission.early) {
        return model::PathAnswer{submission.version, std::move(**submission.early)};
    }
    if (submission.request.deadline && *submission.request.deadline <= submission.now) {
        return model::PathAnswer{submission.version,
                                 without_path(submission.request.query, model::Outcome::kDeadline)};
    }
    return std::nullopt;
}

void Core::supersede(std::uint32_t older, FollowSlot older_path, Effects& effects) {
    if (older != kNowhere) {
        end_early(older, model::Outcome::kSuperseded, effects);
    } else if (older_path != kNowhere) {
        end_follow(older_path, model::Outcome::kSuperseded, effects);
    }
}

bool Core::cancel(model::ClientId id, model::RequestId request, Effects& effects) {
    Client* client = find_client(id);
    if (client == nullptr) {
        return false;
    }
    if (const auto found = client->requests.find(request); found != client->requests.end()) {
        end_early(found->second, model::Outcome::kCancelled, effects);
        return true;
    }
    if (const auto found = client->follows.find(request); found != client->follows.end()) {
        end_follow(found->second, model::Outcome::kCancelled, effects);
        return true;
    }
    return false;
}

void Core::expire(base::TimePoint now, Effects& effects) {
    for (int i = 0; i < kExpiriesPerTurn; ++i) {
        if (deadlines_.empty() || *requests_[deadlines_.top()].deadline > now) {
            return;
        }
        const std::uint32_t request = deadlines_.top();
        deadlines_.erase(request, DeadlineOrder{requests_});
        expire_request(request, effects);
    }
}

void Core::shut_down(Effects& effects) {
    draining_ = true;
    for (std::uint32_t i = 0; i < clients_.capacity(); ++i) {
        while (!clients_[i].requests.empty()) {
            end_request(clients_[i].requests.begin()->second, std::unexpected(shutting_down()),
                        effects);
        }
        end_follows_of(clients_[i], shutting_down(), effects);
    }
}

void Core::fill(Stats& stats) const {
    stats = stats_;
    stats.running = running_;
    stats.suspended =
        static_cast<std::size_t>(std::ranges::count_if(started_, [this](JobIndex job) {
            return jobs_[job].live && jobs_[job].state != JobState::kRunning;
        }));
    stats.queued = jobs_.in_use() - running_ - stats.suspended;
    stats.clients = clients_.in_use();
    stats.survey_bytes = survey_bytes_;
    stats.follows = follows_.count();
    stats.follow_bytes = follows_.bytes();
}

Core::Client* Core::find_client(model::ClientId id) {
    if (id == model::ClientId{} || index_of(id) >= clients_.capacity()) {
        return nullptr;
    }
    Client& client = clients_[index_of(id)];
    return client.id == id ? &client : nullptr;
}

ClientIndex Core::index_of(model::ClientId id) {
    return static_cast<ClientIndex>((id.value & 0xFFFFFFFFU) - 1);
}

void Core::reply(Client& client, Asked asked, Body body, Effects& effects) {
    count_reply(body ? std::optional(body->result->outcome) : std::nullopt);
    effects.post(client.box,
                 model::PathReply{asked.id, std::move(body), asked.mark, asked.searched});
}

void Core::count_reply(std::optional<model::Outcome> outcome) {
    if (!outcome) {
        ++stats_.refused;
        return;
    }
    ++stats_.answered;
    switch (*outcome) {
        case model::Outcome::kCancelled: ++stats_.cancelled; break;
        case model::Outcome::kSuperseded: ++stats_.superseded; break;
        case model::Outcome::kDeadline: ++stats_.deadlines; break;
        default: break;
    }
}

std::optional<model::Refusal> Core::refusal_at_the_door(const Client& client,
                                                        model::RequestId id) const {
    if (draining_) {
        return shutting_down();
    }
    if (client.requests.contains(id) || client.follows.contains(id)) {
        return duplicate_request(id);
    }
    return std::nullopt;
}

void Core::admit(ClientIndex client, const Submission& submission, FollowSlot follow) {
    const model::PathRequest& asked = submission.request;
    assign(add_request({.id = asked.id,
                        .client = client,
                        .unit = asked.unit,
                        .mark = asked.mark,
                        .follow = follow,
                        .deadline = asked.deadline}),
           submission);
}

std::uint32_t Core::add_request(const Request& request) {
    const std::uint32_t index = requests_.take();
    requests_[index] = request;
    Client& client = clients_[request.client];
    client.requests.emplace(request.id, index);
    if (request.unit != model::UnitId{}) {
        client.units.insert_or_assign(request.unit, index);
    }
    if (request.deadline) {
        deadlines_.push(index, DeadlineOrder{requests_});
    }
    return index;
}

void Core::assign(std::uint32_t index, const Submission& submission) {
    const model::PathRequest& asked = submission.request;
    const auto [entry, fresh] =
        join_list_.try_emplace({submission.map->id(), asked.query}, kNowhere);
    if (!fresh && joins(jobs_[entry->second], submission.version)) {
        ++stats_.joined;
        Job& job = jobs_[entry->second];
        const Standing before = standing_of(job);
        job.priority = std::max(job.priority, asked.priority);
        attach(index, entry->second);
        requeue_if_moved(entry->second, before);
        return;
    }
    if (!fresh) {
        jobs_[entry->second].listed = false;
    }
    const JobIndex job = make_job(*submission.map, asked.query, asked.priority, submission.now);
    jobs_[job].listed = true;
    entry->second = job;
    attach(index, job);
    enqueue(job);
}

void Core::attach(std::uint32_t index, JobIndex job_index) {
    Request& request = requests_[index];
    Job& job = jobs_[job_index];
    request.job = job_index;
    ++job.request_count;
    if (job.first_request == kNowhere) {
        job.first_request = job.last_request = index;
        return;
    }
    // The first pays, and a request must not wait for the turn of a client heavier than its own.
    const bool lighter = scheduler_.virtual_time(request.client) <
                         scheduler_.virtual_time(requests_[job.first_request].client);
    if (lighter) {
        request.next = job.first_request;
        requests_[job.first_request].previous = index;
        job.first_request = index;
    } else {
        request.previous = job.last_request;
        requests_[job.last_request].next = index;
        job.last_request = index;
    }
}

void Core::detach(std::uint32_t index, Effects& effects) {
    const Request& request = requests_[index];
    const JobIndex job_index = request.job;
    Job& job = jobs_[job_index];
    const Standing before = standing_of(job);
    (job.first_request == index ? job.first_request : requests_[request.previous].next) =
        request.next;
    (request.next == kNowhere ? job.last_request : requests_[request.next].previous) =
        request.previous;
    --job.request_count;
    if (job.request_count == 0) {
        if (job.state == JobState::kRunning) {
            unlist(job_index);  // settle() releases it
        } else {
            release_job(job_index, effects);
        }
    } else {
        requeue_if_moved(job_index, before);
    }
}

void Core::forget_request(std::uint32_t index, Effects& effects) {
    detach(index, effects);
    const Request& request = requests_[index];
    if (request.deadline_place != kNowhere) {
        deadlines_.erase(index, DeadlineOrder{requests_});
    }
    Client& client = clients_[request.client];
    if (request.replan) {
        --replans_;
        requests_.give(index);
        return;
    }
    client.requests.erase(request.id);
    // The unit may have a newer order by now.
    if (const auto order = client.units.find(request.unit);
        order != client.units.end() && order->second == index) {
        client.units.erase(order);
    }
    requests_.give(index);
}

void Core::end_request(std::uint32_t index, Ending ending, Effects& effects) {
    const Request ended = requests_[index];
    forget_request(index, effects);
    if (ended.survey) {
        return reply_survey(clients_[ended.client], {ended.id, ended.mark},
                            body_of<model::SurveyAnswer>(std::move(ending)), effects);
    }
    Body body = body_of<model::PathAnswer>(std::move(ending));
    if (ended.replan) {
        return on_replanned(ended.follow, std::move(body), effects);
    }
    reply(clients_[ended.client], {ended.id, ended.mark}, body, effects);
    if (ended.follow != kNowhere) {
        begin_follow(ended.follow, body, effects);
    }
}

void Core::end_early(std::uint32_t index, model::Outcome outcome, Effects& effects) {
    const Job& job = jobs_[requests_[index].job];
    const model::Version version =
        job.snapshot ? job.version : job.map->store().snapshot()->version();
    const Result result = job.path() != nullptr ? Result(without_path(*job.path(), outcome))
                                                : Result(without_survey(*job.survey(), outcome));
    end_request(index, Answer{version, result}, effects);
}

void Core::expire_request(std::uint32_t index, Effects& effects) {
    const JobIndex job_index = requests_[index].job;
    const Job& job = jobs_[job_index];
    // Only the last request may end the search that the others wait for; it gets the partial path.
    const bool has_partial = job.state == JobState::kRunning || job.live;
    if (job.request_count == 1 && has_partial) {
        stop_at_deadline(job_index);
    } else {
        end_early(index, model::Outcome::kDeadline, effects);
    }
}

}  // namespace outrider::engine
