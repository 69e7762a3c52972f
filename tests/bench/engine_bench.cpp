// The engine from the door: a frame of fifty units, and what an answer without a search costs.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <atomic>
#include <ctime>
#include <random>
#include <thread>

#include "outrider/base/check.hpp"
#include "outrider/engine/engine.hpp"

namespace outrider::engine {
namespace {

class CountingSink final : public Sink {
  public:
    void on_reply(model::PathReply reply) override {
        OUTRIDER_CHECK(reply.body.has_value());
        ++count;
    }
    void on_edit(model::MapId, model::Version, std::shared_ptr<const model::EditBatch>) override {}
    std::atomic<std::size_t> count{};
};

// CPU of the whole process, so that workers count.
double cpu_ms() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

constexpr std::int32_t kSide = 200;

struct World {
    explicit World(unsigned workers) {
        Config config;
        config.workers = workers;
        engine = std::move(*Engine::create(config, clock));
        map::Grid grid{kSide, kSide, std::vector<model::Terrain>(kSide * kSide)};
        for (model::Terrain& cell : grid.terrain) {
            cell = random() % 100 < 20 ? '@' : '.';
        }
        map = *engine->add_map("random", std::move(grid), {model::ground_class()});
        client = *engine->connect(sink);
    }

    model::PathRequest request(std::uint64_t id) {
        model::PathRequest request;
        request.id = {id};
        request.map = map;
        request.query.start = open_cell();
        const model::Cell goal = open_cell();
        request.query.goal.rect = {goal.x, goal.y, 1, 1};
        return request;
    }
    model::Cell open_cell() {
        for (;;) {
            const model::Cell cell{static_cast<std::int32_t>(random() % kSide),
                                   static_cast<std::int32_t>(random() % kSide)};
            if (engine->snapshot(map)->terrain(cell) == '.') {
                return cell;
            }
        }
    }

    std::mt19937_64 random{20};
    base::SteadyClock clock;
    std::unique_ptr<Engine> engine;
    std::shared_ptr<CountingSink> sink{std::make_shared<CountingSink>()};
    model::MapId map;
    model::ClientId client;
};

// 50 units to 50 random goals in one frame, pumped; the goal is under 3 ms of CPU.
void fifty_units_a_frame(benchmark::State& state, unsigned workers, model::Algorithm algorithm) {
    World world(workers);
    std::vector<double> frames;
    std::uint64_t id = 0;
    for (auto _ : state) {
        state.PauseTiming();
        std::vector<model::PathRequest> requests;
        for (int unit = 0; unit < 50; ++unit) {
            requests.push_back(world.request(++id));
            requests.back().query.algorithm = algorithm;
        }
        state.ResumeTiming();
        const double start = cpu_ms();
        for (const model::PathRequest& request : requests) {
            world.engine->submit(world.client, request);
        }
        while (workers == 0 && world.engine->run_for(std::chrono::milliseconds(1))) {
        }
        while (world.sink->count < id) {
            std::this_thread::yield();
        }
        frames.push_back(cpu_ms() - start);
    }
    OUTRIDER_CHECK(world.sink->count == id);
    std::ranges::sort(frames);
    state.counters["median_frame_ms"] = frames[frames.size() / 2];
    state.counters["p99_frame_ms"] = frames[frames.size() * 99 / 100];
    state.counters["expansions_per_unit"] =
        static_cast<double>(world.engine->stats().expansions) / static_cast<double>(id);
}
BENCHMARK_CAPTURE(fifty_units_a_frame, pumped, 0, model::Algorithm::kAuto)
    ->Unit(benchmark::kMillisecond)
    ->MinTime(2);
BENCHMARK_CAPTURE(fifty_units_a_frame, pumped_textbook, 0, model::Algorithm::kAstar)
    ->Unit(benchmark::kMillisecond);

void submit_answered_by_cache(benchmark::State& state) {
    World world(0);
    std::vector<model::PathRequest> requests;
    for (std::uint64_t id = 1; id <= 64; ++id) {
        requests.push_back(world.request(id));
        world.engine->submit(world.client, requests.back());
    }
    while (world.engine->run_for(std::chrono::milliseconds(1))) {
    }
    std::size_t next = 0;
    for (auto _ : state) {
        world.engine->submit(world.client, requests[next++ % requests.size()]);
    }
}
BENCHMARK(submit_answered_by_cache);

void submit_answered_by_verdict(benchmark::State& state) {
    World world(0);
    model::PathRequest request = world.request(1);
    request.query.goal.rect = {request.query.start.x, request.query.start.y, 1, 1};
    for (auto _ : state) {
        world.engine->submit(world.client, request);
    }
}
BENCHMARK(submit_answered_by_verdict);

// Queue, schedule, one slice, settle, deliver: everything but the search itself.
void shortest_search_through_the_queue(benchmark::State& state) {
    World world(0);
    model::PathRequest request = world.request(1);
    std::uint64_t variant = 1000;
    for (auto _ : state) {
        request.query.expansions_max = ++variant;  // a new question each time
        const model::Cell start = request.query.start;
        request.query.goal.rect = {std::max(start.x - 1, 0), std::max(start.y - 1, 0), 3, 3};
        request.query.start = {start.x, start.y};
        world.engine->submit(world.client, request);
        (void)world.engine->run_for(std::chrono::microseconds(0));
    }
}
BENCHMARK(shortest_search_through_the_queue);

}  // namespace
}  // namespace outrider::engine

BENCHMARK_MAIN();
