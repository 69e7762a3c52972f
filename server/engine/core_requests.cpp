#include <algorithm>
#include <utility>

#include "outrider/engine/core.hpp"
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

std::uint32_t Core::admit(ClientIndex client, const Submission& submission, FollowSlot follow,
                          Effects& effects) {
    const model::PathRequest& asked = submission.request;
    std::uint32_t index = kNowhere;
    try {
        index = add_request({.id = asked.id,
                             .client = client,
                             .unit = asked.unit,
                             .mark = asked.mark,
                             .follow = follow,
                             .wants_leg = asked.first_leg,
                             .admitted_at = submission.now,
                             .deadline = asked.deadline});
        assign(index, submission);
    } catch (...) {
        if (index != kNowhere) {
            strike_request(index);
        }
        if (follow != kNowhere) {
            drop_follow(follow, effects);
        }
        throw;
    }
    if (asked.unit != model::UnitId{}) {
        clients_[client].units.find(asked.unit)->second = index;
    }
    return index;
}

std::uint32_t Core::add_request(const Request& request) {
    const std::uint32_t index = requests_.take();
    requests_[index] = request;
    try {
        Client& client = clients_[request.client];
        client.requests.emplace(request.id, index);
        if (request.unit != model::UnitId{}) {
            client.units.try_emplace(request.unit, kNowhere);
        }
        if (request.deadline) {
            deadlines_.push(index, DeadlineOrder{requests_});
        }
    } catch (...) {
        strike_request(index);
        throw;
    }
    return index;
}

void Core::assign(std::uint32_t index, const Submission& submission) {
    const model::PathRequest& asked = submission.request;
    const auto [entry, fresh] =
        join_list_.try_emplace({submission.map->id(), asked.query}, kNowhere);
    if (!fresh && joins(jobs_[entry->second], submission)) {
        return join(index, entry->second, asked);
    }
    JobIndex job = kNowhere;
    try {
        job = make_job(submission.map, asked.query, asked.priority, submission.now);
        scheduler_.make_room(job, requests_[index].client);
    } catch (...) {
        if (job != kNowhere) {
            take_back(job);
        }
        if (fresh) {
            join_list_.erase(entry);
        }
        throw;
    }
    if (!fresh) {
        jobs_[entry->second].listed = false;
    }
    jobs_[job].listed = true;
    jobs_[job].leg_wanted = asked.first_leg;
    entry->second = job;
    attach(index, job);
    enqueue(job);
}

void Core::join(std::uint32_t index, JobIndex job_index, const model::PathRequest& asked) {
    scheduler_.make_room(job_index, requests_[index].client);  // maybe it pays from now on
    ++stats_.joined;
    requests_[index].joined = true;
    Job& job = jobs_[job_index];
    const Standing before = standing_of(job);
    if (asked.first_leg && !job.leg_wanted) {
        job.leg_wanted = true;  // no search has begun, see joins()
    }
    job.priority = std::max(job.priority, asked.priority);
    attach(index, job_index);
    requeue_if_moved(job_index, before);
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

void Core::make_room_to_leave(std::uint32_t index, Effects& effects) {
    const Request& request = requests_[index];
    const Job& job = jobs_[request.job];
    effects.make_room_for(job);
    if (job.first_request == index && request.next != kNowhere) {
        scheduler_.make_room(request.job, requests_[request.next].client);  // it pays next
    }
}

void Core::forget_request(std::uint32_t index, Effects& effects) {
    detach(index, effects);
    strike_request(index);
}

void Core::strike_request(std::uint32_t index) {
    const Request& request = requests_[index];
    if (request.deadline_place != kNowhere) {
        deadlines_.erase(index, DeadlineOrder{requests_});
    }
    if (request.replan) {
        --replans_;
        requests_.give(index);
        return;
    }
    Client& client = clients_[request.client];
    client.requests.erase(request.id);
    // The unit may have a newer order by now.
    if (const auto order = client.units.find(request.unit);
        order != client.units.end() && order->second == index) {
        client.units.erase(order);
    }
    requests_.give(index);
}

void Core::send_leg(std::uint32_t index, Effects& effects) {
    Request& request = requests_[index];
    const Job& job = jobs_[request.job];
    if (request.wants_leg && job.leg) {
        request.wants_leg = false;
        ++stats_.first_legs;
        effects.post(clients_[request.client].box,
                     model::LegPush{request.id, job.version, job.leg, request.mark});
    }
}

void Core::end_request(std::uint32_t index, Ending ending, Effects& effects) {
    const Request ended = requests_[index];
    const Asked asked{ended.id, ended.mark, ended.kind, id_of(jobs_[ended.job].map)};
    // Room and reply come before anything is changed: without memory the request stands as before.
    make_room_to_leave(index, effects);
    if (ended.replan) {
        forget_request(index, effects);
        const map::Snapshot* ground = ending ? ending->ground : nullptr;
        return on_replanned(ended.follow, body_of<model::PathAnswer>(std::move(ending)), ground,
                            effects);
    }
    if (ended.kind != RequestKind::kPath) {
        reply_survey(clients_[ended.client], asked, body_of<model::SurveyAnswer>(ending), effects);
        note_end(ended, ending, effects);
        return forget_request(index, effects);
    }
    const Body body = body_of<model::PathAnswer>(ending);
    reply(clients_[ended.client], asked, body, effects);
    note_end(ended, ending, effects);
    forget_request(index, effects);
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
