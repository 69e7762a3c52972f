#include <gtest/gtest.h>

#include "outrider/engine/engine.hpp"
#include "support/engine_world.hpp"

namespace outrider::engine {
namespace {

using model::Outcome;
using model::RefusalCode;
using test::EngineWorld;
using test::make_sink;

// If this failed, a typing slip in a request would end in silence or in a wrong path.
TEST(Admission, RefusesWhatIsWrongWithTheRequest) {
    const EngineWorld world;
    const auto sink = make_sink();
    const model::ClientId client = world.connect(sink);
    model::PathRequest request = world.request(1, {0, 0}, {5, 5});
    request.map = {99};
    world.engine->submit(client, request);
    request = world.request(2, {0, 0}, {5, 5});
    request.query.movement_class = {7};
    world.engine->submit(client, request);
    world.engine->submit(client, world.request(3, {-1, 0}, {5, 5}));
    request = world.request(4, {0, 0}, {5, 5});
    request.priority = static_cast<model::Priority>(4);
    world.engine->submit(client, request);
    EXPECT_EQ(sink->refusal_of(1), RefusalCode::kUnknownMap);
    EXPECT_EQ(sink->refusal_of(2), RefusalCode::kUnknownClass);
    EXPECT_EQ(sink->refusal_of(3), RefusalCode::kOutOfBounds);
    EXPECT_EQ(sink->refusal_of(4), RefusalCode::kInvalidArgument);
    EXPECT_EQ(sink->reply_to(4).body.error().field, "priority");
    EXPECT_EQ(world.engine->stats().refused, 4U);
    EXPECT_FALSE(world.engine->run_for(std::chrono::microseconds{0}));
}

// If this failed, hopeless units would cost searches, or wait for their turn to hear "no" (K2).
TEST(Admission, AnswersAtOnceWhatNeedsNoSearch) {
    const EngineWorld world(EngineWorld::pumped(), test::grid_of({"..@..",  //
                                                                  "..@.@"}));
    const auto sink = make_sink();
    const model::ClientId client = world.connect(sink);
    world.engine->submit(client, world.request(1, {0, 0}, {3, 0}));
    world.engine->submit(client, world.request(2, {2, 0}, {3, 0}));
    world.engine->submit(client, world.request(3, {0, 0}, {4, 1}));
    world.engine->submit(client, world.request(4, {1, 1}, {1, 1}));
    EXPECT_EQ(sink->outcome_of(1), Outcome::kUnreachable);
    EXPECT_EQ(sink->outcome_of(2), Outcome::kStartBlocked);
    EXPECT_EQ(sink->outcome_of(3), Outcome::kGoalBlocked);
    EXPECT_EQ(sink->outcome_of(4), Outcome::kComplete);
    const Stats stats = world.engine->stats();
    EXPECT_EQ(stats.verdicts, 4U);
    EXPECT_EQ(stats.slices, 0U);
}

// If this failed, the same question would be searched again and again, or answered differently from
// the cache (law 4).
TEST(Admission, TheCacheGivesTheSameAnswerWithoutASearch) {
    const EngineWorld world;
    const auto sink = make_sink();
    const model::ClientId client = world.connect(sink);
    world.engine->submit(client, world.long_request(1));
    world.run_all();
    const std::uint64_t slices = world.engine->stats().slices;
    world.engine->submit(client, world.long_request(2));
    EXPECT_EQ(sink->result_of(2), sink->result_of(1));
    EXPECT_EQ(world.engine->stats().slices, slices);
    EXPECT_EQ(world.engine->stats().cache_hits, 1U);
    world.edit({10, 10, 1, 1}, '@');
    world.engine->submit(client, world.long_request(3));
    EXPECT_EQ(sink->replies_to(3), 0U);
    world.run_all();
    EXPECT_EQ(sink->reply_to(3).body->version, 2U);
}

// If this failed, one player's previews would change another's paths (K5#55, #56).
TEST(Admission, K5_55_56_WarmCachesAndPreviewsChangeNoAnswer) {
    const map::Grid grid = test::grid_of({"........",  //
                                          "..@@@@..",  //
                                          "..@..@..",  //
                                          "........"});
    const EngineWorld cold(EngineWorld::pumped(), grid);
    const EngineWorld warm(EngineWorld::pumped(), grid);
    const auto preview_sink = make_sink();
    const model::ClientId preview = warm.connect(preview_sink);
    const auto cold_sink = make_sink();
    const auto warm_sink = make_sink();
    const model::ClientId cold_client = cold.connect(cold_sink);
    const model::ClientId warm_client = warm.connect(warm_sink);
    for (std::uint64_t id = 1; id <= 64; ++id) {
        const model::Cell start{static_cast<std::int32_t>(id % 8), 0};
        const model::Cell goal{static_cast<std::int32_t>(id / 8 % 8), 3};
        warm.engine->submit(preview, warm.request(id, start, goal));
        if (id % 3 == 0) {
            warm.run_all();
        }
        warm.engine->submit(warm_client, warm.request(id, start, goal));
        cold.engine->submit(cold_client, cold.request(id, start, goal));
    }
    warm.run_all();
    cold.run_all();
    for (std::uint64_t id = 1; id <= 64; ++id) {
        EXPECT_EQ(warm_sink->result_of(id), cold_sink->result_of(id));
    }
}

// If this failed, a request could buy more search than the operator allows (K9#100).
TEST(Admission, K9_100_TheCapOnExpansionsCanOnlyBeLowered) {
    Config config = EngineWorld::pumped();
    config.expansions_max = 100;
    const EngineWorld world(config);
    const auto sink = make_sink();
    const model::ClientId client = world.connect(sink);
    std::uint64_t id = 0;
    for (const std::uint64_t asked : {0U, 99U, 100U, 101U, 1'000'000U}) {
        model::PathRequest request = world.long_request(++id);
        request.query.expansions_max = asked;
        world.engine->submit(client, request);
        world.run_all();
        EXPECT_EQ(sink->outcome_of(id), Outcome::kBudget) << asked;
        EXPECT_LE(sink->result_of(id).expansions, asked == 99 ? 99U : 100U);
    }
    // 0, 100, 101 and a million are one question.
    EXPECT_EQ(world.engine->stats().cache_hits, 3U);
}

// If this failed, a full queue would drop orders without a word (K9#91).
TEST(Admission, K9_91_AFullQueueRefusesAndLosesNothing) {
    Config config = EngineWorld::pumped();
    config.requests_max = 8;
    const EngineWorld world(config);
    const auto sink = make_sink();
    const model::ClientId client = world.connect(sink);
    for (int i = 1; i <= 20; ++i) {
        world.engine->submit(client, world.long_request(static_cast<std::uint64_t>(i), i));
    }
    EXPECT_EQ(sink->count(), 12U);
    world.run_all();
    for (std::uint64_t id = 1; id <= 20; ++id) {
        if (id <= 8) {
            EXPECT_EQ(sink->outcome_of(id), Outcome::kComplete);
        } else {
            EXPECT_EQ(sink->refusal_of(id), RefusalCode::kOverloaded);
            EXPECT_EQ(sink->reply_to(id).body.error().retry_after, config.retry_after);
        }
    }
    world.engine->submit(client, world.long_request(21, 21));
    world.run_all();
    EXPECT_EQ(sink->outcome_of(21), Outcome::kComplete);
}

// If this failed, a request believed to be inside the limits would be refused (K9#105).
TEST(Admission, K9_105_EachBoundOneBelowAtAndOneAbove) {
    Config config = EngineWorld::pumped();
    config.requests_max = 6;
    config.requests_per_client_max = 4;
    config.clients_max = 2;
    const EngineWorld world(config);
    const auto sink_a = make_sink();
    const auto sink_b = make_sink();
    const model::ClientId a = world.connect(sink_a);
    const model::ClientId b = world.connect(sink_b);
    const auto third = world.engine->connect(make_sink());
    ASSERT_FALSE(third.has_value());
    EXPECT_EQ(third.error().code, RefusalCode::kOverloaded);
    for (int i = 1; i <= 5; ++i) {
        world.engine->submit(a, world.long_request(static_cast<std::uint64_t>(i), i));
        EXPECT_EQ(sink_a->count(), i <= 4 ? 0U : 1U) << i;
    }
    for (int i = 11; i <= 13; ++i) {
        world.engine->submit(b, world.long_request(static_cast<std::uint64_t>(i), i));
        EXPECT_EQ(sink_b->count(), i <= 12 ? 0U : 1U) << i;
    }
    EXPECT_EQ(sink_a->refusal_of(5), RefusalCode::kOverloaded);
    EXPECT_EQ(sink_b->refusal_of(13), RefusalCode::kOverloaded);
    world.engine->disconnect(b);
    EXPECT_TRUE(world.engine->connect(make_sink()).has_value());
}

// If this failed, a bound of nought would make an engine that never answers.
TEST(Admission, CreateRefusesBoundsThatCannotWork) {
    const test::ManualClock clock;
    const auto refuses = [&clock](auto change) {
        Config config;
        change(config);
        return !Engine::create(config, clock).has_value();
    };
    EXPECT_FALSE(refuses([](Config& config) { config.workers = 0; }));
    EXPECT_TRUE(refuses([](Config& config) { config.requests_max = 0; }));
    EXPECT_TRUE(refuses([](Config& config) { config.requests_per_client_max = 0; }));
    EXPECT_TRUE(refuses([](Config& config) { config.clients_max = 0; }));
    EXPECT_TRUE(refuses([](Config& config) { config.suspended_max = 0; }));
    EXPECT_TRUE(refuses([](Config& config) { config.snapshots_per_map_max = 1; }));
    EXPECT_FALSE(refuses([](Config& config) { config.snapshots_per_map_max = 2; }));
    EXPECT_TRUE(refuses([](Config& config) { config.expansions_per_slice = 0; }));
    EXPECT_TRUE(refuses([](Config& config) { config.expansions_max = 0; }));
    EXPECT_TRUE(refuses([](Config& config) { config.ageing_step = {}; }));
    EXPECT_TRUE(
        refuses([](Config& config) { config.ageing_step = std::chrono::milliseconds(-1); }));
}

// If this failed, a client would not know which of two requests a reply belongs to.
TEST(Admission, AnIdInFlightIsRefusedAndFreeAfterwards) {
    const EngineWorld world;
    const auto sink = make_sink();
    const auto other_sink = make_sink();
    const model::ClientId client = world.connect(sink);
    world.engine->submit(client, world.long_request(1, 1));
    world.engine->submit(client, world.long_request(1, 2));
    ASSERT_EQ(sink->count(), 1U);
    EXPECT_EQ(sink->replies().front().body.error().field, "request_id");
    world.engine->submit(world.connect(other_sink), world.long_request(1, 2));
    world.run_all();
    EXPECT_EQ(other_sink->outcome_of(1), Outcome::kComplete);
    EXPECT_EQ(sink->count(), 2U);
    world.engine->submit(client, world.long_request(1, 3));
    world.run_all();
    EXPECT_EQ(sink->count(), 3U);
}

// If this failed, a hundred units with one order would cost a hundred searches.
TEST(Admission, JoinsAnIdenticalRequestInFlight) {
    const EngineWorld world;
    const auto sink_a = make_sink();
    const auto sink_b = make_sink();
    world.engine->submit(world.connect(sink_a), world.long_request(1));
    world.slice();
    const model::ClientId b = world.connect(sink_b);
    for (std::uint64_t id = 1; id <= 100; ++id) {
        world.engine->submit(b, world.long_request(id));
    }
    EXPECT_EQ(world.engine->stats().joined, 100U);
    world.run_all();
    EXPECT_EQ(sink_b->count(), 100U);
    EXPECT_EQ(sink_b->reply_to(50).body->result, sink_a->reply_to(1).body->result);
    EXPECT_EQ(world.engine->stats().expansions, sink_a->result_of(1).expansions);
}

// If this failed, a unit would walk through a wall that was acknowledged before it asked (law 2).
TEST(Admission, DoesNotJoinASearchOnAnOlderVersion) {
    const EngineWorld world;
    const auto sink = make_sink();
    const model::ClientId client = world.connect(sink);
    world.engine->submit(client, world.long_request(1));
    world.slice();
    world.edit({1, 0, 1, 63}, '@');
    world.engine->submit(client, world.long_request(2));
    world.engine->submit(client, world.long_request(3));
    EXPECT_EQ(world.engine->stats().joined, 1U);
    world.run_all();
    EXPECT_EQ(sink->reply_to(1).body->version, 1U);
    EXPECT_EQ(sink->reply_to(2).body->version, 2U);
    EXPECT_EQ(sink->reply_to(3).body->version, 2U);
    EXPECT_NE(sink->result_of(1).path_hash, sink->result_of(2).path_hash);
}

// If this failed, a search that waits unstarted would be done on a map that is gone.
TEST(Admission, AnUnstartedJobTakesTheNewestSnapshot) {
    const EngineWorld world;
    const auto sink = make_sink();
    const model::ClientId client = world.connect(sink);
    world.engine->submit(client, world.long_request(1));
    world.edit({1, 0, 1, 63}, '@');
    world.engine->submit(client, world.long_request(2));
    EXPECT_EQ(world.engine->stats().joined, 1U);
    world.edit({1, 0, 1, 64}, '@');
    world.run_all();
    EXPECT_EQ(sink->reply_to(1).body->version, 3U);
    EXPECT_EQ(sink->outcome_of(2), Outcome::kUnreachable);
}

// If this failed, an asker could not tell by the reply what it had asked for under that id.
TEST(Admission, TheMarkComesBackInEveryKindOfReply) {
    const EngineWorld world;
    const auto sink = make_sink();
    const model::ClientId client = world.connect(sink);
    const auto ask = [&](model::PathRequest request, std::uint8_t mark) {
        request.mark = mark;
        world.engine->submit(client, request);
    };
    ask(world.long_request(1), 11);
    ask(world.long_request(1), 12);
    EXPECT_EQ(sink->reply_to(1).mark, 12);
    ask(world.request(2, {0, 0}, {99, 0}), 21);
    ask(world.request(3, {3, 3}, {3, 3}), 31);
    ask(world.long_request(4), 41);
    EXPECT_TRUE(world.engine->cancel(client, {4}));
    world.run_all();
    const std::vector<model::PathReply> replies = sink->replies();
    ASSERT_EQ(replies.size(), 5U);
    EXPECT_EQ(replies.back().mark, 11);
    EXPECT_EQ(sink->reply_to(2).mark, 21);
    EXPECT_EQ(sink->reply_to(3).mark, 31);
    EXPECT_EQ(sink->reply_to(4).mark, 41);
}

}  // namespace
}  // namespace outrider::engine
