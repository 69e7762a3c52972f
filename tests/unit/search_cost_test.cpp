#include <gtest/gtest.h>

#include "support/search_world.hpp"

namespace outrider::test {
namespace {

using model::Algorithm;
using model::Cost;
using model::Outcome;

// Weight of digit d: d * `factor` tenths.
model::MovementClass digits(int factor) {
    model::MovementClass who;
    who.name = "digits";
    for (int digit = 1; digit <= 9; ++digit) {
        who.weights[static_cast<std::size_t>('0' + digit)] =
            static_cast<std::uint8_t>(digit * factor);
    }
    who.weights['S'] = who.weights['G'] = who.weights['1'];
    return who;
}

// A corridor that goes back and forth over the whole map.
map::Grid snake(std::int32_t side, char corridor) {
    map::Grid grid{side, side, {}};
    for (std::int32_t y = 0; y < side; ++y) {
        for (std::int32_t x = 0; x < side; ++x) {
            const bool turn = x == ((y / 2) % 2 == 0 ? side - 1 : 0);
            grid.terrain.push_back(
                static_cast<model::Terrain>(y % 2 == 0 || turn ? corridor : '#'));
        }
    }
    return grid;
}

// If this failed, long dear paths would wrap around a narrow integer and look cheap.
TEST(SearchCost, ALongPathOverDearTerrainIsExact) {
    model::MovementClass who;
    who.name = "dear";
    who.weights['d'] = 250;
    SearchWorld world(snake(128, 'd'), who);
    model::PathQuery query = query_of({0, 0}, {0, 126});
    // 64 rows of 128 cells and 63 turns of two steps.
    const Cost steps = 64 * 127 + 63 * 2;
    for (const Algorithm algorithm : kAllAlgorithms) {
        query.algorithm = algorithm;
        const model::PathResult result = world.ask(query);
        EXPECT_EQ(result.outcome, Outcome::kComplete);
        EXPECT_EQ(result.cost, steps * 500 * model::kStraight);
        EXPECT_GT(result.cost, 65'535U);
    }
}

// If this failed, neighbours would cost nothing or less than nothing.
TEST(SearchCost, NeighboursCostOneStep) {
    SearchWorld world({"SG", ".."});
    for (const Algorithm algorithm : kAllAlgorithms) {
        model::PathQuery query = world.query();
        query.algorithm = algorithm;
        EXPECT_EQ(world.ask(query).cost, model::kCostPerCell);
    }
}

// If this failed, terrain of weight 0 would be walked on for nothing.
TEST(SearchCost, WeightZeroIsBlockedAndNotFree) {
    SearchWorld world({"S0G", "111"}, digits(10));
    EXPECT_EQ(world.ask(world.query()).cost, 4 * model::kCostPerCell);
}

// If this failed, scaling every cost of a game would change the paths or lose them.
TEST(SearchCost, CostsTimesTwentyFiveGiveTheSamePath) {
    const std::initializer_list<std::string_view> rows{"S2391", "19914", "31199", "11111", "9935G"};
    SearchWorld cheap(rows, digits(1));
    SearchWorld dear(rows, digits(25));
    for (const Algorithm algorithm : kAllAlgorithms) {
        model::PathQuery query = cheap.query();
        query.algorithm = algorithm;
        const model::PathResult one = cheap.ask(query);
        const model::PathResult many = dear.ask(query);
        EXPECT_EQ(one.turning_points, many.turning_points);
        EXPECT_EQ(one.cost * 25, many.cost);
    }
}

// If this failed, roads cheaper than plain ground would be overestimated and missed.
TEST(SearchCost, TerrainBelowOneKeepsPathsShortest) {
    model::MovementClass who = model::ground_class();
    who.weights['r'] = 1;
    SearchWorld world({"S.......G", ".........", ".........", "rrrrrrrrr"}, who);
    for (const Algorithm algorithm : kAllAlgorithms) {
        model::PathQuery query = world.query();
        query.algorithm = algorithm;
        const model::PathResult result = world.ask(query);
        EXPECT_EQ(result.cost, world.oracle(query).cost);
        EXPECT_LT(result.cost, 8 * model::kCostPerCell);
    }
}

// If this failed, of two columns the dearer would be taken.
TEST(SearchCost, OfTwoWeightedColumnsTheCheaperIsTaken) {
    SearchWorld world({"11S11", "3###2", "3###3", "3###2", "11G11"}, digits(3));
    model::PathQuery query = world.query();
    for (const Algorithm algorithm : kAllAlgorithms) {
        query.algorithm = algorithm;
        const model::PathResult result = world.ask(query);
        EXPECT_EQ(result.cost, world.oracle(query).cost);
        EXPECT_EQ(world.fault(query, result), "");
    }
}

// If this failed, the way back would cost something else than the way there.
TEST(SearchCost, ThereAndBackCostTheSame) {
    SearchWorld world({"S1291", "19914", "31199", "21111", "9935G"}, digits(5));
    const model::PathQuery there = world.query();
    model::PathQuery back = query_of({4, 4}, {0, 0});
    EXPECT_EQ(world.ask(there).cost, world.ask(back).cost);
}

// If this failed, a weighted search would break its promise, or not say what it promised.
TEST(SearchCost, AWeightedSearchStaysInsideItsBoundAndNamesIt) {
    SearchWorld world({"S1291", "19914", "31199", "21111", "9935G"}, digits(5));
    model::PathQuery query = world.query();
    const Cost best = world.ask(query).cost;
    for (const std::uint32_t weight : {101U, 150U, 200U, 1000U}) {
        query.weight_percent = weight;
        const model::PathResult result = world.ask(query);
        EXPECT_EQ(result.bound_percent, weight);
        EXPECT_EQ(result.algorithm, Algorithm::kAstar);
        EXPECT_LE(result.cost * 100, best * weight);
        EXPECT_EQ(world.fault(query, result), "");
    }
}

}  // namespace
}  // namespace outrider::test
