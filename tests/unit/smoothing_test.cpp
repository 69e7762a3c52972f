#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "outrider/model/path.hpp"
#include "outrider/search/smoothing.hpp"
#include "outrider/search/smoothing_pull.hpp"
#include "support/search_world.hpp"
#include "support/sight_oracle.hpp"

namespace outrider::test {
namespace {

using model::Cell;
using model::Smoothing;
using search::centre_of;
using search::Grade;
using search::Point;
using search::Smoothed;
using testing::ElementsAre;

Smoothed smoothed(SearchWorld& world, const Smoothing& how) {
    const model::PathResult path = world.ask(world.query());
    EXPECT_EQ(path.outcome, model::Outcome::kComplete);
    return search::smooth(world.layer(), path.turning_points, how);
}

// If this failed, a unit that stands at its goal would get no answer, or a there-and-back one.
TEST(Smoothing, NoPathOneCellAndAStraightLine) {
    SearchWorld world({"S....", "....G"});
    const Smoothing how{Grade::kWaypoints};
    EXPECT_TRUE(search::smooth(world.layer(), {}, how).points.empty());
    const Cell one[] = {{2, 1}};
    EXPECT_THAT(search::smooth(world.layer(), one, how).points, ElementsAre(centre_of({2, 1})));
    EXPECT_EQ(search::smooth(world.layer(), one, how).length, 0U);
    for (const Grade grade : {Grade::kWaypoints, Grade::kCorners}) {
        const Smoothed straight = smoothed(world, {grade});
        EXPECT_THAT(straight.points, ElementsAre(centre_of({0, 0}), centre_of({4, 1})));
        // 256 * sqrt(17) = 1055.5.
        EXPECT_EQ(straight.length, 1056U);
        EXPECT_EQ(straight.looked_at, (model::Rect{0, 0, 5, 2}));
    }
}

// If this failed, units would swing wide around a block that stands in their way, or clip it.
TEST(Smoothing, BendsAtTheCornersOfABlock) {
    SearchWorld world({"S......", "..###..", "..###..", "..###..", "..###.G"});
    const Smoothed thin = smoothed(world, {Grade::kCorners, 28});
    // The block's top right corner is (1280, 256); the centre keeps 28 sub-cells off, both ways.
    // The top left one is (512, 256).
    EXPECT_THAT(thin.points,
                ElementsAre(centre_of({0, 0}), Point{1280 + 28, 256 - 28}, centre_of({6, 4})));
    const Smoothed full = smoothed(world, {Grade::kCorners});
    EXPECT_THAT(full.points, ElementsAre(centre_of({0, 0}), centre_of({5, 0}), centre_of({6, 4})));
}

// If this failed, a point past the corner would make a unit with a body scrape the wall
// (a fault of smoothers that look at lines without width).
TEST(Smoothing, AroundTheCornerOfACorridorNoBodyScrapesTheWall) {
    SearchWorld world({"S....#", "####.#", "####.#", "####G#"});
    for (const std::int32_t clearance : {1, 64, 127, 128}) {
        const Smoothed smooth = smoothed(world, {Grade::kCorners, clearance});
        ASSERT_EQ(smooth.points.size(), 3U);
        for (std::size_t i = 1; i < smooth.points.size(); ++i) {
            const Point a = smooth.points[i - 1];
            const Point b = smooth.points[i];
            EXPECT_TRUE(passes(world.weights(), {a.x, a.y}, {b.x, b.y}, 256, 128 + clearance));
        }
        EXPECT_EQ(smooth.points[1], (Point{1024 + clearance, 256 - clearance}));
    }
    // With cell centres alone the corner cell is the one place to turn.
    EXPECT_THAT(smoothed(world, {Grade::kWaypoints}).points,
                ElementsAre(centre_of({0, 0}), centre_of({4, 0}), centre_of({4, 3})));
}

// If this failed, a client that walks a smoothed path from cell to cell would meet a gap, and stop
// before the goal.
TEST(Smoothing, WaypointsExpandToACellPathWithoutGaps) {
    SearchWorld world({"S.........", ".####.###.", ".....#....", "###....##.", ".......#.G"});
    const Smoothed smooth = smoothed(world, {Grade::kWaypoints});
    Cell at = world.find('S');
    for (const Point point : smooth.points) {
        const Cell to = search::anchor_of(point, 1);
        // From cell to cell, each time to that neighbour which the line enters next.
        const Cell from = at;
        while (at != to) {
            const Cell step{to.x > from.x ? 1 : -1, to.y > from.y ? 1 : -1};
            const std::int64_t by_x = (2 * std::abs(at.x - from.x) + 1) * std::abs(to.y - from.y);
            const std::int64_t by_y = (2 * std::abs(at.y - from.y) + 1) * std::abs(to.x - from.x);
            const Cell next{at.x + (by_x <= by_y ? step.x : 0), at.y + (by_y <= by_x ? step.y : 0)};
            ASSERT_TRUE(legal_step(world.weights(), model::Directions::kEight,
                                   model::CornerRule::kBothOpen, at, next));
            at = next;
        }
    }
    EXPECT_EQ(at, world.find('G'));
}

// If this failed, smoothing would send units off the road and through the swamp.
TEST(Smoothing, KeepsToTheRoadWhereTheShortcutIsDearer) {
    model::MovementClass who = model::ground_class();
    who.weights['9'] = 90;
    const std::initializer_list<std::string_view> rows = {"S9999", ".9999", ".9999", ".9999",
                                                          "....G"};
    SearchWorld swamp(rows, who);
    for (const Grade grade : {Grade::kWaypoints, Grade::kCorners}) {
        const Smoothed road = smoothed(swamp, {grade});
        EXPECT_GT(road.points.size(), 2U);
        EXPECT_LE(road.cost, swamp.ask(swamp.query()).cost);
    }
    who.weights['9'] = 11;
    SearchWorld meadow(rows, who);
    EXPECT_EQ(smoothed(meadow, {}).points.size(), 2U);
}

// If this failed, a class that may cut corners would get no smoothed path at all, or a unit on a
// blocked cell could not leave it.
TEST(Smoothing, KeepsThePiecesOfThePathThatNoBodyFits) {
    model::MovementClass who = model::ground_class();
    who.corner_rule = model::CornerRule::kNoneOpen;
    SearchWorld squeeze({"S..##", "...##", "###..", "###.G"}, who);
    const Smoothed smooth = smoothed(squeeze, {Grade::kCorners});
    EXPECT_THAT(smooth.points, testing::IsSupersetOf({centre_of({2, 1}), centre_of({3, 2})}));
    SearchWorld walled({"#....", ".....", "....G"});
    model::PathQuery query = query_of({0, 0}, {4, 2});
    query.leave_blocked_start = true;
    const model::PathResult path = walled.ask(query);
    for (const Grade grade : {Grade::kWaypoints, Grade::kCorners}) {
        const Smoothed left = search::smooth(walled.layer(), path.turning_points, {grade});
        EXPECT_EQ(left.points.size(), 3U);
        EXPECT_LE(left.cost, path.cost);
    }
}

// If this failed, a string that catches on a corner by less than a sub-cell would be pulled through
// it (a fault of scans that round the two ends of a sliver to one place).
TEST(Smoothing, AStringCatchesOnACornerByAHair) {
    map::Grid grid{40, 20, std::vector<model::Terrain>(800, model::Terrain{'.'})};
    grid.terrain[5 * 40 + 7] = '@';
    SearchWorld world(std::move(grid), model::ground_class());
    // The corner of the block, grown by 34 sub-cells; the straight line passes 0.7 below it.
    const Point corner{7 * 256 + 256 + 34, 5 * 256 - 34};
    std::vector<search::Knot> knots{{{896, 384}}, {corner}, {{5342, 3618}}};
    for (std::size_t i = 1; i < knots.size(); ++i) {
        knots[i].cost = search::walk_cost(world.layer(), knots[i - 1].at, knots[i].at);
    }
    ASSERT_FALSE(search::is_clear(world.layer(), knots[0].at, knots[2].at, 34));
    search::StringPull pull;
    pull.begin(world.layer(), 34, knots);
    while (pull.step()) {
    }
    pull.finish(knots);
    ASSERT_EQ(knots.size(), 3U);
    EXPECT_EQ(knots[1].at, corner);
}

// If this failed, a wide unit's centre would be drawn beside the unit.
TEST(Smoothing, PointsAreTheCentreOfTheUnit) {
    for (std::uint8_t footprint = 1; footprint <= 4; ++footprint) {
        model::MovementClass who = model::ground_class();
        who.footprint = footprint;
        SearchWorld world(
            {"S.......", "........", "........", "....G...", "........", "........", "........"},
            who);
        const std::int32_t half = footprint * 128;
        EXPECT_THAT(smoothed(world, {Grade::kCorners}).points,
                    ElementsAre(Point{half, half}, Point{1024 + half, 768 + half}));
        EXPECT_EQ(search::anchor_of({1024 + half, 768 + half}, footprint), (Cell{4, 3}));
    }
}

}  // namespace
}  // namespace outrider::test
