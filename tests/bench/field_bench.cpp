// Whole-map distances: cells a second on open ground, noise and mixed terrain, one core.

#include <benchmark/benchmark.h>

#include <random>

#include "outrider/map/store.hpp"
#include "outrider/search/field.hpp"

namespace outrider::search {
namespace {

constexpr std::int32_t kSide = 1024;

map::Grid noise(std::uint32_t percent, std::string_view letters) {
    map::Grid grid{kSide, kSide, std::vector<model::Terrain>(std::size_t{kSide} * kSide)};
    std::mt19937 random(11);
    for (model::Terrain& cell : grid.terrain) {
        const auto number = static_cast<std::uint32_t>(random());
        cell = number % 100 < percent
                   ? model::Terrain{'@'}
                   : static_cast<model::Terrain>(letters[(number >> 8U) % letters.size()]);
    }
    grid.terrain[std::size_t{kSide} * (kSide / 2) + kSide / 2] =
        static_cast<model::Terrain>(letters.front());
    return grid;
}

// Squares of `size` cells, each of one weight.
map::Grid patches(std::int32_t size) {
    map::Grid grid = noise(0, "E");
    std::mt19937 random(12);
    for (std::int32_t y = 0; y < kSide; y += size) {
        for (std::int32_t x = 0; x < kSide; x += size) {
            const auto letter =
                static_cast<model::Terrain>('E' + static_cast<std::uint32_t>(random()) % 4);
            for (std::int32_t i = 0; i < size * size; ++i) {
                grid.terrain[static_cast<std::size_t>((y + i / size) * kSide + x + i % size)] =
                    letter;
            }
        }
    }
    return grid;
}

void whole_map(benchmark::State& state, const map::Grid& grid, const model::MovementClass& who) {
    const auto store = map::Store::create(grid, {who}).value();
    const auto snapshot = store->snapshot();
    Field field;
    const model::Cell source{kSide / 2, kSide / 2};
    std::uint64_t cells = 0;
    for (auto _ : state) {
        field.begin(*snapshot->layer({0}), {&source, 1});
        while (field.step(~std::uint64_t{0})) {
        }
        cells += field.expansions();
    }
    state.counters["cells/s"] =
        benchmark::Counter(static_cast<double>(cells), benchmark::Counter::kIsRate);
}

model::MovementClass four_directions() {
    model::MovementClass four = model::ground_class();
    four.directions = model::Directions::kFour;
    return four;
}

BENCHMARK_CAPTURE(whole_map, open, noise(0, "."), model::ground_class())
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(whole_map, noise_10, noise(10, "."), model::ground_class())
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(whole_map, noise_30, noise(30, "."), model::ground_class())
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(whole_map, four_directions, noise(0, "."), four_directions())
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(whole_map, mixed_noise, noise(10, "EFGH"), model::terrain_class())
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(whole_map, mixed_patches, patches(16), model::terrain_class())
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace outrider::search

BENCHMARK_MAIN();
