#include <gtest/gtest.h>

#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <atomic>
#include <filesystem>
#include <fstream>

#include "integration/server_fixture.hpp"
#include "outrider/client/client.hpp"
#include "outrider/net/tls.hpp"
#include "support/certificates.hpp"
#include "support/eventually.hpp"

namespace outrider::test {
namespace {

using namespace std::chrono_literals;

struct ClientTlsTest : ServerTest {
    ClientTlsTest() : authority(make_authority()) {
        serve(make_certificate({}, &authority));
        ca_file = write("ca.pem", authority.pem);
    }
    void serve(const Certificate& certificate, const std::string& client_ca = {}) {
        net_config.tls =
            net::TlsContext::make({certificate.pem, certificate.key, client_ca}).value();
    }
    static std::string write(const std::string& name, const std::string& text) {
        const auto file =
            std::filesystem::path(testing::TempDir()) /
            (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + name);
        std::ofstream(file) << text;
        return file.string();
    }
    [[nodiscard]] client::Options options() const {
        client::Options options;
        options.port = std::to_string(server->port());
        options.tls.emplace();
        options.tls->ca_file = ca_file;
        return options;
    }
    static std::string error_of(const client::Options& options) {
        const auto client = client::Client::connect(options);
        EXPECT_FALSE(client.has_value());
        return client ? std::string() : client.error().message;
    }

