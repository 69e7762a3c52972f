#include <gtest/gtest.h>

#include <future>

#include "outrider/client/client.hpp"
#include "support/scripted_server.hpp"

namespace outrider {
namespace {

using client::Client;
using std::chrono::milliseconds;
using test::ScriptedServer;

codec::Welcome welcome_with(milliseconds idle_timeout) {
    codec::Welcome welcome;
    welcome.limits.idle_timeout = idle_timeout;
    return welcome;
}

TEST(QuietClient, PingsBeforeTheServerTakesItForIdle) {
    // If this failed, a client that only watches a map would be closed as idle after a quiet
    // minute.
    std::promise<void> pinged;
    ScriptedServer server([&pinged](ScriptedServer& peer) {
        peer.welcome(welcome_with(milliseconds(30)));
        for (int i = 0; i < 3; ++i) {
            const auto message = peer.receive();
            ASSERT_TRUE(message);
            EXPECT_TRUE(std::holds_alternative<codec::Ping>(message->body));
            peer.pong(message->id);
        }
        pinged.set_value();
        while (peer.receive()) {
        }
    });
    const auto client = Client::connect(server.options());
    ASSERT_TRUE(client) << client.error().message;
    EXPECT_EQ(pinged.get_future().wait_for(std::chrono::seconds(10)), std::future_status::ready);
    EXPECT_TRUE((*client)->open());
    EXPECT_EQ((*client)->counters().unexpected, 0U);
}

TEST(QuietClient, LeavesAServerWithoutAnIdleTimeoutAlone) {
    // If this failed, a server that closes nobody as idle would be flooded with pings.
    // Round trips enough for any ping to come between them.
    constexpr std::uint64_t kCalls = 500;
    ScriptedServer server([](ScriptedServer& peer) {
        peer.welcome(welcome_with(milliseconds(0)));
        while (const auto message = peer.receive()) {
            EXPECT_TRUE(std::holds_alternative<codec::ListMapsRequest>(message->body));
            peer.send([&](auto& encoder, auto& out) { encoder.list_maps(message->id, {}, out); });
        }
    });
    const auto client = Client::connect(server.options());
    ASSERT_TRUE(client) << client.error().message;
    for (std::uint64_t i = 0; i < kCalls; ++i) {
        EXPECT_TRUE((*client)->list_maps());
    }
    EXPECT_EQ((*client)->counters().sent, 1 + kCalls);
}

}  // namespace
}  // namespace outrider
