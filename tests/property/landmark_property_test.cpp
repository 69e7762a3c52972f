#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "outrider/search/goal_bound.hpp"
#include "support/landmarks.hpp"
#include "support/oracle.hpp"
#include "support/random.hpp"
#include "support/random_maps.hpp"

namespace outrider::test {
namespace {

using model::Cell;
using model::Cost;

std::vector<Cell> open_cells(const WeightGrid& grid) {
    std::vector<Cell> cells;
    for (Cell cell{0, 0}; cell.y < grid.height; ++cell.y) {
        for (cell.x = 0; cell.x < grid.width; ++cell.x) {
            if (grid.open(cell)) {
                cells.push_back(cell);
            }
        }
    }
    return cells;
}

// Cost from each cell to the cheapest of the goal region's open cells: steps cost the same both
// ways.
std::vector<Cost> costs_to(const WeightGrid& grid, const model::MovementClass& who,
                           const search::GoalRegion& goal) {
    std::vector<Cost> least(grid.weights.size(), kNever);
    for (const Cell cell : open_cells(grid)) {
        if (goal.contains(cell.x, cell.y)) {
            const std::vector<Cost> one = costs_from(grid, mover_of(who), cell);
            std::ranges::transform(least, one, least.begin(),
                                   [](Cost a, Cost b) { return std::min(a, b); });
        }
    }
    return least;
}

search::GoalRegion random_goal(Random& random, Cell cell, const WeightGrid& grid) {
    model::Rect rect{cell.x, cell.y, 1, 1};
    Cost range = 0;
    if (random.chance(40)) {
        rect.width = static_cast<std::int32_t>(random.between(1, 4));
        rect.height = static_cast<std::int32_t>(random.between(1, 4));
        rect = model::intersect(rect, {0, 0, grid.width, grid.height});
        range = static_cast<Cost>(random.between(0, 3)) * model::kStraight;
    }
    return {rect, range};
}

struct Tally {
    std::uint64_t cells{};
    std::uint64_t sharper{};  // than without landmarks
};

// No cell's estimate is above what the way from it costs.
void check_bounds(const map::Layer& layer, const WeightGrid& grid, Random& random, Tally& tally) {
    const std::vector<Cell> cells = open_cells(grid);
    if (cells.empty()) {
        return;
    }
    const auto any = [&] {
        return cells[static_cast<std::size_t>(random.between(0, std::ssize(cells) - 1))];
    };
    const model::MovementClass& who = layer.movement_class();
    const search::GoalRegion goal = random_goal(random, any(), grid);
    const std::vector<Cost> costs = costs_to(grid, who, goal);
    const Cost unit = layer.uniform() ? 2 * Cost{layer.weight_min()} : 1;
    const std::shared_ptr<const map::Layer> bare = layer.with_landmarks(nullptr);
    const Cell start = any();
    search::GoalBound bound;
    bound.begin(layer, start, goal, unit);
    search::GoalBound plain;
    plain.begin(*bare, start, goal, unit);
    for (const Cell cell : cells) {
        const Cost cost = costs[static_cast<std::size_t>(cell.y * grid.width + cell.x)];
        if (layer.regions().component(cell) != layer.regions().component(start)) {
            continue;
        }
        const Cost estimate = bound.estimate(cell.x, cell.y) * unit;
        ASSERT_LE(estimate, cost) << cell.x << "," << cell.y;
        ++tally.cells;
        tally.sharper += estimate > plain.estimate(cell.x, cell.y) * unit ? 1U : 0U;
    }
}

// If this failed, a path marked optimal would not be, on a map where somebody tore down a wall.
TEST(LandmarkProperty, BoundsAreNeverTooLargeOnEditedMaps) {
    Tally tally;
    const std::uint64_t count = rounds(200);
    for (std::uint64_t round = 0; round < count; ++round) {
        SCOPED_TRACE("round " + std::to_string(round));
        Random random(0x40000 + round);
        const model::MovementClass who = random_class(random);
        const auto store = map::Store::create(random_map(random), {who}).value();
        for (int turn = 0; turn < 5; ++turn) {
            if (store->snapshot()->layer({0})->landmarks() == nullptr && random.chance(70)) {
                add_landmarks(*store, {0});
            }
            const auto snapshot = store->snapshot();
            const WeightGrid grid = weights_of(painted(store->state(), who), who);
            ASSERT_NO_FATAL_FAILURE(check_bounds(*snapshot->layer({0}), grid, random, tally));
            ASSERT_TRUE(store->apply(random_batch(random, store->state().grid)).has_value());
        }
    }
    // Else this compares the octile distance with itself.
    EXPECT_GT(tally.sharper * 20, tally.cells);
}

// If this failed, a search on a huge map would push its cells away for nothing, or worse.
TEST(LandmarkProperty, LanesAreDistancesInWholeQuanta) {
    const std::uint64_t count = rounds(60);
    for (std::uint64_t round = 0; round < count; ++round) {
        SCOPED_TRACE("round " + std::to_string(round));
        Random random(0x50000 + round);
        const model::MovementClass who = random_class(random);
        const map::Grid map = random_map(random);
        const auto store = map::Store::create(map, {who}).value();
        const WeightGrid grid = weights_of(map, who);
        const auto landmarks = landmarks_of(*store->snapshot(), {0});
        const std::vector<Cell> cells = open_cells(grid);
        ASSERT_EQ(landmarks == nullptr, cells.empty());
        for (std::size_t lane = 0; landmarks && lane < map::Landmarks::kCount; ++lane) {
            const auto zero = std::ranges::find_if(
                cells, [&](Cell cell) { return landmarks->at(cell.x, cell.y).lanes[lane] == 0; });
            ASSERT_NE(zero, cells.end());
            // The landmark alone: on maps this small a step costs more than a quantum.
            const std::vector<Cost> costs = costs_from(grid, mover_of(who), *zero);
            for (const Cell cell : cells) {
                const Cost cost = costs[static_cast<std::size_t>(cell.y * grid.width + cell.x)];
                const std::uint16_t quanta = landmarks->at(cell.x, cell.y).lanes[lane];
                if (cost == kNever) {
                    ASSERT_EQ(quanta, map::Landmarks::kUnknown);
                } else {
                    ASSERT_EQ(quanta, cost / landmarks->quantum());
                }
            }
        }
    }
}

// If this failed, the same map would get other landmarks on a busy server, and so other paths.
TEST(LandmarkProperty, LandmarksAreTheSameWhateverTheSlices) {
    Random random(0x60000);
    const model::MovementClass who = random_class(random);
    const auto store = map::Store::create(random_map(random), {who}).value();
    const auto snapshot = store->snapshot();
    const auto whole = landmarks_of(*snapshot, {0});
    for (const std::uint64_t size : {1U, 100U, 1000U}) {
        search::LandmarkBuilder builder(map::make_terrain_layer(*snapshot, {0}));
        while (builder.step(size)) {
        }
        const auto parts = builder.take();
        ASSERT_EQ(whole == nullptr, parts == nullptr);
        for (std::int32_t y = 0; whole && y < snapshot->height(); ++y) {
            for (std::int32_t x = 0; x < snapshot->width(); ++x) {
                ASSERT_EQ(whole->at(x, y).lanes, parts->at(x, y).lanes);
            }
        }
    }
}

}  // namespace
}  // namespace outrider::test
