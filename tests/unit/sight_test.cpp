#include <gtest/gtest.h>

#include "outrider/search/sight.hpp"
#include "support/search_world.hpp"

namespace outrider::test {
namespace {

using model::Cell;
using model::CornerRule;
using model::Directions;
using search::in_sight;

model::MovementClass ground_with(CornerRule rule, Directions directions = Directions::kEight,
                                 std::uint8_t footprint = 1) {
    model::MovementClass who = model::ground_class();
    who.corner_rule = rule;
    who.directions = directions;
    who.footprint = footprint;
    return who;
}

bool sees(SearchWorld& world) {
    const Cell from = world.find('S');
    const Cell to = world.find('G');
    EXPECT_EQ(in_sight(world.layer(), from, to), in_sight(world.layer(), to, from));
    return in_sight(world.layer(), from, to);
}

// If this failed, a straight line would squeeze where a step may not, or stop where a step may go.
TEST(Sight, ThroughACornerAsTheRuleOfTheClassAllows) {
    struct Row {
        CornerRule rule;
        Directions directions;
        bool one_side;
        bool two_sides;
    };
    for (const Row& row : {Row{CornerRule::kBothOpen, Directions::kEight, false, false},
                           Row{CornerRule::kOneOpen, Directions::kEight, true, false},
                           Row{CornerRule::kNoneOpen, Directions::kEight, true, true},
                           Row{CornerRule::kNoneOpen, Directions::kFour, false, false}}) {
        const model::MovementClass who = ground_with(row.rule, row.directions);
        SearchWorld one({"S#", ".G"}, who);
        SearchWorld two({"S#", "#G"}, who);
        // (0, 0) to (3, 1) runs through the corner in the middle.
        SearchWorld flat({"S.#.", "...G"}, who);
        SearchWorld flat_two({"S.#.", ".#.G"}, who);
        EXPECT_EQ(sees(one), row.one_side);
        EXPECT_EQ(sees(two), row.two_sides);
        EXPECT_EQ(sees(flat), row.one_side);
        EXPECT_EQ(sees(flat_two), row.two_sides);
    }
}

// If this failed, lines would miss a wall that they meet by a hair, or fear one that they miss.
TEST(Sight, MeetsTheCellsOfTheLineAndNoOthers) {
    SearchWorld open({"S....", "#...#", "....G"});
    EXPECT_TRUE(sees(open));
    SearchWorld blocked({"S....", "..#..", "....G"});
    EXPECT_FALSE(sees(blocked));
    // Steps of two cells along for one down: the rows hold two or three cells each.
    SearchWorld beside({"S.###", "#...#", "###.G"});
    EXPECT_TRUE(sees(beside));
    SearchWorld steep({"S#", "..", "..", "#G"});
    EXPECT_TRUE(sees(steep));
    SearchWorld steep_blocked({"S.", ".#", "..", ".G"});
    EXPECT_FALSE(sees(steep_blocked));
}

// If this failed, the edge of the map would let lines out, or a unit would not see its own cell.
TEST(Sight, OneCellBlockedEndsAndBeyondTheMap) {
    SearchWorld world({".#", ".."});
    EXPECT_TRUE(in_sight(world.layer(), {0, 0}, {0, 0}));
    EXPECT_FALSE(in_sight(world.layer(), {1, 0}, {1, 0}));
    EXPECT_FALSE(in_sight(world.layer(), {0, 0}, {1, 0}));
    EXPECT_FALSE(in_sight(world.layer(), {0, 0}, {0, 2}));
    EXPECT_FALSE(in_sight(world.layer(), {-1, 0}, {0, 0}));
    EXPECT_FALSE(in_sight(world.layer(), {0, 0}, {INT32_MAX, INT32_MIN}));
}

// If this failed, a wide unit would see through a gap that it cannot pass.
TEST(Sight, OfAWideUnitGoesWhereItFits) {
    for (std::uint8_t footprint = 1; footprint <= 4; ++footprint) {
        SearchWorld world({"......", "......", "...###", "......", "......", "......", "......"},
                          ground_with(CornerRule::kBothOpen, Directions::kEight, footprint));
        EXPECT_EQ(in_sight(world.layer(), {0, 0}, {0, 3}), footprint <= 3) << int{footprint};
        EXPECT_EQ(in_sight(world.layer(), {1, 0}, {1, 3}), footprint <= 2) << int{footprint};
        EXPECT_EQ(in_sight(world.layer(), {2, 0}, {2, 3}), footprint <= 1) << int{footprint};
    }
}

// If this failed, shortcuts would be compared with paths by another measure than the paths' own.
TEST(Sight, CostsWhatTheStepsCostAlongRowsAndNoMoreAlongDiagonals) {
    model::MovementClass who = model::ground_class();
    who.weights['3'] = 30;
    SearchWorld world({".3.", "3..", "..3"}, who);
    using search::sight_cost;
    EXPECT_EQ(sight_cost(world.layer(), {0, 0}, {0, 0}), 0U);
    EXPECT_EQ(sight_cost(world.layer(), {0, 0}, {1, 0}), (10 + 30) * model::kStraight);
    EXPECT_EQ(sight_cost(world.layer(), {0, 0}, {2, 0}), (10 + 30 + 30 + 10) * model::kStraight);
    // 60 * 408 * sqrt(2) = 34,619.95.
    EXPECT_EQ(sight_cost(world.layer(), {0, 0}, {2, 2}), (20 + 40) * model::kDiagonal);
}

// If this failed, a body of half a cell would scrape the wall that the centre's line only passes.
TEST(Sight, ABodyNeedsItsClearance) {
    SearchWorld world({"...", ".#.", "..."});
    using search::centre_of;
    using search::is_clear;
    // The line from (0, 0) to (1, 0) to (2, 0) is clear for all; a slanted one that dips towards
    // the block by some sub-cells for thinner bodies alone.
    EXPECT_TRUE(is_clear(world.layer(), centre_of({0, 0}), centre_of({2, 0}), 128));
    const search::Point low{128 + 256, 128 + 28};
    EXPECT_TRUE(is_clear(world.layer(), centre_of({0, 0}), low, 99));
    EXPECT_TRUE(is_clear(world.layer(), centre_of({0, 0}), low, 100));
    EXPECT_FALSE(is_clear(world.layer(), centre_of({0, 0}), low, 101));
    EXPECT_FALSE(is_clear(world.layer(), {-1, 5}, low, 1));
}

}  // namespace
}  // namespace outrider::test
