#include <gtest/gtest.h>

#include <atomic>
#include <new>

#include "integration/server_fixture.hpp"

namespace outrider::test {
namespace {

using namespace std::chrono_literals;

// Throws once where the session next looks at the time, as an allocation might.
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

  private:
    const base::Clock& clock_;
    mutable std::atomic<bool> armed_{false};
};

struct FailureTest : ServerTest {
    FailureTest() { session_clock = &failing; }

    void expect_service() const {
        RawClient client(server->port());
        client.greet();
        client.send(2, codec::Ping{5});
        EXPECT_EQ(client.expect<codec::Pong>(2).payload, 5U);
    }

    FailingClock failing{clock};
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

}  // namespace
}  // namespace outrider::test
