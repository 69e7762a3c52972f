// What edits and verdicts cost: a building on maps of growing size, a chunk's labels, the join.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <vector>

#include "outrider/map/store.hpp"

namespace outrider::map {
namespace {

// Open ground with walls of a few cells here and there, 10 % of it blocked.
Grid scattered(std::int32_t side) {
    Grid grid{side, side,
              std::vector<model::Terrain>(
                  static_cast<std::size_t>(side) * static_cast<std::size_t>(side), '.')};
    std::mt19937 random(7);
    const auto cells = static_cast<std::uint32_t>(grid.terrain.size());
    for (std::uint32_t i = 0; i < cells / 40; ++i) {
        const std::uint32_t start = static_cast<std::uint32_t>(random()) % (cells - 4);
        std::fill_n(grid.terrain.begin() + start, 4, model::Terrain{'@'});
    }
    return grid;
}

// Two uniform classes, a wide one, and one of mixed weights.
std::vector<model::MovementClass> four_classes() {
    std::vector<model::MovementClass> classes(3, model::ground_class());
    classes[1].name = "wide";
    classes[1].footprint = 3;
    classes[2].name = "owner";
    classes[2].team = 1;
    classes.push_back(model::terrain_class());
    return classes;
}

// One building of 5 x 5 cells placed or moved, up to the new snapshot; then, if `asked`, the first
// verdict after it, which may have to join the chunks anew.
void move_buildings(benchmark::State& state, bool asked) {
    const auto side = static_cast<std::int32_t>(state.range(0));
    const auto store = Store::create(scattered(side), four_classes()).value();
    std::mt19937 random(8);
    const auto place = [&] { return static_cast<std::int32_t>(random() % (side - 5U)); };
    std::uint64_t id = 0;
    for (auto _ : state) {
        model::EditBatch batch;
        batch.edits.emplace_back(model::PlaceObstacle{{id++ % 64}, {place(), place(), 5, 5}});
        benchmark::DoNotOptimize(store->apply(std::move(batch)));
        if (asked) {
            const auto snapshot = store->snapshot();
            const Regions& regions = snapshot->layer({0})->regions();
            benchmark::DoNotOptimize(regions.component({place(), place()}));
        }
    }
}

// One building of 5 x 5 cells placed, up to the new snapshot; it is pulled down untimed.
void place_a_building(benchmark::State& state) {
    const auto side = static_cast<std::int32_t>(state.range(0));
    const auto store = Store::create(scattered(side), four_classes()).value();
    std::mt19937 random(8);
    const auto place = [&] { return static_cast<std::int32_t>(random() % (side - 5U)); };
    std::vector<double> all_us;
    for (auto _ : state) {
        model::EditBatch batch;
        batch.edits.emplace_back(model::PlaceObstacle{{1}, {place(), place(), 5, 5}});
        const auto start = std::chrono::steady_clock::now();
        benchmark::DoNotOptimize(store->apply(std::move(batch)));
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        all_us.push_back(took.count() * 1e6);
        state.SetIterationTime(took.count());
        model::EditBatch back;
        back.edits.emplace_back(model::RemoveObstacle{{1}});
        benchmark::DoNotOptimize(store->apply(std::move(back)));
    }
    std::ranges::sort(all_us);
    state.counters["median_us"] = all_us[all_us.size() / 2];
}

void sides(benchmark::internal::Benchmark* benchmark) {
    benchmark->Arg(512)->Arg(1024)->Arg(4096)->Arg(8192)->Unit(benchmark::kMicrosecond);
}

void building(benchmark::State& state) {
    move_buildings(state, false);
}
BENCHMARK(building)->Apply(sides);
BENCHMARK(place_a_building)->Apply(sides)->UseManualTime();

void building_and_verdict(benchmark::State& state) {
    move_buildings(state, true);
}
BENCHMARK(building_and_verdict)->Apply(sides);

ChunkRegions::Rows chunk_rows(int percent_blocked) {
    ChunkRegions::Rows rows{};
    std::mt19937 random(9);
    for (std::uint64_t& row : rows) {
        for (int x = 0; x < 64; ++x) {
            row |=
                static_cast<std::uint64_t>(random() % 100 >= static_cast<unsigned>(percent_blocked))
                << x;
        }
    }
    return rows;
}

void chunk_relabel(benchmark::State& state) {
    const ChunkRegions::Rows rows = chunk_rows(static_cast<int>(state.range(0)));
    for (auto _ : state) {
        benchmark::DoNotOptimize(ChunkRegions(rows, Connectivity::kFour));
    }
}
BENCHMARK(chunk_relabel)->Arg(0)->Arg(3)->Arg(10)->Arg(40)->Unit(benchmark::kMicrosecond);

// The whole union-find, as after an edit on the border of a chunk; percent of cells blocked.
void join(benchmark::State& state) {
    const auto side = static_cast<std::int32_t>(state.range(0));
    const ChunkRegions::Rows rows = chunk_rows(static_cast<int>(state.range(1)));
    for (auto _ : state) {
        state.PauseTiming();
        Regions regions(side, side, Connectivity::kFour);
        for (std::int32_t y = 0; y < side / kChunkSide; ++y) {
            for (std::int32_t x = 0; x < side / kChunkSide; ++x) {
                regions.set_chunk({x, y}, rows);
            }
        }
        regions.join_blocks();
        std::int32_t x = 0;
        while ((rows[0] >> x & 1) == 0) {
            ++x;
        }
        state.ResumeTiming();
        benchmark::DoNotOptimize(regions.component({x, 0}));
    }
}
BENCHMARK(join)
    ->Args({1024, 0})
    ->Args({1024, 10})
    ->Args({1024, 40})
    ->Args({8192, 10})
    ->Unit(benchmark::kMicrosecond);

void verdict(benchmark::State& state) {
    const auto store = Store::create(scattered(1024), {model::ground_class()}).value();
    const auto snapshot = store->snapshot();
    const Regions& regions = snapshot->layer({0})->regions();
    std::mt19937 random(10);
    for (auto _ : state) {
        const auto bits = static_cast<std::uint32_t>(random());
        const model::Cell cell{static_cast<std::int32_t>(bits & 1023),
                               static_cast<std::int32_t>(bits >> 10 & 1023)};
        benchmark::DoNotOptimize(regions.component(cell));
    }
}
BENCHMARK(verdict);

void load(benchmark::State& state) {
    const Grid grid = scattered(static_cast<std::int32_t>(state.range(0)));
    for (auto _ : state) {
        benchmark::DoNotOptimize(Store::create(grid, four_classes()).value());
    }
}
BENCHMARK(load)->Arg(1024)->Arg(4096)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace outrider::map

BENCHMARK_MAIN();
