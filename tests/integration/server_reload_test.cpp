#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "integration/raw_client.hpp"
#include "integration/server_process.hpp"
#include "support/certificates.hpp"

namespace outrider::test {
namespace {

using namespace std::chrono_literals;

struct ServerReload : testing::Test {
    [[nodiscard]] static std::string file(const std::string& name) {
        return (std::filesystem::path(testing::TempDir()) /
                (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) +
                 std::to_string(::getpid()) + name))
            .string();
    }
    static std::string write(const std::string& name, const std::string& text) {
        const std::string path = file(name);
        std::ofstream(path) << text;
        return path;
    }
    static void expect_pong(RawClient& client, std::uint64_t id) {
        client.send(id, codec::Ping{id});
        EXPECT_EQ(client.expect<codec::Pong>(id).payload, id);
    }
};

// If this failed, a new certificate would mean to interrupt all games, or a bad file would take the
// good one away.
TEST_F(ServerReload, ANewCertificateIsTakenAndABadOneIsNot) {
    const Certificate first = make_certificate();
    const Certificate second = make_certificate();
    const Certificate late = make_certificate({.from_now_on = -2h, .until = -1h});
    const std::string pem = write("cert.pem", first.pem);
    const std::string key = write("key.pem", first.key);
    ServerProcess program({"--listen", "127.0.0.1:0", "--tls-cert", pem, "--tls-key", key});
    const std::uint16_t port = program.port();
    ASSERT_NE(port, 0);
    RawClient staying(port);
    ASSERT_TRUE(staying.begin_tls());
    staying.greet();
    const auto certificate_now = [&] {
        RawClient client(port);
        return client.begin_tls() ? client.tls()->server_certificate() : std::string();
    };
    EXPECT_EQ(certificate_now(), first.pem);

    write("cert.pem", second.pem);  // without its key
    program.reload();
    std::string log = program.errors_until("nothing reloaded");
    EXPECT_NE(log.find("--tls-key"), std::string::npos) << log;
    EXPECT_EQ(certificate_now(), first.pem);
    write("cert.pem", "nonsense");
    program.reload();
    log = program.errors_until("nothing reloaded");
    EXPECT_NE(log.find("--tls-cert"), std::string::npos) << log;
    EXPECT_EQ(certificate_now(), first.pem);

    write("cert.pem", second.pem);
    write("key.pem", second.key);
    program.reload();
    log = program.errors_until("speaking TLS");
    EXPECT_NE(log.find("changed=\"certificate, key\""), std::string::npos) << log;
    EXPECT_EQ(certificate_now(), second.pem);
    write("cert.pem", late.pem);
    write("key.pem", late.key);
    program.reload();
    (void)program.errors_until("out of date");
    expect_pong(staying, 2);
    staying.hang_up();
    program.terminate();
    EXPECT_EQ(program.wait(), 0);
}

// If this failed, new limits would need a restart, or half of a faulty file would be in force.
TEST_F(ServerReload, TheConfigurationFileIsTakenWholeOrNotAtAll) {
    const std::string tokens = write("tokens", "player oats-of-this-test-1\n");
    const auto configure = [&](const std::string& more) {
        return write("c.toml",
                     "listen = \"127.0.0.1:0\"\ntoken-file = \"" + tokens + "\"\n" + more);
    };
    const std::string config =
        configure("player-requests-per-second = 1\nrate-burst-ms = 1\nworkers = 1\n");
    ServerProcess program({"--config", config, "--log-format", "json"});
    const std::uint16_t port = program.port();
    ASSERT_NE(port, 0);
    RawClient client(port);
    client.greet("oats-of-this-test-1");
    expect_pong(client, 2);
    client.send(3, codec::Ping{3});
    EXPECT_EQ(client.expect<model::Refusal>(3).code, model::RefusalCode::kOverloaded);

    // A good token and a good rate beside a fault: none of them.
    write("tokens", "player oats-of-this-test-1\nplayer rye-of-this-test-1\n");
    configure("player-requests-per-second = 0\nidle-timeout-ms = 0\n");
    program.reload();
    std::string log = program.errors_until("nothing reloaded");
    EXPECT_NE(log.find("--idle-timeout-ms"), std::string::npos) << log;
    client.send(4, codec::Ping{4});
    EXPECT_EQ(client.expect<model::Refusal>(4).code, model::RefusalCode::kOverloaded);
    {
        RawClient stranger(port);
        stranger.send(1, codec::Hello{codec::kProtocolVersion, "rye-of-this-test-1", "test"});
        EXPECT_EQ(stranger.expect_goodbye().code, model::RefusalCode::kUnauthenticated);
    }

    configure("player-requests-per-second = 0\nidle-timeout-ms = 12345\nworkers = 2\n");
    program.reload();
    log = program.errors_until("need a restart");
    EXPECT_NE(log.find("\"options\":\"workers\""), std::string::npos) << log;
    EXPECT_NE(log.find("idle-timeout-ms, player-requests-per-second"), std::string::npos) << log;
    for (std::uint64_t id = 5; id < 50; ++id) {
        expect_pong(client, id);
    }
    RawClient newer(port);
    EXPECT_EQ(newer.greet("rye-of-this-test-1").limits.idle_timeout, 12345ms);
    // Named again, as long as it is so.
    program.reload();
    EXPECT_NE(program.errors_until("need a restart").find("workers"), std::string::npos);
    client.hang_up();
    newer.hang_up();
    program.terminate();
    EXPECT_EQ(program.wait(), 0);
}

// If this failed, an operator could not look closer without a restart.
TEST_F(ServerReload, TheLogLevelFollowsTheFile) {
    const std::string config = write("c.toml", "log-level = \"error\"\n");
    ServerProcess program({"--config", config, "--listen", "127.0.0.1:0"});
    const std::uint16_t port = program.port();
    ASSERT_NE(port, 0);
    RawClient unheard(port);
    unheard.greet();
    write("c.toml", "log-level = \"info\"\n");
    program.reload();
    std::string log = program.errors_until("reloaded");
    EXPECT_EQ(log.find("session opened"), std::string::npos) << log;
    RawClient heard(port);
    heard.greet();
    log = program.errors_until("session opened");
    EXPECT_NE(log.find("session opened"), std::string::npos) << log;
    program.terminate();
    EXPECT_EQ(program.wait(), 0);
}

// If this failed, withdrawing one player's token would mean to interrupt all games, or a slip in
// the file would lock everybody out.
TEST_F(ServerReload, SighupReadsTheTokensAgainAndABadFileChangesNothing) {
    const auto tokens =
        std::filesystem::path(testing::TempDir()) / ("reload_" + std::to_string(::getpid()));
    std::ofstream(tokens) << "player sesame-of-this-test-1\nbuilder barley-of-this-test-1\n";
    ServerProcess program(
        {"--listen", "127.0.0.1:0", "--token-file", tokens.string(), "--log-format", "json"});
    const std::uint16_t port = program.port();
    ASSERT_NE(port, 0);
    RawClient leaving(port);
    RawClient staying(port);
    leaving.greet("sesame-of-this-test-1");
    staying.greet("barley-of-this-test-1");

    std::ofstream(tokens) << "king millet-of-this-test-1\n";
    program.reload();
    std::string log = program.errors_until("nothing reloaded");
    EXPECT_NE(log.find("line 1"), std::string::npos) << log;
    leaving.send(2, codec::Ping{2});
    EXPECT_EQ(leaving.expect<codec::Pong>(2).payload, 2U) << "the old tokens hold";

    std::ofstream(tokens) << "builder barley-of-this-test-1\nplayer oats-of-this-test-1\n";
    program.reload();
    log += program.errors_until("\"reloaded\"");
    EXPECT_NE(log.find("\"changed\":\"tokens\""), std::string::npos) << log;
    EXPECT_EQ(leaving.expect_goodbye().code, model::RefusalCode::kUnauthenticated);
    staying.send(2, codec::Ping{2});
    EXPECT_EQ(staying.expect<codec::Pong>(2).payload, 2U);
    RawClient arriving(port);
    arriving.greet("oats-of-this-test-1");
    arriving.hang_up();
    staying.hang_up();
    program.terminate();
    EXPECT_EQ(program.wait(), 0);
    log += program.errors();
    for (const char* secret : {"sesame", "barley", "millet", "oats"}) {
        EXPECT_EQ(log.find(secret), std::string::npos) << log;
    }
}

// If this failed, a token or a key that the whole machine can read would be found out by somebody
// else than the operator.
TEST_F(ServerReload, SecretsThatEverybodyCanReadAreWarnedOf) {
    using std::filesystem::perms;
    const Certificate own = make_certificate();
    const std::string tokens = write("tokens", "player oats-of-this-test-1\n");
    const std::string pem = write("cert.pem", own.pem);
    const std::string key = write("key.pem", own.key);
    const perms owner = perms::owner_read | perms::owner_write;
    std::filesystem::permissions(tokens, owner | perms::group_read);
    std::filesystem::permissions(key, owner | perms::others_read);
    ServerProcess program({"--listen", "127.0.0.1:0", "--token-file", tokens, "--tls-cert", pem,
                           "--tls-key", key, "--log-level", "warn"});
    ASSERT_NE(program.port(), 0);
    std::string log = program.errors_until("every user");
    EXPECT_NE(log.find(key), std::string::npos) << log;
    EXPECT_EQ(log.find(tokens), std::string::npos) << "its group may well read it; " << log;

    std::filesystem::permissions(key, owner);
    std::filesystem::permissions(tokens, owner | perms::others_write);
    program.reload();
    log = program.errors_until("every user");
    EXPECT_NE(log.find(tokens), std::string::npos) << log;
    EXPECT_EQ(log.find(key), std::string::npos) << log;
    program.terminate();
    EXPECT_EQ(program.wait(), 0);
}

// If this failed, a slip in the data directory's name would be found by the restart at night, or it
// would keep an operator from taking a token away.
TEST_F(ServerReload, ADataDirectoryThatIsNotThereIsToldAndHoldsUpNothing) {
    const std::string folder = file("maps");
    std::filesystem::create_directories(folder);
    const std::string tokens = write("tokens", "player oats-of-this-test-1\n");
    const std::string before = "token-file = \"" + tokens + "\"\nlisten = \"127.0.0.1:0\"\n";
    const std::string config = write("c.toml", before + "data-dir = \"" + folder + "\"\n");
    ServerProcess program({"--config", config});
    const std::uint16_t port = program.port();
    ASSERT_NE(port, 0);
    write("tokens", "player rye-of-this-test-1\n");
    write("c.toml", before + "data-dir = \"" + folder + "/none\"\n");
    program.reload();
    const std::string log = program.errors_until("the next start will be refused");
    EXPECT_NE(log.find("--data-dir " + folder + "/none"), std::string::npos) << log;
    EXPECT_NE(program.errors_until("need a restart").find("changed=\"tokens\""), std::string::npos);
    RawClient client(port);
    client.greet("rye-of-this-test-1");
    client.hang_up();
    program.terminate();
    EXPECT_EQ(program.wait(), 0);
    std::filesystem::remove_all(folder);
}

// If this failed, a server in a terminal that was closed would be killed amid its answers.
TEST_F(ServerReload, SighupWithoutATokenFileDrains) {
    ServerProcess program({"--listen", "127.0.0.1:0", "--log-level", "error"});
    ASSERT_NE(program.port(), 0);
    program.reload();
    EXPECT_EQ(program.wait(), 0);
}

// If this failed, a configuration file that an editor or a full disk has emptied, or that came from
// a pipe, would make everybody an admin.
TEST_F(ServerReload, AReloadDoesNotTakeTheTokensAway) {
    const std::string tokens = write("tokens", "admin one-of-this-test-1\n");
    const std::string config = write("c.toml", "token-file = \"" + tokens + "\"\n");
    ServerProcess program({"--listen", "127.0.0.1:0", "--config", config});
    const std::uint16_t port = program.port();
    ASSERT_NE(port, 0);
    write("c.toml", "");
    program.reload();
    std::string log = program.errors_until("nothing reloaded");
    EXPECT_NE(log.find("--token-file"), std::string::npos) << log;
    std::filesystem::remove(config);
    ASSERT_EQ(::mkfifo(config.c_str(), 0600), 0);
    program.reload();
    log = program.errors_until("nothing reloaded");
    EXPECT_NE(log.find("--config"), std::string::npos) << log;
    RawClient stranger(port);
    stranger.send(1, codec::Hello{codec::kProtocolVersion, "wrong", ""});
    EXPECT_EQ(stranger.expect_goodbye().code, model::RefusalCode::kUnauthenticated);
    std::filesystem::remove(config);
}

}  // namespace
}  // namespace outrider::test
