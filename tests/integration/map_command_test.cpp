// `outrider map` as an operator uses it.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "integration/command_line.hpp"
#include "soak/process_watch.hpp"
#include "support/eventually.hpp"

namespace outrider {
namespace {

using namespace std::chrono_literals;
using test::Finished;

constexpr const char* kSmall = "type octile\nheight 1\nwidth 3\nmap\n...\n";
constexpr const char* kWide = "type octile\nheight 1\nwidth 9\nmap\n.........\n";

class MapCommand : public ::testing::Test {
  protected:
    void SetUp() override {
        const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::path(::testing::TempDir()) /
                  (std::string("outrider_map_") + info->name() + std::to_string(getpid()));
        std::filesystem::create_directories(folder_ / "data");
        std::ofstream(folder_ / "data" / "small.map") << kSmall;
        std::ofstream(folder_ / "wide.map") << kWide;
        serve({});
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    void serve(const std::vector<std::string>& more) {
        std::vector<std::string> words{OUTRIDER_SERVER_PROGRAM, "--listen", "127.0.0.1:0",
                                       "--data-dir", (folder_ / "data").string()};
        words.insert(words.end(), more.begin(), more.end());
        program_.emplace(std::move(words));
        const auto line = program_->read_line(30s);
        ASSERT_TRUE(line);
        server_ = line->substr(std::string_view("listening on ").size());
    }
    Finished map(std::vector<std::string> words) {
        words.insert(words.begin(), "map");
        words.insert(words.end(), {"--server", server_});
        return test::outrider_cli(std::move(words));
    }
    nlohmann::json list() {
        const Finished done = map({"list", "--json"});
        EXPECT_EQ(done.exit_code, 0) << done.err;
        return nlohmann::json::parse(done.out);
    }

    std::filesystem::path folder_;
    std::optional<test::Program> program_;
    std::string server_;
};

// If this failed, an operator could change a server's maps by a restart only.
TEST_F(MapCommand, MapsAreLoadedReplacedAndDropped) {
    EXPECT_TRUE(list().empty()) << "a server may begin without a map";
    const Finished loaded = map({"load", "arena", "--file", "small.map"});
    EXPECT_EQ(loaded.exit_code, 0) << loaded.err;
    EXPECT_NE(loaded.out.find("loaded arena (id 1, 3 x 1"), std::string::npos) << loaded.out;
    const std::string upload = (folder_ / "wide.map").string();
    const Finished taken = map({"load", "arena", "--upload", upload});
    EXPECT_EQ(taken.exit_code, 1) << "the name is taken";
    EXPECT_NE(taken.err.find("replace"), std::string::npos) << taken.err;
    const Finished replaced = map({"load", "arena", "--upload", upload, "--replace"});
    EXPECT_EQ(replaced.exit_code, 0) << replaced.err;
    EXPECT_NE(replaced.out.find("in place of id 1"), std::string::npos) << replaced.out;
    const auto maps = list();
    ASSERT_EQ(maps.size(), 1U);
    EXPECT_EQ(maps[0]["name"], "arena");
    EXPECT_EQ(maps[0]["width"], 9);
    EXPECT_NE(maps[0]["id"], 1);
    EXPECT_EQ(map({"drop", "arena"}).exit_code, 0);
    EXPECT_TRUE(list().empty());
    EXPECT_EQ(map({"drop", "arena"}).exit_code, 1);
}

// If this failed, a load test would count a map that went as an orderly run, or hang.
TEST_F(MapCommand, ALoadTestWhoseMapIsDroppedEndsAndFails) {
    const std::string field = (folder_ / "field.map").string();
    {
        std::ofstream out(field);
        out << "type octile\nheight 64\nwidth 64\nmap\n";
        for (int row = 0; row < 64; ++row) {
            out << std::string(64, '.') << "\n";
        }
    }
    ASSERT_EQ(map({"load", "field", "--upload", field}).exit_code, 0);
    test::Program load({OUTRIDER_CLI_PROGRAM, "load", "--server", server_, "--map", "field",
                        "--rate", "100", "--seconds", "600", "--units", "20", "--verify",
                        "--edits-per-second", "50", "--json"});
    ASSERT_TRUE(test::eventually([&] { return list().at(0).at("version") > 3; }));
    ASSERT_EQ(map({"drop", "field"}).exit_code, 0);
    const Finished done = load.finish(60s);
    EXPECT_EQ(done.exit_code, 1) << done.err;
    EXPECT_NE(done.err.find("the map was dropped"), std::string::npos) << done.err;
    const auto report = nlohmann::json::parse(done.out);
    EXPECT_EQ(report["map_dropped"], true);
    EXPECT_LT(report["sent"], 60'000);
    EXPECT_EQ(report["sent"], report["answered"].get<int>() + report["refused"].get<int>());
    for (const char* key : {"lost", "duplicate", "wrong", "edits_lost"}) {
        EXPECT_EQ(report[key], 0) << key;
    }
}

// If this failed, a load test whose buildings the server refuses would pass for one with edits.
TEST_F(MapCommand, ALoadTestWhoseEditsAreRefusedFails) {
    const std::string tokens = (folder_ / "tokens").string();
    std::ofstream(tokens) << "admin of-an-admin-0123456\nplayer of-a-player-0123456\n";
    serve({"--token-file", tokens, "--map", "small=small.map"});
    const auto as = [this](const char* token) {
        return test::run_program({OUTRIDER_CLI_PROGRAM, "load", "--server", server_, "--token",
                                  token, "--map", "small", "--rate", "50", "--seconds", "1",
                                  "--units", "1", "--edits-per-second", "10", "--json"});
    };
    const Finished admin = as("of-an-admin-0123456");
    EXPECT_EQ(admin.exit_code, 0) << admin.err;
    EXPECT_EQ(nlohmann::json::parse(admin.out)["edits_refused"], 0);
    const Finished player = as("of-a-player-0123456");
    EXPECT_EQ(player.exit_code, 1) << player.out;
    const auto report = nlohmann::json::parse(player.out);
    EXPECT_EQ(report["edits"], 0);
    EXPECT_EQ(report["edits_refused"], 11) << "ten buildings, and that they be taken down";
}

// If this failed, a server whose operator drops a map to make room would keep its memory, and be
// ended by the system when the next one comes.
TEST_F(MapCommand, TheMemoryOfADroppedMapGoesBackToTheSystem) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "the sanitizer has an allocator of its own";
#endif
    constexpr int kSide = 2048;
    std::ofstream large(folder_ / "data" / "large.map");
    large << "type octile\nheight " << kSide << "\nwidth " << kSide << "\nmap\n";
    for (int y = 0; y < kSide; ++y) {
        large << std::string(kSide, '.') << '\n';
    }
    large.close();
    const auto resident = [this] {
        const auto sample = soak::sample(program_->process());
        return sample ? sample->resident_bytes : 0;
    };
    const std::uint64_t before = resident();
    EXPECT_EQ(map({"load", "large", "--file", "large.map"}).exit_code, 0);
    const std::uint64_t loaded = resident();
    ASSERT_GT(loaded, before + kSide * kSide) << "a byte a cell at least";
    EXPECT_EQ(map({"drop", "large"}).exit_code, 0);
    const std::uint64_t kept = before + (loaded - before) / 4;
    EXPECT_TRUE(test::eventually([&] { return resident() < kept; }))
        << before << " before, " << loaded << " with it, " << resident() << " after";
}

// If this failed, a slip of the hand would load something else than was meant.
TEST_F(MapCommand, WrongUsageIsToldApartFromWorkThatFails) {
    EXPECT_EQ(map({"load", "arena"}).exit_code, 2) << "load what?";
    EXPECT_EQ(map({"load", "arena", "--file", "a", "--upload", "b"}).exit_code, 2);
    EXPECT_EQ(map({"turn", "arena"}).exit_code, 2);
    EXPECT_EQ(map({"load", "arena", "--file", "../wide.map"}).exit_code, 1);
    EXPECT_EQ(map({"load", "arena", "--upload", "/nowhere.map"}).exit_code, 1);
    // A server takes a megabyte a message by default.
    const std::string large = (folder_ / "large.map").string();
    std::ofstream(large) << std::string(2'000'000, '.');
    const Finished refused = map({"load", "arena", "--upload", large});
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_NE(refused.err.find("--file"), std::string::npos) << refused.err;
}

// If this failed, a command would act with the rights of the operator's variable although another
// token was given.
TEST_F(MapCommand, ATokenOnTheCommandLineWinsOverTheVariable) {
    const std::string tokens = (folder_ / "tokens").string();
    std::ofstream(tokens) << "admin of-an-admin-0123456\nplayer of-a-player-0123456\n";
    serve({"--token-file", tokens});
    const auto as = [this](const std::string& said, std::vector<std::string> words) {
        words.insert(words.begin(), {"/usr/bin/env", "OUTRIDER_TOKEN=of-an-admin-0123456",
                                     OUTRIDER_CLI_PROGRAM, "map"});
        words.insert(words.end(), {"--server", server_, "--token", said});
        return test::run_program(std::move(words));
    };
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"load", "arena", "--file", "small.map"}, {"drop", "arena"}}) {
        const Finished refused = as("of-a-player-0123456", words);
        EXPECT_EQ(refused.exit_code, 1) << words[0];
        EXPECT_NE(refused.err.find("PERMISSION_DENIED"), std::string::npos) << refused.err;
    }
    EXPECT_EQ(as("of-nobody-0123456", {"list"}).exit_code, 1);
    EXPECT_EQ(as("of-an-admin-0123456", {"list"}).exit_code, 0);
}

}  // namespace
}  // namespace outrider
