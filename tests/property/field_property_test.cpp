#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "outrider/map/store.hpp"
#include "outrider/search/field.hpp"
#include "support/oracle.hpp"
#include "support/random.hpp"
#include "support/random_maps.hpp"

namespace outrider::test {
namespace {

using model::Cell;
using model::Cost;
using search::Field;

std::vector<Cell> random_sources(Random& random, const WeightGrid& grid) {
    std::vector<Cell> sources;
    const std::int64_t wanted = random.chance(60) ? 1 : random.between(2, 5);
    for (int tries = 0; tries < 200 && std::ssize(sources) < wanted; ++tries) {
        const Cell cell{static_cast<std::int32_t>(random.between(0, grid.width - 1)),
                        static_cast<std::int32_t>(random.between(0, grid.height - 1))};
        if (grid.open(cell)) {
            sources.push_back(cell);
        }
    }
    return sources;
}

std::vector<Cost> costs_from_nearest(const WeightGrid& grid, const Mover& mover,
                                     const std::vector<Cell>& sources) {
    std::vector<Cost> least(grid.weights.size(), kNever);
    for (const Cell source : sources) {
        const std::vector<Cost> one = costs_from(grid, mover, source);
        std::ranges::transform(least, one, least.begin(),
                               [](Cost a, Cost b) { return std::min(a, b); });
    }
    return least;
}

// Every cell whose distance is final must have the oracle's; the others none that is too small.
void check_cells(const Field& field, const WeightGrid& grid, const std::vector<Cost>& expected,
                 bool ended) {
    std::size_t index = 0;
    for (Cell cell{0, 0}; cell.y < grid.height; ++cell.y) {
        for (cell.x = 0; cell.x < grid.width; ++cell.x, ++index) {
            const Cost distance = field.distance(cell);
            const Cost cost = distance == Field::kUnreached ? kNever : distance * field.unit();
            if (ended || expected[index] < field.settled() * field.unit()) {
                ASSERT_EQ(cost, expected[index]) << cell.x << "," << cell.y;
            } else {
                ASSERT_GE(cost, expected[index]) << cell.x << "," << cell.y;
            }
        }
    }
}

void check_field(const map::Layer& layer, const WeightGrid& grid, Random& random, Field& field) {
    const std::vector<Cell> sources = random_sources(random, grid);
    if (sources.empty()) {
        return;
    }
    const std::vector<Cost> expected =
        costs_from_nearest(grid, mover_of(layer.movement_class()), sources);
    field.begin(layer, sources);
    const auto part = static_cast<std::uint64_t>(random.between(1, 400));
    const bool left = field.step(part);
    ASSERT_NO_FATAL_FAILURE(check_cells(field, grid, expected, !left));
    while (field.step(part)) {
    }
    ASSERT_NO_FATAL_FAILURE(check_cells(field, grid, expected, true));
    const auto reached = std::ranges::count_if(expected, [](Cost cost) { return cost != kNever; });
    ASSERT_EQ(field.expansions(), static_cast<std::uint64_t>(reached));
}

// If this failed, a threat range, a group's march or a landmark would be measured wrong.
TEST(FieldProperty, EveryCellAgreesWithDijkstraOnEditedMaps) {
    Field warm;
    const std::uint64_t count = rounds(150);
    for (std::uint64_t round = 0; round < count; ++round) {
        SCOPED_TRACE("round " + std::to_string(round));
        Random random(0x20000 + round);
        const model::MovementClass who = random_class(random);
        const auto store = map::Store::create(random_map(random), {who}).value();
        for (int turn = 0; turn < 3; ++turn) {
            const WeightGrid grid = weights_of(painted(store->state(), who), who);
            const auto snapshot = store->snapshot();
            ASSERT_NO_FATAL_FAILURE(check_field(*snapshot->layer({0}), grid, random, warm));
            const map::State state = store->state();
            ASSERT_TRUE(store->apply(random_batch(random, state.grid)).has_value());
        }
    }
}

// If this failed, leaving out moves would lose a way through some small knot of walls or weights.
TEST(FieldProperty, EveryCellAgreesWithDijkstraOnManyTinyMaps) {
    Field warm;
    const std::uint64_t count = rounds(6000);
    for (std::uint64_t round = 0; round < count; ++round) {
        SCOPED_TRACE("round " + std::to_string(round));
        Random random(0x30000 + round);
        model::MovementClass who = random_class(random);
        who.footprint = 1;
        map::Grid map = tiny_map(random);
        if (random.chance(60)) {
            // Two or three weights in large patches, so that ties are many.
            const auto kinds = random.between(2, 3);
            for (model::Terrain& cell : map.terrain) {
                if (who.weights[cell] != 0) {
                    cell = static_cast<model::Terrain>('A' + random.between(0, kinds - 1));
                }
            }
            who.weights['A'] = 10;
            who.weights['B'] = random.chance(50) ? std::uint8_t{20} : std::uint8_t{11};
            who.weights['C'] = random.chance(50) ? std::uint8_t{5} : std::uint8_t{255};
        }
        const auto store = map::Store::create(map, {who}).value();
        const WeightGrid grid = weights_of(map, who);
        ASSERT_NO_FATAL_FAILURE(check_field(*store->snapshot()->layer({0}), grid, random, warm));
    }
}

}  // namespace
}  // namespace outrider::test
