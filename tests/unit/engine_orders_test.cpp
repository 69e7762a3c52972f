#include <gtest/gtest.h>

#include <vector>

#include "outrider/engine/engine.hpp"
#include "support/engine_world.hpp"

namespace outrider::engine {
namespace {

using model::Outcome;
using test::EngineWorld;
using test::make_sink;

// If this failed, a unit would follow an order that was already replaced (K4#51).
TEST(Orders, K4_51_ANewOrderSupersedesTheUnitsOlderOne) {
    const EngineWorld world;
    const auto sink = make_sink();
    const auto other = make_sink();
    const model::ClientId client = world.connect(sink);
    const auto order = [&](std::uint64_t id, std::uint64_t unit, int variant) {
        model::PathRequest request = world.long_request(id, variant);
        request.unit = {unit};
        return request;
    };
    world.engine->submit(client, order(1, 7, 1));
    world.engine->submit(client, order(2, 8, 2));
    world.engine->submit(client, order(3, 0, 3));
    world.engine->submit(client, order(4, 0, 4));
    world.engine->submit(world.connect(other), order(5, 7, 5));
    world.slice();
    world.engine->submit(client, order(6, 7, 6));
    EXPECT_EQ(sink->outcome_of(1), Outcome::kSuperseded);
    model::PathRequest at_once = world.request(9, {3, 3}, {3, 3});
    at_once.unit = {8};
    world.engine->submit(client, at_once);
    EXPECT_EQ(sink->outcome_of(2), Outcome::kSuperseded);
    world.run_all();
    EXPECT_EQ(sink->count(), 6U);
    EXPECT_EQ(world.engine->stats().superseded, 2U);
    EXPECT_EQ(other->outcome_of(5), Outcome::kComplete);
}

// If this failed, a unit that says the same at every tick would begin its search anew at each, and
// never get a path.
TEST(Orders, ARepeatedOrderGoesOnWhereTheFirstOneStood) {
    const EngineWorld once;
    const auto sink_once = make_sink();
    once.engine->submit(once.connect(sink_once), once.long_request(1));
    once.run_all();
    const model::PathResult expected = sink_once->result_of(1);

    const EngineWorld world;
    const auto sink = make_sink();
    const model::ClientId client = world.connect(sink);
    std::uint64_t last = 0;
    do {
        model::PathRequest order = world.long_request(++last);
        order.unit = {7};
        world.engine->submit(client, order);
        world.slice();
    } while (sink->replies_to(last) == 0 && last < 1000);
    const model::PathResult result = sink->result_of(last);
    EXPECT_EQ(result.outcome, Outcome::kComplete);
    EXPECT_EQ(result.turning_points, expected.turning_points);
    EXPECT_EQ(result.expansions, expected.expansions);
    EXPECT_EQ(world.engine->stats().expansions, once.engine->stats().expansions);
    EXPECT_EQ(sink->count(), last);
    EXPECT_EQ(world.engine->stats().superseded, last - 1);
    EXPECT_GT(last, 10U);
}

// If this failed, a unit that repeats its order would fall behind the equal ones at every word.
TEST(Orders, ARepeatedOrderKeepsItsPlaceAmongEquals) {
    const EngineWorld world;
    const auto sink = make_sink();
    const model::ClientId client = world.connect(sink);
    model::PathRequest order = world.long_request(1);
    order.unit = {7};
    world.engine->submit(client, order);
    world.engine->submit(client, world.long_request(2, 1));
    order.id = {3};
    world.engine->submit(client, order);
    std::vector<std::uint64_t> answered;
    sink->then = [&](const model::PathReply& reply) { answered.push_back(reply.id.value); };
    world.run_all();
    EXPECT_EQ(answered, (std::vector<std::uint64_t>{3, 2}));
}

// If this failed, an order repeated after an edit would be answered for the map as it was (law 2),
// or a full client could not repeat its orders.
TEST(Orders, ARepeatedOrderAfterAnEditSeesTheEdit) {
    engine::Config config = EngineWorld::pumped();
    config.requests_per_client_max = 1;
    const EngineWorld world(config);
    const auto sink = make_sink();
    const model::ClientId client = world.connect(sink);
    model::PathRequest order = world.long_request(1);
    order.unit = {7};
    world.engine->submit(client, order);
    world.slice();
    const model::Version version = world.edit({30, 0, 1, 60}, '@');
    order.id = {2};
    world.engine->submit(client, order);
    world.run_all();
    EXPECT_EQ(sink->outcome_of(1), Outcome::kSuperseded);
    EXPECT_EQ(sink->outcome_of(2), Outcome::kComplete);
    EXPECT_EQ(sink->reply_to(2).body->version, version);
}

// If this failed, a refused order would still stop the unit's good one.
TEST(Orders, ARefusedOrderSupersedesNothing) {
    const EngineWorld world;
    const auto sink = make_sink();
    const model::ClientId client = world.connect(sink);
    model::PathRequest good = world.long_request(1);
    good.unit = {7};
    world.engine->submit(client, good);
    world.engine->submit(client, good);
    model::PathRequest bad = world.request(2, {0, 0}, {99, 0});
    bad.unit = {7};
    world.engine->submit(client, bad);
    world.run_all();
    EXPECT_EQ(sink->count(), 3U);
    EXPECT_EQ(world.engine->stats().superseded, 0U);
}

}  // namespace
}  // namespace outrider::engine
