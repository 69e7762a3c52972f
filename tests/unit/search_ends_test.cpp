#include <gtest/gtest.h>

#include "outrider/model/path.hpp"
#include "support/search_world.hpp"

namespace outrider::test {
namespace {

using model::Algorithm;
using model::Cell;
using model::Outcome;

map::Grid open_grid(std::int32_t width, std::int32_t height) {
    return {width, height,
            std::vector<model::Terrain>(
                static_cast<std::size_t>(width) * static_cast<std::size_t>(height), '.')};
}

void block_column(map::Grid& grid, std::int32_t x) {
    for (std::int32_t y = 0; y < grid.height; ++y) {
        grid.terrain[static_cast<std::size_t>(y) * static_cast<std::size_t>(grid.width) +
                     static_cast<std::size_t>(x)] = '~';
    }
}

// If this failed, twenty bots that aim at another island would freeze the server.
TEST(SearchEnds, AnotherIslandIsKnownUnreachableWithoutASearch) {
    map::Grid grid = open_grid(512, 512);
    block_column(grid, 300);
    SearchWorld world(grid, model::ground_class());
    const model::PathQuery query = query_of({10, 10}, {500, 500});
    for (const Algorithm algorithm : kAllAlgorithms) {
        model::PathQuery asked = query;
        asked.algorithm = algorithm;
        const model::PathResult result = world.ask(asked);
        EXPECT_EQ(result.outcome, Outcome::kUnreachable);
        EXPECT_EQ(result.expansions, 0U);
        EXPECT_TRUE(result.turning_points.empty());
    }
    const auto verdict = search::verdict(world.layer(), query);
    ASSERT_TRUE(verdict.has_value());
    EXPECT_EQ(verdict->outcome, Outcome::kUnreachable);
}

// If this failed, asking for a partial path would turn "unreachable" into a flood of the map.
TEST(SearchEnds, APartialPathSearchesTowardsTheNearestCellAlone) {
    map::Grid grid = open_grid(1024, 1024);
    block_column(grid, 600);
    SearchWorld world(grid, model::ground_class());
    model::PathQuery query = query_of({590, 500}, {700, 500});
    query.allow_partial = true;
    for (const Algorithm algorithm : {Algorithm::kAstar, Algorithm::kJps}) {
        query.algorithm = algorithm;
        const model::PathResult result = world.ask(query);
        EXPECT_EQ(result.outcome, Outcome::kPartial);
        EXPECT_EQ(result.reason, Outcome::kUnreachable);
        EXPECT_EQ(result.turning_points.back(), (Cell{599, 500}));
        EXPECT_LT(result.expansions, 100U);
    }
}

// If this failed, a unit ordered onto a wall would not walk up to it.
TEST(SearchEnds, APartialPathToABlockedGoalStopsBesideIt) {
    SearchWorld world({"S..#"});
    model::PathQuery query = world.query('#');
    EXPECT_EQ(world.ask(query).outcome, Outcome::kGoalBlocked);
    query.allow_partial = true;
    const model::PathResult result = world.ask(query);
    EXPECT_EQ(result.outcome, Outcome::kPartial);
    EXPECT_EQ(result.reason, Outcome::kGoalBlocked);
    EXPECT_EQ(result.turning_points, (std::vector<Cell>{{0, 0}, {2, 0}}));
    EXPECT_EQ(result.cost, 2 * model::kCostPerCell);
}

// If this failed, a unit would walk around a rock to its far side, which is just as near.
TEST(SearchEnds, AmongEquallyNearEndsTheCheaperIsChosen) {
    SearchWorld world({".......", "S..T...", "......."});
    model::PathQuery query = world.query('T');
    query.allow_partial = true;
    for (const Algorithm algorithm : kAllAlgorithms) {
        query.algorithm = algorithm;
        const model::PathResult result = world.ask(query);
        EXPECT_EQ(result.turning_points.back(), (Cell{2, 1}));
        EXPECT_EQ(result.cost, world.oracle(query).cost);
    }
}

// If this failed, a gatherer sent to a tree would end in the sealed pocket beside it.
TEST(SearchEnds, ThePartialEndIsReachableAndNotTheSealedPocketBesideTheGoal) {
    SearchWorld world({"S.#.T..", "..##...", "......."});
    model::PathQuery query = world.query('T');
    query.allow_partial = true;
    for (const Algorithm algorithm : kAllAlgorithms) {
        query.algorithm = algorithm;
        const model::PathResult result = world.ask(query);
        EXPECT_EQ(result.outcome, Outcome::kPartial);
        EXPECT_EQ(result.reason, Outcome::kGoalBlocked);
        EXPECT_EQ(result.turning_points.back(), (Cell{4, 1}));
        EXPECT_EQ(world.fault(query, result), "");
    }
}

// If this failed, a unit that stands where it was sent would walk there and back, or get an error.
TEST(SearchEnds, StartEqualToGoalIsOneCellAndCostsNothing) {
    SearchWorld world({"S#.", "..."});
    for (const Cell cell : {Cell{0, 0}, Cell{1, 0}}) {
        const model::PathQuery query = query_of(cell, cell);
        for (const Algorithm algorithm : kAllAlgorithms) {
            model::PathQuery asked = query;
            asked.algorithm = algorithm;
            const model::PathResult result = world.ask(asked);
            EXPECT_EQ(result.outcome, Outcome::kComplete);
            EXPECT_EQ(result.cost, 0U);
            EXPECT_EQ(result.turning_points, (std::vector<Cell>{cell}));
            EXPECT_EQ(world.fault(asked, result), "");
        }
    }
}

// If this failed, a unit within range of its target would still move.
TEST(SearchEnds, StartInsideTheGoalRegionStays) {
    SearchWorld world({"S.....", "......"});
    model::PathQuery query = query_of({0, 0}, {3, 1});
    query.goal.range = 4;
    EXPECT_EQ(world.ask(query).turning_points, (std::vector<Cell>{{0, 0}}));
    query.goal.range = 3;
    EXPECT_EQ(world.ask(query).cost, model::kCostPerCell);
}

// If this failed, the same order would work on a fresh map and stop working on a changed one.
TEST(SearchEnds, AGoalAreaBlockedAfterLoadingStillGetsAPartialPath) {
    SearchWorld world({"S.......", "........", "........"});
    model::PlaceObstacle building;
    building.id = {7};
    building.footprint = {4, 0, 4, 3};
    ASSERT_TRUE(world.store().apply({{building}}).has_value());
    const auto snapshot = world.store().snapshot();
    model::PathQuery query = query_of({0, 0}, {6, 1});
    query.allow_partial = true;
    const model::PathResult result = search::run(*snapshot->layer({0}), query, world.buffers());
    EXPECT_EQ(result.outcome, Outcome::kPartial);
    EXPECT_EQ(result.reason, Outcome::kGoalBlocked);
    EXPECT_EQ(result.turning_points.back(), (Cell{3, 1}));
}

// If this failed, a big unit that a half-built factory touches by one cell could never leave.
TEST(SearchEnds, K3_35_AFootprintThatOverlapsByOneCellMayBeLeft) {
    model::MovementClass big = model::ground_class();
    big.footprint = 2;
    SearchWorld world({"......", "......", "......", "......"}, big);
    ASSERT_TRUE(world.store().apply({{model::PlaceObstacle{{1}, {3, 2, 2, 2}}}, {}}).has_value());
    const auto snapshot = world.store().snapshot();
    const map::Layer& layer = *snapshot->layer({0});
    // It covers (2, 1) to (3, 2), of which (3, 2) is the factory's.
    model::PathQuery query = query_of({2, 1}, {0, 2});
    EXPECT_EQ(search::run(layer, query, world.buffers()).outcome, Outcome::kStartBlocked);
    query.leave_blocked_start = true;
    const model::PathResult result = search::run(layer, query, world.buffers());
    EXPECT_EQ(result.outcome, Outcome::kComplete);
    for (const Cell cell : model::cells_of(result.turning_points)) {
        EXPECT_TRUE(cell == query.start || layer.open(cell)) << cell.x << ", " << cell.y;
    }
}

// If this failed, a unit on which a building was placed would be stuck for ever.
TEST(SearchEnds, ABlockedStartMayBeLeftWhenAskedFor) {
    SearchWorld world({".....", ".T#..", "....G"});
    model::PathQuery query = query_of({1, 1}, {4, 2});
    for (const Algorithm algorithm : kAllAlgorithms) {
        query.algorithm = algorithm;
        query.leave_blocked_start = false;
        EXPECT_EQ(world.ask(query).outcome, Outcome::kStartBlocked);
        query.leave_blocked_start = true;
        const model::PathResult result = world.ask(query);
        EXPECT_EQ(result.outcome, Outcome::kComplete);
        EXPECT_EQ(result.cost, world.oracle(query).cost);
        EXPECT_EQ(world.fault(query, result), "");
    }
}

// If this failed, a unit between two islands, both in its reach, could step to the first alone.
TEST(SearchEnds, ABlockedStartReachesEveryIslandThatItTouches) {
    SearchWorld world({"...#...", "...T...", "...#...", "...#..."});
    for (const Cell goal : {Cell{0, 0}, Cell{6, 0}}) {
        model::PathQuery query = query_of({3, 1}, goal);
        query.leave_blocked_start = true;
        EXPECT_EQ(world.ask(query).outcome, Outcome::kComplete);
        EXPECT_EQ(world.ask(query).cost, world.oracle(query).cost);
    }
}

// If this failed, a unit boxed in on impassable ground would make every search extremely dear.
TEST(SearchEnds, ABlockedStartWithoutAWayOutIsAVerdict) {
    SearchWorld world({"###..", "#T#..", "###.G"});
    model::PathQuery query = query_of({1, 1}, {4, 2});
    query.leave_blocked_start = true;
    query.allow_partial = true;
    const model::PathResult result = world.ask(query);
    EXPECT_EQ(result.outcome, Outcome::kStartBlocked);
    EXPECT_EQ(result.expansions, 0U);
    EXPECT_TRUE(search::verdict(world.layer(), query).has_value());
}

// If this failed, a team's own gate would be no way for it, or a way for everybody.
TEST(SearchEnds, AGateLetsItsTeamThroughAlone) {
    for (const std::uint8_t team : {std::uint8_t{1}, std::uint8_t{2}}) {
        model::MovementClass who = model::ground_class();
        who.team = team;
        SearchWorld world({"S.#..", "....G", "..#.."}, who);
        model::PlaceObstacle gate;
        gate.id = {1};
        gate.footprint = {2, 1, 1, 1};
        gate.passing_teams = 1ULL << 1U;
        ASSERT_TRUE(world.store().apply({{gate}}).has_value());
        const auto snapshot = world.store().snapshot();
        EXPECT_EQ(search::run(*snapshot->layer({0}), world.query(), world.buffers()).outcome,
                  team == 1 ? Outcome::kComplete : Outcome::kUnreachable);
    }
}

}  // namespace
}  // namespace outrider::test
