// What the engine tells an operator of itself.

#include <gtest/gtest.h>

#include <numeric>

#include "outrider/engine/engine.hpp"
#include "support/engine_world.hpp"

namespace outrider::engine {
namespace {

using model::Outcome;
using model::RefusalCode;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using test::EngineWorld;
using test::make_sink;

// A world in which each slice takes 3 ms.
struct TimedWorld : EngineWorld {
    explicit TimedWorld(milliseconds slow = milliseconds(0)) : EngineWorld(config(slow, hand)) {
        hand = &clock;
    }
    static Config config(milliseconds slow, test::ManualClock*& hand) {
        Config config = pumped();
        config.slow_request = slow;
        config.before_slice = [&hand](const model::PathQuery&) { hand->advance(milliseconds(3)); };
        return config;
    }
    [[nodiscard]] TimesHistograms times(End end) const { return engine->metrics().times[end]; }

    test::ManualClock* hand{nullptr};
    std::shared_ptr<test::RecordingSink> sink = make_sink();
    model::ClientId client = connect(sink);
};

std::uint64_t sum_of(const Metrics& metrics) {
    std::uint64_t sum = 0;
    for (const auto& ends : metrics.requests) {
        sum = std::accumulate(ends.begin(), ends.end(), sum);
    }
    return sum;
}

// If this failed, a dashboard's percentiles would be off by a bucket.
TEST(Histogram, ABoundBelongsToItsBucket) {
    for (std::size_t bucket = 0; bucket < Histogram::kBounds; ++bucket) {
        Histogram histogram;
        histogram.add(Histogram::bound(bucket) - base::Duration(1));
        histogram.add(Histogram::bound(bucket));
        histogram.add(Histogram::bound(bucket) + base::Duration(1));
        EXPECT_EQ(histogram.buckets()[bucket], 2U) << bucket;
        EXPECT_EQ(histogram.buckets()[bucket + 1], 1U) << bucket;
    }
    Histogram ends;
    ends.add(base::Duration(0));
    ends.add(base::Duration(-5));
    ends.add(std::chrono::hours(1000));
    EXPECT_EQ(ends.buckets().front(), 2U);
    EXPECT_EQ(ends.buckets().back(), 1U);
    EXPECT_EQ(ends.count(), 3U);
    EXPECT_GE(ends.sum(), std::chrono::hours(1000));
}

// If this failed, an operator would blame the search for what the queue did, or the other way.
TEST(EngineMetrics, TimesArePartedIntoWaitAndSearch) {
    const TimedWorld world;
    world.engine->submit(world.client, world.request(1, {0, 0}, {9, 9}));
    world.hand->advance(milliseconds(5));
    world.run_all();
    const TimesHistograms times = world.times(end_of(Outcome::kComplete));
    EXPECT_EQ(times.wait.sum(), milliseconds(5));
    EXPECT_EQ(times.search.sum(), milliseconds(3));
    EXPECT_EQ(times.total.sum(), milliseconds(8));
    EXPECT_EQ(times.total.count(), 1U);
}

// If this failed, requests would be missing from the counters, or stand there twice.
TEST(EngineMetrics, EachRequestIsCountedOnceByKindAndEnd) {
    const TimedWorld world;
    const auto count = [&](RequestKind kind, End end) {
        return world.engine->metrics().requests[static_cast<std::size_t>(kind)][end];
    };
    world.engine->submit(world.client, world.request(1, {0, 0}, {9, 9}));
    world.engine->submit(world.client, world.request(2, {0, 0}, {9, 9}));  // joins
    world.engine->submit(world.client, world.request(3, {0, 0}, {99, 9}));
    world.engine->submit(world.client, world.long_request(4));
    EXPECT_TRUE(world.engine->cancel(world.client, {4}));
    model::PathRequest elsewhere = world.request(5, {0, 0}, {1, 1});
    elsewhere.map = {77};
    world.engine->submit(world.client, elsewhere);
    model::SurveyRequest connected;
    connected.id = {6};
    connected.map = world.map;
    connected.survey.query = model::ConnectedQuery{{0, 0}, {{5, 5, 1, 1}}, false};
    world.engine->submit(world.client, connected);
    model::SurveyRequest reach = connected;
    reach.id = {7};
    reach.survey.query = model::ReachQuery{{{4, 4}}, 100'000, false, false};
    world.engine->submit(world.client, reach);
    world.run_all();
    EXPECT_EQ(count(RequestKind::kPath, end_of(Outcome::kComplete)), 2U);
    EXPECT_EQ(count(RequestKind::kPath, end_of(RefusalCode::kOutOfBounds)), 1U);
    EXPECT_EQ(count(RequestKind::kPath, end_of(RefusalCode::kUnknownMap)), 1U);
    EXPECT_EQ(count(RequestKind::kPath, end_of(Outcome::kCancelled)), 1U);
    EXPECT_EQ(count(RequestKind::kConnected, end_of(Outcome::kComplete)), 1U);
    EXPECT_EQ(count(RequestKind::kReach, end_of(Outcome::kComplete)), 1U);
    const Metrics metrics = world.engine->metrics();
    const Stats stats = world.engine->stats();
    EXPECT_EQ(sum_of(metrics), 7U);
    EXPECT_EQ(stats.answered, 5U);
    EXPECT_EQ(stats.refused, 2U);
    ASSERT_EQ(metrics.maps.size(), 1U);
    EXPECT_EQ(metrics.maps[0].requests, 6U) << "not that of the map that is not there";
    EXPECT_EQ(metrics.maps[0].expansions, stats.expansions);
    EXPECT_EQ(metrics.times[end_of(Outcome::kComplete)].total.count(), 3U)
        << "those that were searched for";
}

// Fault kind K2#16. If this failed, an operator could not see that a client asks for the
// impossible again and again.
TEST(EngineMetrics, K2_16_AFailingPathAskedAgainIsSeenAndCostsNoSearch) {
    const TimedWorld world;
    (void)world.edit({10, 10, 3, 3}, '@');
    (void)world.edit({11, 11, 1, 1}, '.');
    const auto ask = [&](std::uint64_t id, bool partial) {
        model::PathRequest request = world.request(id, {0, 0}, {11, 11});
        request.query.allow_partial = partial;
        world.engine->submit(world.client, request);
        world.run_all();
    };
    const auto hits = [&] { return world.engine->stats().negative_cache_hits; };
    ask(1, true);
    EXPECT_EQ(world.sink->outcome_of(1), Outcome::kPartial);
    EXPECT_EQ(hits(), 0U) << "it was searched for";
    const std::uint64_t expansions = world.engine->stats().expansions;
    for (std::uint64_t id = 2; id < 102; ++id) {
        ask(id, true);
        EXPECT_EQ(hits(), id - 1);
    }
    for (std::uint64_t id = 102; id < 202; ++id) {
        ask(id, false);
        EXPECT_EQ(world.sink->outcome_of(id), Outcome::kUnreachable);
        EXPECT_EQ(hits(), id - 1);
    }
    EXPECT_EQ(world.engine->stats().expansions, expansions);
    world.engine->submit(world.client, world.request(300, {0, 0}, {9, 9}));
    world.run_all();
    world.engine->submit(world.client, world.request(301, {0, 0}, {9, 9}));
    EXPECT_EQ(hits(), 200U) << "a path that is there is no negative answer";
}

// If this failed, a queue that grows would look empty, or of the wrong priority.
TEST(EngineMetrics, QueueDepthIsToldByPriority) {
    const TimedWorld world;
    using Depths = std::array<std::size_t, model::kPriorityCount>;
    const auto ask = [&](std::uint64_t id, model::Priority priority) {
        model::PathRequest request = world.long_request(id, static_cast<int>(id));
        request.priority = priority;
        world.engine->submit(world.client, request);
    };
    EXPECT_EQ(world.engine->metrics().queued, (Depths{0, 0, 0, 0}));
    ask(1, model::Priority::kLow);
    ask(2, model::Priority::kUrgent);
    ask(3, model::Priority::kUrgent);
    EXPECT_EQ(world.engine->metrics().queued, (Depths{1, 0, 0, 2}));
    model::PathRequest joined = world.long_request(4, 1);
    joined.priority = model::Priority::kHigh;
    world.engine->submit(world.client, joined);
    EXPECT_EQ(world.engine->metrics().queued, (Depths{0, 0, 1, 2})) << "lifts the job it joins";
    world.slice();
    EXPECT_EQ(world.engine->metrics().queued, (Depths{0, 0, 1, 2})) << "a begun one waits again";
    EXPECT_TRUE(world.engine->cancel(world.client, {2}));
    world.run_all();
    EXPECT_EQ(world.engine->metrics().queued, (Depths{0, 0, 0, 0}));
}

// If this failed, one map's trouble would be looked for in another.
TEST(EngineMetrics, MapsAreToldApart) {
    const TimedWorld world;
    const model::MapId other = world.add_map("other", test::open_grid(16, 16));
    (void)world.edit({1, 1, 1, 1}, '@');
    (void)world.edit({2, 1, 1, 1}, '@');
    EXPECT_TRUE(world.engine->watch(world.client, world.map).has_value());
    model::PathRequest followed = world.request(1, {0, 0}, {9, 9});
    followed.map = other;
    followed.follow = model::FollowOptions{};
    world.engine->submit(world.client, followed);
    world.run_all();
    const auto held = world.engine->snapshot(world.map);
    (void)world.edit({3, 1, 1, 1}, '@');
    const Metrics metrics = world.engine->metrics();
    ASSERT_EQ(metrics.maps.size(), 2U);
    EXPECT_EQ(metrics.maps[0].name, "map");
    EXPECT_EQ(metrics.maps[0].edits, 3U);
    EXPECT_EQ(metrics.maps[0].version, 4U);
    EXPECT_EQ(metrics.maps[0].watchers, 1U);
    EXPECT_EQ(metrics.maps[0].follows, 0U);
    EXPECT_EQ(metrics.maps[0].snapshots, 2U);
    EXPECT_EQ(metrics.maps[0].requests, 0U);
    EXPECT_EQ(metrics.maps[1].edits, 0U);
    EXPECT_EQ(metrics.maps[1].follows, 1U);
    EXPECT_EQ(metrics.maps[1].requests, 1U);
    EXPECT_EQ(metrics.maps[1].snapshots, 1U);
    EXPECT_EQ(metrics.edit_times.count(), 3U);
    EXPECT_EQ(world.engine->stats().edits, 3U);
}

// If this failed, the log would tell of quick requests, or be silent on slow ones.
TEST(EngineSlow, TheBoundItselfIsSlow) {
    for (const milliseconds waits : {milliseconds(6), milliseconds(7), milliseconds(8)}) {
        const TimedWorld world(milliseconds(10));
        world.engine->submit(world.client, world.request(1, {0, 0}, {9, 9}));
        world.hand->advance(waits);
        world.run_all();
        EXPECT_EQ(world.sink->slow().size(), waits + milliseconds(3) < milliseconds(10) ? 0U : 1U)
            << waits.count();
        EXPECT_EQ(world.sink->count(), 1U);
    }
    const TimedWorld off(milliseconds(0));
    off.engine->submit(off.client, off.request(1, {0, 0}, {9, 9}));
    off.hand->advance(std::chrono::hours(1));
    off.run_all();
    EXPECT_TRUE(off.sink->slow().empty());
}

// If this failed, the log would not say why a request was slow.
TEST(EngineSlow, TheStoryIsWhole) {
    const TimedWorld world(milliseconds(10));
    model::PathRequest request = world.long_request(41, 7);
    request.priority = model::Priority::kHigh;
    world.engine->submit(world.client, request);
    world.hand->advance(milliseconds(50));
    world.slice();
    request.id = {42};
    world.engine->submit(world.client, request);
    world.run_all();
    const auto stories = world.sink->slow();
    ASSERT_EQ(stories.size(), 2U);
    const bool first_is_41 = stories[0].id == model::RequestId{41};
    const SlowRequest& searched = stories[first_is_41 ? 0 : 1];
    const SlowRequest& joined = stories[first_is_41 ? 1 : 0];
    const Stats stats = world.engine->stats();
    EXPECT_EQ(searched.kind, RequestKind::kPath);
    EXPECT_EQ(searched.end, end_of(Outcome::kComplete));
    EXPECT_EQ(searched.priority, model::Priority::kHigh);
    EXPECT_EQ(searched.map, world.map);
    EXPECT_EQ(searched.from, (model::Cell{0, 7}));
    EXPECT_EQ(searched.to, (model::Rect{63, 63, 1, 1}));
    EXPECT_EQ(searched.version, 1U);
    EXPECT_EQ(searched.slices, stats.slices);
    EXPECT_EQ(searched.expansions, stats.expansions);
    EXPECT_GT(searched.slices, 10U);
    EXPECT_EQ(searched.times.wait, milliseconds(50));
    EXPECT_EQ(searched.times.search, milliseconds(3) * searched.slices);
    EXPECT_EQ(searched.times.total, searched.times.wait + searched.times.search);
    EXPECT_TRUE(searched.looked_up);
    EXPECT_FALSE(searched.joined);
    EXPECT_TRUE(joined.looked_up);
    EXPECT_TRUE(joined.joined);
    EXPECT_EQ(joined.id, (model::RequestId{42}));
    EXPECT_EQ(joined.times.wait, milliseconds(0)) << "its search was under way";
    EXPECT_EQ(joined.times.total, milliseconds(3) * (searched.slices - 1));
    EXPECT_LE(joined.times.search, joined.times.total);
}

// If this failed, a request that edits kept throwing back would look as if its search were slow.
TEST(EngineSlow, RestartsAreTold) {
    Config config = EngineWorld::pumped();
    config.snapshots_per_map_max = 2;
    config.slow_request = milliseconds(1);
    EngineWorld world(config);
    const auto sink = make_sink();
    const model::ClientId client = world.connect(sink);
    // The eldest keeps its snapshot; the second does not.
    world.engine->submit(client, world.long_request(1, 1));
    world.slice();
    (void)world.edit({40, 1, 1, 1}, '@');
    world.engine->submit(client, world.long_request(2, 2));
    for (int i = 0; i < 4; ++i) {
        world.slice();
    }
    (void)world.edit({41, 1, 1, 1}, '@');
    (void)world.edit({42, 1, 1, 1}, '@');
    EXPECT_TRUE(world.engine->cancel(client, {1}));
    world.clock.advance(milliseconds(5));
    world.run_all();
    ASSERT_GE(world.engine->stats().restarts, 1U);
    const auto stories = sink->slow();
    ASSERT_EQ(stories.size(), 1U);
    EXPECT_EQ(stories[0].id, (model::RequestId{2}));
    EXPECT_EQ(stories[0].restarts, world.engine->stats().restarts);
    EXPECT_EQ(stories[0].version, 4U);
}

}  // namespace
}  // namespace outrider::engine
