#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "integration/raw_client.hpp"
#include "integration/server_process.hpp"

namespace outrider::test {
namespace {

std::string write_map(int side) {
    const auto file =
        std::filesystem::path(testing::TempDir()) /
        ("program_" + std::to_string(::getpid()) + "_" + std::to_string(side) + ".map");
    std::ofstream out(file);
    out << "type octile\nheight " << side << "\nwidth " << side << "\nmap\n";
    for (int y = 0; y < side; ++y) {
        std::string row(static_cast<std::size_t>(side), '.');
        for (int x = 0; y % 2 == 1 && x < side; ++x) {
            row[static_cast<std::size_t>(x)] = x == (y % 4 == 1 ? side - 1 : 0) ? '.' : '@';
        }
        out << row << "\n";
    }
    return "field=" + file.string();
}

// Fault kind K12#125. If this failed, an upgrade of the server would lose orders in flight.
TEST(ServerProgram, SigtermWithFiveHundredInFlightAnswersAll) {
    ServerProcess program(
        {"--listen", "127.0.0.1:0", "--map", write_map(201), "--log-level", "error"});
    const std::uint16_t port = program.port();
    ASSERT_NE(port, 0);
    RawClient client(port);
    client.greet();
    std::set<std::uint64_t> open;
    wire::Bytes burst;
    for (std::uint64_t id = 2; id < 502; ++id) {
        codec::PathRequest request;
        request.map_name = "field";
        request.query.algorithm = model::Algorithm::kDijkstra;
        request.query.goal.rect = {static_cast<std::int32_t>(id % 200), 200, 1, 1};
        const wire::Bytes frame = RawClient::frame_of({{id}, request});
        burst.insert(burst.end(), frame.begin(), frame.end());
        open.insert(id);
    }
    client.send_bytes(burst);
    program.terminate();
    bool goodbye = false;
    for (auto message = client.receive(); message; message = client.receive()) {
        if (std::holds_alternative<codec::Goodbye>(message->body)) {
            goodbye = true;
            client.hang_up();
            break;
        }
        const auto* part = std::get_if<codec::PathPart>(&message->body);
        if (part == nullptr || part->last) {
            EXPECT_EQ(open.erase(message->id.value), 1U) << "exactly one final reply a request";
        }
    }
    EXPECT_TRUE(goodbye);
    EXPECT_TRUE(open.empty()) << open.size() << " requests without a final reply";
    EXPECT_EQ(program.wait(), 0);
}

// If this failed, an operator would have to guess why the server did not start.
TEST(ServerProgram, StartUpErrorsSayWhatAndHowToMendIt) {
    ServerProcess holder({"--listen", "127.0.0.1:0", "--log-level", "error"});
    const std::string taken = "127.0.0.1:" + std::to_string(holder.port());
    ServerProcess second({"--listen", taken, "--log-level", "error"});
    EXPECT_EQ(second.wait(), 1);
    const std::string port_error = second.errors();
    EXPECT_NE(port_error.find(taken), std::string::npos) << port_error;
    EXPECT_NE(port_error.find("--listen"), std::string::npos) << port_error;
    ServerProcess no_map({"--listen", "127.0.0.1:0", "--map", "a=/nowhere/a.map"});
    EXPECT_EQ(no_map.wait(), 1);
    EXPECT_NE(no_map.errors().find("/nowhere/a.map"), std::string::npos);
    ServerProcess no_tokens({"--listen", "127.0.0.1:0", "--token-file", "/nowhere/tokens"});
    EXPECT_EQ(no_tokens.wait(), 1);
    EXPECT_NE(no_tokens.errors().find("/nowhere/tokens"), std::string::npos);
    ServerProcess bad_option({"--workers", "none"});
    EXPECT_EQ(bad_option.wait(), 2);
    EXPECT_NE(bad_option.errors().find("--workers"), std::string::npos);
    holder.terminate();
    EXPECT_EQ(holder.wait(), 0);
}

// If this failed, secrets would stand in the log, or a session would leave no trace.
TEST(ServerProgram, LogsSessionsWithoutTheirTokens) {
    const auto tokens =
        std::filesystem::path(testing::TempDir()) / ("tokens_" + std::to_string(::getpid()));
    std::ofstream(tokens) << "sesame-of-this-test-1\n";
    ServerProcess program(
        {"--listen", "127.0.0.1:0", "--token-file", tokens.string(), "--log-format", "json"});
    const std::uint16_t port = program.port();
    ASSERT_NE(port, 0);
    {
        RawClient wrong(port);
        wrong.send(1, codec::Hello{codec::kProtocolVersion, "wrong-secret", "stranger"});
        EXPECT_EQ(wrong.expect_goodbye().code, model::RefusalCode::kUnauthenticated);
        RawClient none(port);
        none.send(1, codec::Hello{codec::kProtocolVersion, "", "stranger"});
        const model::Refusal refused = none.expect_goodbye();
        EXPECT_NE(refused.message.find("--token"), std::string::npos) << refused.message;
        RawClient client(port);
        client.greet("sesame-of-this-test-1");
    }
    program.terminate();
    EXPECT_EQ(program.wait(), 0);
    const std::string log = program.errors();
    for (const char* wanted : {"session opened", "session closed", "token refused", "summary"}) {
        EXPECT_NE(log.find(wanted), std::string::npos) << wanted << "\n" << log;
    }
    for (const char* trace :
         {R"("token refused","session":1,"peer":"127.0.0.1")",
          R"("peer":"127.0.0.1","client":"","requests":1)", R"("draining","signal":"SIGTERM")"}) {
        EXPECT_NE(log.find(trace), std::string::npos)
            << "nobody could tell who guesses, or why it ended: " << trace << "\n"
            << log;
    }
    EXPECT_EQ(log.find("secret"), std::string::npos) << log;
    EXPECT_EQ(log.find("sesame"), std::string::npos) << log;
}

// If this failed, a server put on the network in a hurry would be everybody's without a word.
TEST(ServerProgram, WillNotListenInPublicWithoutTokens) {
    ServerProcess program({"--listen", "0.0.0.0:0", "--log-level", "error"});
    EXPECT_EQ(program.wait(), 1);
    EXPECT_NE(program.errors().find("--insecure-public"), std::string::npos);
}

// If this failed, a log shipper that is started again would end every match of the server.
TEST(ServerProgram, AReaderOfTheLogThatGoesAwayCostsLinesAlone) {
    ServerProcess program({"--listen", "127.0.0.1:0", "--log-level", "trace"});
    const std::uint16_t port = program.port();
    ASSERT_NE(port, 0);
    program.close_errors();
    for (std::uint64_t id = 1; id <= 20; ++id) {
        RawClient client(port);
        client.greet();
        client.send(2, codec::Ping{id});
        EXPECT_EQ(client.expect<codec::Pong>(2).payload, id);
    }
    program.terminate();
    EXPECT_EQ(program.wait(), 0);
}

// If this failed, a server whose log nobody reads any more would never end: a supervisor would kill
// it, and call that a crash.
TEST(ServerProgram, AReaderOfTheLogThatIsStuckDoesNotHoldUpTheEnd) {
    ServerProcess program({"--listen", "127.0.0.1:0", "--log-level", "trace"});
    const std::uint16_t port = program.port();
    ASSERT_NE(port, 0);
    program.leave_errors_unread();
    for (std::uint64_t id = 1; id <= 200; ++id) {
        RawClient(port).greet();
    }
    program.terminate();
    EXPECT_EQ(program.wait(), 0) << "hangs where it fails";
}

}  // namespace
}  // namespace outrider::test
