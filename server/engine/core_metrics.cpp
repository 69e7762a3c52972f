#include <algorithm>
#include <new>
#include <utility>

#include "outrider/engine/core.hpp"

namespace outrider::engine {
namespace {

struct Ends {
    model::Cell from;
    model::Rect to;
};
struct Way {
    model::ClassId movement_class;
    Ends ends;
};

model::Cell first_of(const std::vector<model::Cell>& cells) {
    return cells.empty() ? model::Cell{} : cells.front();
}

model::Rect rect_of(model::Cell cell) {
    return {cell.x, cell.y, 1, 1};
}

struct EndsOf {
    Ends operator()(const model::GroupQuery& query) const {
        return {first_of(query.starts), query.goal.rect};
    }
    Ends operator()(const model::NearestQuery& query) const {
        return {query.start, query.goals.empty() ? model::Rect{} : query.goals.front().rect};
    }
    Ends operator()(const model::ReachQuery& query) const { return {first_of(query.starts), {}}; }
    Ends operator()(const model::MatrixQuery& query) const {
        return {first_of(query.from), rect_of(first_of(query.to))};
    }
    Ends operator()(const model::FieldQuery& query) const {
        return {{query.rect.x, query.rect.y}, query.goal.rect};
    }
    Ends operator()(const model::ConnectedQuery& query) const {
        return {query.start, query.goal.rect};
    }
    Ends operator()(const model::SightQuery& query) const {
        return {query.from, rect_of(query.to)};
    }
};

Way way_of(const Job& job) {
    if (const model::PathQuery* path = job.path()) {
        return {path->movement_class, {path->start, path->goal.rect}};
    }
    return {job.survey()->movement_class, std::visit(EndsOf{}, job.survey()->query)};
}

}  // namespace

void Core::count_reply(const Asked& asked, End end) {
    ++metrics_.requests[static_cast<std::size_t>(asked.kind)][end];
    if (MapTally* tally = map_tallies_.of(asked.map)) {
        ++tally->requests;
    }
}

Times Core::times_of(const Request& request, const Job& job) const {
    constexpr base::Duration kNone{};
    const base::Duration total = std::max(now_ - request.admitted_at, kNone);
    const base::Duration running =
        job.state == JobState::kRunning ? now_ - job.picked_at : base::Duration{};
    const base::TimePoint started = job.started_at.value_or(now_);
    return {.wait = std::clamp(started - request.admitted_at, kNone, total),
            .search = std::min(job.searched + running, total),
            .total = total};
}

void Core::note_end(const Request& request, const Ending& ending, Effects& effects) {
    const Job& job = jobs_[request.job];
    const End end = ending ? std::visit([](const auto& result) { return end_of(result->outcome); },
                                        ending->result)
                           : end_of(ending.error().code);
    const Times times = times_of(request, job);
    TimesHistograms& histograms = metrics_.times[end];
    histograms.wait.add(times.wait);
    histograms.search.add(times.search);
    histograms.total.add(times.total);
    if (slow_request_ == base::Duration{} || times.total < slow_request_) {
        return;
    }
    const Way way = way_of(job);
    const model::PathQuery* path = job.path();
    const SlowRequest story{.id = request.id,
                            .kind = request.kind,
                            .end = end,
                            .priority = job.priority,
                            .map = job.map->id(),
                            .movement_class = way.movement_class,
                            .from = way.ends.from,
                            .to = way.ends.to,
                            .version = ending ? ending->version : job.version,
                            .times = times,
                            .slices = job.slices,
                            .expansions = job.work_done,
                            .restarts = job.restarts,
                            .looked_up = path != nullptr && !path->ignore_obstacle,
                            .joined = request.joined};
    try {
        effects.slow.emplace_back(clients_[request.client].box->sink(), story);
    } catch (const std::bad_alloc&) {
        // Without memory the story is left out: the reply has been posted.
    }
}

void Core::fill(Stats& stats) const {
    stats = stats_;
    for (std::size_t kind = 0; kind < kKindCount; ++kind) {
        const auto& ends = metrics_.requests[kind];
        for (std::size_t end = 0; end < kEndCount; ++end) {
            (is_refusal(end) ? stats.refused : stats.answered) += ends[end];
            const bool is_survey = kind != static_cast<std::size_t>(RequestKind::kPath);
            stats.surveys_answered += is_survey && !is_refusal(end) ? ends[end] : 0;
        }
        stats.cancelled += ends[end_of(model::Outcome::kCancelled)];
        stats.superseded += ends[end_of(model::Outcome::kSuperseded)];
        stats.deadlines += ends[end_of(model::Outcome::kDeadline)];
    }
    stats.running = running_;
    stats.suspended =
        static_cast<std::size_t>(std::ranges::count_if(started_, [this](JobIndex job) {
            // What a worker runs, it alone may look at.
            return jobs_[job].state != JobState::kRunning && jobs_[job].live;
        }));
    stats.queued = jobs_.in_use() - running_ - stats.suspended;
    stats.clients = clients_.in_use();
    stats.survey_bytes = survey_bytes_;
    stats.follows = follows_.count();
    stats.follow_bytes = follows_.bytes();
}

void Core::fill(Metrics& metrics, std::span<const MapPtr> maps) const {
    metrics.requests = metrics_.requests;
    metrics.times = metrics_.times;
    metrics.queued = scheduler_.depths();
    for (std::size_t i = 0; i < maps.size(); ++i) {
        if (const MapTally* tally = map_tallies_.find(maps[i]->id())) {
            metrics.maps[i].requests = tally->requests;
            metrics.maps[i].expansions = tally->expansions;
        }
        metrics.maps[i].follows = follows_.count_on(*maps[i]);
    }
}

}  // namespace outrider::engine
