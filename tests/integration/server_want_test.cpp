// What a server does that finds no memory, wherever that is.

#include <gtest/gtest.h>

#include <atomic>

#include "integration/server_fixture.hpp"
#include "support/failing_memory.hpp"

namespace outrider::test {
namespace {

using namespace std::chrono_literals;

struct ServerWantTest : ServerTest {
    ~ServerWantTest() override { fails_in = 0; }
};

// Fault kind: what is taken and not given back. If this failed, each session that wants memory
// while it is sent a map would take a place with it, until nobody is sent a map any more.
TEST_F(ServerWantTest, PlacesForMapStatesComeBackWhereverMemoryWasWanting) {
    constexpr std::int64_t kMost = 120;
    engine_config.workers = 0;  // no threads of the engine: whose memory fails is the session's
    net_config.map_states_max = 1;
    net_config.tick = 1h;
    start();
    const wire::Bytes ask = RawClient::frame_of({{2}, codec::MapStateRequest{map, true}});
    std::int64_t ended = 0;
    for (std::int64_t which = 1; which <= kMost; ++which) {
        {
            RawClient unlucky(server->port());
            unlucky.greet();
            fails_in = which;
            EXPECT_TRUE(unlucky.send_bytes(ask));
            const bool heard = unlucky.something_to_read(30'000);
            fails_in = 0;
            EXPECT_TRUE(heard) << which;
            ended += unlucky.receive() ? 0 : 1;
        }
        ASSERT_TRUE(sessions_become(0)) << which;
        RawClient next(server->port());
        next.greet();
        next.send(3, codec::MapStateRequest{map, false});
        ASSERT_TRUE(next.expect<codec::MapStatePart>(3).last) << which;
        next.hang_up();
        ASSERT_TRUE(sessions_become(0)) << which;
    }
    EXPECT_GT(ended, 5) << "memory was not wanting";
}

// Fault kind: done and denied. If this failed, an operator whose map was loaded would be told to
// try again, and then hear that the name is taken.
TEST_F(ServerWantTest, WhatIsLoadedIsNeverSaidToHaveFailed) {
    std::atomic<std::int64_t> which{0};
    engine_config.workers = 0;
    load_map = [&](const net::MapOrder& order) {
        auto loaded =
            engine->load_map({order.name, grid_of({".."}), {model::ground_class()}, true});
        fails_in = which.load();
        return loaded;
    };
    start();
    int told = 0;
    for (which = 1; which <= 30; ++which) {
        RawClient client(server->port());
        client.greet();
        EXPECT_TRUE(
            client.send(2, codec::LoadMapRequest{"a map whose name takes memory", {}, "..", true}));
        const bool heard = client.something_to_read(30'000);
        fails_in = 0;
        EXPECT_TRUE(heard) << which;
        const auto message = client.receive();
        const auto* refusal = message ? std::get_if<model::Refusal>(&message->body) : nullptr;
        if (refusal != nullptr) {
            EXPECT_NE(refusal->message.find("is loaded"), std::string::npos) << refusal->message;
            ++told;
        }
    }
    EXPECT_GT(told, 0) << "memory was not wanting";
    EXPECT_TRUE(engine->find_map("a map whose name takes memory"));
}

}  // namespace
}  // namespace outrider::test
