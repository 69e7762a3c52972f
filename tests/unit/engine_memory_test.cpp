#include <gtest/gtest.h>

#include "outrider/engine/map_bytes.hpp"
#include "outrider/engine/memory.hpp"
#include "support/engine_world.hpp"

namespace outrider::engine {
namespace {

using model::RefusalCode;
using test::EngineWorld;
using test::make_sink;

constexpr std::size_t kMebibyte = 1U << 20U;

// Room for the world and not much more; no landmarks, which would come when they please.
Config low_ceiling() {
    Config config = EngineWorld::pumped();
    config.landmark_bytes_max = 0;
    config.memory_max = 64 * kMebibyte;
    return config;
}

// If this failed, the process would be killed at a ceiling that it believes to be below.
TEST(Memory, TheLedgerIsFullAtItsCeilingAndTightFromNineTenthsOn) {
    MemoryLedger ledger(1000);
    const auto becomes = [&](std::size_t bytes) {
        ledger.set(MemoryPart::kMaps, bytes / 2);
        ledger.set(MemoryPart::kNetwork, bytes - bytes / 2);
        EXPECT_EQ(ledger.sum(), bytes);
    };
    becomes(899);
    EXPECT_FALSE(ledger.tight());
    becomes(900);
    EXPECT_TRUE(ledger.tight());
    becomes(999);
    EXPECT_FALSE(ledger.full());
    EXPECT_TRUE(ledger.claim(MemoryPart::kMaps, 1).has_value());
    EXPECT_FALSE(ledger.claim(MemoryPart::kMaps, 2).has_value());
    EXPECT_EQ(ledger.sum(), 999U) << "a claim that has ended, or was refused, takes nothing";
    becomes(1000);
    EXPECT_TRUE(ledger.full());
    becomes(1001);
    EXPECT_TRUE(ledger.full());
}

// If this failed, a server without a ceiling would refuse.
TEST(Memory, WithoutACeilingNothingIsFull) {
    MemoryLedger ledger(0);
    ledger.set(MemoryPart::kSearches, std::size_t{1} << 40U);
    EXPECT_FALSE(ledger.full());
    EXPECT_FALSE(ledger.tight());
    EXPECT_TRUE(ledger.claim(MemoryPart::kMaps, std::size_t{1} << 41U).has_value());
}

// If this failed, a map that is dropped would take memory for ever, or give back more than it took.
TEST(Memory, AClaimHoldsUntilItsEndWhoeverHasItThen) {
    MemoryLedger ledger(100);
    {
        MemoryClaim kept;
        {
            auto claim = ledger.claim(MemoryPart::kMaps, 60);
            ASSERT_TRUE(claim.has_value());
            EXPECT_FALSE(ledger.claim(MemoryPart::kMaps, 41).has_value());
            kept = *std::move(claim);
        }
        EXPECT_EQ(ledger.bytes(MemoryPart::kMaps), 60U);
        const MemoryClaim moved = std::move(kept);
        EXPECT_EQ(ledger.bytes(MemoryPart::kMaps), 60U);
    }
    EXPECT_EQ(ledger.sum(), 0U);
}

// If this failed, two parts would be counted as one, or shown under the wrong name.
TEST(Memory, EveryPartHasItsOwnNameAndSum) {
    MemoryLedger ledger(0);
    std::size_t sum = 0;
    for (const MemoryPart part : kMemoryParts) {
        const std::size_t bytes = std::size_t{1} << static_cast<unsigned>(part);
        ledger.set(part, bytes);
        sum += bytes;
        EXPECT_EQ(ledger.bytes(part), bytes) << name_of(part);
        for (const MemoryPart other : kMemoryParts) {
            EXPECT_EQ(name_of(part) == name_of(other), part == other);
        }
    }
    EXPECT_EQ(ledger.sum(), sum);
}

// If this failed, one map too many would take the server and every match on it.
TEST(Memory, AMapThatDoesNotFitIsRefusedAndTheOthersAreServed) {
    const map::Grid grid = test::open_grid(512, 512);
    const std::size_t bytes = map_bytes(grid, {model::ground_class()});
    Config config = EngineWorld::pumped();
    config.landmark_bytes_max = 0;
    config.memory_max = 2 * bytes;
    const EngineWorld world(config, grid);
    EXPECT_EQ(world.engine->memory().bytes(MemoryPart::kMaps), bytes);
    ASSERT_TRUE(world.engine->add_map("fits", grid, {model::ground_class()}));
    const auto refused =
        world.engine->add_map("more", test::open_grid(1, 1), {model::ground_class()});
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("--memory-max"), std::string::npos);
    EXPECT_EQ(world.engine->maps().size(), 2U);
}

// If this failed, a full server would either die or say nothing.
TEST(Memory, AtTheCeilingSearchesAreRefusedAndVerdictsAreGiven) {
    const Config config = low_ceiling();
    const EngineWorld world(config);
    const auto sink = make_sink();
    const model::ClientId client = world.connect(sink);
    MemoryLedger& memory = world.engine->memory();
    const std::size_t others = memory.sum();
    memory.set(MemoryPart::kNetwork, config.memory_max - others - 1);
    world.engine->submit(client, world.long_request(1));
    memory.set(MemoryPart::kNetwork, config.memory_max);
    world.engine->submit(client, world.long_request(2, 1));
    world.engine->submit(client, world.request(3, {3, 3}, {3, 3}));
    EXPECT_EQ(sink->refusal_of(2), RefusalCode::kOverloaded);
    EXPECT_GT(sink->reply_to(2).body.error().retry_after.count(), 0);
    EXPECT_EQ(sink->outcome_of(3), model::Outcome::kComplete) << "what needs no memory is answered";
    world.run_all();
    EXPECT_EQ(sink->outcome_of(1), model::Outcome::kComplete) << "what was accepted is answered";
    memory.set(MemoryPart::kNetwork, 0);
    world.engine->submit(client, world.long_request(4, 2));
    world.run_all();
    EXPECT_EQ(sink->outcome_of(4), model::Outcome::kComplete) << "and it goes on afterwards";
}

// If this failed, answers that nobody may ask for again would take the room of new ones.
TEST(Memory, CachesAndIdleBuffersGiveWayBeforeTheCeiling) {
    const Config config = low_ceiling();
    const EngineWorld world(config);
    const auto sink = make_sink();
    const model::ClientId client = world.connect(sink);
    std::uint64_t id = 0;
    for (int variant = 0; variant < 50; ++variant) {
        world.engine->submit(client, world.long_request(++id, variant));
    }
    world.run_all();
    MemoryLedger& memory = world.engine->memory();
    const std::size_t cached = memory.bytes(MemoryPart::kCache);
    const std::size_t buffers = memory.bytes(MemoryPart::kSearches);
    EXPECT_GT(cached, 0U);
    EXPECT_GT(buffers, 0U);
    memory.set(MemoryPart::kNetwork, config.memory_max / 10 * 9);
    world.engine->submit(client, world.long_request(++id, 51));
    world.run_all();
    EXPECT_LE(memory.bytes(MemoryPart::kCache), cached / 2);
    EXPECT_EQ(memory.bytes(MemoryPart::kSearches), 0U);
    EXPECT_EQ(sink->outcome_of(id), model::Outcome::kComplete);
}

// An engine with its memory filled from outside, to so many bytes below the ceiling.
struct FullWorld : EngineWorld {
    FullWorld() : EngineWorld(config()) {}
    static Config config() {
        Config config = low_ceiling();
        config.cache_bytes_max = 1;
        return config;
    }
    [[nodiscard]] MemoryLedger& memory() const { return engine->memory(); }
    void fill(std::size_t bytes_left) const {
        memory().set(MemoryPart::kNetwork, 0);
        memory().set(MemoryPart::kNetwork, config().memory_max - memory().sum() - bytes_left);
    }
};

// If this failed, a server that was full once would take nobody any more, though all have left.
TEST(Memory, WhatALeavingClientHeldIsFreeAtOnce) {
    const FullWorld world;
    const model::ClientId client = world.connect(make_sink());
    model::PathRequest order = world.long_request(1);
    order.follow = model::FollowOptions{};
    world.engine->submit(client, order);
    world.run_all();
    EXPECT_GT(world.memory().bytes(MemoryPart::kFollows), 0U);
    world.fill(0);
    EXPECT_TRUE(world.memory().full());
    world.engine->disconnect(client);
    EXPECT_EQ(world.memory().bytes(MemoryPart::kFollows), 0U);
    EXPECT_FALSE(world.memory().full()) << "the next connection is let in";
}

// If this failed, buffers that nobody uses would keep the server full for ever.
TEST(Memory, IdleBuffersGoWhenOthersFillTheMemory) {
    const FullWorld world;
    const auto sink = make_sink();
    const model::ClientId client = world.connect(sink);
    world.engine->submit(client, world.long_request(1));
    world.run_all();
    EXPECT_GT(world.memory().bytes(MemoryPart::kSearches), 0U);
    world.fill(0);
    world.engine->submit(client, world.long_request(2, 1));
    EXPECT_EQ(world.memory().bytes(MemoryPart::kSearches), 0U);
    world.engine->submit(client, world.long_request(3, 2));
    world.run_all();
    EXPECT_EQ(sink->outcome_of(3), model::Outcome::kComplete);
}

// If this failed, answers that were read long ago would keep new questions out.
TEST(Memory, AnswersThatSinksHaveLetGoOfAreFree) {
    const FullWorld world;
    const auto sink = make_sink();
    const model::ClientId client = world.connect(sink);
    model::SurveyRequest reach;
    reach.id = {1};
    reach.map = world.map;
    reach.survey.query = model::ReachQuery{.starts = {{3, 3}}, .cost_max = 100 * model::kStraight};
    world.engine->submit(client, reach);
    world.run_all();
    EXPECT_GT(world.memory().bytes(MemoryPart::kSurveyAnswers), 0U);
    // Without buffers that could go in their place.
    world.fill(0);
    EXPECT_FALSE(world.engine->cancel(client, {1}));
    world.fill(0);
    EXPECT_TRUE(world.memory().full());
    sink->forget_surveys();
    EXPECT_FALSE(world.memory().full());
    world.engine->submit(client, world.long_request(2));
    world.run_all();
    EXPECT_EQ(sink->outcome_of(2), model::Outcome::kComplete);
}

// If this failed, one search on a large map would close the server's door for good: its buffers
// idle above the ceiling, and nobody comes in who would have them freed.
TEST(Memory, BuffersThatIdleAtTheCeilingGiveWayToTheNextSearch) {
    const Config config = low_ceiling();
    const EngineWorld world(config);
    const auto sink = make_sink();
    const model::ClientId client = world.connect(sink);
    MemoryLedger& memory = world.engine->memory();
    // Below nine tenths before the search, above the ceiling with its buffers.
    memory.set(MemoryPart::kNetwork, config.memory_max / 10 * 9 - memory.sum() - 1);
    world.engine->submit(client, world.long_request(1));
    world.run_all();
    EXPECT_EQ(memory.bytes(MemoryPart::kSearches), 0U) << "they do not even idle";
    // Idle below the ceiling, and others rise.
    memory.set(MemoryPart::kNetwork, 0);
    world.engine->submit(client, world.long_request(2, 1));
    world.run_all();
    const std::size_t buffers = memory.bytes(MemoryPart::kSearches);
    ASSERT_GT(buffers, 0U);
    memory.set(MemoryPart::kNetwork, config.memory_max - memory.sum());
    ASSERT_TRUE(memory.full());
    world.engine->submit(client, world.long_request(3, 2));
    world.run_all();
    EXPECT_EQ(sink->outcome_of(3), model::Outcome::kComplete);
}

}  // namespace
}  // namespace outrider::engine
