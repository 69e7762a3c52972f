#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <new>

#include "integration/server_fixture.hpp"

namespace outrider::test {
namespace {

using namespace std::chrono_literals;

// Throws once where somebody next looks at the time, as an allocation might.
class FailingClock final : public base::Clock {
  public:
    explicit FailingClock(const base::Clock& clock) : clock_(clock) {}
    [[nodiscard]] base::TimePoint now() const override {
        if (armed_.exchange(false)) {
            throw std::bad_alloc();
        }
        return clock_.now();
    }
    void arm() { armed_ = true; }
    [[nodiscard]] bool armed() const { return armed_; }

  private:
    const base::Clock& clock_;
    mutable std::atomic<bool> armed_{false};
};

struct FailureTest : ServerTest {
    FailureTest() {
        session_clock = &failing;
        log_clock = &failing_log;
    }

    void expect_service() const {
        RawClient client(server->port());
        client.greet();
        client.send(2, codec::Ping{5});
        EXPECT_EQ(client.expect<codec::Pong>(2).payload, 5U);
    }

    FailingClock failing{clock};
    FailingClock failing_log{steady};
};

// While one lives, this process gets no more file descriptors.
class NoDescriptors {
  public:
    NoDescriptors() {
        EXPECT_EQ(::getrlimit(RLIMIT_NOFILE, &before_), 0);
        const int next = ::dup(STDERR_FILENO);
        ::close(next);
        const rlimit limit{.rlim_cur = static_cast<rlim_t>(next), .rlim_max = before_.rlim_max};
        EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
    }
    ~NoDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }
    NoDescriptors(const NoDescriptors&) = delete;
    NoDescriptors& operator=(const NoDescriptors&) = delete;

  private:
    rlimit before_{};
};

// If this failed, want of memory at one reply would end the server for everybody.
TEST_F(FailureTest, AFailureAtAReplyEndsThatSessionOnly) {
    net_config.tick = 1h;
    engine_config.workers = 0;
    start();
    RawClient client(server->port());
    client.greet();
    client.send(2, across());
    client.send(3, codec::Ping{});
    (void)client.expect<codec::Pong>(3);
    failing.arm();
    while (engine->run_for(1ms)) {
    }
    EXPECT_FALSE(client.receive());
    EXPECT_TRUE(sessions_become(0));
    EXPECT_EQ(engine->stats().clients, 0U);
    expect_service();
}

// If this failed, want of memory at a request would end the server, or the client would wait.
TEST_F(FailureTest, AFailureAtARequestEndsThatSessionOnly) {
    net_config.tick = 1h;
    start();
    RawClient client(server->port());
    client.greet();
    failing.arm();
    client.send(2, codec::Ping{});
    EXPECT_FALSE(client.receive());
    EXPECT_TRUE(sessions_become(0));
    EXPECT_EQ(engine->stats().clients, 0U);
    expect_service();
}

// If this failed, no timeout would ever fire again after a failure at one, and the dead would fill
// the server.
TEST_F(FailureTest, TimeoutsGoOnAfterAFailureAtOne) {
    start();
    RawClient client(server->port());
    client.greet();
    failing.arm();
    EXPECT_FALSE(client.receive());
    EXPECT_TRUE(sessions_become(0));
    RawClient silent(server->port());
    ASSERT_TRUE(passes_until_answered(net_config.hello_timeout, silent));
    EXPECT_EQ(silent.expect_goodbye().code, model::RefusalCode::kUnauthenticated);
}

// If this failed, each session that found no memory to begin would hold a place for ever.
TEST_F(FailureTest, AFailureAtTheDoorGivesThePlaceBack) {
    net_config.connections_max = 1;
    start();
    expect_service();  // the door is open and waits for the next
    ASSERT_TRUE(sessions_become(0));
    failing.arm();
    {
        RawClient unlucky(server->port());
        EXPECT_FALSE(unlucky.receive());
    }
    EXPECT_TRUE(sessions_become(0));
    expect_service();
}

// Fault kind: the end of what serves all. If this failed, a server that has once had neither
// descriptors nor memory would never let anybody in again, and say all the while that it is ready.
TEST_F(FailureTest, TheDoorOpensAgainAfterAFailureAtAccepting) {
    log_level = telemetry::Level::kError;  // what is not written is counted all the same
    start();
    expect_service();
    ASSERT_TRUE(sessions_become(0));
    const int waiting = ::socket(AF_INET, SOCK_STREAM, 0);
    ASSERT_GE(waiting, 0);
    {
        const NoDescriptors none;
        failing_log.arm();
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(server->port());
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        ASSERT_EQ(::connect(waiting, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
        EXPECT_TRUE(eventually([&] { return !failing_log.armed(); }));
    }
    EXPECT_TRUE(sessions_become(1)) << "who has waited comes in";
    ::close(waiting);
    expect_service();
}

// Fault kind: a count that only grows. If this failed, each session that ended without memory for
// its end would leave its replies in the sum, until nobody may be a little slow any more.
TEST_F(FailureTest, RepliesOfASessionThatCannotEvenEndAreNotCountedForEver) {
    engine_config.workers = 0;
    net_config.send_buffer_bytes = 4096;
    net_config.tick = 1h;
    start();
    const model::MapId field = add_field(2048);
    {
        RawClient client(server->port(), 4096);
        client.greet();
        client.send(2, codec::MapStateRequest{field, false});
        EXPECT_TRUE(eventually([&] { return server->stats().outbox_bytes > 0; }));
        failing_log.arm();
        failing.arm();
        client.send(3, codec::Ping{});
        EXPECT_TRUE(sessions_become(0));
        EXPECT_FALSE(failing_log.armed());
    }
    EXPECT_EQ(server->stats().outbox_bytes, 0U);
    EXPECT_EQ(engine->memory().bytes(engine::MemoryPart::kNetwork), 0U);
    EXPECT_EQ(engine->stats().clients, 0U);
    expect_service();
}

}  // namespace
}  // namespace outrider::test
