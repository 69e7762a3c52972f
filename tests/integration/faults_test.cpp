// What happens to a server as a process: killed, its disk full, its memory gone, thousands at the
// door.

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "integration/raw_client.hpp"
#include "outrider/client/client.hpp"
#include "support/eventually.hpp"
#include "support/program.hpp"

namespace outrider::test {
namespace {

constexpr std::chrono::seconds kStart{60};

std::filesystem::path file_of(const std::string& name) {
    return std::filesystem::path(testing::TempDir()) /
           ("faults_" + name + std::to_string(::getpid()) + ".map");
}

std::string write_map(const std::string& name, int side) {
    const auto file = file_of(name);
    std::ofstream out(file);
    out << "type octile\nheight " << side << "\nwidth " << side << "\nmap\n";
    for (int y = 0; y < side; ++y) {
        out << std::string(static_cast<std::size_t>(side), '.') << '\n';
    }
    return name + "=" + file.string();
}

struct FaultsTest : testing::Test {
    void TearDown() override {
        for (const char* name : {"small", "large"}) {
            std::filesystem::remove(file_of(name));
        }
    }
    // `shell` comes before the server's command in a shell of its own, and `redirect` behind it.
    void start(std::vector<std::string> arguments, const std::string& redirect = "",
               const std::string& shell = "") {
        arguments.insert(arguments.begin(), {OUTRIDER_SERVER_PROGRAM, "--map", map});
        if (!redirect.empty() || !shell.empty()) {
            std::string line = shell + "exec";
            for (const std::string& word : arguments) {
                line += " '" + word + "'";
            }
            arguments = {"/bin/sh", "-c", line + " " + redirect};
        }
        server.emplace(std::move(arguments));
        const auto line = server->read_line(kStart);
        ASSERT_TRUE(line && line->starts_with("listening on 127.0.0.1:"));
        port = line->substr(line->rfind(':') + 1);
    }
    [[nodiscard]] client::Result<std::unique_ptr<client::Client>> connect(
        const std::shared_ptr<client::IoThread>& io = nullptr) const {
        client::Options options;
        options.port = port;
        options.connect_timeout = kPatience;
        return client::Client::connect(options, io);
    }
    [[nodiscard]] static codec::PathRequest across() {
        codec::PathRequest request;
        request.map_name = "small";
        request.query.goal.rect = {31, 31, 1, 1};
        return request;
    }
    void expect_service() const {
        const auto client = connect();
        ASSERT_TRUE(client) << client.error().message;
        const auto answer = (*client)->path(across());
        ASSERT_TRUE(answer) << answer.error().message;
        EXPECT_TRUE(answer->arrived());
    }
    [[nodiscard]] std::size_t address_space_kib() const {
        std::ifstream status("/proc/" + std::to_string(server->process()) + "/status");
        std::size_t kib = 0;
        for (std::string word; status >> word && word != "VmSize:";) {
        }
        status >> kib;
        return kib;
    }
    void stop() {
        server->signal(SIGTERM);
        EXPECT_EQ(server->finish(kStart).exit_code, 0);
    }

