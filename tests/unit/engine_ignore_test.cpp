// Units that stand in their own footprint.

#include <gtest/gtest.h>

#include "outrider/base/limits.hpp"
#include "outrider/engine/engine.hpp"
#include "support/follow_world.hpp"

namespace outrider::engine {
namespace {

using model::Outcome;
using model::PushReason;
using test::FollowWorld;

constexpr model::ObstacleId kOwn{5};

// A corridor with a way round: row 1 and, past the pillars, row 3.
FollowWorld corridor() {
    return FollowWorld({
        ".........",
        "####.####",
        ".........",
        "####.####",
        ".........",
    });
}

constexpr model::Cell kStart{1, 2};
constexpr model::Cell kGoal{7, 2};

model::PathRequest ignoring(model::PathRequest request) {
    request.query.ignore_obstacle = kOwn;
    return request;
}

// If this failed, a unit that blocks its own place would be told that it cannot start.
TEST(Ignore, AUnitLooksPastItsOwnObstacleAndNobodyElseDoes) {
    const FollowWorld world = corridor();
    world.place(kOwn.value, kStart);
    const auto ask = [&](std::uint64_t id, bool own) {
        const model::PathRequest request = world.request(id, kStart, kGoal);
        world.engine->submit(world.client, own ? ignoring(request) : request);
        world.run_all();
        return world.sink->outcome_of(id);
    };
    EXPECT_EQ(ask(1, true), Outcome::kComplete);
    EXPECT_EQ(ask(2, false), Outcome::kStartBlocked) << "its answer is nobody else's";
    EXPECT_EQ(ask(3, true), Outcome::kComplete);
    EXPECT_EQ(world.engine->stats().cache_hits, 0U) << "nor is it kept";
    EXPECT_EQ(world.engine->stats().views, 0U) << "what it was searched for on is gone";
}

// If this failed, an order sent before its unit's obstacle was placed, or after it was taken away,
// would be refused.
TEST(Ignore, AnUnknownObstacleIsHarmless) {
    const FollowWorld world = corridor();
    world.engine->submit(world.client, ignoring(world.request(1, kStart, kGoal)));
    world.run_all();
    EXPECT_EQ(world.sink->outcome_of(1), Outcome::kComplete);
}

// If this failed, a search that has to begin anew would look past its unit's obstacle where that
// stood before, or hold a map of its own while it waits.
TEST(Ignore, ASearchThatBeginsAnewLooksAtTheNewMap) {
    Config config = FollowWorld::pumped();
    config.suspended_max = 1;
    const FollowWorld world(test::open_grid(64, 64), config);
    world.place(kOwn.value, {0, 0});
    world.engine->submit(world.client, world.long_request(1, 5));
    world.slice();
    world.engine->submit(world.client, ignoring(world.long_request(2)));
    for (int i = 0; i < 4; ++i) {
        world.slice();
    }
    ASSERT_EQ(world.sink->count(), 0U);
    EXPECT_EQ(world.engine->stats().views, 0U) << "the first holds the only slot";
    world.apply(model::PlaceObstacle{kOwn, {30, 0, 4, 64}, 0, {}});
    world.run_all();
    const auto reply = world.sink->reply_to(2);
    ASSERT_TRUE(reply.body.has_value());
    EXPECT_EQ(reply.body->version, 3U);
    EXPECT_EQ(reply.body->result->outcome, Outcome::kComplete) << "its own wall is not there";
}

// If this failed, edits would drive out such searches again and again, though they hold none of
// the versions that are bounded, or those would be held beyond their bound.
TEST(Ignore, EditsDoNotDriveOutASearchThatHoldsAMapOfItsOwn) {
    Config config = FollowWorld::pumped();
    config.snapshots_per_map_max = 2;
    const FollowWorld world(test::open_grid(64, 64), config);
    const auto slice_each = [&](int searches) {
        for (int each = 0; each < searches; ++each) {
            world.slice();
        }
    };
    world.engine->submit(world.client, world.long_request(1, 5));
    slice_each(1);
    world.place(kOwn.value, {0, 0});
    world.engine->submit(world.client, ignoring(world.long_request(2)));
    slice_each(2);
    world.edit({63, 0, 1, 1}, '.');
    world.engine->submit(world.client, world.long_request(3, 6));
    slice_each(3);
    EXPECT_EQ(world.engine->stats().views, 1U);
    world.edit({63, 0, 1, 1}, '.');
    EXPECT_EQ(world.engine->stats().restarts, 1U) << "the third alone";
    world.run_all();
    EXPECT_EQ(world.sink->reply_to(1).body->version, 1U);
    EXPECT_EQ(world.sink->reply_to(2).body->version, 2U);
    EXPECT_EQ(world.sink->reply_to(3).body->version, 4U);
}

// If this failed, a question about a wall across the map would hold up its edits.
TEST(Ignore, ALargeObstacleIsRefusedByName) {
    const FollowWorld world(test::open_grid(70, 70));
    world.apply(model::PlaceObstacle{kOwn, {0, 0, 64, 65}, 0, {}});
    ASSERT_GT(64 * 65, base::limits::kIgnoredCellsMax);
    world.engine->submit(world.client, ignoring(world.request(1, {1, 1}, {69, 69})));
    world.run_all();
    const auto reply = world.sink->reply_to(1);
    ASSERT_FALSE(reply.body.has_value());
    EXPECT_EQ(reply.body.error().code, model::RefusalCode::kInvalidArgument);
    EXPECT_EQ(reply.body.error().field, "path.ignore_obstacle_id");
}

// If this failed, each step of a unit that carries its obstacle along would turn it round.
TEST(Ignore, AFollowedUnitsOwnObstacleOnItsPathIsNoNews) {
    const FollowWorld world = corridor();
    world.place(kOwn.value, kStart);
    world.follow(ignoring(world.order(1, kStart, kGoal, true)));
    ASSERT_EQ(world.sink->outcome_of(1), Outcome::kComplete);
    for (std::int32_t x = kStart.x + 1; x < kGoal.x; ++x) {
        ASSERT_TRUE(world.report(1, {x, kStart.y}));
        world.place(kOwn.value, {x, kStart.y});
        world.run_all();
    }
    EXPECT_TRUE(world.sink->pushes().empty());
    ASSERT_TRUE(world.report(1, kGoal));
    ASSERT_EQ(world.sink->pushes().size(), 1U);
    EXPECT_EQ(world.sink->pushes()[0].reason, PushReason::kEnded);
}

// If this failed, a unit would walk into a building that was put up where it blocks the way itself,
// since for all others nothing changed there.
TEST(Ignore, WhatComesUnderItsOwnObstacleBreaksThePath) {
    const FollowWorld world(test::open_grid(9, 5));
    world.apply(model::PlaceObstacle{kOwn, {3, 1, 2, 3}, 0, {}});
    world.follow(ignoring(world.order(1, kStart, kGoal)));
    ASSERT_EQ(world.sink->outcome_of(1), Outcome::kComplete);
    world.place(1, {4, 2});
    world.run_all();
    const auto pushes = world.sink->pushes();
    ASSERT_EQ(pushes.size(), 1U);
    EXPECT_EQ(pushes[0].reason, PushReason::kBroken);
    ASSERT_TRUE(pushes[0].body.has_value());
    EXPECT_EQ(pushes[0].body->version, 3U);
    EXPECT_EQ(pushes[0].body->result->outcome, Outcome::kComplete);
}

// If this failed, a unit would wait for ever before a gap that its own obstacle hides from all
// others.
TEST(Ignore, AWayThatOpensUnderItsOwnObstacleIsTold) {
    const FollowWorld world(FollowWorld({".....", "#####", "....."}));
    const auto wall = [&](std::uint64_t id, const model::Rect& rect) {
        world.apply(model::PlaceObstacle{{id}, rect, 0, {}});
    };
    world.edit({2, 1, 1, 1}, '.');
    wall(1, {2, 1, 1, 1});
    wall(kOwn.value, {2, 0, 1, 2});
    world.follow(ignoring(world.order(1, {2, 0}, {2, 2})));
    ASSERT_EQ(world.sink->outcome_of(1), Outcome::kUnreachable);
    world.remove(1);
    world.run_all();
    const auto pushes = world.sink->pushes();
    ASSERT_EQ(pushes.size(), 1U);
    EXPECT_EQ(pushes[0].reason, PushReason::kImproved);
    EXPECT_EQ(pushes[0].body->result->outcome, Outcome::kComplete);
}

// If this failed, a follow would go on as if nothing were wrong, or end without a word.
TEST(Ignore, AFollowEndsWhereItsObstacleBecomesTooLarge) {
    const FollowWorld world(test::open_grid(70, 70));
    world.place(kOwn.value, {1, 1});
    world.follow(ignoring(world.order(1, {1, 1}, {69, 69})));
    world.apply(model::PlaceObstacle{kOwn, {0, 0, 64, 65}, 0, {}});
    world.run_all();
    const auto pushes = world.sink->pushes();
    ASSERT_EQ(pushes.size(), 1U);
    EXPECT_EQ(pushes[0].reason, PushReason::kEnded);
    ASSERT_FALSE(pushes[0].body.has_value());
    EXPECT_EQ(pushes[0].body.error().field, "path.ignore_obstacle_id");
}

}  // namespace
}  // namespace outrider::engine
