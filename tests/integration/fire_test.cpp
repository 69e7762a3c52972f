// The soak and the hostile crowd as an operator runs them, in small. What is asserted here are
// outcomes: figures of time and memory need a machine of one's own, and minutes.

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/program.hpp"

namespace outrider {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using test::Finished;
using test::Program;

constexpr std::chrono::seconds kStart{60};
constexpr std::chrono::seconds kRun{300};

// A square of ground with pillars, which leave many ways of the same length.
std::filesystem::path write_map(int side) {
    const auto file =
        std::filesystem::path(testing::TempDir()) / ("fire_" + std::to_string(::getpid()) + ".map");
    std::ofstream out(file);
    out << "type octile\nheight " << side << "\nwidth " << side << "\nmap\n";
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
            out << (x % 7 == 3 && y % 5 < 3 ? '@' : '.');
        }
        out << '\n';
    }
    return file;
}

struct FireTest : testing::Test {
    FireTest() : map(write_map(96)) {}
    void TearDown() override { std::filesystem::remove(map); }

    void serve(std::vector<std::string> more = {}) {
        std::vector<std::string> command{
            OUTRIDER_SERVER_PROGRAM, "--listen",    "127.0.0.1:0", "--map",
            "arena=" + map.string(), "--log-level", "error"};
        command.insert(command.end(), more.begin(), more.end());
        server.emplace(std::move(command));
        const auto line = server->read_line(kStart);
        ASSERT_TRUE(line && line->starts_with("listening on "));
        address = line->substr(std::string("listening on ").size());
    }
    [[nodiscard]] Finished outrider(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), OUTRIDER_CLI_PROGRAM);
        arguments.insert(arguments.end(), {"--server", address, "--map", "arena", "--json"});
        return test::run_program(std::move(arguments), kRun);
    }
    void stop() {
        server->signal(SIGTERM);
        EXPECT_EQ(server->finish(kStart).exit_code, 0);
    }

    std::filesystem::path map;
    std::optional<Program> server;
    std::string address;
};

// If this failed, a server that loses, doubles or forges answers while clients come, go, cancel,
// edit and stop reading would be found out by players.
TEST_F(FireTest, ASmallSoakLosesNothingAndLeavesNothingOpen) {
    serve({"--cache-bytes-max", "2000000"});
    const Finished soak =
        outrider({"soak", "--seconds", "20", "--pid", std::to_string(server->process()), "--rate",
                  "200", "--memory-growth-max", "10000", "--latency-ratio-max", "10000"});
    EXPECT_EQ(soak.exit_code, 0) << soak.out << soak.err;
    const json report = json::parse(soak.out, nullptr, false);
    ASSERT_TRUE(report.is_object()) << soak.out << soak.err;
    EXPECT_TRUE(report["passed"]);
    for (const char* none : {"lost", "duplicate", "wrong", "failed"}) {
        EXPECT_EQ(report[none], 0) << none;
    }
    // It did everything that it is there for.
    for (const char* some : {"sent", "checked", "edits", "path_pushes", "surveys", "cancels",
                             "left_open", "connections", "slow_readers"}) {
        EXPECT_GT(report[some], 0) << some;
    }
    EXPECT_LE(report["descriptors_after"], report["descriptors_before"]);
    EXPECT_EQ(report["threads_after"], report["threads_before"]);
    stop();
}

// If this failed, the soak's verdict would be worth nothing: here is a bound that no run can keep.
TEST_F(FireTest, ASoakFailsWhereATrendIsSeen) {
    serve();
    const Finished soak =
        outrider({"soak", "--seconds", "6", "--pid", std::to_string(server->process()),
                  "--slow-readers", "0", "--memory-growth-max", "0.01"});
    const json report = json::parse(soak.out, nullptr, false);
    ASSERT_TRUE(report.is_object()) << soak.out << soak.err;
    const bool grew = report["memory_growth_percent"] >= 0.01;
    EXPECT_EQ(soak.exit_code, report["faults"].empty() ? 0 : 1);
    EXPECT_EQ(grew, soak.err.find("memory grew") != std::string::npos) << soak.err;
    stop();
}

// If this failed, a dozen strangers could end a match for everybody else.
TEST_F(FireTest, HonestClientsAreServedBesideAHostileCrowd) {
    serve({"--hello-timeout-ms", "1000", "--slow-reader-timeout-ms", "1000"});
    const Finished run = outrider({"hostile", "--hostile", "50", "--honest", "10", "--rate", "200",
                                   "--seconds", "6", "--ratio-max", "0", "--crowd-nice", "0"});
    EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
    const json report = json::parse(run.out, nullptr, false);
    ASSERT_TRUE(report.is_object()) << run.out << run.err;
    for (const char* none : {"lost", "duplicate", "refused", "dropped"}) {
        EXPECT_EQ(report[none], 0) << none;
    }
    EXPECT_EQ(report["sent"], report["answered"]);
    EXPECT_EQ(report["hostile_seen"], 50);
    for (const char* kind : {"drip", "garbage", "oversized", "deaf"}) {
        EXPECT_GT(report["crowd"][kind]["thrown_out"], 0) << kind;
    }
    EXPECT_GT(report["crowd"]["hello_flood"]["connected"], 10);
    // Beside the harmless process, too.
    EXPECT_GT(report["busy_p99_us"], 0);
    EXPECT_GT(report["ratio_to_busy"], 0);
    EXPECT_GE(report["crowd_cpu"], 0);
    EXPECT_GE(report["busy_cpu"], 0);
    stop();
}

}  // namespace
}  // namespace outrider
