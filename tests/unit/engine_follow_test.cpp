#include <gtest/gtest.h>

#include <vector>

#include "outrider/engine/engine.hpp"
#include "support/follow_world.hpp"

namespace outrider::engine {
namespace {

using model::Outcome;
using model::PushReason;
using test::FollowWorld;

// Two gaps in a wall: row 1 and, farther from the straight way, row 5.
FollowWorld two_gaps() {
    return FollowWorld({
        "....#....",
        ".........",
        "....#....",
        "....#....",
        "....#....",
        ".........",
        "....#....",
    });
}

constexpr model::Cell kStart{1, 1};
constexpr model::Cell kGoal{7, 1};
constexpr model::Cell kNearGap{4, 1};
constexpr model::Cell kFarGap{4, 5};

// If this failed, a unit would walk into the wall that was built on its way.
TEST(Follow, ABrokenPathIsReplacedByTheBestOneOfTheNewMap) {
    const FollowWorld world = two_gaps();
    const model::PathRequest order = world.order(1, kStart, kGoal);
    world.follow(order);
    ASSERT_EQ(world.sink->outcome_of(1), Outcome::kComplete);
    world.place(1, kNearGap);
    world.run_all();
    const auto pushes = world.sink->pushes();
    ASSERT_EQ(pushes.size(), 1U);
    EXPECT_EQ(pushes[0].id.value, 1U);
    EXPECT_EQ(pushes[0].reason, PushReason::kBroken);
    EXPECT_EQ(pushes[0].start, kStart);
    ASSERT_TRUE(pushes[0].body.has_value());
    EXPECT_EQ(pushes[0].body->version, 2U);
    EXPECT_EQ(*pushes[0].body->result, world.fresh(order, kStart));
    EXPECT_EQ(world.sink->replies_to(1), 1U);
}

// Kind K10#115. If this failed, an edit far away would send units on a new way, or wake them for
// nothing.
TEST(Follow, K10_115_AnUnrelatedEditPushesNothing) {
    const FollowWorld world = two_gaps();
    world.follow(1, kStart, kGoal);
    world.follow(2, kStart, kGoal, true);
    world.place(1, {8, 6});
    world.place(2, kFarGap);
    world.place(3, {5, 2});  // beside the path, no corner of it
    world.run_all();
    EXPECT_TRUE(world.sink->pushes().empty());
    EXPECT_EQ(world.engine->stats().replans, 0U);
}

// If this failed, units far behind their way would be turned round for a wall that they have
// passed.
TEST(Follow, AnEditBehindTheUnitDoesNotMatter) {
    const FollowWorld world = two_gaps();
    world.follow(1, kStart, kGoal);
    ASSERT_TRUE(world.report(1, {5, 1}));
    world.place(1, kNearGap);
    world.run_all();
    EXPECT_TRUE(world.sink->pushes().empty());
    world.place(2, {6, 1});
    world.run_all();
    const auto pushes = world.sink->pushes();
    ASSERT_EQ(pushes.size(), 1U);
    EXPECT_EQ(pushes[0].start, (model::Cell{5, 1})) << "replans start where the unit is";
}

// If this failed, a unit would squeeze past the corner of a building that rose beside its path.
TEST(Follow, ABuildingAtTheCornerOfADiagonalStepBreaksThePath) {
    const FollowWorld world(test::open_grid(9, 9));
    world.follow(1, {1, 1}, {7, 7});
    world.place(1, {4, 3});
    world.run_all();
    const auto pushes = world.sink->pushes();
    ASSERT_EQ(pushes.size(), 1U);
    EXPECT_EQ(pushes[0].reason, PushReason::kBroken);
}

// If this failed, a big unit would be stopped by what touches no cell of its anchor's path.
TEST(Follow, AFootprintIsBrokenByWhatItWouldTouch) {
    const FollowWorld world(test::open_grid(12, 8));
    model::MovementClass big = model::ground_class();
    big.name = "big";
    big.footprint = 3;
    const auto added = world.engine->add_class(world.map, big);
    ASSERT_TRUE(added.has_value());
    model::PathRequest order = world.order(1, {1, 1}, {8, 1});
    order.query.movement_class = added->first;
    world.follow(order);
    world.place(1, {5, 4});  // beyond the third row of the unit
    world.run_all();
    EXPECT_TRUE(world.sink->pushes().empty());
    world.place(2, {5, 3});
    world.run_all();
    ASSERT_EQ(world.sink->pushes().size(), 1U);
    EXPECT_EQ(*world.sink->pushes()[0].body->result, world.fresh(order, {1, 1}));
}

// If this failed, a unit that asked only to be kept from walls would be turned at every fall of
// one, or a unit that asked for better ways would never hear of them.
TEST(Follow, ABetterWayIsPushedToThoseWhoAskedForIt) {
    const FollowWorld world = two_gaps();
    world.place(1, kNearGap);
    const model::PathRequest keen = world.order(2, kStart, kGoal, true);
    world.follow(1, kStart, kGoal);
    world.follow(keen);
    world.remove(1);
    world.run_all();
    const auto pushes = world.sink->pushes();
    ASSERT_EQ(pushes.size(), 1U);
    EXPECT_EQ(pushes[0].id.value, 2U);
    EXPECT_EQ(pushes[0].reason, PushReason::kImproved);
    EXPECT_EQ(*pushes[0].body->result, world.fresh(keen, kStart));
}

// Kind K10#113. If this failed, a unit would turn between two equally good ways at each edit.
TEST(Follow, K10_113_EqualDetoursDoNotFlap) {
    const FollowWorld world({
        ".........",
        "....#....",
        "....#....",
        "....#....",
        ".........",
    });
    world.follow(1, {1, 2}, {7, 2}, true);
    const model::PathResult first = world.sink->result_of(1);
    const bool north = first.turning_points[1].y < 2;
    const model::Cell other{4, north ? 4 : 0};
    for (std::uint64_t round = 0; round < 5; ++round) {
        world.place(1, other);
        world.run_all();
        world.remove(1);
        world.run_all();
    }
    EXPECT_TRUE(world.sink->pushes().empty());
}

// If this failed, a swamp on the way would not make a unit look for a drier one; or units would be
// turned for a swamp that is still the best way.
TEST(Follow, DearerTerrainOnThePathIsPlannedAnewAndPushedWhenAnotherWayIsCheaper) {
    const FollowWorld world(test::open_grid(9, 9));
    const auto terrain = world.engine->add_class(world.map, model::terrain_class());
    ASSERT_TRUE(terrain.has_value());
    model::PathRequest order = world.order(1, {0, 4}, {8, 4});
    order.query.movement_class = terrain->first;
    world.follow(order);
    world.edit({4, 0, 1, 9}, 'C');  // three times as dear from edge to edge
    world.run_all();
    EXPECT_TRUE(world.sink->pushes().empty()) << "no other way is cheaper";
    EXPECT_EQ(world.engine->stats().replans, 1U);
    world.edit({6, 4, 1, 1}, 'C');  // around this one it is
    world.run_all();
    const auto pushes = world.sink->pushes();
    ASSERT_EQ(pushes.size(), 1U);
    EXPECT_EQ(pushes[0].reason, PushReason::kDearer);
    EXPECT_EQ(*pushes[0].body->result, world.fresh(order, {0, 4}));
}

// If this failed, a unit that was walled in would never hear that it can go, or hear of nothing at
// every edit.
TEST(Follow, AUnitWithoutAWayHearsWhenOneOpens) {
    const FollowWorld world({
        "....#....",
        ".........",
        "....#....",
    });
    const model::PathRequest order = world.order(1, kStart, kGoal);
    world.follow(order);
    world.place(1, kNearGap);
    world.run_all();
    ASSERT_EQ(world.sink->pushes().size(), 1U);
    EXPECT_EQ(world.sink->pushes()[0].body->result->outcome, Outcome::kUnreachable);
    world.place(2, {2, 2});
    world.remove(2);
    world.run_all();
    EXPECT_EQ(world.sink->pushes().size(), 1U);
    world.remove(1);
    world.run_all();
    const auto pushes = world.sink->pushes();
    ASSERT_EQ(pushes.size(), 2U);
    EXPECT_EQ(pushes[1].reason, PushReason::kImproved);
    EXPECT_EQ(*pushes[1].body->result, world.fresh(order, kStart));
}

// Kind K10#113 for partial paths. If this failed, a unit before a closed gate would be sent to and
// fro between equally near cells.
TEST(Follow, K10_113_APartialPathChangesOnlyForANearerEnd) {
    const FollowWorld world({
        "#..#....",
        "...#....",
        "...#....",
        "...#....",
        "...#....",
    });
    model::PathRequest order = world.order(1, {0, 2}, {6, 2});
    order.query.allow_partial = true;
    world.follow(order);
    ASSERT_EQ(world.sink->outcome_of(1), Outcome::kPartial);
    world.place(1, {7, 0});
    world.remove(1);
    world.edit({0, 0, 1, 1}, '.');  // more room, no nearer to the goal
    world.run_all();
    EXPECT_TRUE(world.sink->pushes().empty());
    world.edit({3, 2, 1, 1}, '.');
    world.run_all();
    const auto pushes = world.sink->pushes();
    ASSERT_EQ(pushes.size(), 1U);
    EXPECT_EQ(pushes[0].reason, PushReason::kImproved);
    EXPECT_EQ(*pushes[0].body->result, world.fresh(order, {0, 2}));
}

// If this failed, several edits in one tick would bring several paths, all but the last of a map
// that is gone.
TEST(Follow, EditsBeforeTheReplanRanGiveOnePushOnTheNewestVersion) {
    const FollowWorld world = two_gaps();
    const model::PathRequest order = world.order(1, kStart, kGoal);
    world.follow(order);
    world.place(1, kNearGap);
    world.place(2, {5, 5});
    world.place(3, {2, 1});
    world.run_all();
    const auto pushes = world.sink->pushes();
    ASSERT_EQ(pushes.size(), 1U);
    EXPECT_EQ(pushes[0].body->version, 4U);
    EXPECT_EQ(*pushes[0].body->result, world.fresh(order, kStart));
}

// If this failed, a path would be pushed that a second edit closed while it was searched for.
TEST(Follow, APathThatIsClosedBeforeItIsFoundIsNotPushed) {
    engine::Config config = FollowWorld::pumped();
    config.expansions_per_slice = 1;
    const FollowWorld world(test::open_grid(40, 40), config);
    model::PathRequest order = world.order(1, {0, 20}, {39, 20});
    order.query.algorithm = model::Algorithm::kDijkstra;
    world.follow(order);
    world.apply(model::PlaceObstacle{{1}, {20, 10, 1, 30}, 0});  // a way past the north is left
    for (int slice = 0; slice < 50; ++slice) {
        world.slice();  // the replan has begun
    }
    world.apply(model::PlaceObstacle{{1}, {20, 0, 1, 30}, 0});  // now past the south alone
    world.run_all();
    const auto pushes = world.sink->pushes();
    ASSERT_EQ(pushes.size(), 1U);
    EXPECT_EQ(pushes[0].body->version, 3U);
    EXPECT_EQ(*pushes[0].body->result, world.fresh(order, {0, 20}));
}

// If this failed, a unit would get a path from where it stood some time ago.
TEST(Follow, AReplanThatTheUnitHasOutrunStartsAgainFromWhereItIs) {
    engine::Config config = FollowWorld::pumped();
    config.expansions_per_slice = 1;
    const FollowWorld world(test::open_grid(30, 30), config);
    model::PathRequest order = world.order(1, {0, 15}, {29, 15});
    order.query.algorithm = model::Algorithm::kDijkstra;
    world.follow(order);
    world.apply(model::PlaceObstacle{{1}, {25, 8, 1, 12}, 0});
    for (int slice = 0; slice < 20; ++slice) {
        world.slice();
    }
    // Straight on, where the best way around turns off at once or later: whichever, the push must
    // hold the unit's place.
    ASSERT_TRUE(world.report(1, {12, 15}));
    world.run_all();
    const auto pushes = world.sink->pushes();
    ASSERT_EQ(pushes.size(), 1U);
    const auto cells = model::cells_of(pushes[0].body->result->turning_points);
    EXPECT_NE(std::ranges::find(cells, model::Cell{12, 15}), cells.end());
    EXPECT_EQ(*pushes[0].body->result, world.fresh(order, pushes[0].start));
}

// If this failed, a report that comes before the first answer would tear the path that it brings.
TEST(Follow, AReportBeforeTheFirstAnswerIsHarmless) {
    const FollowWorld world = two_gaps();
    const model::PathRequest order = world.order(1, kStart, kGoal);
    world.engine->submit(world.client, order);
    EXPECT_TRUE(world.report(1, {8, 6}));
    world.run_all();
    EXPECT_EQ(world.sink->result_of(1), world.fresh(order, kStart));
    EXPECT_TRUE(world.sink->pushes().empty());
    world.place(1, kNearGap);
    world.run_all();
    ASSERT_EQ(world.sink->pushes().size(), 1U);
    EXPECT_EQ(world.sink->pushes()[0].start, kStart);
}

// If this failed, a unit that was pushed off its path would be left without one.
TEST(Follow, AUnitThatStrayedGetsAPathFromWhereItIs) {
    const FollowWorld world = two_gaps();
    const model::PathRequest order = world.order(1, kStart, kGoal);
    world.follow(order);
    ASSERT_TRUE(world.report(1, {2, 4}));
    world.run_all();
    const auto pushes = world.sink->pushes();
    ASSERT_EQ(pushes.size(), 1U);
    EXPECT_EQ(pushes[0].reason, PushReason::kStrayed);
    EXPECT_EQ(pushes[0].start, (model::Cell{2, 4}));
    EXPECT_EQ(*pushes[0].body->result, world.fresh(order, {2, 4}));
}

}  // namespace
}  // namespace outrider::engine
