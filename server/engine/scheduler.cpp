#include "outrider/engine/scheduler.hpp"

#include <algorithm>

#include "outrider/base/check.hpp"

namespace outrider::engine {

void Scheduler::make_room(JobIndex job, ClientIndex client) {
    if (job >= jobs_.size()) {
        jobs_.resize(job + std::size_t{1});
    }
    if (client >= clients_.size()) {
        clients_.resize(client + std::size_t{1});
    }
    for (const Lane lane : {kReady, kParked}) {
        clients_[client].waiting[lane].make_room();
        lanes_[lane].make_room();
    }
    active_.make_room();
}

void Scheduler::add(const Waiting& waiting) {
    make_room(waiting.job, waiting.client);
    OUTRIDER_CHECK(!waits(waiting.job));
    activate(waiting.client);
    Job& job = jobs_[waiting.job];
    job.client = waiting.client;
    job.lane = waiting.needs_slot ? kParked : kReady;
    job.priority = waiting.priority;
    job.key = key_of(waiting);
    job.sequence = sequence_++;
    job.estimate = waiting.estimate;
    clients_[job.client].backlog += job.estimate;
    backlog_ += job.estimate;
    clients_[job.client].waiting[job.lane].push(waiting.job, JobOrder{jobs_});
    ++size_;
    ++depths_[static_cast<std::size_t>(job.priority)];
    refresh_lane(job.client, job.lane);
}

void Scheduler::remove(JobIndex job) {
    if (!waits(job)) {
        return;
    }
    const ClientIndex client = jobs_[job].client;
    const Lane lane = jobs_[job].lane;
    clients_[client].waiting[lane].erase(job, JobOrder{jobs_});
    --size_;
    --depths_[static_cast<std::size_t>(jobs_[job].priority)];
    clients_[client].backlog -= jobs_[job].estimate;
    backlog_ -= jobs_[job].estimate;
    refresh_lane(client, lane);
    retire_if_idle(client);
}

base::Duration Scheduler::wait_of(ClientIndex client, base::Duration estimate) const {
    const base::Duration own =
        client < clients_.size() ? clients_[client].backlog : base::Duration::zero();
    base::Duration wait = own;
    for (const ClientIndex other : active_.members()) {
        if (other != client) {
            wait += std::min(clients_[other].backlog, own + estimate);
        }
    }
    return wait;
}

bool Scheduler::waits(JobIndex job) const {
    return job < jobs_.size() && jobs_[job].place != kNowhere;
}

std::optional<JobIndex> Scheduler::pick(bool slot_free) {
    std::optional<JobIndex> best;
    for (const Lane lane : {kReady, kParked}) {
        if (lanes_[lane].empty() || (lane == kParked && !slot_free)) {
            continue;
        }
        const JobIndex top = clients_[lanes_[lane].top()].waiting[lane].top();
        if (!best || goes_before(top, *best)) {
            best = top;
        }
    }
    if (best) {
        ++clients_[jobs_[*best].client].running;
        remove(*best);
    }
    return best;
}

void Scheduler::settle(ClientIndex client, std::uint64_t work) {
    Client& state = clients_[client];
    OUTRIDER_CHECK(state.running > 0);
    --state.running;
    // A slice without expansions is work too: otherwise such jobs would be free.
    state.virtual_time += std::max<std::uint64_t>(work, 1);
    virtual_time_max_ = std::max(virtual_time_max_, state.virtual_time);
    refresh(client);
    retire_if_idle(client);
}

void Scheduler::close(ClientIndex client) {
    if (client >= clients_.size()) {
        return;
    }
    Client& state = clients_[client];
    OUTRIDER_CHECK(state.waiting[kReady].empty() && state.waiting[kParked].empty());
    state.running = 0;
    retire_if_idle(client);
    state = Client{};  // the memory of its queues too
}

bool Scheduler::any(bool slot_free) const {
    return !lanes_[kReady].empty() || (slot_free && !lanes_[kParked].empty());
}

std::uint64_t Scheduler::virtual_time(ClientIndex client) const {
    const std::uint64_t floor =
        active_.empty() ? virtual_time_max_ : clients_[active_.top()].virtual_time;
    return client < clients_.size() ? std::max(floor, clients_[client].virtual_time) : floor;
}

bool Scheduler::goes_before(JobIndex a, JobIndex b) const {
    const std::uint64_t turn_a = clients_[jobs_[a].client].virtual_time / kTurn;
    const std::uint64_t turn_b = clients_[jobs_[b].client].virtual_time / kTurn;
    if (turn_a != turn_b) {
        return turn_a < turn_b;
    }
    return jobs_[a].key != jobs_[b].key ? jobs_[a].key < jobs_[b].key
                                        : jobs_[a].sequence < jobs_[b].sequence;
}

std::int64_t Scheduler::key_of(const Waiting& waiting) const {
    const base::Duration behind =
        std::min<base::Duration>(waiting.used / kUsedPerBehind, kBehindMax * ageing_step_);
    const auto rank = static_cast<int>(waiting.priority);
    return (waiting.queued_at.time_since_epoch() + behind - rank * ageing_step_).count();
}

void Scheduler::activate(ClientIndex client) {
    if (clients_[client].active_place != kNowhere) {
        return;
    }
    clients_[client].virtual_time = virtual_time(client);
    virtual_time_max_ = std::max(virtual_time_max_, clients_[client].virtual_time);
    active_.push(client, ActiveOrder{clients_});
}

void Scheduler::retire_if_idle(ClientIndex client) {
    const Client& state = clients_[client];
    const bool idle =
        state.running == 0 && state.waiting[kReady].empty() && state.waiting[kParked].empty();
    if (idle && state.active_place != kNowhere) {
        active_.erase(client, ActiveOrder{clients_});
    }
}

void Scheduler::refresh(ClientIndex client) {
    if (clients_[client].active_place != kNowhere) {
        active_.update(client, ActiveOrder{clients_});
    }
    refresh_lane(client, kReady);
    refresh_lane(client, kParked);
}

void Scheduler::refresh_lane(ClientIndex client, Lane lane) {
    const bool listed = clients_[client].places[lane] != kNowhere;
    const LaneOrder order{*this, lane};
    if (!clients_[client].waiting[lane].empty()) {
        if (listed) {
            lanes_[lane].update(client, order);
        } else {
            lanes_[lane].push(client, order);
        }
    } else if (listed) {
        lanes_[lane].erase(client, order);
    }
}

}  // namespace outrider::engine
