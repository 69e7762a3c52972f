// What the bounds on bytes over all sessions do, and the ceiling of the whole process.

#include <gtest/gtest.h>

#include "integration/server_fixture.hpp"

namespace outrider::test {
namespace {

using namespace std::chrono_literals;
using model::RefusalCode;

struct ServerMemoryTest : ServerTest {
    // So many questions, whose answers all come at once when the engine is pumped, to a client that
    // reads none.
    static constexpr std::uint64_t kQuestions = 5000;
    void ask_and_never_read(RawClient& client) {
        const std::uint64_t before = engine->stats().submitted;
        wire::Bytes burst;
        for (std::uint64_t id = 2; id < 2 + kQuestions; ++id) {
            const wire::Bytes frame = RawClient::frame_of({{id}, across()});
            burst.insert(burst.end(), frame.begin(), frame.end());
        }
        ASSERT_TRUE(client.send_bytes(burst));
        ASSERT_TRUE(eventually([&] { return engine->stats().submitted == before + kQuestions; }));
        while (engine->run_for(1ms)) {
        }
    }
    static void expect_pong(RawClient& client) {
        client.send(77, codec::Ping{5});
        EXPECT_EQ(client.expect<codec::Pong>(77).payload, 5U);
    }
};

// If this failed, a few that sip large maps would hold a copy each, more than there is memory for.
TEST_F(ServerMemoryTest, MapsBeingSentAreBoundedAndTheirPlacesComeBack) {
    net_config.map_states_max = 1;
    start();
    const model::MapId field = add_field(2048);
    RawClient second(server->port());
    second.greet();
    {
        RawClient first(server->port(), 4096);
        first.greet();
        first.send(2, codec::MapStateRequest{field, false});
        EXPECT_TRUE(first.something_to_read(30'000)) << "at the bound it is sent";
        second.send(2, codec::MapStateRequest{map, false});
        const auto refusal = second.expect<model::Refusal>(2);
        EXPECT_EQ(refusal.code, RefusalCode::kOverloaded);
        EXPECT_EQ(refusal.retry_after, net_config.retry_after);
        expect_pong(second);
    }
    EXPECT_TRUE(sessions_become(1));
    second.send(3, codec::MapStateRequest{map, false});
    EXPECT_TRUE(second.expect<codec::MapStatePart>(3).last);
}

// If this failed, many readers that are each a little slow would together take all memory.
TEST_F(ServerMemoryTest, RepliesThatWaitAreBoundedOverAllSessions) {
    engine_config.workers = 0;
    engine_config.cache_bytes_max = 0;
    net_config.send_buffer_bytes = 4096;
    net_config.outbox_high_bytes = 64U << 10U;
    net_config.outbox_low_bytes = 16U << 10U;
    // One such client leaves 1.0 to 1.3 MB waiting, by how much the system takes: some 270 bytes a
    // reply that is not encoded yet.
    net_config.outbox_total_bytes = 1750U << 10U;
    start();
    RawClient honest(server->port());
    honest.greet();
    RawClient first(server->port(), 4096);
    first.greet();
    ask_and_never_read(first);
    EXPECT_TRUE(
        eventually([&] { return server->stats().outbox_bytes >= net_config.outbox_high_bytes; }));
    expect_pong(honest);
    EXPECT_LE(server->stats().outbox_bytes, net_config.outbox_total_bytes);
    EXPECT_EQ(server->stats().sessions_open, 2U) << "below the sum it is only not read";
    RawClient second(server->port(), 4096);
    second.greet();
    ask_and_never_read(second);
    // The one that is too much has been told so; it goes when it does not listen.
    EXPECT_TRUE(eventually([&] {
        clock.advance(net_config.linger + 1ms);
        return server->stats().sessions_open <= 2;
    }));
    EXPECT_LE(server->stats().outbox_bytes, net_config.outbox_total_bytes);
    expect_pong(honest);
}

// If this failed, a server at its ceiling would take on more until the system kills it, or turn
// away those who are already there.
TEST_F(ServerMemoryTest, AtTheCeilingNobodyNewComesInAndThoseInsideAreServed) {
    engine_config.memory_max = 256U << 20U;
    start();
    RawClient inside(server->port());
    inside.greet();
    engine::MemoryLedger& memory = engine->memory();
    const std::size_t maps = memory.bytes(engine::MemoryPart::kMaps);
    memory.set(engine::MemoryPart::kMaps, engine_config.memory_max);
    {
        RawClient outside(server->port());
        EXPECT_EQ(outside.expect_goodbye().code, RefusalCode::kOverloaded);
    }
    inside.send(2, codec::MapStateRequest{map, false});
    EXPECT_EQ(inside.expect<model::Refusal>(2).code, RefusalCode::kOverloaded);
    inside.send(3, across());
    const auto refusal = inside.expect<model::Refusal>(3);
    EXPECT_EQ(refusal.code, RefusalCode::kOverloaded);
    EXPECT_GT(refusal.retry_after, 0ms);
    expect_pong(inside);
    memory.set(engine::MemoryPart::kMaps, maps);
    inside.send(4, across());
    EXPECT_TRUE(inside.expect<codec::PathPart>(4).last);
    RawClient later(server->port());
    later.greet();
}

}  // namespace
}  // namespace outrider::test
