#include <algorithm>
#include <iterator>
#include <utility>

#include "outrider/base/check.hpp"
#include "outrider/engine/core.hpp"
#include "outrider/engine/replies.hpp"

namespace outrider::engine {

bool Core::has_work() const {
    return !stopping_.empty() || scheduler_.any(slot_free());
}

Job* Core::pick(base::TimePoint now) {
    JobIndex index = kNowhere;
    if (!stopping_.empty()) {
        index = stopping_.front();
        stopping_.erase(stopping_.begin());
        // A client whose deadline has passed pays nothing for the reading of the partial path.
        jobs_[index].billed = {};
        jobs_[index].collect = true;
    } else if (const std::optional<JobIndex> picked = scheduler_.pick(slot_free())) {
        index = *picked;
        jobs_[index].billed = clients_[payer_of(jobs_[index])].id;
    } else {
        return nullptr;
    }
    Job& job = jobs_[index];
    job.state = JobState::kRunning;
    advance(now);
    job.picked_at = now_;
    job.started_at = job.started_at.value_or(now_);
    ++running_;
    if (!job.live) {
        job.snapshot = job.map->store().snapshot();
        job.version = job.snapshot->version();
        started_.push_back(index);
        job.bench = benches_.take(job.survey() != nullptr);
        if (job.slices > 0) {
            job.has_slot = true;
            ++slots_used_;
        }
    }
    return &job;
}

void Core::settle(Job& job, SliceReport report, base::TimePoint now, Effects& effects) {
    const JobIndex index = job.self;
    const model::ClientId billed = job.billed;
    --running_;
    ++stats_.slices;
    stats_.expansions += report.work;
    if (MapTally* tally = map_tallies_.of(job.map->id())) {
        tally->expansions += report.work;
    }
    advance(now);
    job.searched += now_ - job.picked_at;
    job.work_done += report.work;
    job.state = JobState::kWaiting;
    ++job.slices;
    job.queued_at = now;
    stats_.buffer_bytes -= report.bytes_lost;
    if (job.bench) {
        const std::size_t bytes = search::bytes_of(*job.bench->buffers) +
                                  (job.bench->survey ? job.bench->survey->bytes() : 0);
        stats_.buffer_bytes += bytes - std::exchange(job.bench->bytes, bytes);
    }
    hold_parts(job, report);
    if (report.view) {
        effects.released.push_back(std::exchange(job.snapshot, std::move(report.view)));
        job.version = job.snapshot->version();
    }
    if (report.leg) {
        job.leg = std::move(report.leg);
        send_legs(index, effects);
    }
    if (report.kind == SliceReport::Kind::kDone && !job.collect) {
        estimates_.note(job.map->id(), job.work, job.searched);
    }
    if (report.kind == SliceReport::Kind::kRefused) {
        end_job(index, std::unexpected(*std::move(report.refusal)), effects);
    } else if (report.kind == SliceReport::Kind::kFailed) {
        end_job(index, std::unexpected(internal_error()), effects);
    } else if (report.kind == SliceReport::Kind::kDone && job.request_count > 0) {
        end_job(index, Answer{job.version, std::move(report.result), job.snapshot.get()}, effects);
    } else if (job.request_count == 0) {
        release_job(index, effects);
    } else {
        suspend_or_park(index, effects);
    }
    if (const Client* payer = find_client(billed)) {
        scheduler_.settle(index_of(payer->id), report.work);
    }
    stats_.buffer_bytes -= benches_.let_go(now_, effects.benches);
    start_replans(now, effects);
}

void Core::restart_oldest(const MapEntry& map, model::Version newest, std::size_t excess,
                          Effects& effects) {
    std::vector<JobIndex> old;
    for (const JobIndex index : started_) {
        const Job& job = jobs_[index];
        // A view is none of the snapshots that are bounded here: there is at most one a live job.
        if (job.map.get() == &map && job.version < newest && !job.snapshot->is_view()) {
            old.push_back(index);
        }
    }
    if (old.empty()) {
        return;
    }
    // The eldest job keeps its snapshot: under endless edits each becomes the eldest in the end.
    const JobIndex eldest =
        std::ranges::min(old, {}, [this](JobIndex index) { return jobs_[index].admission; });
    const model::Version kept = jobs_[eldest].version;
    std::ranges::sort(old, [this](JobIndex a, JobIndex b) {
        return std::pair(jobs_[a].version, jobs_[a].admission) <
               std::pair(jobs_[b].version, jobs_[b].admission);
    });
    std::size_t versions = 0;
    model::Version last = 0;
    for (const JobIndex index : old) {
        Job& job = jobs_[index];
        if (job.version == kept || version_pinned(job)) {
            continue;
        }
        versions += job.version != std::exchange(last, job.version) ? 1 : 0;
        if (versions > excess) {
            return;
        }
        if (job.state == JobState::kRunning) {
            job.restart = true;
        } else if (job.stopping) {
            // The bound comes before the partial path.
            end_early(job.first_request, model::Outcome::kDeadline, effects);
        } else {
            effects.make_room_for(job);
            scheduler_.make_room(index, payer_of(job));
            ++stats_.restarts;
            ++job.restarts;
            scheduler_.remove(index);
            reset_search(index, effects);
            enqueue(index);
        }
    }
}

JobIndex Core::make_job(MapPtr map, Work work, model::Priority priority, base::TimePoint now) {
    const JobIndex index = jobs_.take();
    Job& job = jobs_[index];
    job = Job{};
    job.self = index;
    job.estimate = estimates_.of(map->id(), work);
    job.map = std::move(map);
    job.work = std::move(work);
    job.priority = priority;
    job.queued_at = now;
    job.admission = ++admissions_;
    return index;
}

void Core::take_back(JobIndex index) {
    jobs_[index] = Job{};
    jobs_.give(index);
}

bool Core::joins(const Job& job, const Submission& submission) const {
    if (!job.snapshot) {
        return true;
    }
    // Where nobody asked for the first leg before, a search that has begun may be past it.
    return job.version >= submission.version && (job.leg_wanted || !submission.request.first_leg);
}

void Core::send_legs(JobIndex index, Effects& effects) {
    for (std::uint32_t request = jobs_[index].first_request; request != kNowhere;
         request = requests_[request].next) {
        send_leg(request, effects);
    }
}

ClientIndex Core::payer_of(const Job& job) const {
    return requests_[job.first_request].client;
}

void Core::enqueue(JobIndex index) {
    const Job& job = jobs_[index];
    scheduler_.add({.job = index,
                    .client = payer_of(job),
                    .priority = job.priority,
                    .used = job.searched,
                    .needs_slot = !job.live && job.slices > 0,
                    .queued_at = job.queued_at,
                    .estimate = job.estimate});
}

Core::Standing Core::standing_of(const Job& job) const {
    return {payer_of(job), job.priority};
}

void Core::requeue_if_moved(JobIndex index, const Standing& before) {
    if (standing_of(jobs_[index]) != before && scheduler_.waits(index)) {
        scheduler_.remove(index);
        enqueue(index);
    }
}

void Core::unlist(JobIndex index) {
    Job& job = jobs_[index];
    if (job.listed) {
        job.listed = false;
        join_list_.erase({job.map->id(), *job.path()});
    }
}

void Core::suspend_or_park(JobIndex index, Effects& effects) {
    Job& job = jobs_[index];
    if (!job.has_slot && slot_free()) {
        job.has_slot = true;
        ++slots_used_;
    }
    // Nor may it lie about beyond the bound while it writes.
    if ((job.stopping && job.restart) || (job.collect && !job.has_slot)) {
        return end_early(job.first_request, model::Outcome::kDeadline, effects);
    }
    if (job.stopping && !job.collect) {
        job.state = JobState::kStopping;
        stopping_.push_back(index);
        return;
    }
    if (job.restart) {
        ++stats_.restarts;
        ++job.restarts;
    }
    if (job.restart || !job.has_slot) {
        reset_search(index, effects);
    } else {
        send_parts(index, effects);
    }
    enqueue(index);
}

// What follows is a new search, perhaps of a later version: it is led for those who still wait.
void Core::forget_leg(Job& job) const {
    job.leg.reset();
    job.leg_stage = LegStage::kOpen;
    job.leg_wanted = false;
    for (std::uint32_t request = job.first_request; request != kNowhere;
         request = requests_[request].next) {
        job.leg_wanted = job.leg_wanted || requests_[request].wants_leg;
    }
}

void Core::reset_search(JobIndex index, Effects& effects) {
    Job& job = jobs_[index];
    std::erase(started_, index);
    if (job.snapshot) {
        effects.released.push_back(std::move(job.snapshot));
        job.snapshot.reset();
    }
    if (job.has_slot) {
        job.has_slot = false;
        --slots_used_;
    }
    if (job.bench) {
        stats_.buffer_bytes -= benches_.put_back(std::move(job.bench), now_);
    }
    job.version = 0;
    job.live = false;
    job.restart = false;
    job.expansions = 0;
    forget_leg(job);
    std::ranges::move(job.held, std::back_inserter(effects.discarded));
    job.held.clear();
}

void Core::stop_at_deadline(JobIndex index) {
    Job& job = jobs_[index];
    unlist(index);
    job.stopping = true;
    if (job.state != JobState::kRunning) {
        scheduler_.remove(index);
        job.state = JobState::kStopping;
        stopping_.push_back(index);
    }
}

void Core::end_job(JobIndex index, const Ending& ending, Effects& effects) {
    if (ending) {
        post_parts(index, effects);
    }
    std::uint32_t left = jobs_[index].request_count;
    if (left == 0) {
        return release_job(index, effects);
    }
    // The last request that leaves releases the job, and its number may then be another's.
    for (; left > 0; --left) {
        end_request(jobs_[index].last_request, ending, effects);
    }
}

void Core::release_job(JobIndex index, Effects& effects) {
    unlist(index);
    scheduler_.remove(index);
    std::erase(stopping_, index);
    reset_search(index, effects);
    Job& job = jobs_[index];
    if (auto* survey = std::get_if<std::shared_ptr<const model::Survey>>(&job.work)) {
        survey_bytes_ -= bytes_of(**survey);
        effects.answered.push_back(std::move(*survey));
        job.work = model::PathQuery{};
    }
    if (job.map->dropped()) {
        effects.maps.push_back(std::move(job.map));
    }
    job.map.reset();
    jobs_.give(index);
}

}  // namespace outrider::engine
