// Lines of sight, clear lines and their costs against an oracle that asks every cell in fractions.

#include <gtest/gtest.h>

#include "outrider/search/sight.hpp"
#include "support/random.hpp"
#include "support/random_maps.hpp"
#include "support/reference_map.hpp"
#include "support/search_world.hpp"
#include "support/sight_oracle.hpp"

namespace outrider::test {
namespace {

using model::Cell;
using search::Point;

std::int32_t number(Random& random, std::int64_t low, std::int64_t high) {
    return static_cast<std::int32_t>(random.between(low, high));
}

Cell any_cell(Random& random, const WeightGrid& grid) {
    return {number(random, 0, grid.width - 1), number(random, 0, grid.height - 1)};
}

Spot spot(Point point) {
    return {point.x, point.y};
}

// If this failed, units would be told to walk through a wall, or round one that is not there; on
// one of two machines, or from one side only.
TEST(SightProperty, AgreesWithTheOracleOnAnyMap) {
    Random random(61);
    std::uint64_t seen = 0;
    std::uint64_t hidden = 0;
    for (std::uint64_t round = 0; round < rounds(120); ++round) {
        map::Grid grid = round % 3 == 0 ? tiny_map(random) : random_map(random);
        const model::MovementClass who = random_class(random);
        const auto store = map::Store::create(grid, {who}).value();
        ReferenceMap reference(grid.width, grid.height, grid.terrain);
        for (int edit = 0; edit < 3; ++edit) {
            const auto snapshot = store->snapshot();
            const map::Layer& layer = *snapshot->layer({0});
            const WeightGrid weights = reference.weights(who);
            for (int pair = 0; pair < 40; ++pair) {
                const Cell from = any_cell(random, weights);
                Cell to = any_cell(random, weights);
                if (random.chance(60)) {
                    to = {std::clamp(from.x + number(random, -9, 9), 0, grid.width - 1),
                          std::clamp(from.y + number(random, -9, 9), 0, grid.height - 1)};
                }
                const bool expected = oracle_sight(weights, mover_of(who), from, to);
                (expected ? seen : hidden) += 1;
                ASSERT_EQ(search::in_sight(layer, from, to), expected)
                    << from.x << "," << from.y << " to " << to.x << "," << to.y << " round "
                    << round;
            }
            model::EditBatch batch = random_batch(random, grid);
            reference.apply(batch);
            ASSERT_TRUE(store->apply(std::move(batch)).has_value());
        }
    }
    EXPECT_GT(seen, rounds(120) * 5);
    EXPECT_GT(hidden, rounds(120) * 5);
}

// If this failed, a unit's body would scrape along a wall, or be kept out of a gap that fits it;
// or a walk would be reckoned at less than it costs, and shortcuts lead through swamps.
TEST(SightProperty, ClearLinesAndCostsAgreeWithTheOracle) {
    Random random(62);
    std::uint64_t clear = 0;
    for (std::uint64_t round = 0; round < rounds(150); ++round) {
        const map::Grid grid = round % 2 == 0 ? tiny_map(random) : random_map(random);
        const model::MovementClass who = random_class(random);
        const WeightGrid weights = weights_of(grid, who);
        const auto store = map::Store::create(grid, {who}).value();
        const auto snapshot = store->snapshot();
        const map::Layer& layer = *snapshot->layer({0});
        for (int pair = 0; pair < 40; ++pair) {
            const std::int32_t clearance =
                random.chance(40) ? search::kClearanceMax : number(random, 1, 128);
            const auto place = [&](Cell cell) {
                Point point = search::centre_of(cell);
                if (random.chance(60)) {
                    point.x += random.chance(50) ? -clearance : clearance - 1;
                    point.y += number(random, -127, 127);
                }
                return point;
            };
            const Cell near = any_cell(random, weights);
            const Point from = place(near);
            const Point to =
                place({std::clamp(near.x + number(random, -7, 7), 0, grid.width - 1),
                       std::clamp(near.y + number(random, -7, 7), 0, grid.height - 1)});
            if (from.x % 256 == 0 || from.y % 256 == 0 || to.x % 256 == 0 || to.y % 256 == 0) {
                continue;
            }
            const bool expected =
                passes(weights, spot(from), spot(to), search::kCellSide, 128 + clearance);
            clear += expected ? 1 : 0;
            ASSERT_EQ(search::is_clear(layer, from, to, clearance), expected)
                << from.x << "," << from.y << " to " << to.x << "," << to.y << " by " << clearance;
            const auto cost = static_cast<long double>(search::walk_cost(layer, from, to));
            const long double truth =
                oracle_walk_cost(weights, spot(from), spot(to), 256, mover_of(who).weight_min);
            const long double slack = truth * 1e-15L + 1e-9L;
            if (!layer.uniform() || expected) {
                ASSERT_GE(cost, truth - slack);
                ASSERT_LE(cost, truth + 2);
            }
        }
    }
    EXPECT_GT(clear, rounds(150) * 2);
}

// If this failed, a line would lose its way on the largest map: its numbers would not fit.
TEST(SightProperty, LongLinesOnTheLargestMapMeetTheirCells) {
    constexpr std::int32_t kSide = 8192;
    map::Grid grid{kSide, kSide,
                   std::vector<model::Terrain>(std::size_t{kSide} * kSide, model::Terrain{'.'})};
    const auto store = map::Store::create(std::move(grid), {model::ground_class()}).value();
    Random random(63);
    const auto end = [&] { return number(random, 0, kSide - 1); };
    for (std::uint64_t round = 0; round < rounds(40); ++round) {
        const Cell from{end(), random.chance(50) ? 0 : end()};
        const Cell to{end(), random.chance(50) ? kSide - 1 : end()};
        ASSERT_TRUE(search::in_sight(*store->snapshot()->layer({0}), from, to));
        // One wall of one cell, on the line or just beside it.
        const std::int64_t part = random.between(0, kSide);
        const Cell wall{static_cast<std::int32_t>(from.x + (to.x - from.x) * part / kSide) +
                            number(random, -1, 1),
                        static_cast<std::int32_t>(from.y + (to.y - from.y) * part / kSide) +
                            number(random, -1, 1)};
        model::EditBatch batch;
        batch.edits.emplace_back(model::PlaceObstacle{{1}, {wall.x, wall.y, 1, 1}});
        ASSERT_TRUE(store->apply(batch).has_value());
        // Closed squares: the class needs both sides of a corner open.
        const auto [first, second] =
            part_inside({from.x * 2 + 1, from.y * 2 + 1}, {to.x * 2 + 1, to.y * 2 + 1},
                        {wall.x * 2 + 1, wall.y * 2 + 1}, 1);
        const bool met = !(second < first);
        EXPECT_EQ(search::in_sight(*store->snapshot()->layer({0}), from, to), !met)
            << from.x << "," << from.y << " to " << to.x << "," << to.y << " wall " << wall.x << ","
            << wall.y;
        batch.edits.assign({model::RemoveObstacle{{1}}});
        ASSERT_TRUE(store->apply(std::move(batch)).has_value());
    }
}

}  // namespace
}  // namespace outrider::test
