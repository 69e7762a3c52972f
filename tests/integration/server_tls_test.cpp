#include <gtest/gtest.h>
#include <sys/socket.h>

#include "integration/server_fixture.hpp"
#include "outrider/net/tls.hpp"
#include "support/certificates.hpp"

namespace outrider::test {
namespace {

using model::RefusalCode;
using namespace std::chrono_literals;

struct ServerTlsTest : ServerTest {
    ServerTlsTest() : own(make_certificate()) { net_config.tls = context_of(own); }

    static std::shared_ptr<const net::TlsContext> context_of(const Certificate& certificate,
                                                             const std::string& client_ca = {}) {
        return net::TlsContext::make({certificate.pem, certificate.key, client_ca}).value();
    }
    static void expect_pong(RawClient& client, std::uint64_t id) {
        ASSERT_TRUE(client.send(id, codec::Ping{id}));
        EXPECT_EQ(client.expect<codec::Pong>(id).payload, id);
    }
    // A client whose handshake never ends holds a session, but no place in the engine.
    [[nodiscard]] bool half_begun(std::uint64_t sessions) const {
        return sessions_become(sessions) && engine->stats().clients == 0;
    }

    Certificate own;
};

// If this failed, a client could ask over TLS for what it never gets, or in the clear unawares.
TEST_F(ServerTlsTest, AsksAndAnswersGoThroughTls) {
    start();
    RawClient client(server->port());
    ASSERT_TRUE(client.begin_tls());
    EXPECT_EQ(client.tls()->version(), "TLSv1.3");
    EXPECT_EQ(client.tls()->server_certificate(), own.pem);
    client.greet();
    client.send(2, across());
    EXPECT_EQ(client.expect<codec::PathPart>(2).head->outcome, model::Outcome::kComplete);
    // Frames that fill many records, in one write, with one cut in the middle of the stream.
    wire::Bytes burst;
    constexpr std::uint64_t kPings = 20'000;
    for (std::uint64_t id = 3; id < 3 + kPings; ++id) {
        const wire::Bytes frame = RawClient::frame_of({{id}, codec::Ping{id}});
        burst.insert(burst.end(), frame.begin(), frame.end());
    }
    std::uint64_t next = 3;
    for (std::size_t at = 0; at < burst.size();) {
        const std::size_t bytes = std::min<std::size_t>(burst.size() - at, 40'001);
        ASSERT_TRUE(client.send_bytes(std::span(burst).subspan(at, bytes)));
        at += bytes;
        while (client.something_to_read(0)) {
            EXPECT_EQ(client.expect<codec::Pong>(next).payload, next);
            ++next;
        }
    }
    for (; next < 3 + kPings; ++next) {
        EXPECT_EQ(client.expect<codec::Pong>(next).payload, next);
    }
}

// If this failed, a large answer to a slow reader would be cut or garbled where records are cut.
TEST_F(ServerTlsTest, AWholeMapComesOverToASlowReader) {
    start();
    const model::MapId field = add_field(2048);
    RawClient client(server->port(), 4096);
    ASSERT_TRUE(client.begin_tls());
    client.greet();
    client.send(2, codec::MapStateRequest{field, false});
    std::size_t cells = 0;
    for (bool last = false; !last;) {
        const auto part = client.expect<codec::MapStatePart>(2);
        ASSERT_FALSE(part.terrain.empty() && !part.last);
        EXPECT_EQ(std::ranges::count(part.terrain, '.'),
                  static_cast<std::ptrdiff_t>(part.terrain.size()));
        cells += part.terrain.size();
        last = part.last;
    }
    EXPECT_EQ(cells, 2048U * 2048U);
}

// If this failed, a client that was closed could not tell the server's end from an attacker's cut.
TEST_F(ServerTlsTest, AGoodbyeIsFollowedByTheEndOfTls) {
    start();
    RawClient client(server->port());
    ASSERT_TRUE(client.begin_tls());
    client.greet();
    server->begin_drain();
    auto message = client.receive();
    ASSERT_TRUE(message);
    EXPECT_EQ(std::get<codec::Goodbye>(message->body).reason.code, RefusalCode::kShuttingDown);
    char byte = 0;
    EXPECT_EQ(client.tls()->read(&byte, 1), 0) << "no close_notify";
    client.hang_up();
    EXPECT_TRUE(server->wait_closed(kPatience));
}

// If this failed, who forgets --tls would see a connection that closes for no reason.
TEST_F(ServerTlsTest, APlainClientIsToldToUseTls) {
    start();
    RawClient client(server->port());
    client.send(1, codec::Hello{codec::kProtocolVersion, "", "test"});
    const model::Refusal reason = client.expect_goodbye();
    EXPECT_EQ(reason.code, RefusalCode::kUnauthenticated);
    EXPECT_NE(reason.message.find("TLS"), std::string::npos) << reason.message;
    EXPECT_TRUE(sessions_become(0));
}

// Fault kind: slow loris. If this failed, strangers could hold every place by not saying a word.
TEST_F(ServerTlsTest, AHandshakeThatDripsIsCutOffInTime) {
    start();
    RawClient silent(server->port());
    RawClient dripping(server->port());
    ASSERT_TRUE(half_begun(2));
    // The head of a ClientHello of 512 bytes, and then a byte now and then.
    const std::array<std::byte, 5> head{std::byte{22}, std::byte{3}, std::byte{1}, std::byte{2},
                                        std::byte{0}};
    ASSERT_TRUE(dripping.send_bytes(head));
    ASSERT_TRUE(eventually([&] {
        clock.advance(net_config.hello_timeout / 8);
        (void)dripping.send_bytes(std::array{std::byte{1}});
        return server->stats().sessions_open == 0;
    }));
    RawClient honest(server->port());
    ASSERT_TRUE(honest.begin_tls());
    honest.greet();
}

// If this failed, a session that is through its handshake would need no Hello.
TEST_F(ServerTlsTest, TheHelloTimeoutGoesOnAfterTheHandshake) {
    start();
    RawClient client(server->port());
    ASSERT_TRUE(client.begin_tls());
    ASSERT_TRUE(passes_until_answered(net_config.hello_timeout, client));
    EXPECT_EQ(client.expect_goodbye().code, RefusalCode::kUnauthenticated);
}

// If this failed, handshakes that never end would keep those who come later out.
TEST_F(ServerTlsTest, OfTooManyHandshakesTheOldestGivesWay) {
    net_config.handshakes_max = 2;
    start();
    RawClient oldest(server->port());
    ASSERT_TRUE(sessions_become(1));
    RawClient second(server->port());
    ASSERT_TRUE(sessions_become(2)) << "at the bound nobody gives way";
    RawClient honest(server->port());
    ASSERT_TRUE(honest.begin_tls());
    honest.greet();
    EXPECT_FALSE(oldest.receive());
    EXPECT_TRUE(sessions_become(2));
    EXPECT_FALSE(second.something_to_read(0));
    // Who is through it counts no more.
    RawClient third(server->port());
    ASSERT_TRUE(sessions_become(3));
    expect_pong(honest, 2);
    EXPECT_FALSE(second.something_to_read(0));
}

// If this failed, at the rate limit every guest would come to the same thread, and the others of
// the server stand idle: a pause before a guest once counted as one.
TEST_F(ServerTlsTest, GuestsAtTheRateLimitStillShareTheThreads) {
    net_config.io_threads = 2;
    net_config.handshakes_max = 2;  // one a thread: two on the same push each other out
    net_config.connections_per_second = 10;
    session_clock = &steady;  // at this rate there is one pause before each
    start();
    for (int burst = 0; burst < 10; ++burst) {
        RawClient client(server->port());
        ASSERT_TRUE(client.begin_tls());
        client.greet();
    }
    std::vector<std::unique_ptr<RawClient>> guests;
    for (int i = 0; i < 3; ++i) {
        guests.push_back(std::make_unique<RawClient>(server->port()));
    }
    ASSERT_TRUE(guests[2]->begin_tls());
    EXPECT_FALSE(guests[0]->receive()) << "on the thread of the third";
    EXPECT_TRUE(guests[1]->begin_tls()) << "on the other thread";
}

// If this failed, an address would get around its limit by TLS, or be worth a handshake beyond it.
TEST_F(ServerTlsTest, AnAddressIsCountedBeforeItsHandshake) {
    net_config.access.connections_per_address_max = 1;
    net_config.access.count_loopback = true;
    start();
    RawClient first(server->port());
    ASSERT_TRUE(first.begin_tls());
    first.greet();
    RawClient second(server->port());
    EXPECT_FALSE(second.begin_tls());
    EXPECT_TRUE(eventually([&] { return server->stats().sessions_refused == 1; }));
    EXPECT_EQ(server->stats().sessions_opened, 1U);
    expect_pong(first, 2);
}

// If this failed, a peer that breaks off anywhere would leave a session or a search behind.
TEST_F(ServerTlsTest, AResetEndsTheSessionWhereverItComes) {
    engine_config.workers = 0;
    start();
    RawClient before(server->port());
    ASSERT_TRUE(sessions_become(1));
    before.reset();
    ASSERT_TRUE(sessions_become(0));
    RawClient within(server->port());
    ASSERT_TRUE(within.begin_tls());
    within.greet();
    within.send(2, across());
    ASSERT_TRUE(eventually([&] { return engine->stats().queued == 1; }));
    const wire::Bytes frame = RawClient::frame_of({{3}, codec::Ping{5}});
    ASSERT_TRUE(within.send_bytes(std::span(frame).first(frame.size() - 1)));
    within.reset();
    ASSERT_TRUE(sessions_become(0));
    EXPECT_EQ(engine->stats().dropped_by_disconnect, 1U);
    EXPECT_EQ(engine->stats().clients, 0U);
}

// If this failed, garbage in the middle of TLS would be taken for a message or end the server.
TEST_F(ServerTlsTest, BrokenRecordsEndTheirSessionOnly) {
    start();
    RawClient broken(server->port());
    RawClient other(server->port());
    ASSERT_TRUE(broken.begin_tls());
    ASSERT_TRUE(other.begin_tls());
    broken.greet();
    other.greet();
    // Application data of eight bytes that nobody has sealed.
    const std::array<unsigned char, 13> record{23, 3, 3, 0, 8, 1, 2, 3, 4, 5, 6, 7, 8};
    ASSERT_EQ(::send(broken.socket(), record.data(), record.size(), MSG_NOSIGNAL), 13);
    EXPECT_FALSE(broken.receive());
    EXPECT_TRUE(sessions_become(1));
    expect_pong(other, 2);
}

// If this failed, old clients could be talked down to what is broken since long.
TEST_F(ServerTlsTest, NothingOlderThanTls12IsSpoken) {
    start();
    RawClient old(server->port());
    TlsEnd end(old.socket());
    SSL_set_security_level(end.native(), 0);
    ASSERT_EQ(SSL_set_max_proto_version(end.native(), TLS1_1_VERSION), 1);
    EXPECT_FALSE(end.shake_hands());
    RawClient newer(server->port());
    TlsEnd last(newer.socket());
    ASSERT_EQ(SSL_set_max_proto_version(last.native(), TLS1_2_VERSION), 1);
    EXPECT_TRUE(last.shake_hands());
    EXPECT_EQ(last.version(), "TLSv1.2");
}

// If this failed, whoever has no certificate of the studio's would get in where one is asked for.
TEST_F(ServerTlsTest, ClientsNeedACertificateWhereOneIsAskedFor) {
    const Certificate authority = make_authority();
    const Certificate member = make_certificate({.name = "member"}, &authority);
    const Certificate stranger = make_certificate({.name = "stranger"});
    net_config.tls = context_of(own, authority.pem);
    start();
    RawClient good(server->port());
    ASSERT_TRUE(good.begin_tls(member.pem, member.key));
    good.greet();
    // In TLS 1.3 the client is through before the server has looked.
    RawClient without(server->port());
    if (without.begin_tls()) {
        without.send(1, codec::Hello{codec::kProtocolVersion, "", "test"});
        EXPECT_FALSE(without.receive());
    }
    RawClient foreign(server->port());
    if (foreign.begin_tls(stranger.pem, stranger.key)) {
        foreign.send(1, codec::Hello{codec::kProtocolVersion, "", "test"});
        EXPECT_FALSE(foreign.receive());
    }
    EXPECT_EQ(engine->stats().clients, 1U);
}

// If this failed, a new certificate would mean to interrupt all games.
TEST_F(ServerTlsTest, ANewCertificateHoldsForNewHandshakesAndSessionsStay) {
    start();
    RawClient before(server->port());
    RawClient halfway(server->port());
    ASSERT_TRUE(before.begin_tls());
    before.greet();
    ASSERT_TRUE(sessions_become(2));
    const Certificate next = make_certificate();
    net::Config config = net_config;
    config.tls = context_of(next);
    ASSERT_TRUE(server->reload(config).has_value());
    expect_pong(before, 2);
    ASSERT_TRUE(eventually([&] {
        RawClient after(server->port());
        return after.begin_tls() && after.tls()->server_certificate() == next.pem;
    }));
    ASSERT_TRUE(halfway.begin_tls()) << "who had begun goes on with the old one";
    EXPECT_EQ(halfway.tls()->server_certificate(), own.pem);
    halfway.greet();
    config.tls = nullptr;
    EXPECT_FALSE(server->reload(config).has_value()) << "in the clear all at once";
}

// If this failed, a client that renews its keys without end would hold the thread of all others.
TEST_F(ServerTlsTest, NewKeysUnderWayAreNoFault) {
    start();
    RawClient client(server->port());
    ASSERT_TRUE(client.begin_tls());
    client.greet();
    for (std::uint64_t id = 2; id < 300; ++id) {
        ASSERT_EQ(SSL_key_update(client.tls()->native(), SSL_KEY_UPDATE_REQUESTED), 1);
        expect_pong(client, id);
    }
}

}  // namespace
}  // namespace outrider::test
