#include "outrider/engine/engine_impl.hpp"

#include <algorithm>
#include <utility>

#include "outrider/engine/replies.hpp"
#include "outrider/engine/slice.hpp"

namespace outrider::engine {

Engine::Impl::Impl(const Config& config, const base::Clock& clock)
    : config_(config),
      clock_(clock),
      cache_(config.cache_bytes_max),
      memory_(config.memory_max),
      maps_([this](model::MapId map, const map::Change& change) { cache_.note(map, change); }),
      core_(config, results_, memory_),
      keeper_(config_, clock_, maps_, memory_, [this](MapEntry& map) { announce(map); }) {
    if (config_.workers > 0 && config_.landmark_bytes_max > 0) {
        keeper_.start();
    }
    try {
        for (unsigned i = 0; i < config_.workers; ++i) {
            workers_.emplace_back([this] { work(); });
        }
    } catch (...) {
        stop_workers();  // the system gives no more threads
        throw;
    }
}

Engine::Impl::~Impl() {
    keeper_.stop();
    stop_workers();
    with_core([](Core& core, Effects& effects) { core.shut_down(effects); });
}

void Engine::Impl::stop_workers() {
    {
        const base::Lock lock(mutex_);
        stopped_ = true;
        work_.notify_all();
    }
    for (std::thread& worker : workers_) {
        worker.join();
    }
}

MapInfo Engine::Impl::info_of(const MapEntry& map) const {
    const std::shared_ptr<const map::Snapshot> snapshot = map.store().snapshot();
    MapInfo info = map.info(*snapshot);
    info.landmarks = keeper_.states(*snapshot);
    return info;
}

std::expected<model::EditReceipt, model::Refusal> Engine::Impl::edit(model::MapId map,
                                                                     model::EditBatch batch) {
    const MapPtr entry = maps_.find(map);
    if (!entry) {
        return std::unexpected(unknown_map(map));
    }
    const base::TimePoint began = clock_.now();
    auto receipt = entry->store().apply(std::move(batch));
    if (entry->dropped()) {
        return std::unexpected(entry->refusal());
    }
    if (receipt) {
        announce(*entry);
        count_edit(map, clock_.now() - began);
    }
    return receipt;
}

std::expected<std::pair<model::ClassId, model::Version>, model::Refusal> Engine::Impl::add_class(
    model::MapId map, model::MovementClass movement_class) {
    const MapPtr entry = maps_.find(map);
    if (!entry) {
        return std::unexpected(unknown_map(map));
    }
    auto added = entry->store().add_class(std::move(movement_class));
    if (entry->dropped()) {
        return std::unexpected(entry->refusal());
    }
    if (added) {
        announce(*entry);
    }
    return added;
}

std::expected<map::State, model::Refusal> Engine::Impl::watch(model::ClientId client,
                                                              model::MapId map) {
    const MapPtr entry = maps_.find(map);
    if (!entry) {
        return std::unexpected(unknown_map(map));
    }
    const auto sink = [&] {
        const base::Lock lock(mutex_);
        return core_.sink_of(client);
    };
    std::shared_ptr<Sink> watcher = sink();
    if (!watcher) {
        return std::unexpected(unknown_client());
    }
    std::optional<map::State> state = entry->watch(client, std::move(watcher));
    if (!state) {
        return std::unexpected(entry->refusal());
    }
    if (!sink()) {
        entry->unwatch(client);  // it has disconnected meanwhile
    }
    return *std::move(state);
}

std::expected<model::ClientId, model::Refusal> Engine::Impl::connect(std::shared_ptr<Sink> sink) {
    const base::Lock lock(mutex_);
    return core_.connect(std::move(sink));
}

void Engine::Impl::disconnect(model::ClientId client) {
    // The client goes first: a watch() at the same time then either finds it gone, or has noted its
    // watcher by now.
    for (bool more = true; more;) {
        press_on([&] {
            with_core(
                [&](Core& core, Effects& effects) { more = core.disconnect(client, effects); });
        });
    }
    press_on([&] {
        for (const MapPtr& entry : maps_.all()) {
            entry->unwatch(client);
        }
    });
}

void Engine::Impl::submit(model::ClientId client, model::PathRequest request) {
    Submission submission = look_at(client, std::move(request));
    with_core([&](Core& core, Effects& effects) { core.submit(std::move(submission), effects); });
}

bool Engine::Impl::cancel(model::ClientId client, model::RequestId request) {
    bool found = false;
    const base::TimePoint now = clock_.now();
    with_core(
        [&](Core& core, Effects& effects) { found = core.cancel(client, request, now, effects); });
    return found;
}

bool Engine::Impl::run_for(std::chrono::microseconds budget) {
    const base::TimePoint end = clock_.now() + budget;
    Effects effects;
    Job* job = settle_and_pick({}, true, effects);
    for (bool more = true; more;) {
        while (job != nullptr) {
            Turn turn = run(*job);
            job = settle_and_pick(std::move(turn), clock_.now() < end, effects);
        }
        more = config_.workers == 0 && clock_.now() < end && keeper_.step();
        if (more) {
            job = settle_and_pick({}, true, effects);
        }
    }
    const base::Lock lock(mutex_);
    return core_.has_work();
}

std::vector<model::RequestId> Engine::Impl::report(model::ClientId client,
                                                   std::span<const model::Progress> reports) {
    std::vector<model::RequestId> unknown;
    const base::TimePoint now = clock_.now();
    while (!reports.empty()) {
        const std::size_t count = std::min(reports.size(), Follows::kLooksPerTurn);
        with_core([&](Core& core, Effects& effects) {
            core.report(client, reports.first(count), now, unknown, effects);
        });
        reports = reports.subspan(count);
    }
    return unknown;
}

void Engine::Impl::begin_drain() {
    with_core([&](Core& core, Effects& effects) {
        core.begin_drain(effects);
        draining_ = true;
    });
}

bool Engine::Impl::drained() const {
    const base::Lock lock(mutex_);
    return all_done();
}

bool Engine::Impl::wait_drained(std::chrono::milliseconds limit) {
    const base::TimePoint end = clock_.now() + limit;
    if (config_.workers == 0) {
        while (run_for(std::chrono::microseconds{0}) && clock_.now() < end) {
        }
        return drained();
    }
    const base::Lock lock(mutex_);
    while (!all_done()) {
        const base::Duration left = end - clock_.now();
        if (left <= base::Duration::zero()) {
            return false;
        }
        // Whatever the clock of the engine says, nobody waits longer than the limit unnotified.
        if (!done_.wait_for(mutex_, left)) {
            return all_done();
        }
    }
    return true;
}

void Engine::Impl::work() {
    Effects effects;
    Turn turn;
    for (;;) {
        Job* job = settle_and_pick(std::exchange(turn, {}), true, effects);
        if (job != nullptr) {
            turn = run(*job);
            continue;
        }
        const base::Lock lock(mutex_);
        while (!stopped_ && !core_.has_work()) {
            ++idle_workers_;
            work_.wait(mutex_);
            --idle_workers_;
        }
        if (stopped_) {
            return;
        }
    }
}

Job* Engine::Impl::settle_and_pick(Turn last, bool wants_next, Effects& effects) {
    Job* next = nullptr;
    const base::TimePoint now = clock_.now();
    {
        const base::Lock lock(mutex_);
        if (last.job != nullptr) {
            core_.settle(*last.job, std::move(last.report), now, effects);
        }
        core_.expire(now, effects);
        next = next_job(wants_next, now, effects);
    }
    carry_out(effects);
    return next;
}

Job* Engine::Impl::next_job(bool wants_next, base::TimePoint now, Effects& effects) {
    Job* next = wants_next && !stopped_ ? core_.pick(now) : nullptr;
    core_.publish_memory();
    under_way_ += std::exchange(effects.letters, 0);
    if (idle_workers_ > 0 && core_.has_work()) {
        work_.notify_one();
    }
    return next;
}

Engine::Impl::Turn Engine::Impl::run(Job& job) {
    Turn turn{&job, run_slice(job, config_, results_)};
    if (turn.report.scope) {
        keep(job, turn.report);
    }
    return turn;
}

Submission Engine::Impl::look_at(model::ClientId client, model::PathRequest request) {
    Submission submission;
    submission.client = client;
    submission.request = std::move(request);
    if (memory().tight()) {
        keep_cache_small();
    }
    try {
        answer_early(submission);
    } catch (...) {
        submission.early = std::unexpected(internal_error());
    }
    if (!submission.early || submission.request.follow) {
        submission.now = clock_.now();
    }
    return submission;
}

void Engine::Impl::answer_early(Submission& submission) {
    model::PathRequest& request = submission.request;
    const auto snapshot = ground_of(submission, request.map, request.priority, request.query);
    if (snapshot == nullptr) {
        return;
    }
    if (auto refusal = refusal_of_follow(request)) {
        submission.early = std::unexpected(std::move(*refusal));
        return;
    }
    if (request.query.ignore_obstacle) {
        return;  // what only this question sees, its job finds out
    }
    const map::Layer& layer = *snapshot->layer(request.query.movement_class);
    search::Outlook outlook = search::look_ahead(layer, request.query);
    if (outlook.answer) {
        submission.early = std::make_shared<const model::PathResult>(std::move(*outlook.answer));
        verdicts_.fetch_add(1, std::memory_order_relaxed);
        return;
    }
    if (auto known = cache_.find({request.map, request.query}, submission.version, outlook.aim)) {
        submission.early = std::move(known);
    }
}

void Engine::Impl::announce(MapEntry& map) {
    keeper_.look_at(*map.store().snapshot());
    memory_.set(MemoryPart::kLandmarks, keeper_.bytes());
    map.deliver();
    tell_followers(map);
    const std::size_t alive = map.store().snapshots_alive();
    if (alive > config_.snapshots_per_map_max) {
        press_on([&] {
            with_core([&](Core& core, Effects& effects) {
                core.restart_oldest(map, map.store().snapshot()->version(),
                                    alive - config_.snapshots_per_map_max, effects);
            });
        });
    }
}

void Engine::Impl::tell_followers(MapEntry& map) {
    const MapEntry::Changes changes = map.take_changes();
    const auto followed = [&] {
        const base::Lock lock(mutex_);
        return core_.any_follow_on(map);
    };
    if (changes.before == changes.after || !followed()) {
        return;
    }
    // The edit is in force: whom it concerns must hear of it.
    EditLook look;
    press_on([&] {
        look = {.map = &map,
                .before = changes.before->version(),
                .version = changes.after->version(),
                .changes = changes_between(*changes.before, *changes.after, changes.rects),
                .touched = anchors_around(changes.rects)};
    });
    const base::TimePoint now = clock_.now();
    // Also where no class sees a difference: the followed units then know that they missed nothing.
    for (bool more = true; more;) {
        press_on([&] {
            with_core([&](Core& core, Effects& effects) {
                more = core.look_at_edit(look, now, effects);
            });
        });
    }
}

bool Engine::Impl::all_done() const {
    return core_.open_requests() == 0 && under_way_ == 0;
}

void Engine::Impl::carry_out(Effects& effects) {
    effects.released.clear();
    effects.maps.clear();
    effects.answered.clear();
    effects.discarded.clear();
    effects.benches.clear();
    // Before the answer: whoever has that may leave at once.
    for (const auto& [sink, request] : effects.slow) {
        sink->on_slow(request);
    }
    effects.slow.clear();
    for (const std::shared_ptr<Postbox>& box : effects.boxes) {
        under_way_ -= box->deliver();
    }
    effects.boxes.clear();
    // Also when nothing was delivered: the last requests may have gone with their client.
    if (draining_) {
        const base::Lock lock(mutex_);
        done_.notify_all();
    }
}

}  // namespace outrider::engine
