#include <gtest/gtest.h>

#include <thread>
#include <utility>

#include "integration/server_fixture.hpp"

namespace outrider::test {
namespace {

using namespace std::chrono_literals;

// If this failed, whoever sends many dear edits at once would hold up everybody on its I/O thread
// until the last one (law 6).
TEST_F(ServerTest, ABurstOfDearEditsLetsTheOthersHaveTheirTurn) {
    constexpr std::int32_t kSide = 1024;
    constexpr std::uint64_t kEdits = 40;
    start();
    const model::MapId field = add_field(kSide);
    RawClient editor(server->port());
    RawClient other(server->port());
    editor.greet();
    other.greet();
    other.send(2, codec::MapStateRequest{field, true});
    while (!other.expect<codec::MapStatePart>(2).last) {
    }
    clock.set_step(5ms);
    wire::Bytes burst;
    for (std::uint64_t id = 2; id < 2 + kEdits; ++id) {
        const model::Terrain terrain = id % 2 == 0 ? '@' : '.';
        const wire::Bytes frame = RawClient::frame_of(
            {{id},
             codec::EditRequest{field, {{model::TerrainEdit{{0, 0, kSide, kSide}, {terrain}}}}}});
        burst.insert(burst.end(), frame.begin(), frame.end());
    }
    ASSERT_TRUE(editor.send_bytes(burst));
    other.send(3, codec::Ping{});
    std::uint64_t edits_before = 0;
    for (auto message = other.receive(); message && message->id.value != 3;
         message = other.receive()) {
        ++edits_before;
    }
    EXPECT_LT(edits_before, kEdits);
    for (std::uint64_t id = 2; id < 2 + kEdits; ++id) {
        (void)editor.expect<codec::EditReply>(id);
    }
}

// Fault kind: the server's own delay held against the client. If this failed, a client whose frames
// wait for the turns of others would be closed as if it had not sent them whole.
TEST_F(ServerTest, WhoStandsInLineIsNotClosedForIt) {
    constexpr std::uint64_t kPings = 100;
    net_config.hello_timeout = net_config.idle_timeout = net_config.slow_reader_timeout = 100'000h;
    start();
    RawClient client(server->port());
    client.greet();
    clock.set_step(net_config.frame_timeout);  // each look ends a turn
    for (int burst = 0; burst < 200; ++burst) {
        wire::Bytes pings;
        for (std::uint64_t id = 2; id < 2 + kPings; ++id) {
            const wire::Bytes frame = RawClient::frame_of({{id}, codec::Ping{id}});
            pings.insert(pings.end(), frame.begin(), frame.end());
        }
        ASSERT_TRUE(client.send_bytes(pings));
        for (std::uint64_t id = 2; id < 2 + kPings; ++id) {
            ASSERT_EQ(client.expect<codec::Pong>(id).payload, id);
        }
    }
}

// If this failed, a client that asks for a large map and never reads would hold the copy of it for
// ever, and a drain until its limit.
TEST_F(ServerTest, AMapThatNobodyReadsIsGivenUp) {
    net_config.idle_timeout = 1000h;  // a Ping now and then would keep it
    start();
    const model::MapId field = add_field(4096);
    RawClient deaf(server->port(), 4096);
    deaf.greet();
    deaf.send(2, codec::MapStateRequest{field, false});
    // Until the sockets are full.
    std::uint64_t written = 0;
    ASSERT_TRUE(eventually([&] {
        const std::uint64_t before = std::exchange(written, server->stats().bytes_out);
        (void)deaf.something_to_read(1);
        std::this_thread::yield();
        return written > (16U << 10U) && written == before;
    }));
    EXPECT_TRUE(eventually([&] {
        clock.advance(net_config.slow_reader_timeout + 1ms);
        return server->stats().sessions_open == 0;
    }));
}

}  // namespace
}  // namespace outrider::test
