#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "outrider/engine/engine.hpp"
#include "support/follow_world.hpp"

namespace outrider::engine {
namespace {

using model::Outcome;
using model::PushReason;
using model::RefusalCode;
using test::FollowWorld;

constexpr model::Cell kStart{1, 4};
constexpr model::Cell kGoal{14, 4};

FollowWorld open_world(const Config& config = FollowWorld::pumped()) {
    return FollowWorld(test::open_grid(16, 9), config);
}

void break_path(const FollowWorld& world, std::uint64_t obstacle = 77) {
    world.apply(model::PlaceObstacle{{obstacle}, {8, 2, 1, 5}, 0});
}

// The one push says that the follow has ended so, and nothing comes after it.
void expect_ended(const FollowWorld& world, std::uint64_t id, Outcome outcome) {
    world.run_all();
    std::size_t ends = 0;
    for (const model::PathPush& push : world.sink->pushes()) {
        if (push.id.value == id) {
            EXPECT_EQ(ends, 0U) << "a push after the last one";
            if (push.reason == PushReason::kEnded) {
                ++ends;
                EXPECT_EQ(push.body->result->outcome, outcome);
                EXPECT_TRUE(push.body->result->turning_points.empty());
            }
        }
    }
    EXPECT_EQ(ends, 1U);
}

// If this failed, a cancelled unit would be sent on its way again at the next edit.
TEST(FollowEnds, ByCancelAlsoWhileAReplanIsUnderWay) {
    const FollowWorld world = open_world();
    world.follow(1, kStart, kGoal);
    world.follow(2, kStart, kGoal);
    EXPECT_TRUE(world.engine->cancel(world.client, {1}));
    EXPECT_FALSE(world.engine->cancel(world.client, {1}));
    break_path(world);
    EXPECT_TRUE(world.engine->cancel(world.client, {2}));
    expect_ended(world, 1, Outcome::kCancelled);
    expect_ended(world, 2, Outcome::kCancelled);
    EXPECT_EQ(world.sink->pushes().size(), 2U);
    EXPECT_EQ(world.engine->stats().follows, 0U);
    EXPECT_EQ(world.engine->stats().follow_bytes, 0U);
}

// If this failed, a request that was cancelled before its answer would be followed all the same.
TEST(FollowEnds, ARequestThatWasCancelledNeverBegins) {
    const FollowWorld world(test::open_grid(64, 64));
    model::PathRequest order = world.long_request(1);
    order.follow.emplace();
    world.engine->submit(world.client, order);
    world.slice();
    EXPECT_TRUE(world.engine->cancel(world.client, {1}));
    EXPECT_EQ(world.sink->outcome_of(1), Outcome::kCancelled);
    EXPECT_EQ(world.engine->stats().follows, 0U);
    EXPECT_TRUE(world.sink->pushes().empty());
}

// Kind K4#51. If this failed, a unit would get the path to where it is no longer to go.
TEST(FollowEnds, K4_51_ByTheUnitsNewerOrderWhateverKindItIs) {
    const FollowWorld world = open_world();
    model::PathRequest first = world.order(1, kStart, kGoal);
    model::PathRequest second = world.order(2, kStart, {14, 0});
    model::PathRequest third = world.request(3, kStart, {14, 8});
    model::PathRequest at_once = world.order(4, kStart, kStart);
    first.unit = second.unit = third.unit = at_once.unit = {5};
    world.follow(first);
    break_path(world);
    world.engine->submit(world.client, second);
    EXPECT_EQ(world.sink->pushes().size(), 1U) << "ended before the newer order is answered";
    world.run_all();
    world.follow(third);
    world.follow(at_once);
    expect_ended(world, 1, Outcome::kSuperseded);
    expect_ended(world, 2, Outcome::kSuperseded);
    expect_ended(world, 4, Outcome::kComplete);
    EXPECT_EQ(world.sink->outcome_of(3), Outcome::kComplete);
    EXPECT_EQ(world.engine->stats().follows, 0U);
}

// If this failed, a unit at its goal would go on being followed for ever.
TEST(FollowEnds, ByArrivalAtAnyCellOfTheGoal) {
    const FollowWorld world = open_world();
    model::PathRequest order = world.order(1, kStart, {10, 2});
    order.query.goal.rect = {10, 2, 3, 3};
    order.query.goal.range = 1;
    world.follow(order);
    EXPECT_TRUE(world.report(1, {8, 4}));
    EXPECT_EQ(world.engine->stats().follows, 1U);
    EXPECT_TRUE(world.report(1, {9, 4}));
    expect_ended(world, 1, Outcome::kComplete);
    EXPECT_FALSE(world.report(1, {10, 4})) << "nobody's follow";
}

// If this failed, edits would be looked at for clients that are gone.
TEST(FollowEnds, ByDisconnectWithoutAWord) {
    const FollowWorld world = open_world();
    world.follow(1, kStart, kGoal);
    world.follow(2, kStart, {14, 0}, true);
    break_path(world);
    world.engine->disconnect(world.client);
    world.run_all();
    EXPECT_TRUE(world.sink->pushes().empty());
    EXPECT_EQ(world.engine->stats().follows, 0U);
    EXPECT_EQ(world.engine->stats().queued, 0U);
}

// If this failed, a draining server would wait for its followers, or leave them without a word.
TEST(FollowEnds, ByDrainWhileWhatWasAcceptedIsAnswered) {
    const FollowWorld world = open_world();
    world.follow(1, kStart, kGoal);
    world.engine->submit(world.client, world.order(2, kStart, {14, 0}));
    world.engine->begin_drain();
    ASSERT_EQ(world.sink->pushes().size(), 1U);
    EXPECT_EQ(world.sink->pushes()[0].body.error().code, RefusalCode::kShuttingDown);
    world.run_all();
    EXPECT_EQ(world.sink->outcome_of(2), Outcome::kComplete);
    ASSERT_EQ(world.sink->pushes().size(), 2U);
    EXPECT_EQ(world.sink->pushes()[1].id.value, 2U);
    EXPECT_EQ(world.sink->pushes()[1].body.error().code, RefusalCode::kShuttingDown);
    EXPECT_TRUE(world.engine->drained());
}

// If this failed, two followed units would share an id, and pushes could not be told apart.
TEST(FollowEnds, AnIdIsInUseUntilThen) {
    const FollowWorld world = open_world();
    world.follow(1, kStart, kGoal);
    const auto again = test::make_sink();
    world.engine->submit(world.client, world.request(1, kStart, {14, 0}));
    EXPECT_EQ(world.sink->replies().back().body.error().field, "request_id");
    EXPECT_TRUE(world.engine->cancel(world.client, {1}));
    world.engine->submit(world.client, world.request(1, kStart, {14, 0}));
    world.run_all();
    EXPECT_TRUE(world.sink->replies().back().body.has_value());
}

// If this failed, one client could fill the server with followed units (law 5).
TEST(FollowEnds, FollowsAreBoundedAClientAndInAll) {
    Config config = FollowWorld::pumped();
    config.follows_per_client_max = 3;
    config.follows_max = 5;
    const FollowWorld world = open_world(config);
    for (std::uint64_t id = 1; id <= 3; ++id) {
        world.follow(id, kStart, kGoal);
        EXPECT_EQ(world.sink->outcome_of(id), Outcome::kComplete) << id;
    }
    world.follow(4, kStart, kGoal);
    EXPECT_EQ(world.sink->refusal_of(4), RefusalCode::kOverloaded);
    // The newer order of a followed unit takes its place.
    model::PathRequest newer = world.order(5, kStart, {14, 0});
    newer.unit = {1003};
    world.follow(newer);
    EXPECT_EQ(world.sink->outcome_of(5), Outcome::kComplete);
    // A plain request is not bounded by it.
    world.follow(world.request(6, kStart, kGoal));
    EXPECT_EQ(world.sink->outcome_of(6), Outcome::kComplete);

    const auto other = test::make_sink();
    const model::ClientId second = world.connect(other);
    for (std::uint64_t id = 1; id <= 3; ++id) {
        world.engine->submit(second, world.order(id, kStart, kGoal));
        world.run_all();
    }
    EXPECT_EQ(other->outcome_of(2), Outcome::kComplete);
    EXPECT_EQ(other->refusal_of(3), RefusalCode::kOverloaded);
    EXPECT_TRUE(world.engine->cancel(world.client, {1}));
    world.engine->submit(second, world.order(4, kStart, kGoal));
    world.run_all();
    EXPECT_EQ(other->outcome_of(4), Outcome::kComplete);
}

// If this failed, long paths that are followed would fill the memory (law 5).
TEST(FollowEnds, WhenTheBytesOfFollowedPathsRunOut) {
    Config config = FollowWorld::pumped();
    config.follow_bytes_max = 1;
    const FollowWorld world = open_world(config);
    world.follow(1, kStart, kGoal);
    EXPECT_EQ(world.sink->outcome_of(1), Outcome::kComplete) << "the reply comes whatever follows";
    ASSERT_EQ(world.sink->pushes().size(), 1U);
    EXPECT_EQ(world.sink->pushes()[0].body.error().code, RefusalCode::kOverloaded);
    EXPECT_EQ(world.engine->stats().follow_bytes, 0U);
}

// If this failed, a client would hold a million looked-at cells for each unit that it follows.
TEST(FollowEnds, WhatCannotBeFollowedIsRefusedByName) {
    const FollowWorld world = open_world();
    model::PathRequest explained = world.order(1, kStart, kGoal);
    explained.query.explain = true;
    world.follow(explained);
    EXPECT_EQ(world.sink->reply_to(1).body.error().field, "path.explain");
    model::PathRequest smooth = explained;
    smooth.id = {11};
    smooth.query.explain = false;
    smooth.query.smoothing.grade = model::Grade::kWaypoints;
    world.follow(smooth);
    EXPECT_EQ(world.sink->reply_to(11).body.error().field, "path.smoothing");
    for (const std::uint32_t percent : {1U, 99U, 1001U}) {
        model::PathRequest repaired = world.order(100 + percent, kStart, kGoal);
        repaired.follow->repair_percent = percent;
        world.follow(repaired);
        EXPECT_EQ(world.sink->reply_to(100 + percent).body.error().field,
                  "path.follow.repair_percent");
    }
    for (const std::uint32_t percent : {0U, 100U, 1000U}) {
        model::PathRequest repaired = world.order(5000 + percent, kStart, kGoal);
        repaired.follow->repair_percent = percent;
        world.follow(repaired);
        EXPECT_EQ(world.sink->outcome_of(5000 + percent), Outcome::kComplete);
    }
}

// Kind K8#90. If this failed, a game that orders anew as soon as it hears of a broken path would be
// refused, or hear of the old order afterwards.
TEST(FollowEnds, K8_90_ANewOrderFromInsideAPushIsTaken) {
    const FollowWorld world = open_world();
    world.sink->then_push = [&world](const model::PathPush& push) {
        if (push.reason == PushReason::kBroken && push.id.value == 1) {
            model::PathRequest newer = world.order(2, kStart, {14, 0});
            newer.unit = {1001};
            world.engine->submit(world.client, newer);
        }
    };
    world.follow(1, kStart, kGoal);
    break_path(world);
    expect_ended(world, 1, Outcome::kSuperseded);
    EXPECT_EQ(world.sink->outcome_of(2), Outcome::kComplete);
}

// Kind K8#83. If this failed, under threads a push would overtake the end of its order, come twice,
// or come from a map that was freed; the thread sanitizer looks on.
TEST(FollowEnds, K8_83_UnderThreadsNothingComesAfterTheEnd) {
    Config config = FollowWorld::with_workers(2);
    const FollowWorld world(test::open_grid(64, 64), config);
    constexpr std::uint64_t kUnits = 20;
    constexpr std::uint64_t kOrders = 15;
    std::thread builder([&world] {
        for (std::uint64_t round = 0; round < 150; ++round) {
            const auto x = static_cast<std::int32_t>(round % 50 + 7);
            world.apply(model::PlaceObstacle{{round % 5 + 1}, {x, 10, 2, 44}, 0});
        }
    });
    std::uint64_t id = 0;
    for (std::uint64_t round = 0; round < kOrders; ++round) {
        for (std::uint64_t unit = 1; unit <= kUnits; ++unit) {
            const auto y = static_cast<std::int32_t>(unit * 3);
            model::PathRequest order = world.order(++id, {1, y}, {62, 63 - y}, unit % 2 == 0);
            order.unit = {unit};
            world.engine->submit(world.client, order);
        }
    }
    builder.join();
    ASSERT_TRUE(world.sink->wait_for(id));
    for (std::uint64_t left = id - kUnits + 1; left <= id; ++left) {
        (void)world.engine->cancel(world.client, {left});
    }
    std::set<std::uint64_t> ended;
    for (const model::PathPush& push : world.sink->pushes()) {
        EXPECT_FALSE(ended.contains(push.id.value)) << "after the end of " << push.id.value;
        if (push.reason == PushReason::kEnded) {
            ended.insert(push.id.value);
        }
    }
    for (std::uint64_t each = 1; each <= id; ++each) {
        const Outcome outcome = world.sink->outcome_of(each);
        const bool lived = outcome != Outcome::kSuperseded && outcome != Outcome::kCancelled;
        EXPECT_EQ(ended.contains(each), lived) << each;
    }
}

}  // namespace
}  // namespace outrider::engine
