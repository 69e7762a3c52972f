#include <gtest/gtest.h>

#include "support/search_world.hpp"

namespace outrider::test {
namespace {

using model::Algorithm;
using model::CornerRule;
using model::Directions;
using model::Outcome;

constexpr model::Cost kDiagonalStep = 2 * model::Cost{model::kWeightOne} * model::kDiagonal;

model::MovementClass ground_with(CornerRule rule, Directions directions = Directions::kEight) {
    model::MovementClass who = model::ground_class();
    who.corner_rule = rule;
    who.directions = directions;
    return who;
}

// If this failed, units would clip the corners of walls, or refuse gaps that their class allows.
TEST(SearchCorner, EachRuleOnOneAndOnTwoBlockedSides) {
    struct Row {
        CornerRule rule;
        Directions directions;
        model::Cost one_side;   // S# / .G
        model::Cost two_sides;  // S# / #G; 0: unreachable
    };
    constexpr model::Cost kAround = 2 * model::kCostPerCell;
    const Row rows[] = {
        {CornerRule::kBothOpen, Directions::kEight, kAround, 0},
        {CornerRule::kOneOpen, Directions::kEight, kDiagonalStep, 0},
        {CornerRule::kNoneOpen, Directions::kEight, kDiagonalStep, kDiagonalStep},
        {CornerRule::kNoneOpen, Directions::kFour, kAround, 0},
    };
    for (const Row& row : rows) {
        SearchWorld one({"S#", ".G"}, ground_with(row.rule, row.directions));
        SearchWorld two({"S#", "#G"}, ground_with(row.rule, row.directions));
        for (const Algorithm algorithm : kAllAlgorithms) {
            model::PathQuery query = one.query();
            query.algorithm = algorithm;
            EXPECT_EQ(one.ask(query).cost, row.one_side);
            const model::PathResult result = two.ask(query);
            EXPECT_EQ(result.cost, row.two_sides);
            EXPECT_EQ(result.outcome,
                      row.two_sides == 0 ? Outcome::kUnreachable : Outcome::kComplete);
        }
    }
}

// If this failed, a wide unit that asks for jump points would be led through gaps it cannot pass.
TEST(SearchCorner, JumpPointsForAWideUnitCostWhatTheOracleSays) {
    model::MovementClass wide = model::ground_class();
    wide.footprint = 2;
    SearchWorld world({"S....#....", ".....#....", "..........", "..........", "..##.#...G",
                       "..##......", ".........."},
                      wide);
    model::PathQuery query = world.query();
    query.goal.rect = {8, 4, 1, 1};
    query.algorithm = Algorithm::kJps;
    const model::PathResult result = world.ask(query);
    EXPECT_EQ(result.outcome, Outcome::kComplete);
    EXPECT_EQ(result.cost, world.oracle(query).cost);
    EXPECT_EQ(world.fault(query, result), "");
}

// If this failed, jump points would be used where they are not optimal, or a reply would name a
// kernel that did not run.
TEST(SearchCorner, JumpPointsGiveWayToTheTerrainKernelWhereTheyDoNotHold) {
    model::MovementClass mixed = model::ground_class();
    mixed.weights['3'] = 30;
    for (const model::MovementClass& who :
         {mixed, ground_with(CornerRule::kOneOpen), ground_with(CornerRule::kNoneOpen),
          ground_with(CornerRule::kBothOpen, Directions::kFour)}) {
        SearchWorld world({"S..3.", ".#.3.", "..#3G"}, who);
        for (const Algorithm algorithm : {Algorithm::kJps, Algorithm::kAuto, Algorithm::kFast}) {
            model::PathQuery query = world.query();
            query.algorithm = algorithm;
            const model::PathResult result = world.ask(query);
            EXPECT_EQ(result.algorithm, Algorithm::kTerrain);
            EXPECT_EQ(result.cost, world.oracle(query).cost);
        }
    }
    SearchWorld plain({"S..", "..G"});
    EXPECT_EQ(plain.ask(plain.query()).algorithm, Algorithm::kJps);
}

// If this failed, a jump point that is met from two sides would be expanded for the first alone,
// and a dearer way around would be called optimal.
TEST(SearchCorner, AJumpPointMetFromTwoSidesMergesItsMoves) {
    SearchWorld world({
        "..........",
        "..####.##.",
        "..#..#..#.",
        "S......#..",
        "..#..#..#.",
        "..##.##.#.",
        ".........G",
    });
    for (std::int32_t y = 0; y < 7; ++y) {
        for (std::int32_t x = 0; x < 10; ++x) {
            for (const model::Cell from : {model::Cell{0, 3}, {9, 0}, {4, 2}, {9, 6}, {4, 5}}) {
                model::PathQuery query = query_of(from, {x, y});
                query.algorithm = Algorithm::kJps;
                EXPECT_EQ(world.ask(query).cost, world.oracle(query).cost)
                    << from.x << ',' << from.y << " to " << x << ',' << y;
            }
        }
    }
}

}  // namespace
}  // namespace outrider::test
