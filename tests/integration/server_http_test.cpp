// The pages of the program as its operator sees them.

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "integration/raw_client.hpp"
#include "support/eventually.hpp"
#include "support/http_client.hpp"
#include "support/program.hpp"

namespace outrider::test {
namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 60s;

struct Served {
    explicit Served(std::string http = "127.0.0.1:0") : program(command(std::move(http))) {
        const auto serving = program.read_error_line("serving HTTP", kPatience);
        const auto listening = program.read_line(kPatience);
        EXPECT_TRUE(serving && listening);
        http_port = serving ? number_after(*serving, "port=") : 0;
        port = listening ? number_after(*listening, "127.0.0.1:") : 0;
    }
    static std::vector<std::string> command(std::string http) {
        const auto map = std::filesystem::path(testing::TempDir()) /
                         ("http_" + std::to_string(::getpid()) + ".map");
        std::ofstream(map) << "type octile\nheight 4\nwidth 4\nmap\n....\n....\n....\n....\n";
        return {OUTRIDER_SERVER_PROGRAM, "--listen", "127.0.0.1:0",          "--http",
                std::move(http),         "--map",    "small=" + map.string()};
    }
    static int number_after(const std::string& line, const std::string& text) {
        const std::size_t at = line.rfind(text);
        return at == std::string::npos ? 0 : std::stoi(line.substr(at + text.size()));
    }
    [[nodiscard]] HttpReply get(const char* path) const { return http_get(http_port, path); }
    [[nodiscard]] bool metrics_have(const std::string& line) const {
        return ("\n" + get("/metrics").body).find("\n" + line + "\n") != std::string::npos;
    }

    Program program;
    int http_port{};
    int port{};
};

codec::PathRequest corner_to_corner() {
    codec::PathRequest request;
    request.map_name = "small";
    request.query.goal.rect = {3, 3, 1, 1};
    return request;
}

// If this failed, the metrics of the program would not be those of its work.
TEST(ServerHttp, MetricsFollowTheWork) {
    Served served;
    RawClient client(static_cast<std::uint16_t>(served.port));
    client.greet();
    codec::PathRequest cut_off = corner_to_corner();
    cut_off.query.algorithm = model::Algorithm::kDijkstra;
    for (std::uint64_t id = 2; id < 5; ++id) {
        client.send(id, cut_off);
        (void)client.expect<codec::PathPart>(id);
    }
    cut_off.map_name = "nowhere";
    client.send(5, cut_off);
    (void)client.expect<model::Refusal>(5);
    client.send(6, codec::EditRequest{{1}, {{model::TerrainEdit{{1, 1, 1, 1}, {'@'}}}, {}}});
    (void)client.expect<codec::EditReply>(6);
    const HttpReply page = served.get("/metrics");
    EXPECT_EQ(page.status, 200);
    EXPECT_NE(page.head.find("text/plain; version=0.0.4"), std::string::npos) << page.head;
    for (const char* line :
         {"outrider_requests_total{kind=\"path\",result=\"COMPLETE\"} 3",
          "outrider_request_seconds_count{stage=\"search\",result=\"COMPLETE\"} 1",
          "outrider_cache_hits_total 2", "outrider_cache_misses_total 1", "outrider_edits_total 1",
          "outrider_edit_seconds_count 1", "outrider_map_version{map=\"small\"} 2",
          "outrider_map_requests_total{map=\"small\"} 3",
          "outrider_messages_total{kind=\"path\"} 4", "outrider_messages_total{kind=\"hello\"} 1",
          "outrider_refusals_total{reason=\"UNKNOWN_MAP\"} 1",
          "outrider_sessions{role=\"admin\"} 1", "outrider_sessions{role=\"player\"} 0",
          "outrider_queue_depth{priority=\"normal\"} 0", "outrider_ready 1",
          "outrider_draining 0"}) {
        EXPECT_TRUE(served.metrics_have(line)) << line << "\n" << page.body;
    }
    EXPECT_NE(page.body.find("process_open_fds "), std::string::npos);
    EXPECT_EQ(nlohmann::json::parse(served.get("/status").body)["sessions"]["admin"], 1);
    client.hang_up();
    EXPECT_TRUE(
        eventually([&] { return served.metrics_have("outrider_sessions{role=\"admin\"} 0"); }));
    served.program.signal(SIGTERM);
    EXPECT_EQ(served.program.finish(kPatience).exit_code, 0);
}

// If this failed, an orchestrator would go on sending players to a server that drains, or kill it
// amid its answers.
TEST(ServerHttp, NotReadyButAliveWhileItDrains) {
    Served served;
    EXPECT_EQ(served.get("/readyz").status, 200);
    RawClient client(static_cast<std::uint16_t>(served.port));
    client.greet();
    served.program.signal(SIGTERM);
    // The session lingers for the client to take the Goodbye, so that the program is still there.
    EXPECT_TRUE(eventually([&] { return served.get("/readyz").status == 503; }));
    EXPECT_EQ(served.get("/healthz").status, 200);
    (void)client.expect_goodbye();
    client.hang_up();
    EXPECT_EQ(served.program.finish(kPatience).exit_code, 0);
}

// If this failed, pages without tokens would stand on the open net unnoticed.
TEST(ServerHttp, AnAddressBeyondThisMachineIsSaidInTheLog) {
    Served served("0.0.0.0:0");
    EXPECT_TRUE(served.program.read_error_line("open beyond this machine", kPatience));
    served.program.signal(SIGTERM);
    EXPECT_EQ(served.program.finish(kPatience).exit_code, 0);
}

}  // namespace
}  // namespace outrider::test