    std::string map = write_map("small", 32);
    std::optional<Program> server;
    std::string port;
};

// If this failed, a crash would need somebody to clear up after it, or clients would wait for ever.
TEST_F(FaultsTest, AKilledServerComesBackOnItsPortAndClientsReconnect) {
    start({"--listen", "127.0.0.1:0", "--log-level", "error"});
    const auto before = connect().value();
    ASSERT_TRUE(before->path(across()));
    // Open at the moment of death: each must end, and say why.
    std::atomic<int> closed{0};
    std::atomic<int> answered{0};
    codec::PathRequest slow = across();
    slow.query.algorithm = model::Algorithm::kDijkstra;
    for (int i = 0; i < 500; ++i) {
        slow.query.start = {i % 32, i / 32};
        before->path(slow, [&](const client::Result<client::PathAnswer>& answer) {
            ++(answer ? answered : closed);
            EXPECT_TRUE(answer || answer.error().kind == client::FailureKind::kClosed);
        });
    }
    server->signal(SIGKILL);
    EXPECT_TRUE(eventually([&] { return closed + answered == 500; }));
    EXPECT_TRUE(eventually([&] { return !before->open(); }));
    EXPECT_EQ(server->finish(kStart).exit_code, 128 + SIGKILL);
    EXPECT_FALSE(connect());

    start({"--listen", "127.0.0.1:" + port, "--log-level", "error"});
    expect_service();
    stop();
}

// If this failed, a full disk would end every match.
TEST_F(FaultsTest, AFullDiskForTheLogEndsNothing) {
    start({"--listen", "127.0.0.1:0", "--log-level", "trace"}, "2>/dev/full");
    for (int i = 0; i < 50; ++i) {
        expect_service();
    }
    stop();
}

// If this failed, the log of a server that was started without a standard error would be written
// into the socket of a client.
TEST_F(FaultsTest, AClosedStandardErrorIsNoSocket) {
    start({"--listen", "127.0.0.1:0", "--log-level", "trace"}, "2>&- <&-");
    for (int i = 0; i < 20; ++i) {
        RawClient client(static_cast<std::uint16_t>(std::stoi(port)));
        client.greet();
        client.send(2, across());
        EXPECT_TRUE(client.expect<codec::PathPart>(2).last);
    }
    stop();
}

// If this failed, the last hundreds of players would find the door shut, or shut it for others.
TEST_F(FaultsTest, FiveThousandConnectionsAreServedAndLeaveNothing) {
    constexpr rlim_t kDescriptors = 6000;
    constexpr std::size_t kConnections = 5000;
    rlimit limit{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
    if (limit.rlim_max < kDescriptors) {
        GTEST_SKIP() << "this system lets a process have " << limit.rlim_max << " descriptors";
    }
    limit.rlim_cur = std::max(limit.rlim_cur, kDescriptors);
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
    start({"--listen", "127.0.0.1:0", "--log-level", "error", "--connections-max", "5000",
           "--idle-timeout-ms", "600000"});
    const auto descriptors = [this] {
        std::error_code error;
        const auto folder = "/proc/" + std::to_string(server->process()) + "/fd";
        return std::distance(std::filesystem::directory_iterator(folder, error), {});
    };
    const auto before = descriptors();
    const auto io = std::make_shared<client::IoThread>();
    std::vector<std::unique_ptr<client::Client>> clients;
    for (std::size_t i = 0; i < kConnections; ++i) {
        auto client = connect(io);
        ASSERT_TRUE(client) << i << ": " << client.error().message;
        clients.push_back(*std::move(client));
    }
    const auto one_more = connect();
    ASSERT_FALSE(one_more) << "one above the bound";
    ASSERT_TRUE(one_more.error().refusal);
    EXPECT_EQ(one_more.error().refusal->code, model::RefusalCode::kOverloaded);
    std::atomic<std::size_t> arrived{0};
    for (std::size_t i = 0; i < clients.size(); ++i) {
        codec::PathRequest request = across();
        request.query.start = {static_cast<std::int32_t>(i % 31),
                               static_cast<std::int32_t>(i / 31 % 31)};
        clients[i]->path(request, [&](const client::Result<client::PathAnswer>& answer) {
            EXPECT_TRUE(answer) << answer.error().message;
            arrived += answer && answer->arrived() ? 1 : 0;
        });
    }
    EXPECT_TRUE(eventually([&] { return arrived == kConnections; })) << arrived;
    clients.clear();
    EXPECT_TRUE(eventually([&] { return descriptors() <= before; })) << descriptors();
    expect_service();
    stop();
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kHasShadow = true;
#else
constexpr bool kHasShadow = false;
#endif

// If this failed, one player with a large map and a long way would end the server for all.
TEST_F(FaultsTest, WantOfMemoryRefusesAndServesOn) {
    if (kHasShadow) {
        GTEST_SKIP() << "a sanitizer's shadow takes more address space than any limit here";
    }
    const std::vector<std::string> arguments{"--listen",
                                             "127.0.0.1:0",
                                             "--log-level",
                                             "error",
                                             "--map",
                                             write_map("large", 3000),
                                             "--landmark-bytes-max",
                                             "0"};
    // What it takes with its maps, and room for the reserve and for small searches. The table of a
    // search on the large map, 16 bytes a cell, does not fit.
    start(arguments);
    const std::size_t needed_kib = address_space_kib();
    stop();
    start(arguments, "", "ulimit -v " + std::to_string(needed_kib + 60'000) + "; ");
    const auto client = connect().value();
    for (int i = 0; i < 20; ++i) {
        codec::PathRequest request;
        request.map_name = "large";
        request.query.algorithm = model::Algorithm::kAstar;
        request.query.start = {i, 0};
        request.query.goal.rect = {i + 9, 5, 1, 1};
        const auto answer = client->path(request);
        ASSERT_FALSE(answer) << "the limit was none";
        ASSERT_TRUE(answer.error().refusal) << answer.error().message;
        const model::RefusalCode code = answer.error().refusal->code;
        EXPECT_TRUE(code == model::RefusalCode::kInternal ||
                    code == model::RefusalCode::kOverloaded)
            << answer.error().message;
    }
    EXPECT_TRUE(eventually([&] { return client->path(across()).has_value(); }))
        << "a small search has room";
    EXPECT_TRUE(client->ping(1));
    stop();
}

// Fault kind: an abort where a message was due. If this failed, a server that has too little for
// its threads or its maps would leave a core in place of a word on what to do.
TEST_F(FaultsTest, WantAtTheStartIsToldWithItsCure) {
    if (kHasShadow) {
        GTEST_SKIP() << "a sanitizer's shadow takes more address space than any limit here";
    }
    constexpr int kUnknownProgram = 127;  // too little for its libraries: the system's own word
    const std::string command = "exec " OUTRIDER_SERVER_PROGRAM
                                " --listen 127.0.0.1:0 --landmark-bytes-max 0 --log-level error"
                                " --map '" +
                                write_map("large", 3000) + "'";
    int threads = 0;
    int maps = 0;
    bool listens = false;
    for (int kib = 40'000; !listens && kib < 1'000'000; kib += 5'000) {
        Program starved({"/bin/sh", "-c", "ulimit -v " + std::to_string(kib) + "; " + command});
        listens = starved.read_line(kStart).has_value();
        starved.signal(SIGTERM);
        const Finished end = starved.finish(kStart);
        if (listens || end.exit_code == kUnknownProgram) {
            continue;
        }
        EXPECT_EQ(end.exit_code, 1) << kib << ": " << end.err;
        EXPECT_TRUE(end.err.starts_with("outrider-server: ")) << end.err;
        threads += end.err.find("--io-threads") != std::string::npos ? 1 : 0;
        maps += end.err.find("smaller maps") != std::string::npos ? 1 : 0;
    }
    EXPECT_TRUE(listens);
    EXPECT_GT(threads, 0);
    EXPECT_GT(maps, 0);
}

}  // namespace
}  // namespace outrider::test
