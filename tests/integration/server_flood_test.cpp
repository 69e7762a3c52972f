#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "integration/server_fixture.hpp"
#include "integration/server_process.hpp"

namespace outrider::test {
namespace {

using namespace std::chrono_literals;

struct FloodTest : ServerTest {
    void expect_service() const {
        RawClient client(server->port());
        client.greet();
        client.send(2, across());
        EXPECT_EQ(client.expect<codec::PathPart>(2).head->outcome, model::Outcome::kComplete);
    }
};

std::size_t entries_of(const char* folder) {
    const std::filesystem::directory_iterator all(folder);
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

// Fault kind: file descriptors run out. If this failed, a flood would end the listener for good, or
// turn it into a loop that takes a core.
TEST(ServerFlood, TheListenerOutlivesTheEndOfFileDescriptors) {
#if defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "the sanitizer opens a pipe to look at an object's type, and here it cannot";
#endif
    // Some fifteen are the server's own.
    constexpr rlim_t kFilesMax = 40;
    ServerProcess program({"--listen", "127.0.0.1:0", "--hello-timeout-ms", "3600000"}, kFilesMax);
    const std::uint16_t port = program.port();
    ASSERT_NE(port, 0);
    RawClient before(port);
    before.greet();
    std::vector<std::unique_ptr<RawClient>> flood;
    for (rlim_t i = 0; i < kFilesMax; ++i) {
        flood.push_back(std::make_unique<RawClient>(port));
    }
    const std::string log = program.errors_until("accept failed");
    EXPECT_NE(log.find("accept failed"), std::string::npos) << log;
    before.send(2, codec::Ping{2});
    EXPECT_EQ(before.expect<codec::Pong>(2).payload, 2U) << "who is in is served meanwhile";
    RawClient waiting(port);
    waiting.send(1, codec::Hello{codec::kProtocolVersion, "", "test"});
    EXPECT_FALSE(waiting.something_to_read(0));
    flood.clear();
    (void)waiting.expect<codec::Welcome>(1);
    waiting.hang_up();
    before.hang_up();
    program.terminate();
    EXPECT_EQ(program.wait(), 0);
}

// If this failed, a game that starts a server for each match would run out of threads or files.
TEST_F(FloodTest, FiftyStartsAndStopsLeaveNothingBehind) {
    std::size_t files = 0;
    std::size_t threads = 0;
    for (int round = 0; round < 50; ++round) {
        start();
        expect_service();
        // Some end with a client still there, some in the middle of a drain.
        RawClient there(server->port());
        there.greet();
        if (round % 3 == 0) {
            server->begin_drain();
        }
        server.reset();
        engine.reset();
        log.reset();
        there.hang_up();
        if (round == 0) {
            files = entries_of("/proc/self/fd");
            threads = entries_of("/proc/self/task");
        }
    }
    EXPECT_EQ(entries_of("/proc/self/fd"), files);
    EXPECT_EQ(entries_of("/proc/self/task"), threads);
}

// If this failed, a peer that breaks off in the middle of a frame would leave its session behind.
TEST_F(FloodTest, AResetAmidAFrameEndsThatSessionOnly) {
    engine_config.workers = 0;
    start();
    RawClient other(server->port());
    other.greet();
    RawClient client(server->port());
    client.greet();
    client.send(2, across());
    const wire::Bytes frame = RawClient::frame_of({{3}, across()});
    for (std::size_t cut = 1; cut < frame.size(); ++cut) {
        RawClient cutting(server->port());
        cutting.greet();
        cutting.send_bytes(std::span(frame).first(cut));
        cutting.reset();
    }
    ASSERT_TRUE(eventually([&] { return engine->stats().queued == 1; }));
    client.send_bytes(std::span(frame).first(frame.size() / 2));
    client.reset();
    ASSERT_TRUE(sessions_become(1));
    EXPECT_EQ(engine->stats().dropped_by_disconnect, 1U);
    other.send(2, codec::Ping{5});
    EXPECT_EQ(other.expect<codec::Pong>(2).payload, 5U);
}

// If this failed, strangers that come and go would fill the server's books.
TEST_F(FloodTest, ManyThatComeAndBreakOffLeaveNothing) {
    net_config.io_threads = 2;
    net_config.access.count_loopback = true;
    start();
    constexpr std::uint64_t kRounds = 500;
    for (std::uint64_t round = 0; round < kRounds; ++round) {
        RawClient client(server->port());
        if (round % 2 == 0) {
            client.greet();
        }
        client.reset();
    }
    ASSERT_TRUE(eventually([&] {
        const net::Stats stats = server->stats();
        return stats.sessions_opened + stats.sessions_refused == kRounds &&
               stats.sessions_open == 0;
    }));
    EXPECT_EQ(engine->stats().clients, 0U);
    expect_service();
}

// If this failed, a crowd that comes and goes would take the time of those who are in.
TEST_F(FloodTest, WhoComesFasterThanTheRateWaits) {
    net_config.connections_per_second = 4;
    start();
    std::vector<std::unique_ptr<RawClient>> guests;
    const auto come = [&] {
        guests.push_back(std::make_unique<RawClient>(server->port()));
        guests.back()->send(1, codec::Hello{codec::kProtocolVersion, "", "test"});
    };
    for (int i = 0; i < 4; ++i) {
        come();
        (void)guests.back()->expect<codec::Welcome>(1);
    }
    const auto opened = [&] {
        guests[0]->send(2, codec::Ping{2});
        (void)guests[0]->expect<codec::Pong>(2);
        return server->stats().sessions_opened;
    };
    come();
    EXPECT_EQ(opened(), 4U) << "a second's worth has come";
    clock.advance(1ms);
    (void)guests.back()->expect<codec::Welcome>(1);
    come();
    clock.advance(248ms);
    EXPECT_EQ(opened(), 5U) << "a quarter of a second is not over";
    clock.advance(2ms);
    (void)guests.back()->expect<codec::Welcome>(1);
    EXPECT_EQ(server->stats().sessions_refused, 0U);

    net_config.connections_per_second = 0;
    ASSERT_TRUE(server->reload(net_config).has_value());
    for (int i = 0; i < 10; ++i) {
        RawClient(server->port()).greet();
    }
}

// If this failed, the system would take megabytes for each client that sends faster than it is
// read.
TEST_F(FloodTest, TheSystemIsAskedToHoldNoMoreThanConfigured) {
    for (const std::size_t bytes : {32'767U, 32'768U, 32'769U}) {
        net_config.receive_buffer_bytes = bytes;
        start();
        RawClient client(server->port());
        client.greet();
        int sockets = 0;
        for (int file = 0; file < ::getdtablesize(); ++file) {
            sockaddr_in local{};
            socklen_t size = sizeof local;
            const bool is_socket =
                ::getsockname(file, reinterpret_cast<sockaddr*>(&local), &size) == 0;
            if (is_socket && ntohs(local.sin_port) == server->port()) {
                int held = 0;
                size = sizeof held;
                ASSERT_EQ(::getsockopt(file, SOL_SOCKET, SO_RCVBUF, &held, &size), 0);
                EXPECT_EQ(static_cast<std::size_t>(held), 2 * bytes) << "Linux tells the double";
                ++sockets;
            }
        }
        EXPECT_EQ(sockets, 2) << "the listener and the client's";
        TearDown();
    }
}

// If this failed, clients whose time is up all at once would hold up the others, or be forgotten.
TEST_F(FloodTest, ACrowdWhoseTimeIsUpAtOnceIsToldInTurns) {
    constexpr std::size_t kCrowd = 60;  // told sixteen in one go
    start();
    RawClient other(server->port());
    other.greet();
    std::vector<std::unique_ptr<RawClient>> silent;
    while (silent.size() < kCrowd) {
        silent.push_back(std::make_unique<RawClient>(server->port()));
    }
    ASSERT_TRUE(sessions_become(kCrowd + 1));
    clock.advance(net_config.hello_timeout + 1ms);
    for (const auto& client : silent) {
        EXPECT_EQ(client->expect_goodbye().code, model::RefusalCode::kUnauthenticated);
    }
    silent.clear();
    other.send(2, codec::Ping{5});
    EXPECT_EQ(other.expect<codec::Pong>(2).payload, 5U);
    EXPECT_TRUE(sessions_become(1));
}

// If this failed, a crowd that asks and never reads would have the server work for nobody, a
// megabyte a head, as often as it comes back; or a client that reads would be held short.
TEST_F(FloodTest, ANewcomerThatDoesNotReadIsHeldShortAndAReaderIsNot) {
    constexpr std::uint64_t kNewcomerBytes = 32U << 10U;
    constexpr std::uint64_t kProofBytes = 128U << 10U;
    start();
    RawClient client(server->port(), 4096);
    client.greet();
    wire::Bytes burst;
    for (std::uint64_t id = 2; id < 302; ++id) {
        const wire::Bytes frame = RawClient::frame_of({{id}, codec::ListMapsRequest{}});
        burst.insert(burst.end(), frame.begin(), frame.end());
    }
    std::uint64_t peak = 0;
    const auto ask_until_held_at = [&](std::uint64_t bytes) {
        std::uint64_t taken = 0;
        return eventually([&] {
            while (client.send_bytes_now(burst)) {
            }
            const net::Stats stats = server->stats();
            peak = std::max(peak, stats.outbox_bytes);
            return std::exchange(taken, stats.requests) == stats.requests && peak >= bytes;
        });
    };
    EXPECT_TRUE(ask_until_held_at(kNewcomerBytes));
    EXPECT_LT(peak, 2 * kNewcomerBytes);
    while (server->stats().bytes_out < 2 * kProofBytes) {
        (void)client.send_bytes_now({});
        ASSERT_TRUE(client.receive().has_value());
    }
    EXPECT_TRUE(ask_until_held_at(net_config.outbox_high_bytes)) << "it has shown that it reads";
    EXPECT_LT(peak, 2 * net_config.outbox_high_bytes);
}

// Fault kind: slow loris. If this failed, a Hello that comes byte by byte would hold a place for as
// long as its sender likes.
TEST_F(FloodTest, AHelloThatDripsIsCutOffInTime) {
    start();
    RawClient client(server->port());
    const wire::Bytes hello = RawClient::frame_of(
        {{1}, codec::Hello{codec::kProtocolVersion, {}, std::string(100, 'n')}});
    ASSERT_LT(net_config.hello_timeout, net_config.frame_timeout);
    std::size_t at = 0;
    const auto time_a_byte = net_config.hello_timeout / 50;
    ASSERT_TRUE(eventually([&] {
        if (at + 1 < hello.size()) {
            client.send_bytes(std::span(hello).subspan(at++, 1));
        }
        clock.advance(time_a_byte);
        return client.something_to_read(1);
    }));
    EXPECT_EQ(client.expect_goodbye().code, model::RefusalCode::kUnauthenticated);
    EXPECT_LT(at, hello.size() - 1) << "before its end";
}

// Fault kind: half-open. If this failed, a machine that lost its power would hold a session for
// ever.
TEST_F(FloodTest, APeerThatIsGoneWithoutAWordIsGivenUp) {
    start();
    // It never reads, writes or closes again, as if its cable had been cut.
    RawClient gone(server->port());
    gone.greet();
    gone.send(7, codec::MapStateRequest{map, true});
    (void)gone.expect<codec::MapStatePart>(7);
    RawClient editor(server->port());
    editor.greet();
    editor.send(2, block(3, 0));
    (void)editor.expect<codec::EditReply>(2);
    ASSERT_TRUE(eventually([&] {
        clock.advance(net_config.idle_timeout / 4);
        editor.send(3, codec::Ping{});
        (void)editor.expect<codec::Pong>(3);
        return server->stats().sessions_open == 1;
    }));
    EXPECT_EQ(engine->stats().clients, 1U);
}

}  // namespace
}  // namespace outrider::test
