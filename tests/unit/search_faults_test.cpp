// Kinds of faults that users of other pathfinders reported, K2, K3, K4 and K10, as the search sees
// them.

#include <gtest/gtest.h>

#include "outrider/model/path.hpp"
#include "support/search_world.hpp"

namespace outrider::test {
namespace {

using model::Outcome;

map::Grid open_square(std::int32_t side) {
    return {side, side,
            std::vector<model::Terrain>(
                static_cast<std::size_t>(side) * static_cast<std::size_t>(side), '.')};
}

void fill(map::Grid& grid, const model::Rect& rect, model::Terrain terrain) {
    for (std::int32_t y = rect.y; y < rect.end_y(); ++y) {
        for (std::int32_t x = rect.x; x < rect.end_x(); ++x) {
            grid.terrain[static_cast<std::size_t>(y * grid.width + x)] = terrain;
        }
    }
}

model::Cell end_of(const model::PathResult& result) {
    return result.turning_points.empty() ? model::Cell{-1, -1} : result.turning_points.back();
}

// If this failed, one order to another island would flood the continent (K2#10, #20).
TEST(SearchFaults, K2_10_20_AnotherIslandCostsNoExpansionHoweverManyAsk) {
    map::Grid grid = open_square(512);
    fill(grid, {256, 0, 1, 512}, 'W');
    SearchWorld world(grid, model::ground_class());
    for (std::int32_t unit = 0; unit < 50; ++unit) {
        const auto result = world.ask(query_of({unit, 10 * unit}, {500, 500 - unit}));
        ASSERT_EQ(result.outcome, Outcome::kUnreachable);
        ASSERT_EQ(result.expansions, 0U);
    }
}

// If this failed, a unit that was built over would make every search dear (K2#13).
TEST(SearchFaults, K2_13_AUnitOnBlockedGroundIsAVerdict) {
    map::Grid grid = open_square(512);
    fill(grid, {99, 99, 3, 3}, '@');
    SearchWorld world(grid, model::ground_class());
    for (const bool leaves : {false, true}) {
        model::PathQuery query = query_of({100, 100}, {500, 500});
        query.leave_blocked_start = leaves;
        const auto result = world.ask(query);
        EXPECT_EQ(result.outcome, Outcome::kStartBlocked);
        EXPECT_EQ(result.expansions, 0U);
    }
}

// If this failed, a formation whose slots lie half in the water would search the whole shore, once
// a slot and tick (K2#15).
TEST(SearchFaults, K2_15_SlotsInTheWaterGetTheNearestLandForABoundedPrice) {
    map::Grid grid = open_square(256);
    fill(grid, {200, 0, 56, 256}, 'W');
    SearchWorld world(grid, model::ground_class());
    std::uint64_t expansions = 0;
    for (std::int32_t slot = 0; slot < 40; ++slot) {
        const model::Cell goal{180 + slot, 100 + slot % 5};
        model::PathQuery query = query_of({10, 102}, goal);
        query.allow_partial = true;
        const auto result = world.ask(query);
        expansions += result.expansions;
        const bool water = goal.x >= 200;
        EXPECT_EQ(result.outcome, water ? Outcome::kPartial : Outcome::kComplete);
        EXPECT_EQ(end_of(result), (water ? model::Cell{199, goal.y} : goal));
    }
    EXPECT_LT(expansions, 40U * 100U);
}

// If this failed, allowing a partial path would make an unreachable goal cost a whole traversal
// (K2#18).
TEST(SearchFaults, K2_18_APartialPathToAnUnreachableGoalKeepsToItsBudget) {
    map::Grid grid = open_square(1024);
    fill(grid, {0, 500, 1024, 1}, '@');
    SearchWorld world(grid, model::ground_class());
    model::PathQuery query = query_of({3, 3}, {1000, 1000});
    query.allow_partial = true;
    const auto result = world.ask(query);
    EXPECT_EQ(result.outcome, Outcome::kPartial);
    EXPECT_EQ(result.reason, Outcome::kUnreachable);
    EXPECT_EQ(end_of(result), (model::Cell{1000, 499}));
    EXPECT_LT(result.expansions, 2000U);
    query.algorithm = model::Algorithm::kDijkstra;
    query.expansions_max = 500;
    const auto cut = world.ask(query);
    EXPECT_EQ(cut.outcome, Outcome::kBudget);
    EXPECT_EQ(cut.expansions, 500U);
}

// If this failed, a click on a wall would send nobody anywhere (K3#21).
TEST(SearchFaults, K3_21_APartialPathEndsBesideAGoalThatIsSolid) {
    SearchWorld world({"S..@"});
    model::PathQuery query = query_of({0, 0}, {3, 0});
    query.allow_partial = true;
    const auto result = world.ask(query);
    EXPECT_EQ(result.outcome, Outcome::kPartial);
    EXPECT_EQ(result.reason, Outcome::kGoalBlocked);
    EXPECT_EQ(end_of(result), (model::Cell{2, 0}));
}

// If this failed, a unit would walk round a building to the far one of two equally near cells
// (K3#23).
TEST(SearchFaults, K3_23_OfEquallyNearEndsTheCheaperWins) {
    SearchWorld world({"S.@.", "....", "...."});
    model::PathQuery query = query_of({0, 0}, {2, 0});
    query.allow_partial = true;
    EXPECT_EQ(end_of(world.ask(query)), (model::Cell{1, 0}));
}

// If this failed, an order to where the unit stands would be an error or a walk there and back
// (K3#25, #26).
TEST(SearchFaults, K3_25_26_StartEqualToGoalIsOneCellAlsoWhereItIsBlocked) {
    SearchWorld world({"..@"});
    for (const std::int32_t x : {0, 2}) {
        const auto result = world.ask(query_of({x, 0}, {x, 0}));
        EXPECT_EQ(result.outcome, Outcome::kComplete);
        EXPECT_EQ(result.turning_points, (std::vector<model::Cell>{{x, 0}}));
        EXPECT_EQ(result.cost, 0U);
    }
}

// If this failed, a worker would be sent to the sealed side of its tree (K3#30).
TEST(SearchFaults, K3_30_TheSideOfASolidGoalIsNotItsSealedPocket) {
    SearchWorld world({"S.@.T..", "..@@...", "......."});
    model::PathQuery query = world.query('T');
    ASSERT_TRUE(world.store()
                    .apply({{model::PlaceObstacle{{1}, {query.goal.rect.x, 0, 1, 1}, 0}}})
                    .has_value());
    query.allow_partial = true;
    const auto after = world.store().snapshot();
    const auto result = search::run(*after->layer({0}), query, world.buffers());
    EXPECT_EQ(result.outcome, Outcome::kPartial);
    EXPECT_EQ(end_of(result), (model::Cell{4, 1}));
}

// If this failed, orders into ground that was built over after loading would do nothing (K3#31).
TEST(SearchFaults, K3_31_AGoalAreaBlockedAfterLoadingGetsAPartialPath) {
    SearchWorld world(open_square(64), model::ground_class());
    ASSERT_TRUE(world.store().apply({{model::TerrainEdit{{40, 0, 24, 64}, {'@'}}}}).has_value());
    model::PathQuery query = query_of({1, 30}, {60, 30});
    query.allow_partial = true;
    const auto after = world.store().snapshot();
    const auto result = search::run(*after->layer({0}), query, world.buffers());
    EXPECT_EQ(result.outcome, Outcome::kPartial);
    EXPECT_EQ(end_of(result), (model::Cell{39, 30}));
}

// If this failed, a unit under whom the ground closed would be stuck for good (K3#33).
TEST(SearchFaults, K3_33_AUnitMayLeaveACellThatClosedUnderIt) {
    SearchWorld world(open_square(8), model::ground_class());
    ASSERT_TRUE(world.store().apply({{model::PlaceObstacle{{1}, {2, 2, 1, 1}, 0}}}).has_value());
    model::PathQuery query = query_of({2, 2}, {6, 2});
    query.leave_blocked_start = true;
    const auto after = world.store().snapshot();
    const auto result = search::run(*after->layer({0}), query, world.buffers());
    EXPECT_EQ(result.outcome, Outcome::kComplete);
    EXPECT_EQ(result.cost, 4 * 2 * model::kWeightOne * model::kStraight);
}

// If this failed, a path would lead through an ally's gate that the mover may not pass (K3#36).
TEST(SearchFaults, K3_36_AGateIsOpenToItsTeamAlone) {
    model::MovementClass owner = model::ground_class();
    owner.team = 1;
    model::MovementClass ally = model::ground_class();
    ally.team = 2;
    for (const model::MovementClass& who : {owner, ally}) {
        SearchWorld world({"..@..", "..@..", ".....", "..@.."}, who);
        ASSERT_TRUE(
            world.store().apply({{model::PlaceObstacle{{1}, {2, 2, 1, 1}, 2}}}).has_value());
        const auto after = world.store().snapshot();
        const auto result =
            search::run(*after->layer({0}), query_of({0, 2}, {4, 2}), world.buffers());
        EXPECT_EQ(result.outcome, who.team == 1 ? Outcome::kComplete : Outcome::kUnreachable);
    }
}

// If this failed, two areas that meet at the corner of four chunks would count as apart, or as
// joined where the rule forbids the step (K4#50).
TEST(SearchFaults, K4_50_AnOpeningAtTheSharedCornerOfChunksIsSeen) {
    for (const bool squeezes : {false, true}) {
        model::MovementClass who = model::ground_class();
        who.corner_rule = squeezes ? model::CornerRule::kNoneOpen : model::CornerRule::kBothOpen;
        map::Grid grid = open_square(128);
        fill(grid, {64, 0, 64, 64}, '@');
        fill(grid, {0, 64, 64, 64}, '@');
        SearchWorld world(grid, who);
        const model::PathQuery query = query_of({5, 5}, {120, 120});
        const auto result = world.ask(query);
        EXPECT_EQ(result.outcome, world.oracle(query).outcome);
        EXPECT_EQ(result.outcome, squeezes ? Outcome::kComplete : Outcome::kUnreachable);
    }
}

// If this failed, a hallway that a unit fits would count as closed, since its size was rounded up
// twice (K10#108).
TEST(SearchFaults, K10_108_AUnitOfTwoAndAHalfCellsPassesAHallwayOfFour) {
    // Two and a half cells take three.
    for (const std::uint8_t footprint : {std::uint8_t{3}, std::uint8_t{4}, std::uint8_t{5}}) {
        map::Grid grid = open_square(24);
        fill(grid, {8, 0, 8, 10}, '@');
        fill(grid, {8, 14, 8, 10}, '@');
        model::MovementClass who = model::ground_class();
        who.footprint = footprint;
        SearchWorld world(grid, who);
        const auto result = world.ask(query_of({1, 11}, {18, 11}));
        EXPECT_EQ(result.outcome, footprint <= 4 ? Outcome::kComplete : Outcome::kUnreachable)
            << int{footprint};
        if (footprint <= 4) {
            EXPECT_EQ(world.fault(query_of({1, 11}, {18, 11}), result), "");
        }
    }
}

// If this failed, a unit would bounce between two cells for ever, each partial answer sending it to
// the other's end (K10#113).
TEST(SearchFaults, K10_113_TheEndOfAPartialPathIsWhereTheNextOneStays) {
    SearchWorld world({"....@@@@", "....@.T@", "....@@@@", "........"});
    model::PathQuery query = query_of({0, 0}, {6, 1});
    query.allow_partial = true;
    const auto first = world.ask(query);
    ASSERT_EQ(first.outcome, Outcome::kPartial);
    for (const model::Cell at : model::cells_of(first.turning_points)) {
        query.start = at;
        const auto again = world.ask(query);
        EXPECT_EQ(again.outcome, Outcome::kPartial);
        EXPECT_EQ(end_of(again), end_of(first)) << at.x << "," << at.y;
    }
}

}  // namespace
}  // namespace outrider::test
