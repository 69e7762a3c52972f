#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include "outrider/search/field.hpp"
#include "support/random.hpp"
#include "support/random_maps.hpp"
#include "support/search_world.hpp"

namespace outrider::test {
namespace {

using model::Algorithm;
using model::Cell;

constexpr std::array<model::Terrain, 3> kLetters{'a', 'b', 'c'};

std::int32_t number(Random& random, std::int64_t low, std::int64_t high) {
    return static_cast<std::int32_t>(random.between(low, high));
}

// Few weights, near to each other or far apart, so that equal costs and even ground abound.
model::MovementClass few_weights(Random& random) {
    static constexpr std::array<std::array<std::uint8_t, 3>, 6> kWeights{
        {{1, 1, 2}, {1, 2, 3}, {10, 11, 10}, {6, 10, 30}, {1, 255, 1}, {7, 7, 7}}};
    model::MovementClass who;
    who.name = "few";
    const auto kind = static_cast<std::size_t>(random.between(0, 5));
    for (std::size_t i = 0; i < kLetters.size(); ++i) {
        who.weights[kLetters[i]] = kWeights[kind][i];
    }
    if (random.chance(50)) {
        who.directions = random.chance(40) ? model::Directions::kFour : model::Directions::kEight;
        who.corner_rule = static_cast<model::CornerRule>(random.between(0, 2));
    }
    return who;
}

// Patches of letters, a few blocked cells.
map::Grid patchwork(Random& random) {
    map::Grid grid{number(random, 1, 14), number(random, 1, 14), {}};
    grid.terrain.assign(static_cast<std::size_t>(grid.width * grid.height), 'a');
    for (std::int64_t patches = random.between(0, 6); patches > 0; --patches) {
        const Cell from{number(random, 0, grid.width - 1), number(random, 0, grid.height - 1)};
        const Cell to{std::min(grid.width, from.x + number(random, 1, 7)),
                      std::min(grid.height, from.y + number(random, 1, 7))};
        const auto letter = kLetters[static_cast<std::size_t>(random.between(0, 2))];
        for (std::int32_t y = from.y; y < to.y; ++y) {
            std::fill_n(grid.terrain.begin() + y * grid.width + from.x, to.x - from.x, letter);
        }
    }
    const int blocked = number(random, 0, 1) * number(random, 1, 30);
    for (model::Terrain& cell : grid.terrain) {
        if (random.chance(blocked)) {
            cell = '@';
        }
    }
    return grid;
}

void check(const SearchWorld& world, const map::Layer& layer, const model::PathQuery& query,
           search::Buffers& buffers) {
    const model::PathResult result = search::run(layer, query, buffers);
    const Expected expected = world.oracle(query);
    ASSERT_EQ(result.outcome, expected.outcome);
    ASSERT_EQ(result.cost, expected.cost);
    if (result.turning_points.empty()) {
        return;
    }
    ASSERT_EQ(world.fault(query, result), "");
    if (result.expansions > 2) {
        model::PathQuery cut = query;
        cut.expansions_max = result.expansions / 2;
        const model::PathResult part = search::run(layer, cut, buffers);
        ASSERT_EQ(part.outcome, model::Outcome::kBudget);
        ASSERT_EQ(world.fault(cut, part), "");
    }
}

// If this failed, a late arrival from a second side, or a move pruned where two terrains meet,
// would lose the best way in some small patch of ground.
TEST(TerrainProperty, TheTerrainKernelAgreesWithDijkstraOnManyTinyMaps) {
    const search::BuffersPtr buffers = search::make_buffers();
    const std::uint64_t count = rounds(6000);
    for (std::uint64_t round = 0; round < count; ++round) {
        SCOPED_TRACE("round " + std::to_string(round));
        Random random(0x20000 + round);
        const SearchWorld world(patchwork(random), few_weights(random));
        model::PathQuery query = random_query(random, world.weights());
        query.algorithm = Algorithm::kTerrain;
        ASSERT_NO_FATAL_FAILURE(check(world, world.layer(), query, *buffers));
    }
}

// Landmarks anywhere, in quanta far too coarse: estimates that jump up and down by a quantum.
std::shared_ptr<const map::Landmarks> coarse_landmarks(Random& random, const map::Layer& layer) {
    const std::int32_t width = layer.width();
    const std::int32_t height = layer.height();
    auto cells =
        std::make_unique<map::Landmarks::Quanta[]>(map::Landmarks::storage_cells(width, height));
    search::Field field;
    const model::Cost unit = layer.uniform() ? 2 * model::Cost{layer.weight_min()} : 1;
    const model::Cost quantum =
        unit * static_cast<model::Cost>(random.between(1'000, 4'000) * random.between(1, 8));
    for (std::size_t lane = 0; lane < map::Landmarks::kCount; ++lane) {
        const Cell source{number(random, 0, width - 1), number(random, 0, height - 1)};
        const bool open = layer.open(source);
        if (open) {
            field.begin(layer, std::array{source});
            while (field.step(1000)) {
            }
        }
        for (std::int32_t y = 0; y < height; ++y) {
            for (std::int32_t x = 0; x < width; ++x) {
                const model::Cost distance =
                    open ? field.distance({x, y}) : search::Field::kUnreached;
                cells[map::Landmarks::index_of(map::Landmarks::blocks(width), x, y)].lanes[lane] =
                    distance == search::Field::kUnreached
                        ? map::Landmarks::kUnknown
                        : static_cast<std::uint16_t>(distance * field.unit() / quantum);
            }
        }
    }
    return std::make_shared<const map::Landmarks>(width, height, quantum, std::move(cells));
}

// If this failed, an estimate that falls faster than a step costs would close a cell for good with
// a cost that is not its least, or end the search at the first goal that comes up.
TEST(TerrainProperty, CoarseLandmarksChangeNoCost) {
    const search::BuffersPtr buffers = search::make_buffers();
    const std::uint64_t count = rounds(3000);
    for (std::uint64_t round = 0; round < count; ++round) {
        SCOPED_TRACE("round " + std::to_string(round));
        Random random(0x30000 + round);
        const SearchWorld world(patchwork(random), few_weights(random));
        const auto layer = world.layer().with_landmarks(coarse_landmarks(random, world.layer()));
        for (int i = 0; i < 3; ++i) {
            model::PathQuery query = random_query(random, world.weights());
            query.algorithm = Algorithm::kTerrain;
            ASSERT_NO_FATAL_FAILURE(check(world, *layer, query, *buffers));
        }
    }
}

}  // namespace
}  // namespace outrider::test
