// Lines of sight by length and smoothing of whole paths, one core.

#include <benchmark/benchmark.h>

#include <cmath>
#include <random>

#include "bench/bench_maps.hpp"
#include "bench/generated_maps.hpp"
#include "bench/ground.hpp"
#include "bench/smoothing_contest.hpp"
#include "outrider/search/sight.hpp"

namespace outrider::bench {
namespace {

constexpr std::int32_t kSide = 1024;

struct Line {
    model::Cell from;
    model::Cell to;
};

// In all directions, so many cells long.
std::vector<Line> lines(std::int32_t length) {
    std::mt19937 random(5);
    std::vector<Line> all;
    for (int i = 0; i < 256; ++i) {
        const double angle = 2 * 3.14159265358979 * i / 256;
        const auto place = [&] {
            return kSide / 2 - 64 + static_cast<std::int32_t>(random() % 128U);
        };
        const model::Cell from{place(), place()};
        all.push_back(
            {from,
             {from.x + static_cast<std::int32_t>(std::lround(length * std::cos(angle))),
              from.y + static_cast<std::int32_t>(std::lround(length * std::sin(angle)))}});
    }
    return all;
}

void sight_line(benchmark::State& state) {
    static const Ground ground = ground_of(open_grid(kSide));
    const auto all = lines(static_cast<std::int32_t>(state.range(0)));
    std::size_t i = 0;
    for (auto _ : state) {
        const Line& line = all[i++ % all.size()];
        benchmark::DoNotOptimize(search::in_sight(ground.layer(), line.from, line.to));
    }
}
BENCHMARK(sight_line)->Arg(8)->Arg(32)->Arg(128)->Arg(400);

void clear_line(benchmark::State& state) {
    static const Ground ground = ground_of(open_grid(kSide));
    const auto all = lines(static_cast<std::int32_t>(state.range(0)));
    std::size_t i = 0;
    for (auto _ : state) {
        const Line& line = all[i++ % all.size()];
        benchmark::DoNotOptimize(search::is_clear(ground.layer(), search::centre_of(line.from),
                                                  search::centre_of(line.to),
                                                  search::kClearanceMax));
    }
}
BENCHMARK(clear_line)->Arg(8)->Arg(32)->Arg(128)->Arg(400);

void mixed_cost(benchmark::State& state) {
    static const Ground ground = ground_of(with_terrain(open_grid(kSide)), model::terrain_class());
    const auto all = lines(static_cast<std::int32_t>(state.range(0)));
    std::size_t i = 0;
    for (auto _ : state) {
        const Line& line = all[i++ % all.size()];
        benchmark::DoNotOptimize(search::sight_cost(ground.layer(), line.from, line.to));
    }
}
BENCHMARK(mixed_cost)->Arg(8)->Arg(32)->Arg(128)->Arg(400);

// Paths of random questions across the map; `grade` as in smoothing_on().
void smooth_path(benchmark::State& state, const map::Grid& grid, const model::MovementClass& who,
                 std::size_t grade) {
    const Ground ground = ground_of(grid, who);
    const auto queries = random_questions(ground, 64, kSide / 2);
    const Contestant contestant = smoothing_on(ground, queries)[grade];
    std::uint64_t cells = 0;
    for (auto _ : state) {
        cells += contestant.ask(queries.front()).expansions;
    }
    state.counters["cells"] =
        benchmark::Counter(static_cast<double>(cells), benchmark::Counter::kAvgIterations);
}

// Ground and paths are dear to make: each row runs once, over all its paths several times.
#define OUTRIDER_SMOOTH(name, grid, who)                           \
    BENCHMARK_CAPTURE(smooth_path, waypoints_##name, grid, who, 1) \
        ->Iterations(640)                                          \
        ->Unit(benchmark::kMicrosecond);                           \
    BENCHMARK_CAPTURE(smooth_path, corners_##name, grid, who, 2)   \
        ->Iterations(640)                                          \
        ->Unit(benchmark::kMicrosecond)
OUTRIDER_SMOOTH(noise_20, noise_grid(kSide, 20), model::ground_class());
OUTRIDER_SMOOTH(rooms, rooms_grid(kSide), model::ground_class());
OUTRIDER_SMOOTH(caves, caves_grid(kSide), model::ground_class());
OUTRIDER_SMOOTH(mixed, with_terrain(open_grid(kSide)), model::terrain_class());

}  // namespace
}  // namespace outrider::bench

BENCHMARK_MAIN();
