#pragma once
// What:    threads, lock and clock around Core. Private to the engine room.
// Threads: the lock order is: a store's writer turn, then a map entry's watchers, then the cache's
//          or the store's snapshot pointer; and the engine's lock, then a snapshot pointer. No sink
//          is called under any of them.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <thread>
#include <vector>

#include "outrider/base/mutex.hpp"
#include "outrider/cache/path_cache.hpp"
#include "outrider/engine/core.hpp"
#include "outrider/engine/engine.hpp"
#include "outrider/engine/landmark_keeper.hpp"
#include "outrider/engine/map_table.hpp"
#include "outrider/engine/memory.hpp"
#include "outrider/engine/replies.hpp"
#include "outrider/model/per_map.hpp"

namespace outrider::engine {

class Engine::Impl {
  public:
    Impl(const Config& config, const base::Clock& clock);
    ~Impl();
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    [[nodiscard]] std::expected<model::EditReceipt, model::Refusal> edit(model::MapId map,
                                                                         model::EditBatch batch);
    [[nodiscard]] std::expected<std::pair<model::ClassId, model::Version>, model::Refusal>
    add_class(model::MapId map, model::MovementClass movement_class);
    [[nodiscard]] std::expected<map::State, model::Refusal> watch(model::ClientId client,
                                                                  model::MapId map);
    [[nodiscard]] std::expected<model::ClientId, model::Refusal> connect(
        std::shared_ptr<Sink> sink);
    void disconnect(model::ClientId client);
    void submit(model::ClientId client, model::PathRequest request);
    void submit(model::ClientId client, model::SurveyRequest request);
    bool cancel(model::ClientId client, model::RequestId request);
    std::vector<model::RequestId> report(model::ClientId client,
                                         std::span<const model::Progress> reports);
    bool run_for(std::chrono::microseconds budget);
    void begin_drain();
    [[nodiscard]] bool drained() const;
    [[nodiscard]] bool wait_drained(std::chrono::milliseconds limit);
    [[nodiscard]] Stats stats() const;
    [[nodiscard]] Metrics metrics() const;
    // As it is now, whatever sinks have let go of meanwhile.
    [[nodiscard]] MemoryLedger& memory();

    // engine_maps.cpp
    [[nodiscard]] std::expected<LoadedMap, model::Refusal> load_map(NewMap map);
    [[nodiscard]] std::expected<void, model::Refusal> drop_map(model::MapId map);
    [[nodiscard]] MapInfo info_of(const MapEntry& map) const;
    [[nodiscard]] MapTable& maps() { return maps_; }
    [[nodiscard]] const MapTable& maps() const { return maps_; }

  private:
    // Between two looks for memory: short beside what such an end takes, and no load.
    static constexpr std::chrono::milliseconds kMemoryPause{1};

    // Between two slices of a worker: gives back what it has and takes the next, under one lock.
    struct Turn {
        Job* job{};
        SliceReport report;
    };

