#include <gtest/gtest.h>

#include <map>
#include <string>

#include "integration/server_fixture.hpp"
#include "outrider/base/limits.hpp"
#include "outrider/codec/assemble.hpp"
#include "outrider/model/path.hpp"
#include "support/random.hpp"

namespace outrider::test {
namespace {

using model::RefusalCode;

wire::Bytes bytes_of(std::string_view text) {
    wire::Bytes bytes(text.size());
    std::ranges::transform(text, bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
    return bytes;
}

// If this failed, a game could not know the server's limits and would run into them blindly.
TEST_F(ServerTest, WelcomeTellsLimitsAndMaps) {
    start();
    RawClient client(server->port());
    const codec::Welcome welcome = client.greet();
    EXPECT_EQ(welcome.protocol_version, codec::kProtocolVersion);
    EXPECT_EQ(welcome.limits.frame_bytes_max, net_config.frame_bytes_max);
    EXPECT_EQ(welcome.limits.requests_in_flight_max, engine_config.requests_per_client_max);
    EXPECT_EQ(welcome.limits.edits_per_batch_max, base::limits::kEditsPerBatchMax);
    EXPECT_EQ(welcome.limits.expansions_max, engine_config.expansions_max);
    EXPECT_EQ(welcome.limits.idle_timeout, net_config.idle_timeout);
    ASSERT_EQ(welcome.maps.size(), 1U);
    EXPECT_EQ(welcome.maps[0].name, "drawn");
    EXPECT_EQ(welcome.maps[0].width, 8);
    EXPECT_EQ(welcome.maps[0].height, 6);
    EXPECT_EQ(welcome.maps[0].classes.at(0), model::ground_class());
}

// If this failed, a stranger without the token could use or flood the server.
TEST_F(ServerTest, NothingIsAnsweredBeforeAGoodHello) {
    net_config.access.tokens = {{net::digest_of("sesame"), net::Role::kAdmin, "a"},
                                {net::digest_of("open"), net::Role::kPlayer, "b"}};
    start();
    RawClient pings(server->port());
    pings.send(1, codec::Ping{1});
    EXPECT_EQ(pings.expect_goodbye().code, RefusalCode::kUnauthenticated);
    for (const char* token : {"", "sesam", "sesame ", "opensesame"}) {
        RawClient wrong(server->port());
        wrong.send(1, codec::Hello{codec::kProtocolVersion, token, ""});
        const model::Refusal reason = wrong.expect_goodbye();
        EXPECT_EQ(reason.code, RefusalCode::kUnauthenticated) << token;
        EXPECT_EQ(reason.field, "hello.token");
    }
    RawClient old(server->port());
    old.send(1, codec::Hello{codec::kProtocolVersion + 1, "open", ""});
    EXPECT_EQ(old.expect_goodbye().field, "hello.protocol_version");
    RawClient good(server->port());
    EXPECT_EQ(good.greet("open").maps.size(), 1U);
    EXPECT_TRUE(sessions_become(1));
}

// If this failed, a second greeting could change who a session is.
TEST_F(ServerTest, ASecondHelloIsRefusedAndTheSessionGoesOn) {
    start();
    RawClient client(server->port());
    client.greet();
    client.send(2, codec::Hello{});
    EXPECT_EQ(client.expect<model::Refusal>(2).field, "hello");
    client.send(3, codec::Ping{77});
    EXPECT_EQ(client.expect<codec::Pong>(3).payload, 77U);
}

// If this failed, an operator could not tell whether the cache is worth its memory.
TEST_F(ServerTest, StatsCountWhatTheServerDid) {
    start();
    RawClient client(server->port());
    client.greet();
    for (const std::uint64_t id : {2U, 3U, 4U}) {
        client.send(id, across());
        EXPECT_TRUE(client.expect<codec::PathPart>(id).last);
    }
    client.send(5, codec::StatsRequest{});
    const auto stats = client.expect<codec::StatsReply>(5);
    EXPECT_EQ(stats.submitted, 3U);
    EXPECT_EQ(stats.answered, 3U);
    EXPECT_EQ(stats.cache_misses, 1U);
    EXPECT_EQ(stats.cache_hits, 2U);
    EXPECT_EQ(stats.cache_carried, 0U);
}

// If this failed, the path that arrives would not be the path that the map allows.
TEST_F(ServerTest, APathComesBackInBothFormatsAndByName) {
    start();
    RawClient client(server->port());
    client.greet();
    codec::PathRequest request = across();
    client.send(2, request);
    const auto turning = client.expect<codec::PathPart>(2);
    request.format = codec::PathFormat::kCells;
    request.map = {};
    request.map_name = "drawn";
    request.class_name = "ground";
    client.send(3, request);
    const auto cells = client.expect<codec::PathPart>(3);
    ASSERT_TRUE(turning.head && cells.head);
    EXPECT_EQ(turning.head->outcome, model::Outcome::kComplete);
    EXPECT_EQ(turning.head->version, 1U);
    EXPECT_EQ(*turning.head == *cells.head, true);
    codec::PathAssembler whole;
    ASSERT_TRUE(whole.add(cells).value());
    const auto points = whole.take().points;
    EXPECT_EQ(points.front(), (model::Cell{0, 0}));
    EXPECT_EQ(points.back(), (model::Cell{7, 5}));
    EXPECT_EQ(model::path_hash(model::turning_points_of(points)), cells.head->path_hash);
}

// If this failed, a mistyped name would run on another map or class than meant.
TEST_F(ServerTest, UnknownNamesAreRefused) {
    start();
    RawClient client(server->port());
    client.greet();
    codec::PathRequest request = across();
    request.class_name = "boat";
    client.send(2, request);
    EXPECT_EQ(client.expect<model::Refusal>(2).code, RefusalCode::kUnknownClass);
    request.map = {};
    request.map_name = "drown";
    client.send(3, request);
    EXPECT_EQ(client.expect<model::Refusal>(3).code, RefusalCode::kUnknownMap);
    request.map = {999};
    client.send(4, request);
    EXPECT_EQ(client.expect<model::Refusal>(4).code, RefusalCode::kUnknownMap);
}

// If this failed, a request without a number, or of a newer protocol, would vanish or kill the
// session.
TEST_F(ServerTest, RefusesRequestZeroAndUnknownMessages) {
    start();
    RawClient client(server->port());
    client.greet();
    client.send(0, codec::Ping{});
    EXPECT_EQ(client.expect<model::Refusal>(0).field, "request_id");
    // request_id 5 and a body with the unknown field number 100.
    client.send_bytes(bytes_of(std::string_view("\x05\x08\x05\xA2\x06\x00", 6)));
    const auto refusal = client.expect<model::Refusal>(5);
    EXPECT_EQ(refusal.code, RefusalCode::kInvalidArgument);
    EXPECT_EQ(refusal.field, "body");
}

// If this failed, a slow link would break the protocol at some byte.
TEST_F(ServerTest, TakesMessagesByteByByte) {
    start();
    RawClient client(server->port());
    wire::Bytes stream = RawClient::frame_of({{1}, codec::Hello{}});
    const wire::Bytes ping = RawClient::frame_of({{2}, codec::Ping{5}});
    stream.insert(stream.end(), ping.begin(), ping.end());
    for (const std::byte byte : stream) {
        ASSERT_TRUE(client.send_bytes(std::span(&byte, 1)));
    }
    (void)client.expect<codec::Welcome>(1);
    EXPECT_EQ(client.expect<codec::Pong>(2).payload, 5U);
}

// If this failed, either legal messages would be refused, or one stranger could fill the memory.
TEST_F(ServerTest, FrameLimitHoldsAtAndAbove) {
    net_config.frame_bytes_max = 300;
    start();
    RawClient client(server->port());
    client.greet();
    // Unknown fields are ignored, so that padding makes a legal message of any size.
    const auto padded_ping = [](std::size_t size) {
        std::string message("\x08\x02\x32\x00\xFA\x01", 6);
        const std::size_t padding = size - message.size() - 2;
        message += static_cast<char>((padding & 0x7F) | 0x80);
        message += static_cast<char>(padding >> 7U);
        message.append(padding, 'p');
        wire::Bytes frame;
        wire::append_frame(frame, bytes_of(message));
        return frame;
    };
    client.send_bytes(padded_ping(300));
    (void)client.expect<codec::Pong>(2);
    client.send_bytes(padded_ping(301));
    const model::Refusal reason = client.expect_goodbye();
    EXPECT_EQ(reason.code, RefusalCode::kFrameTooLarge);
    EXPECT_NE(reason.message.find("300"), std::string::npos);
}

// If this failed, random bytes could crash the server or cost other clients their sessions.
TEST_F(ServerTest, GarbageEndsOnlyItsOwnSession) {
    start();
    RawClient bystander(server->port());
    bystander.greet();
    RawClient malformed(server->port());
    malformed.greet();
    malformed.send_bytes(bytes_of("\x04\xFF\xFF\xFF\xFF"));
    EXPECT_EQ(malformed.expect_goodbye().code, RefusalCode::kInvalidArgument);
    RawClient overlong(server->port());
    overlong.send_bytes(bytes_of(std::string_view("\x80\x00", 2)));
    EXPECT_EQ(overlong.expect_goodbye().code, RefusalCode::kInvalidArgument);
    Random random(1);
    for (std::uint64_t i = 0; i < rounds(50); ++i) {
        RawClient stranger(server->port());
        wire::Bytes garbage(static_cast<std::size_t>(random.between(1, 2000)));
        for (std::byte& byte : garbage) {
            byte = static_cast<std::byte>(random.bits());
        }
        if (random.chance(50)) {
            stranger.greet();
        }
        stranger.send_bytes(garbage);
    }
    bystander.send(9, codec::Ping{1});
    EXPECT_EQ(bystander.expect<codec::Pong>(9).payload, 1U);
    EXPECT_TRUE(sessions_become(1));
}

// If this failed, law 2 would not hold over the wire: an answer older than an acknowledged edit.
TEST_F(ServerTest, EditsAreAcknowledgedAndSeenByLaterRequests) {
    start();
    RawClient client(server->port());
    client.greet();
    client.send(2, across());
    EXPECT_EQ(client.expect<codec::PathPart>(2).head->outcome, model::Outcome::kComplete);
    client.send(3, block(6, 3));
    EXPECT_EQ(client.expect<codec::EditReply>(3).version, 2U);
    client.send(4, across());
    const auto blocked = client.expect<codec::PathPart>(4);
    EXPECT_EQ(blocked.head->outcome, model::Outcome::kUnreachable);
    EXPECT_EQ(blocked.head->version, 2U);
    client.send(5, codec::EditRequest{
                       map, {{model::RemoveObstacle{{307}}, model::RemoveObstacle{{4711}}}}});
    const auto removed = client.expect<codec::EditReply>(5);
    EXPECT_EQ(removed.version, 3U);
    EXPECT_EQ(removed.unknown_obstacles, (std::vector<model::ObstacleId>{{4711}}));
    client.send(6, across());
    EXPECT_EQ(client.expect<codec::PathPart>(6).head->outcome, model::Outcome::kComplete);
}

// If this failed, a unit that stands on the map as an obstacle could be sent nowhere.
TEST_F(ServerTest, AUnitMayLookPastItsOwnObstacle) {
    start();
    RawClient client(server->port());
    client.greet();
    client.send(1, block(0, 0));
    EXPECT_EQ(client.expect<codec::EditReply>(1).version, 2U);
    codec::PathRequest request = across();
    client.send(2, request);
    EXPECT_EQ(client.expect<codec::PathPart>(2).head->outcome, model::Outcome::kStartBlocked);
    request.query.ignore_obstacle = {{1}};
    client.send(3, request);
    const auto answer = client.expect<codec::PathPart>(3);
    EXPECT_EQ(answer.head->outcome, model::Outcome::kComplete);
    EXPECT_EQ(answer.head->version, 2U);
}

// If this failed, a mirror of a map would miss an edit or apply one twice.
TEST_F(ServerTest, WatchSendsTheStateAndThenEveryEdit) {
    start();
    RawClient editor(server->port());
    editor.greet();
    editor.send(2, block(6, 3));
    (void)editor.expect<codec::EditReply>(2);
    RawClient watcher(server->port());
    watcher.greet();
    watcher.send(7, codec::MapStateRequest{map, true});
    codec::MapStateAssembler assembler;
    while (!assembler.add(watcher.expect<codec::MapStatePart>(7)).value_or(true)) {
    }
    const codec::MapState state = assembler.take();
    EXPECT_EQ(state.info.name, "drawn");
    EXPECT_EQ(state.info.version, 2U);
    EXPECT_EQ(state.terrain.size(), 48U);
    ASSERT_EQ(state.obstacles.size(), 1U);
    for (int i = 0; i < 20; ++i) {
        editor.send(3, block(i % 6, 0));
        (void)editor.expect<codec::EditReply>(3);
    }
    for (model::Version version = 3; version < 23; ++version) {
        const auto push = watcher.expect<codec::MapEdited>(7);
        EXPECT_EQ(push.version, version);
        EXPECT_EQ(push.batch.edits.size(), 1U);
    }
    model::MovementClass ghost = model::ground_class();
    ghost.name = "ghost";
    editor.send(4, codec::AddClassRequest{map, ghost});
    EXPECT_EQ(editor.expect<codec::AddClassReply>(4).version, 23U);
    const auto push = watcher.expect<codec::MapEdited>(7);
    EXPECT_EQ(push.version, 23U);
    EXPECT_EQ(push.batch.added_class, ghost);
    watcher.send(8, codec::MapStateRequest{map, true});
    EXPECT_EQ(watcher.expect<model::Refusal>(8).field, "map_state.watch");
    watcher.send(9, codec::UnwatchRequest{map});
    (void)watcher.expect<codec::UnwatchReply>(9);
    editor.send(4, block(7, 5));
    (void)editor.expect<codec::EditReply>(4);
    watcher.send(10, codec::Ping{});
    (void)watcher.expect<codec::Pong>(10);
}

// If this failed, a class that a client registers could not be used, or a bad one would get in.
TEST_F(ServerTest, ClassesCanBeAdded) {
    start();
    RawClient client(server->port());
    client.greet();
    model::MovementClass ghost = model::ground_class();
    ghost.name = "ghost";
    ghost.weights['@'] = 10;
    client.send(2, codec::AddClassRequest{map, ghost});
    EXPECT_EQ(client.expect<codec::AddClassReply>(2).id.value, 2U);
    codec::PathRequest request = across();
    request.class_name = "ghost";
    client.send(3, request);
    EXPECT_EQ(client.expect<codec::PathPart>(3).head->outcome, model::Outcome::kComplete);
    ghost.footprint = 200;
    client.send(4, codec::AddClassRequest{map, ghost});
    EXPECT_EQ(client.expect<model::Refusal>(4).code, RefusalCode::kInvalidArgument);
    client.send(5, codec::ListMapsRequest{});
    EXPECT_EQ(client.expect<codec::ListMapsReply>(5).maps.at(0).classes.size(), 3U);
}

// If this failed, a client could not find the field to blame in the message that it sent.
TEST_F(ServerTest, RefusalsNameFieldsAsTheRequestSpellsThem) {
    start();
    RawClient client(server->port());
    client.greet();
    const model::MapId nowhere{4711};
    codec::PathRequest path = across();
    path.map = nowhere;
    client.send(2, path);
    EXPECT_EQ(client.expect<model::Refusal>(2).field, "path.map_id");
    path.class_name = "ground";
    client.send(3, path);
    EXPECT_EQ(client.expect<model::Refusal>(3).field, "path.map_id");
    client.send(4, codec::EditRequest{nowhere, {{model::RemoveObstacle{{1}}}}});
    EXPECT_EQ(client.expect<model::Refusal>(4).field, "edit.map_id");
    client.send(5, codec::MapStateRequest{nowhere, false});
    EXPECT_EQ(client.expect<model::Refusal>(5).field, "map_state.map_id");
    client.send(6, codec::AddClassRequest{nowhere, model::ground_class()});
    EXPECT_EQ(client.expect<model::Refusal>(6).field, "add_class.map_id");
    model::MovementClass namesake = model::terrain_class();
    namesake.name = "ground";
    client.send(7, codec::AddClassRequest{map, namesake});
    EXPECT_EQ(client.expect<model::Refusal>(7).field, "add_class.movement_class.name");
}

}  // namespace
}  // namespace outrider::test
