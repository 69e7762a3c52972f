// What the log tells of maps that clients load and drop, or may not.

#include <gtest/gtest.h>

#include <latch>
#include <string>

#include "integration/server_fixture.hpp"
#include "outrider/net/map_log.hpp"

namespace outrider::test {
namespace {

using model::RefusalCode;
using net::Role;

struct ServerMapsLogTest : ServerTest {
    ServerMapsLogTest() {
        net_config.access.tokens = {{net::digest_of("play"), Role::kPlayer, "guest"},
                                    {net::digest_of("rule"), Role::kAdmin, "studio"}};
        log_level = telemetry::Level::kInfo;
        load_map = [this](const net::MapOrder& order) {
            return engine->load_map(
                {order.name, grid_of({"..", ".."}), {model::ground_class()}, order.replace});
        };
        testing::internal::CaptureStderr();
    }
    static codec::LoadMapRequest load_of(const std::string& name) {
        return {name, {}, "sent", false};
    }
    static RefusalCode refusal_to(RawClient& client, std::uint64_t id,
                                  decltype(codec::ClientMessage::body) body) {
        client.send(codec::ClientMessage{{id}, std::move(body)});
        return client.expect<model::Refusal>(id).code;
    }
    // What the log says once all of it is written.
    std::string close_and_read_log() {
        server.reset();
        engine.reset();
        log.reset();
        return testing::internal::GetCapturedStderr();
    }
    static std::size_t lines_with(const std::string& text, const std::string& what) {
        std::size_t count = 0;
        for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) {
            ++count;
        }
        return count;
    }
};

// If this failed, an operator whose map is gone could not find out who has dropped it.
TEST_F(ServerMapsLogTest, WhatCameAndWentIsToldWithItsNameAndWhoDidIt) {
    start();
    RawClient admin(server->port());
    admin.greet("rule");
    admin.send(2, load_of("arena"));
    const model::MapId arena = admin.expect<codec::LoadMapReply>(2).info.id;
    admin.send(3, codec::DropMapRequest{arena, ""});
    (void)admin.expect<codec::DropMapReply>(3);
    admin.send(4, codec::DropMapRequest{{}, "drawn"});
    (void)admin.expect<codec::DropMapReply>(4);
    const std::string out = close_and_read_log();
    for (const char* line :
         {"info map loaded map=\"arena\" id=2 replaces=0 file=\"\" session=1 peer=\"127.0.0.1\" "
          "client=\"test\" role=\"admin\" token=\"studio\"\n",
          "info map dropped map=\"arena\" id=2 session=1 peer=\"127.0.0.1\" client=\"test\" "
          "role=\"admin\" token=\"studio\"\n",
          "info map dropped map=\"drawn\" id=1 session=1 "}) {
        EXPECT_EQ(lines_with(out, line), 1U) << line << "\n" << out;
    }
    EXPECT_EQ(lines_with(out, "\"rule\""), 0U) << "a secret\n" << out;
}

// If this failed, an order that did not come to pass would leave no trace: not of a slip of an
// operator's hand, nor of who tries what is not theirs.
TEST_F(ServerMapsLogTest, WhatWasRefusedIsToldWithWhoAskedAndWhy) {
    start();
    RawClient admin(server->port());
    admin.greet("rule");
    EXPECT_EQ(refusal_to(admin, 2, load_of("drawn")), RefusalCode::kInvalidArgument);
    EXPECT_EQ(refusal_to(admin, 3, codec::DropMapRequest{{}, "none"}), RefusalCode::kUnknownMap);
    EXPECT_EQ(refusal_to(admin, 4, codec::DropMapRequest{{77}, ""}), RefusalCode::kUnknownMap);
    // Which the decoder finds: nothing of it is an order.
    EXPECT_EQ(refusal_to(admin, 5, load_of(std::string(1000, 'n'))), RefusalCode::kInvalidArgument);
    RawClient player(server->port());
    player.greet("play");
    EXPECT_EQ(refusal_to(player, 2, load_of("mine")), RefusalCode::kPermissionDenied);
    EXPECT_EQ(refusal_to(player, 3, codec::DropMapRequest{{}, "drawn"}),
              RefusalCode::kPermissionDenied);
    const std::string out = close_and_read_log();
    for (const char* line :
         {"warning map not loaded map=\"drawn\" id=0 file=\"\" reason=\"INVALID_ARGUMENT: "
          "load_map.name ",
          "warning map not dropped map=\"none\" id=0 file=\"\" reason=\"UNKNOWN_MAP: ",
          "warning map not dropped map=\"\" id=77 file=\"\" reason=\"UNKNOWN_MAP: ",
          "warning map not loaded map=\"mine\" id=0 file=\"\" reason=\"PERMISSION_DENIED: "
          "load_map needs a token of the role admin; this session's is player\" session=2 "
          "peer=\"127.0.0.1\" client=\"test\" role=\"player\" token=\"guest\"\n",
          "warning map not dropped map=\"drawn\" id=0 file=\"\" reason=\"PERMISSION_DENIED: "}) {
        EXPECT_EQ(lines_with(out, line), 1U) << line << "\n" << out;
    }
    EXPECT_EQ(lines_with(out, "map not "), 5U) << out;
}

// If this failed, an order that comes too late would vanish from the log.
TEST_F(ServerMapsLogTest, ADrainsRefusalIsToldToo) {
    std::latch gate(1);
    load_map = [&gate, load = load_map](const net::MapOrder& order) {
        gate.wait();
        return load(order);
    };
    start();
    RawClient admin(server->port());
    admin.greet("rule");
    admin.send(2, load_of("early"));  // under way, so that the session does not end
    admin.send(3, codec::Ping{});
    (void)admin.expect<codec::Pong>(3);
    server->begin_drain();
    EXPECT_EQ(refusal_to(admin, 4, load_of("late")), RefusalCode::kShuttingDown);
    gate.count_down();
    (void)admin.expect<codec::LoadMapReply>(2);
    EXPECT_EQ(admin.expect_goodbye().code, RefusalCode::kShuttingDown);
    const std::string out = close_and_read_log();
    EXPECT_EQ(lines_with(out, "map not loaded map=\"late\" id=0 file=\"\" reason=\"SHUTTING_DOWN"),
              1U)
        << out;
}

// If this failed, a player could fill the server's disk with its own log.
TEST_F(ServerMapsLogTest, RefusalsAreToldUpToABound) {
    start();
    RawClient player(server->port());
    player.greet("play");
    for (std::uint64_t id = 2; id < 2 + 3 * net::kMapRefusalLinesMax; ++id) {
        EXPECT_EQ(refusal_to(player, id, load_of("mine")), RefusalCode::kPermissionDenied);
    }
    EXPECT_EQ(lines_with(close_and_read_log(), "map not loaded"), net::kMapRefusalLinesMax);
}

}  // namespace
}  // namespace outrider::test
