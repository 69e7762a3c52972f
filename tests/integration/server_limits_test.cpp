#include <gtest/gtest.h>

#include <map>
#include <string>

#include "integration/server_fixture.hpp"
#include "outrider/codec/assemble.hpp"

namespace outrider::test {
namespace {

using model::RefusalCode;
using namespace std::chrono_literals;

// If this failed, strangers that never speak would hold every place of the server.
TEST_F(ServerTest, WithoutHelloTheSessionEnds) {
    start();
    RawClient silent(server->port());
    ASSERT_TRUE(passes_until_answered(net_config.hello_timeout, silent));
    EXPECT_EQ(silent.expect_goodbye().code, RefusalCode::kUnauthenticated);
    EXPECT_TRUE(sessions_become(0));
}

// If this failed, a dead client would hold its place for ever, or a living one lose it.
TEST_F(ServerTest, IdleSessionsEndAndAPingKeepsThem) {
    start();
    RawClient living(server->port());
    RawClient dead(server->port());
    living.greet();
    dead.greet();
    for (std::uint64_t id = 2; id < 6; ++id) {
        clock.advance(net_config.idle_timeout / 2);
        living.send(id, codec::Ping{id});
        EXPECT_EQ(living.expect<codec::Pong>(id).payload, id);
    }
    EXPECT_NE(dead.expect_goodbye().message.find("idle"), std::string::npos);
    EXPECT_TRUE(sessions_become(1));
}

// If this failed, a client that feeds a frame byte by byte for ever would hold a buffer.
TEST_F(ServerTest, AFrameThatNeverEndsIsCutOff) {
    start();
    RawClient client(server->port());
    client.greet();
    const wire::Bytes frame = RawClient::frame_of({{2}, codec::Ping{5}});
    client.send_bytes(std::span(frame).first(frame.size() - 1));
    ASSERT_TRUE(passes_until_answered(net_config.frame_timeout, client));
    EXPECT_NE(client.expect_goodbye().message.find("first byte"), std::string::npos);
}

// If this failed, one more connection than planned would break the server's memory sum.
TEST_F(ServerTest, ConnectionsAreBounded) {
    net_config.connections_max = 2;
    start();
    RawClient first(server->port());
    RawClient second(server->port());
    first.greet();
    second.greet();
    {
        RawClient third(server->port());
        const model::Refusal reason = third.expect_goodbye();
        EXPECT_EQ(reason.code, RefusalCode::kOverloaded);
        EXPECT_GT(reason.retry_after, 0ms);
    }
    first.hang_up();
    ASSERT_TRUE(sessions_become(1));
    RawClient fourth(server->port());
    fourth.greet();
}

// Fault kind K12#121. If this failed, a peer that never reads would eat the server's memory.
TEST_F(ServerTest, APeerThatNeverReadsIsBoundedAndClosed) {
    net_config.outbox_high_bytes = 64U << 10U;
    net_config.outbox_low_bytes = 16U << 10U;
    start();
    RawClient deaf(server->port(), 4096);
    deaf.greet();
    wire::Bytes burst;
    for (std::uint64_t id = 2; id < 300; ++id) {
        const wire::Bytes frame = RawClient::frame_of({{id}, codec::ListMapsRequest{}});
        burst.insert(burst.end(), frame.begin(), frame.end());
    }
    // The kernel's buffers take megabytes before anything waits in the server, and more before the
    // client can send no more.
    std::uint64_t peak = 0;
    ASSERT_TRUE(eventually([&] {
        const bool taken = deaf.send_bytes_now(burst);
        const std::uint64_t waiting = server->stats().outbox_bytes;
        peak = std::max(peak, waiting);
        return !taken && waiting > net_config.outbox_low_bytes;
    }));
    EXPECT_LE(peak, 2 * net_config.outbox_high_bytes);
    // It drains no more, and so the server gives it up.
    ASSERT_TRUE(eventually([&] {
        clock.advance(net_config.slow_reader_timeout);
        return server->stats().sessions_open == 0;
    }));
    EXPECT_EQ(server->stats().outbox_bytes, 0U);
}

// If this failed, a watcher that never reads would collect edits without a bound, or cost the
// editor its session.
TEST_F(ServerTest, AWatcherThatNeverReadsIsClosedAtTheHardMark) {
    net_config.outbox_high_bytes = 64U << 10U;
    net_config.outbox_low_bytes = 16U << 10U;
    net_config.outbox_hard_bytes = 4U << 20U;
    start();
    RawClient watcher(server->port(), 4096);
    watcher.greet();
    watcher.send(7, codec::MapStateRequest{map, true});
    (void)watcher.expect<codec::MapStatePart>(7);
    RawClient editor(server->port());
    editor.greet();
    codec::EditRequest large{map, {}};
    for (int i = 0; i < 4000; ++i) {
        large.batch.edits.push_back(model::TerrainEdit{{0, 0, 1, 1}, {'.'}});
    }
    std::uint64_t peak = 0;
    ASSERT_TRUE(eventually([&] {
        editor.send(2, large);
        (void)editor.expect<codec::EditReply>(2);
        const std::uint64_t waiting = server->stats().outbox_bytes;
        peak = std::max(peak, waiting);
        return peak > net_config.outbox_hard_bytes / 2 &&
               waiting < net_config.outbox_hard_bytes / 8;
    }));
    EXPECT_LE(peak, net_config.outbox_hard_bytes + (1U << 20U));
    editor.send(3, codec::Ping{});
    (void)editor.expect<codec::Pong>(3);
    const model::Refusal reason = watcher.expect_goodbye();
    EXPECT_EQ(reason.code, RefusalCode::kOverloaded);
    EXPECT_NE(reason.message.find("slow reader"), std::string::npos);
}

// If this failed, replies would wait while the session sleeps, once it had been paused.
TEST_F(ServerTest, AClientThatReadsLateGetsEveryReply) {
    net_config.outbox_high_bytes = 16U << 10U;
    net_config.outbox_low_bytes = 4U << 10U;
    start();
    RawClient late(server->port(), 4096);
    late.greet();
    constexpr std::uint64_t kRequests = 3000;
    std::uint64_t received = 0;
    for (std::uint64_t id = 2; id < 2 + kRequests; ++id) {
        const wire::Bytes frame = RawClient::frame_of({{id}, codec::ListMapsRequest{}});
        while (!late.send_bytes_now(frame)) {
            ASSERT_TRUE(late.receive().has_value());
            ++received;
        }
    }
    for (; received < kRequests; ++received) {
        (void)late.send_bytes_now({});
        ASSERT_TRUE(late.receive().has_value());
    }
}

// Fault kind K9#96. If this failed, cancelling what is unknown or over would harm the server.
TEST_F(ServerTest, CancelIsHarmlessWhateverItNames) {
    engine_config.workers = 0;
    start();
    RawClient client(server->port());
    client.greet();
    client.send(2, codec::CancelRequest{{4711}});
    EXPECT_FALSE(client.expect<codec::CancelReply>(2).cancelled);
    client.send(3, across());
    client.send(4, codec::CancelRequest{{3}});
    std::map<std::uint64_t, codec::ServerMessage> got;
    for (int i = 0; i < 2; ++i) {
        auto message = client.receive();
        ASSERT_TRUE(message);
        got[message->id.value] = *std::move(message);
    }
    EXPECT_TRUE(std::get<codec::CancelReply>(got.at(4).body).cancelled);
    EXPECT_EQ(std::get<codec::PathPart>(got.at(3).body).head->outcome, model::Outcome::kCancelled);
    client.send(5, codec::CancelRequest{{3}});
    EXPECT_FALSE(client.expect<codec::CancelReply>(5).cancelled) << "cancelled twice";
}

// If this failed, a client that reuses an id in flight would get its first reply in the second's
// format, and read cells as turning points.
TEST_F(ServerTest, AReusedIdLeavesTheFirstItsFormat) {
    engine_config.workers = 0;
    start();
    RawClient client(server->port());
    client.greet();
    const auto ask = [&](std::uint64_t id, codec::PathFormat format) {
        codec::PathRequest request = across();
        request.format = format;
        client.send(id, request);
    };
    ask(2, codec::PathFormat::kCells);
    ask(2, codec::PathFormat::kTurningPoints);
    EXPECT_EQ(client.expect<model::Refusal>(2).field, "request_id");
    ask(3, codec::PathFormat::kTurningPoints);
    ask(3, codec::PathFormat::kCells);
    EXPECT_EQ(client.expect<model::Refusal>(3).field, "request_id");
    while (engine->run_for(1ms)) {
    }
    std::map<std::uint64_t, std::size_t> points;
    for (int i = 0; i < 2; ++i) {
        const auto message = client.receive();
        ASSERT_TRUE(message);
        codec::PathAssembler whole;
        ASSERT_TRUE(whole.add(std::get<codec::PathPart>(message->body)).value());
        points[message->id.value] = whole.take().points.size();
    }
    EXPECT_GT(points.at(2), points.at(3));
}

// Fault kind K9#101. If this failed, searches for clients that are gone would hold up the others.
TEST_F(ServerTest, AClosedSocketDropsItsQueuedRequests) {
    engine_config.workers = 0;
    start();
    RawClient client(server->port());
    client.greet();
    for (std::uint64_t id = 2; id < 102; ++id) {
        codec::PathRequest request = across();
        // Distinct goals, so that none is joined to another.
        request.query.goal.rect = {static_cast<std::int32_t>(id % 8), 5, 1, 1};
        request.query.weight_percent = 100 + static_cast<std::uint32_t>(id);
        client.send(id, request);
    }
    ASSERT_TRUE(eventually([&] { return server->stats().requests == 101; }));
    const std::uint64_t waiting = engine->stats().submitted - engine->stats().answered;
    EXPECT_GT(waiting, 50U);
    client.hang_up();
    ASSERT_TRUE(sessions_become(0));
    EXPECT_EQ(engine->stats().dropped_by_disconnect, waiting);
    while (engine->run_for(1ms)) {
    }
    EXPECT_EQ(engine->stats().expansions, 0U) << "worker time is saved";
}

// If this failed, an operator would read that nothing was lost when the server itself hung up.
TEST_F(ServerTest, TheLogCountsWhatTheServersGoodbyeDrops) {
    engine_config.workers = 0;
    log_level = telemetry::Level::kInfo;
    testing::internal::CaptureStderr();
    start();
    RawClient client(server->port());
    client.greet();
    client.send(2, across());
    EXPECT_TRUE(eventually([&] { return engine->stats().queued == 1; }));
    EXPECT_TRUE(passes_until_answered(net_config.idle_timeout, client));
    EXPECT_EQ(client.expect_goodbye().code, RefusalCode::kNotReady);
    client.hang_up();
    EXPECT_TRUE(sessions_become(0));
    server.reset();
    log.reset();
    const std::string lines = testing::internal::GetCapturedStderr();
    EXPECT_NE(lines.find("dropped=1"), std::string::npos) << lines;
}

// Fault kind K9#91. If this failed, requests beyond the limit would vanish in silence.
TEST_F(ServerTest, EveryRequestBeyondTheLimitIsRefused) {
    engine_config.workers = 0;
    engine_config.requests_per_client_max = 8;
    start();
    RawClient client(server->port());
    EXPECT_EQ(client.greet().limits.requests_in_flight_max, 8U);
    for (std::uint64_t id = 2; id < 22; ++id) {
        client.send(id, across());
    }
    for (int i = 0; i < 12; ++i) {
        const auto message = client.receive();
        ASSERT_TRUE(message);
        const auto& refusal = std::get<model::Refusal>(message->body);
        EXPECT_EQ(refusal.code, RefusalCode::kOverloaded);
        EXPECT_GT(refusal.retry_after, 0ms);
    }
    while (engine->run_for(1ms)) {
    }
    for (int i = 0; i < 8; ++i) {
        const auto message = client.receive();
        ASSERT_TRUE(message && std::holds_alternative<codec::PathPart>(message->body));
    }
    client.send(30, codec::Ping{});
    (void)client.expect<codec::Pong>(30);
}

// If this failed, a restart of the server would lose requests that it had accepted (law 3).
TEST_F(ServerTest, DrainAnswersWhatWasAcceptedAndRefusesTheRest) {
    engine_config.workers = 0;
    start();
    RawClient client(server->port());
    client.greet();
    client.send(2, across());
    ASSERT_TRUE(eventually([&] { return engine->stats().queued + engine->stats().running == 1; }));
    server->begin_drain();
    client.send(3, across());
    EXPECT_EQ(client.expect<model::Refusal>(3).code, RefusalCode::kShuttingDown);
    client.send(4, block(0, 0));
    EXPECT_EQ(client.expect<model::Refusal>(4).code, RefusalCode::kShuttingDown);
    EXPECT_FALSE(server->wait_closed(1ms));
    while (engine->run_for(1ms)) {
    }
    EXPECT_EQ(client.expect<codec::PathPart>(2).head->outcome, model::Outcome::kComplete);
    EXPECT_EQ(client.expect_goodbye().code, RefusalCode::kShuttingDown);
    EXPECT_TRUE(server->wait_closed(kPatience));
}

// If this failed, sessions on several I/O threads would mix up their replies.
TEST_F(ServerTest, ManySessionsOnSeveralThreadsGetTheirOwnReplies) {
    net_config.io_threads = 3;
    engine_config.workers = 2;
    start();
    std::vector<std::unique_ptr<RawClient>> clients;
    for (int i = 0; i < 9; ++i) {
        clients.push_back(std::make_unique<RawClient>(server->port()));
        clients.back()->greet();
    }
    for (std::uint64_t round = 0; round < 20; ++round) {
        for (std::size_t i = 0; i < clients.size(); ++i) {
            clients[i]->send(100 * round + i + 2, across());
        }
        clients[round % 9]->send(7, block(static_cast<std::int32_t>(round % 4), 0));
        (void)clients[round % 9]->receive();
        for (std::size_t i = 0; i < clients.size(); ++i) {
            const auto message = clients[i]->receive();
            ASSERT_TRUE(message);
            EXPECT_TRUE(message->id.value == 100 * round + i + 2 || message->id.value == 7);
        }
    }
}

}  // namespace
}  // namespace outrider::test
