// What a server counts, and the log of slow requests.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "integration/server_fixture.hpp"

namespace outrider::test {
namespace {

using model::RefusalCode;
using net::Role;
using namespace std::chrono_literals;

struct ServerMetricsTest : ServerTest {
    [[nodiscard]] std::uint64_t in_role(Role role) const {
        return server->stats().roles[static_cast<std::size_t>(role)];
    }
    [[nodiscard]] std::uint64_t refused(RefusalCode code) const {
        return server->stats().refused[static_cast<std::size_t>(code)];
    }
    // Each slice takes this long and a little more.
    void make_slices_take(std::chrono::milliseconds time) {
        engine_config.before_slice = [this, time](const model::PathQuery&) {
            const base::TimePoint end = steady.now() + time;
            while (steady.now() < end) {
            }
        };
    }
    // What the log says once all of it is written.
    std::string close_and_read_log() {
        server.reset();
        engine.reset();
        log.reset();
        return testing::internal::GetCapturedStderr();
    }
};

// If this failed, an operator would see sessions that have gone, or in a role that they lost.
TEST_F(ServerMetricsTest, SessionsAreCountedByTheRoleThatTheyHave) {
    net_config.access.tokens = {{net::digest_of("play"), Role::kPlayer, ""},
                                {net::digest_of("build"), Role::kBuilder, ""}};
    start();
    RawClient player(server->port());
    RawClient builder(server->port());
    const RawClient silent(server->port());
    player.greet("play");
    builder.greet("build");
    EXPECT_TRUE(sessions_become(3));
    EXPECT_EQ(in_role(Role::kPlayer), 1U);
    EXPECT_EQ(in_role(Role::kBuilder), 1U);
    EXPECT_EQ(in_role(Role::kAdmin), 0U);
    net_config.access.tokens = {{net::digest_of("play"), Role::kAdmin, ""}};
    ASSERT_TRUE(server->reload(net_config).has_value());
    EXPECT_TRUE(eventually([&] {
        return in_role(Role::kAdmin) == 1 && in_role(Role::kBuilder) == 0 &&
               in_role(Role::kPlayer) == 0;
    }));
    EXPECT_EQ(builder.expect_goodbye().code, RefusalCode::kUnauthenticated);
    EXPECT_EQ(server->stats().goodbyes[static_cast<std::size_t>(RefusalCode::kUnauthenticated)],
              1U);
    player.hang_up();
    EXPECT_TRUE(eventually([&] { return in_role(Role::kAdmin) == 0; }));
}

// If this failed, an attack would not stand out among the refusals, or each would count twice.
TEST_F(ServerMetricsTest, MessagesAndRefusalsAreCountedByKind) {
    start();
    RawClient client(server->port());
    client.greet();
    client.send(2, codec::Ping{2});
    (void)client.expect<codec::Pong>(2);
    codec::PathRequest outside = across();
    outside.query.start = {-1, 0};
    client.send(3, outside);
    (void)client.expect<model::Refusal>(3);
    client.send(4, codec::PathRequest{});
    (void)client.expect<model::Refusal>(4);
    const net::Stats stats = server->stats();
    EXPECT_EQ(stats.requests, 4U);
    EXPECT_EQ(stats.refusals, 2U) << "each once";
    EXPECT_EQ(refused(RefusalCode::kOutOfBounds) + refused(RefusalCode::kInvalidArgument) +
                  refused(RefusalCode::kUnknownMap),
              2U);
    const auto of = [&](std::string_view kind) {
        const auto found = std::ranges::find(net::kMessageKinds, kind);
        return stats.messages[static_cast<std::size_t>(found - net::kMessageKinds.begin())];
    };
    EXPECT_EQ(of("hello"), 1U);
    EXPECT_EQ(of("ping"), 1U);
    EXPECT_EQ(of("path"), 2U);
    EXPECT_EQ(of("edit"), 0U);
}

// Fault kind: refused past the count. If this failed, players who get no map would not show among
// the refusals, and no alert on them would ring.
TEST_F(ServerMetricsTest, RefusedMapStatesAreCounted) {
    start();
    RawClient client(server->port());
    client.greet();
    client.send(2, codec::MapStateRequest{{77}, false});
    EXPECT_EQ(client.expect<model::Refusal>(2).code, RefusalCode::kUnknownMap);
    client.send(3, codec::MapStateRequest{map, true});
    EXPECT_TRUE(client.expect<codec::MapStatePart>(3).last);
    client.send(4, codec::MapStateRequest{map, true});
    EXPECT_EQ(client.expect<model::Refusal>(4).code, RefusalCode::kInvalidArgument);
    EXPECT_EQ(refused(RefusalCode::kUnknownMap), 1U);
    EXPECT_EQ(refused(RefusalCode::kInvalidArgument), 1U);
    EXPECT_EQ(server->stats().refusals, 2U) << "what was sent is none";
}

// If this failed, the log would not say why a request was slow, or it would say a secret.
TEST_F(ServerMetricsTest, ASlowRequestIsToldWithItsWholeStory) {
    net_config.access.tokens = {{net::digest_of("sesame"), Role::kBuilder, ""}};
    log_level = telemetry::Level::kWarning;
    engine_config.slow_request = 5ms;
    make_slices_take(5ms);
    testing::internal::CaptureStderr();
    start();
    RawClient client(server->port());
    client.greet("sesame");
    codec::PathRequest request = across();
    request.priority = model::Priority::kHigh;
    client.send(77, request);
    (void)client.expect<codec::PathPart>(77);
    client.send(78, request);
    (void)client.expect<codec::PathPart>(78);
    const std::string out = close_and_read_log();
    EXPECT_EQ(std::ranges::count(out, '\n'), 1) << "the second came from the cache\n" << out;
    for (const char* part :
         {"slow request session=1 request=77 kind=\"path\" outcome=\"COMPLETE\" map=\"drawn\" "
          "class=\"ground\" from=\"0,0\" to=\"7,5\" priority=\"high\" total_ms=",
          " wait_ms=", " search_ms=", " slices=1 ", " expansions=", " restarts=0 ",
          " cache=\"miss\" ", " version=1"}) {
        EXPECT_NE(out.find(part), std::string::npos) << part << "\n" << out;
    }
    EXPECT_EQ(out.find("sesame"), std::string::npos) << out;
}

// If this failed, an operator would wonder why the cache never has what it is never asked for.
TEST_F(ServerMetricsTest, ASlowRequestThatTheCacheWasNotAskedForSaysSo) {
    log_level = telemetry::Level::kWarning;
    engine_config.slow_request = 5ms;
    make_slices_take(5ms);
    testing::internal::CaptureStderr();
    start();
    RawClient client(server->port());
    client.greet();
    codec::PathRequest request = across();
    request.query.ignore_obstacle = model::ObstacleId{9};
    client.send(2, request);
    (void)client.expect<codec::PathPart>(2);
    EXPECT_EQ(engine->stats().cache_misses, 0U);
    const std::string out = close_and_read_log();
    EXPECT_NE(out.find("slow request session=1 request=2 kind=\"path\""), std::string::npos) << out;
    EXPECT_NE(out.find(" cache=\"none\" "), std::string::npos) << out;
}

// If this failed, an overload would fill the disk with its own log.
TEST_F(ServerMetricsTest, SlowRequestsAreToldUpToABound) {
    log_level = telemetry::Level::kWarning;
    engine_config.slow_request = 1ms;
    make_slices_take(1ms);
    testing::internal::CaptureStderr();
    start();
    RawClient client(server->port());
    client.greet();
    for (std::uint64_t id = 2; id < 62; ++id) {
        codec::PathRequest request = across();
        request.query.expansions_max = 1000 + id;  // a question of its own
        client.send(id, request);
        (void)client.expect<codec::PathPart>(id);
    }
    const std::string out = close_and_read_log();
    EXPECT_EQ(std::ranges::count(out, '\n'), 20) << out;
}

// If this failed, an operator who wants no such lines would get them.
TEST_F(ServerMetricsTest, ZeroTurnsTheSlowLogOff) {
    log_level = telemetry::Level::kWarning;
    engine_config.slow_request = 0ms;
    make_slices_take(5ms);
    testing::internal::CaptureStderr();
    start();
    RawClient client(server->port());
    client.greet();
    client.send(2, across());
    (void)client.expect<codec::PathPart>(2);
    EXPECT_EQ(close_and_read_log(), "");
}

}  // namespace
}  // namespace outrider::test
