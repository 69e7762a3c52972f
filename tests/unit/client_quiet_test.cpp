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
    // The client has nothing to send while it reads these, for many times its shortest pause.
    constexpr int kMessages = 20'000;
    ScriptedServer server([](ScriptedServer& peer) {
        peer.welcome(welcome_with(milliseconds(0)));
        const auto request = peer.receive();
        ASSERT_TRUE(request);
        for (int i = 0; i < kMessages; ++i) {
            peer.pong({1000});
        }
        peer.send([&](auto& encoder, auto& out) { encoder.list_maps(request->id, {}, out); });
        EXPECT_FALSE(peer.receive());
    });
    const auto client = Client::connect(server.options());
    ASSERT_TRUE(client) << client.error().message;
    EXPECT_TRUE((*client)->list_maps());
    EXPECT_EQ((*client)->counters().sent, 2U);
}

}  // namespace
}  // namespace outrider