    void stop_workers();
    void work();
    [[nodiscard]] Job* settle_and_pick(Turn last, bool wants_next, Effects& effects);
    [[nodiscard]] Job* next_job(bool wants_next, base::TimePoint now, Effects& effects)
        OUTRIDER_REQUIRES(mutex_);
    // In the cache, before the job ends, so that an equal request finds either the job or the
    // answer.
    void keep(const Job& job, const SliceReport& report) noexcept;
    // The cache gives way to everything else.
    void keep_cache_small();
    [[nodiscard]] Turn run(Job& job);
    // What a question stands on: fills in map and version, lowers the budget to the cap. Null and
    // an early refusal where map, priority or the question itself are wrong.
    template <class Asked, class Question>
    [[nodiscard]] std::shared_ptr<const map::Snapshot> ground_of(Asked& asked, model::MapId map,
                                                                 model::Priority priority,
                                                                 Question& question);
    [[nodiscard]] Submission look_at(model::ClientId client, model::PathRequest request);
    void answer_early(Submission& submission);
    // engine_survey.cpp
    [[nodiscard]] SurveySubmission look_at(model::ClientId client, model::SurveyRequest request);
    void answer_early(SurveySubmission& submission, model::MapId map, model::Survey survey);
    // engine_maps.cpp: of a map that has left the table.
    void end_map(MapPtr map, model::MapId successor);
    // engine_metrics.cpp
    void count_edit(model::MapId map, base::Duration time);
    // After each new version of the map.
    void announce(MapEntry& map);
    void tell_followers(MapEntry& map);
    [[nodiscard]] bool all_done() const OUTRIDER_REQUIRES(mutex_);
    // Runs an action on the core under the lock, then carries out what it asks for, also what it
    // has asked for before it throws.
    template <class Action>
    void with_core(Action action);
    // Again and again until it finds the memory that it needs: for what follows from a thing that
    // is done already, such as the end of a client, and that nobody else would do.
    template <class Step>
    void press_on(const Step& step);
    void carry_out(Effects& effects);

    const Config config_;
    const base::Clock& clock_;
    cache::PathCache cache_;
    MemoryLedger memory_;  // maps hold claims on it
    MapTable maps_;        // notes its changes in the cache
    mutable base::Mutex mutex_;
    base::Condition work_;
    base::Condition done_;
    ResultMeter results_;
    Core core_ OUTRIDER_GUARDED_BY(mutex_);
    std::size_t idle_workers_ OUTRIDER_GUARDED_BY(mutex_){};
    bool stopped_ OUTRIDER_GUARDED_BY(mutex_){false};
    std::atomic<bool> draining_{false};
    // Replies that have left the core and not yet reached their sink; raised under the lock.
    std::atomic<std::size_t> under_way_{0};
    std::atomic<std::uint64_t> verdicts_{0};
    mutable base::Mutex edits_mutex_;
    Histogram edit_times_ OUTRIDER_GUARDED_BY(edits_mutex_);
    model::PerMap<std::uint64_t> edits_ OUTRIDER_GUARDED_BY(edits_mutex_);
    LandmarkKeeper keeper_;
    std::vector<std::thread> workers_;
};

template <class Asked, class Question>
std::shared_ptr<const map::Snapshot> Engine::Impl::ground_of(Asked& asked, model::MapId map,
                                                             model::Priority priority,
                                                             Question& question) {
    const auto refused = [&](model::Refusal why) {
        asked.early = std::unexpected(std::move(why));
        return nullptr;
    };
    asked.map = maps_.find(map);
    if (asked.map == nullptr) {
        return refused(unknown_map(map));
    }
    if (static_cast<int>(priority) >= model::kPriorityCount) {
        return refused(bad_priority());
    }
    std::shared_ptr<const map::Snapshot> snapshot = asked.map->store().snapshot();
    asked.version = snapshot->version();
    if (auto valid = search::validate(*snapshot, question); !valid) {
        return refused(std::move(valid.error()));
    }
    // Equal questions get equal keys: 0 and everything above the cap mean the cap.
    std::uint64_t& cap = question.expansions_max;
    cap = cap == 0 ? config_.expansions_max : std::min(cap, config_.expansions_max);
    return snapshot;
}

template <class Action>
void Engine::Impl::with_core(Action action) {
    Effects effects;
    std::exception_ptr failure;
    {
        const base::Lock lock(mutex_);
        try {
            action(core_, effects);
        } catch (...) {
            failure = std::current_exception();
        }
        (void)next_job(false, {}, effects);
    }
    carry_out(effects);
    if (failure) {
        std::rethrow_exception(failure);
    }
}

template <class Step>
void Engine::Impl::press_on(const Step& step) {
    for (;;) {
        try {
            return step();
        } catch (const std::bad_alloc&) {
            const base::Lock lock(mutex_);
            (void)done_.wait_for(mutex_, kMemoryPause);
        }
    }
}

}  // namespace outrider::engine
