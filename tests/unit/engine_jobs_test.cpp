#include <gtest/gtest.h>

#include <stdexcept>

#include "outrider/engine/engine.hpp"
#include "support/engine_world.hpp"

namespace outrider::engine {
namespace {

using model::Outcome;
using model::Priority;
using model::RefusalCode;
using std::chrono::milliseconds;
using test::EngineWorld;
using test::make_sink;

// If this failed, a cancelled order would go on eating the worker to its end (K9#95).
TEST(Jobs, K9_95_ACancelledSearchStopsWorking) {
    const EngineWorld world;
    const auto sink = make_sink();
    const model::ClientId client = world.connect(sink);
    world.engine->submit(client, world.long_request(1));
    world.slice();
    EXPECT_TRUE(world.engine->cancel(client, {1}));
    EXPECT_EQ(sink->outcome_of(1), Outcome::kCancelled);
    const std::uint64_t expansions = world.engine->stats().expansions;
    world.run_all();
    EXPECT_EQ(world.engine->stats().expansions, expansions);
    EXPECT_EQ(world.engine->stats().suspended, 0U);
    EXPECT_EQ(sink->count(), 1U);
}

// If this failed, a late or doubled cancel would bring the server down (K9#96).
TEST(Jobs, K9_96_CancelOfUnknownFinishedAndCancelledIsHarmless) {
    const EngineWorld world;
    const auto sink = make_sink();
    const model::ClientId client = world.connect(sink);
    EXPECT_FALSE(world.engine->cancel(client, {1}));
    world.engine->submit(client, world.request(1, {0, 0}, {9, 9}));
    world.run_all();
    EXPECT_FALSE(world.engine->cancel(client, {1}));
    world.engine->submit(client, world.long_request(2));
    EXPECT_TRUE(world.engine->cancel(client, {2}));
    EXPECT_FALSE(world.engine->cancel(client, {2}));
    EXPECT_FALSE(world.engine->cancel({12345}, {2}));
    EXPECT_EQ(sink->count(), 2U);
}

// If this failed, one of two units with the same order could stop the other's search.
TEST(Jobs, CancelOfOneJoinedRequestLeavesTheOthers) {
    const EngineWorld world;
    const auto sink_a = make_sink();
    const auto sink_b = make_sink();
    const model::ClientId a = world.connect(sink_a);
    world.engine->submit(a, world.long_request(1));
    world.engine->submit(world.connect(sink_b), world.long_request(1));
    world.engine->submit(a, world.long_request(2));
    world.slice();
    EXPECT_TRUE(world.engine->cancel(a, {1}));
    world.slice();
    world.engine->disconnect(a);
    world.run_all();
    EXPECT_EQ(sink_a->count(), 1U);
    EXPECT_EQ(sink_b->outcome_of(1), Outcome::kComplete);
}

// If this failed, running out of time would look like an unreachable goal (K9#98).
TEST(Jobs, K9_98_ADeadlineIsADeadlineWithThePathSoFar) {
    EngineWorld world;
    const auto sink = make_sink();
    const model::ClientId client = world.connect(sink);
    model::PathRequest request = world.long_request(1);
    request.deadline = world.clock.now() + milliseconds{1};
    world.engine->submit(client, request);
    world.slice();
    EXPECT_EQ(sink->count(), 0U);
    world.clock.advance(milliseconds{2});
    world.run_all();
    const model::PathResult result = sink->result_of(1);
    EXPECT_EQ(result.outcome, Outcome::kDeadline);
    ASSERT_FALSE(result.turning_points.empty());
    EXPECT_EQ(result.turning_points.front(), request.query.start);
    EXPECT_EQ(world.engine->stats().deadlines, 1U);
    EXPECT_EQ(world.engine->stats().suspended, 0U);
}

// If this failed, orders whose time has passed would wait behind those that still matter.
TEST(Jobs, DeadlinesPassForWaitingJoinedAndLateRequests) {
    EngineWorld world;
    const auto sink = make_sink();
    const model::ClientId client = world.connect(sink);
    const auto until = [&](std::uint64_t id, int variant, milliseconds limit) {
        model::PathRequest request = world.long_request(id, variant);
        request.deadline = world.clock.now() + limit;
        return request;
    };
    world.engine->submit(client, until(1, 1, milliseconds{0}));
    EXPECT_EQ(sink->outcome_of(1), Outcome::kDeadline);
    world.engine->submit(client, world.long_request(2, 2));
    world.slice();
    world.engine->submit(client, until(3, 2, milliseconds{1}));   // joins a started job
    world.engine->submit(client, until(4, 4, milliseconds{1}));   // waits unstarted
    world.engine->submit(client, until(5, 5, milliseconds{10}));  // is in time
    world.clock.advance(milliseconds{1});
    world.slice();
    EXPECT_EQ(sink->outcome_of(3), Outcome::kDeadline);
    EXPECT_EQ(sink->outcome_of(4), Outcome::kDeadline);
    world.run_all();
    EXPECT_EQ(sink->outcome_of(2), Outcome::kComplete);
    EXPECT_EQ(sink->outcome_of(5), Outcome::kComplete);
    EXPECT_EQ(world.engine->stats().joined, 1U);
}

// If this failed, a client that left would be worked for, or hear of what it left (K9#101).
TEST(Jobs, K9_101_DisconnectDropsAndCountsAndSavesTheWork) {
    const EngineWorld world;
    const auto sink = make_sink();
    const model::ClientId client = world.connect(sink);
    for (int i = 1; i <= 100; ++i) {
        world.engine->submit(client, world.long_request(static_cast<std::uint64_t>(i), i));
    }
    world.slice();
    const std::uint64_t slices = world.engine->stats().slices;
    world.engine->disconnect(client);
    world.engine->disconnect(client);
    world.run_all();
    const Stats stats = world.engine->stats();
    EXPECT_EQ(stats.dropped_by_disconnect, 100U);
    EXPECT_EQ(stats.slices, slices);
    EXPECT_EQ(stats.queued + stats.running + stats.suspended + stats.clients, 0U);
    EXPECT_EQ(sink->count(), 0U);
    world.engine->submit(client, world.long_request(1));
    EXPECT_EQ(sink->count(), 0U);
}

// If this failed, a client with a thousand long searches would make the light one wait (K9#103).
TEST(Jobs, K9_103_AShortQueryDoesNotWaitForLongOnes) {
    EngineWorld world;
    const auto heavy_sink = make_sink();
    const auto light_sink = make_sink();
    const model::ClientId heavy = world.connect(heavy_sink);
    const model::ClientId light = world.connect(light_sink);
    for (int i = 1; i <= 1000; ++i) {
        model::PathRequest request = world.long_request(static_cast<std::uint64_t>(i), i);
        request.priority = Priority::kUrgent;
        world.engine->submit(heavy, request);
    }
    for (std::uint64_t id = 1; id <= 50; ++id) {
        world.slice();
        world.clock.advance(milliseconds{100});
        const int x = static_cast<int>(id) % 50;
        world.engine->submit(light, world.request(id, {x, 1}, {x + 9, 2}));
        // One turn of the heavy client at most goes first.
        for (std::uint64_t n = 0; n <= 4096 / 64 && light_sink->count() < id; ++n) {
            world.slice();
        }
        ASSERT_EQ(light_sink->outcome_of(id), Outcome::kComplete);
    }
    EXPECT_LT(heavy_sink->count(), 100U) << "the heavy client still has work";
}

// If this failed, an urgent order would wait behind a flood of errands (K9#93).
TEST(Jobs, K9_93_AnUrgentRequestIsServedNext) {
    const EngineWorld world;
    const auto sink = make_sink();
    const model::ClientId client = world.connect(sink);
    for (int i = 1; i <= 100; ++i) {
        model::PathRequest request = world.long_request(static_cast<std::uint64_t>(i), i);
        request.priority = Priority::kLow;
        world.engine->submit(client, request);
    }
    model::PathRequest urgent = world.request(999, {1, 1}, {5, 1});
    urgent.priority = Priority::kUrgent;
    world.engine->submit(client, urgent);
    world.slice();
    EXPECT_EQ(sink->outcome_of(999), Outcome::kComplete);
    EXPECT_EQ(sink->count(), 1U);
}

// If this failed, suspended searches would take all memory, or block the short ones (law 5).
TEST(Jobs, SuspendedSearchesAreBoundedAndShortOnesPass) {
    for (const std::size_t longs : {2U, 3U, 4U, 20U}) {
        Config config = EngineWorld::pumped();
        config.suspended_max = 3;
        test::ManualClock* clock = nullptr;
        config.before_slice = [&](const model::PathQuery&) { clock->advance(milliseconds{1}); };
        EngineWorld world(config);
        clock = &world.clock;
        const auto sink = make_sink();
        const model::ClientId client = world.connect(sink);
        for (std::size_t i = 1; i <= longs; ++i) {
            world.engine->submit(client, world.long_request(i, static_cast<int>(i)));
        }
        std::size_t most = 0;
        for (int n = 0; n < 40; ++n) {
            world.slice();
            most = std::max(most, world.engine->stats().suspended);
        }
        EXPECT_EQ(most, std::min<std::size_t>(longs, 3));
        world.engine->submit(client, world.request(999, {1, 1}, {5, 1}));
        world.slice();
        EXPECT_EQ(sink->outcome_of(999), Outcome::kComplete) << longs;
        world.run_all();
        EXPECT_EQ(sink->count(), longs + 1);
    }
}

// If this failed, edits during long searches would pile up snapshots, or lose the searches (law 5).
TEST(Jobs, OldSnapshotsAreBoundedAndTheirJobsFinish) {
    Config config = EngineWorld::pumped();
    config.snapshots_per_map_max = 3;
    EngineWorld world(config);
    const auto sink = make_sink();
    const model::ClientId client = world.connect(sink);
    std::vector<std::weak_ptr<const map::Snapshot>> snapshots;
    for (int i = 1; i <= 10; ++i) {
        world.engine->submit(client, world.long_request(static_cast<std::uint64_t>(i), i));
        world.slice();
        world.clock.advance(milliseconds{1});
        world.edit({i, 62, 1, 1}, '@');
        snapshots.push_back(world.engine->snapshot(world.map));
        const auto alive = std::ranges::count_if(
            snapshots, [](const auto& snapshot) { return !snapshot.expired(); });
        EXPECT_LE(alive, 3) << i;
    }
    EXPECT_GT(world.engine->stats().restarts, 0U);
    // Under endless edits too, each search finishes in the end.
    for (int i = 0; sink->count() < 10 && i < 5000; ++i) {
        world.slice();
        world.edit({20, 20, 1, 1}, (i & 1) != 0 ? '@' : '.');
    }
    EXPECT_EQ(sink->count(), 10U);
    for (std::uint64_t id = 1; id <= 10; ++id) {
        EXPECT_EQ(sink->outcome_of(id), Outcome::kComplete);
    }
}

// If this failed, movement classes that clients register would pile up snapshots (law 5).
TEST(Jobs, ANewClassKeepsTheBoundOfSnapshotsToo) {
    Config config = EngineWorld::pumped();
    config.snapshots_per_map_max = 2;
    const EngineWorld world(config);
    const auto sink = make_sink();
    const model::ClientId client = world.connect(sink);
    world.engine->submit(client, world.long_request(1, 1));
    world.slice();
    const std::weak_ptr<const map::Snapshot> first = world.engine->snapshot(world.map);
    model::MovementClass newcomer = model::ground_class();
    for (std::uint64_t id = 2; id <= 4; ++id) {
        newcomer.name = std::to_string(id);
        ASSERT_TRUE(world.engine->add_class(world.map, newcomer).has_value());
        world.engine->submit(client, world.long_request(id, static_cast<int>(id)));
        for (int i = 0; i < 4; ++i) {
            world.slice();
        }
    }
    EXPECT_FALSE(first.expired()) << "the eldest job keeps its own";
    EXPECT_GT(world.engine->stats().restarts, 0U);
    world.run_all();
    EXPECT_EQ(sink->count(), 4U);
}

// If this failed, one bad search would take the whole server down (K8#88).
TEST(Jobs, K8_88_AFaultInOneSearchIsInternalForItAlone) {
    Config config = EngineWorld::pumped();
    config.before_slice = [](const model::PathQuery& query) {
        if (query.start == model::Cell{0, 13}) {
            throw std::bad_alloc();
        }
    };
    const EngineWorld world(config);
    const auto sink = make_sink();
    const model::ClientId client = world.connect(sink);
    for (int i = 1; i <= 20; ++i) {
        world.engine->submit(client, world.long_request(static_cast<std::uint64_t>(i), i));
    }
    world.run_all();
    for (std::uint64_t id = 1; id <= 20; ++id) {
        if (id == 13) {
            EXPECT_EQ(sink->refusal_of(id), RefusalCode::kInternal);
        } else {
            EXPECT_EQ(sink->outcome_of(id), Outcome::kComplete);
        }
    }
}

// If this failed, a unit could not be given its next order when its path arrives (K8#90).
TEST(Jobs, K8_90_ASinkMayAskAgainFromItsCallback) {
    const EngineWorld world;
    const auto sink = make_sink();
    const model::ClientId client = world.connect(sink);
    sink->then = [&](const model::PathReply& reply) {
        if (reply.id.value < 20) {
            model::PathRequest next =
                world.long_request(reply.id.value + 1, static_cast<int>(reply.id.value) + 1);
            next.unit = {7};
            world.engine->submit(client, next);
            EXPECT_FALSE(world.engine->cancel(client, reply.id));
        }
    };
    model::PathRequest first = world.long_request(1, 1);
    first.unit = {7};
    world.engine->submit(client, first);
    world.run_all();
    EXPECT_EQ(sink->count(), 20U);
    EXPECT_EQ(world.engine->stats().superseded, 0U);
}

}  // namespace
}  // namespace outrider::engine