    Certificate authority;
    std::string ca_file;
};

// If this failed, the client library could not ask a server that speaks TLS.
TEST_F(ClientTlsTest, AsksOverTls) {
    start();
    const auto client = client::Client::connect(options());
    ASSERT_TRUE(client.has_value()) << client.error().message;
    EXPECT_TRUE((*client)->path(across()).value().arrived());
    // A whole map, so that replies fill many records.
    const auto state = (*client)->map_state(add_field(1024));
    ASSERT_TRUE(state.has_value()) << state.error().message;
    EXPECT_EQ(state->terrain.size(), 1024U * 1024U);
    std::vector<client::PathCall> calls;
    std::atomic<int> answered{0};
    for (int i = 0; i < 2000; ++i) {
        calls.push_back({across(), [&](const auto& answer) { answered += answer ? 1 : 0; }});
    }
    (void)(*client)->paths(std::move(calls));
    EXPECT_TRUE(eventually([&] { return answered == 2000; }));
}

// If this failed, whoever stands between client and server could be the server.
TEST_F(ClientTlsTest, WhoCannotShowWhoItIsIsNotBelieved) {
    start();
    client::Options stranger = options();
    stranger.tls->ca_file = write("other.pem", make_authority().pem);
    EXPECT_NE(error_of(stranger).find("--tls-ca"), std::string::npos) << error_of(stranger);
    stranger.tls->ca_file.clear();
    EXPECT_NE(error_of(stranger).find("unknown authority"), std::string::npos);
    client::Options wrong = options();
    wrong.tls->server_name = "elsewhere.example";
    const std::string name = error_of(wrong);
    EXPECT_NE(name.find("not for elsewhere.example"), std::string::npos) << name;
    EXPECT_NE(name.find("--tls-server-name"), std::string::npos) << name;
    wrong.tls->server_name = "10.0.0.1";
    EXPECT_NE(error_of(wrong).find("not for 10.0.0.1"), std::string::npos) << error_of(wrong);
    wrong.tls->server_name = "localhost";
    EXPECT_TRUE(client::Client::connect(wrong).has_value());
    EXPECT_TRUE(eventually([&] { return engine->stats().clients == 0; }))
        << "only the good one said hello, and has left";
}

// If this failed, a health check beside its server would need an authority's certificate, too.
TEST_F(ClientTlsTest, ACertificateItselfCanBeTrusted) {
    const Certificate own = make_certificate({}, &authority);
    serve(own);
    start();
    client::Options pinned = options();
    pinned.tls->ca_file = write("own.pem", own.pem);
    EXPECT_TRUE(client::Client::connect(pinned).has_value());
    pinned.tls->ca_file = write("twin.pem", make_certificate({}, &authority).pem);
    EXPECT_FALSE(client::Client::connect(pinned).has_value());
}

// If this failed, a client would go on for ever with a certificate that was given up.
TEST_F(ClientTlsTest, AnExpiredCertificateIsNamedAsSuch) {
    serve(make_certificate({.from_now_on = -2h, .until = -1h}, &authority));
    start();
    EXPECT_NE(error_of(options()).find("out of date"), std::string::npos) << error_of(options());
}

// If this failed, tests could not run without an authority, or what runs without one would not have
// to say so.
TEST_F(ClientTlsTest, BelievesAnybodyOnlyWhereThatIsAskedFor) {
    serve(make_certificate({.alternatives = "DNS:elsewhere", .from_now_on = -2h, .until = -1h}));
    start();
    client::Options careless = options();
    careless.tls->ca_file.clear();
    EXPECT_FALSE(client::Client::connect(careless).has_value());
    careless.tls->verify = false;
    EXPECT_TRUE(client::Client::connect(careless).has_value());
}

// If this failed, who mixes up plain and TLS would have to guess.
TEST_F(ClientTlsTest, PlainAndTlsDoNotMixAndSaySo) {
    start();
    client::Options plain = options();
    plain.tls.reset();
    EXPECT_NE(error_of(plain).find("TLS"), std::string::npos) << error_of(plain);
    net_config.tls = nullptr;
    server.reset();
    start();
    const std::string error = error_of(options());
    EXPECT_NE(error.find("does not speak TLS; leave out --tls"), std::string::npos) << error;
}

// If this failed, a client could not come in where its certificate is its key, or not learn that it
// needs one.
TEST_F(ClientTlsTest, ShowsItsOwnCertificateWhereOneIsAskedFor) {
    serve(make_certificate({}, &authority), authority.pem);
    start();
    const Certificate own = make_certificate({.name = "player"}, &authority);
    client::Options member = options();
    EXPECT_NE(error_of(member).find("--tls-cert"), std::string::npos) << error_of(member);
    member.tls->certificate_file = write("own.pem", own.pem);
    EXPECT_NE(error_of(member).find("stand together"), std::string::npos);
    member.tls->key_file = write("own.key", own.key);
    const auto client = client::Client::connect(member);
    ASSERT_TRUE(client.has_value()) << client.error().message;
    EXPECT_TRUE((*client)->ping(7).has_value());
    const Certificate foreign = make_certificate();
    member.tls->certificate_file = write("foreign.pem", foreign.pem);
    member.tls->key_file = write("foreign.key", foreign.key);
    EXPECT_NE(error_of(member).find("does not accept your certificate"), std::string::npos)
        << error_of(member);
}

// If this failed, a wrong path would look like a server that is down.
TEST_F(ClientTlsTest, FilesThatCannotBeReadAreNamed) {
    start();
    client::Options lost = options();
    lost.tls->ca_file = "/nowhere/ca.pem";
    EXPECT_NE(error_of(lost).find("/nowhere/ca.pem"), std::string::npos) << error_of(lost);
}

// If this failed, a server that never answers a handshake would hold its clients for ever.
TEST_F(ClientTlsTest, AHandshakeThatNeverEndsTimesOut) {
    net_config.tls = nullptr;
    net_config.frame_timeout = 1h;
    start();
    client::Options patient = options();
    patient.connect_timeout = 50ms;
    // A listener that nobody serves: the system itself takes the connection.
    asio::io_context context;
    const asio::ip::tcp::acceptor deaf(context, {asio::ip::address_v4::loopback(), 0});
    patient.port = std::to_string(deaf.local_endpoint().port());
    const auto client = client::Client::connect(patient);
    ASSERT_FALSE(client.has_value());
    EXPECT_EQ(client.error().kind, client::FailureKind::kTimeout);
}

}  // namespace
}  // namespace outrider::test
