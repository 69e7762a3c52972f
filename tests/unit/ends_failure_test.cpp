// The end of a map, or of a client, where memory runs out amid it.

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "support/counting_sink.hpp"
#include "support/engine_world.hpp"
#include "support/failing_memory.hpp"

namespace outrider::engine {
namespace {

using test::CountingSink;
using test::EngineWorld;

struct Busy : EngineWorld {
    explicit Busy() : EngineWorld(config()) {
        follow(1);
        run_all();
        edit({0, 20, 8, 1}, '@');
        slice();  // its replan has begun
        engine->submit(client, long_request(2, 1));
        slice();  // begun
        engine->submit(client, long_request(3, 2));
        engine->submit(client, long_request(4, 2));  // joins
        engine->submit(other, long_request(5, 2));   // joins, of another client
        model::PathRequest timed = long_request(6, 3);
        timed.deadline = clock.now() + std::chrono::hours(1);
        timed.priority = model::Priority::kHigh;
        engine->submit(other, timed);
        follow(7);  // has not begun
        model::SurveyRequest survey;
        survey.id = {8};
        survey.map = map;
        survey.survey.query =
            model::ReachQuery{.starts = {{0, 0}}, .cost_max = 1'000'000, .costs = true};
        engine->submit(other, survey);
        EXPECT_TRUE(engine->watch(other, map).has_value());
        clock.advance(std::chrono::seconds(1));  // all of them are slow, and told of
    }
    static Config config() {
        Config config = pumped();
        config.slow_request = std::chrono::milliseconds(1);
        return config;
    }
    void follow(std::uint64_t id) const {
        model::PathRequest asked = request(id, {0, 0}, {static_cast<std::int32_t>(id), 40});
        asked.unit = {id};
        asked.query.algorithm = model::Algorithm::kDijkstra;
        asked.follow.emplace();
        engine->submit(client, asked);
    }

    std::shared_ptr<CountingSink> sink = std::make_shared<CountingSink>();
    model::ClientId client = engine->connect(sink).value();
    model::ClientId other = engine->connect(sink).value();
};

// Fault kind: want of memory. If this failed, a map that is dropped in a moment without memory
// would leave orders that are never answered, or answered twice, units that are followed for ever,
// and watchers that wait for edits of a map that is gone.
TEST(EndsFailure, EachAllocationOfAMapsEndMayFail) {
    bool failed = true;
    std::int64_t n = 0;
    while (failed) {
        ++n;
        Busy world;
        test::fails_in = n;
        const bool dropped = world.engine->drop_map(world.map).has_value();
        failed = test::fails_in.exchange(0) == 0;
        EXPECT_TRUE(dropped);
        EXPECT_EQ(world.engine->find_map("map"), std::nullopt);
        for (std::size_t id = 1; id <= 8; ++id) {
            EXPECT_EQ(world.sink->replies.at(id), 1) << id << " at allocation " << n;
        }
        EXPECT_EQ(world.sink->refused, 6) << "all paths but the first, at allocation " << n;
        EXPECT_EQ(world.sink->ends, 1) << "at allocation " << n;
        EXPECT_EQ(world.sink->drops, 1) << "at allocation " << n;
        world.run_all();
        EXPECT_TRUE(world.engine->drained()) << "at allocation " << n;
        const Stats stats = world.engine->stats();
        EXPECT_EQ(stats.submitted, stats.answered + stats.refused) << "at allocation " << n;
        EXPECT_EQ(stats.map_bytes, 0U) << "somebody holds the map, at allocation " << n;
        if (HasFailure()) {
            return;
        }
    }
    EXPECT_GT(n, 20) << "so many it takes";
}

// Fault kind: want of memory. If this failed, a client that goes in a moment without memory would
// hold its place, and what it asked for its workers, until the server is started again; or an order
// of another client that joined its search would never be answered.
TEST(EndsFailure, EachAllocationOfAClientsEndMayFail) {
    bool failed = true;
    std::int64_t n = 0;
    while (failed) {
        ++n;
        Busy world;
        EXPECT_TRUE(world.engine->watch(world.client, world.map).has_value());
        test::fails_in = n;
        world.engine->disconnect(world.client);
        failed = test::fails_in.exchange(0) == 0;
        const Stats stats = world.engine->stats();
        EXPECT_EQ(stats.clients, 1U) << "at allocation " << n;
        EXPECT_EQ(stats.follows, 0U) << "at allocation " << n;
        EXPECT_EQ(stats.dropped_by_disconnect, 4U) << "at allocation " << n;
        world.run_all();
        EXPECT_TRUE(world.engine->drained()) << "at allocation " << n;
        for (const std::size_t id : {5U, 6U, 8U}) {
            EXPECT_EQ(world.sink->replies.at(id), 1) << id << " at allocation " << n;
        }
        EXPECT_EQ(world.sink->refused, 0) << "at allocation " << n;
        world.edit({9, 9, 1, 1}, '@');
        EXPECT_EQ(world.sink->edits, 1) << "the watcher that is left, at allocation " << n;
        if (HasFailure()) {
            return;
        }
    }
    EXPECT_GT(n, 3) << "so many it takes";
}

}  // namespace
}  // namespace outrider::engine
