#include <gmock/gmock.h>
#include <google/protobuf/util/delimited_message_util.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "integration/command_line.hpp"
#include "outrider/v1/recording.pb.h"
#include "support/eventually.hpp"

namespace outrider {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using test::Finished;
using test::outrider_cli;
using test::Program;
using test::run_program;
using testing::HasSubstr;

// A server with the sample map, a recorder before it, and what comes of both.
class Recording : public ::testing::Test {
  protected:
    void SetUp() override {
        const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::path(::testing::TempDir()) /
                  (std::string("outrider_recording_") + info->name() + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
        file_ = (folder_ / "match.rec").string();
        server_.emplace(
            std::vector<std::string>{OUTRIDER_SERVER_PROGRAM, "--listen", "127.0.0.1:0", "--map",
                                     "march=" OUTRIDER_SOURCE_DIR "/client-sample/maps/march.map"});
        server_address_ = address_of(*server_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    static std::string address_of(Program& program) {
        const std::string words = "listening on ";
        const auto line = program.read_line(30s);
        EXPECT_TRUE(line && line->starts_with(words));
        return line ? line->substr(words.size()) : "";
    }
    void record() {
        recorder_.emplace(std::vector<std::string>{OUTRIDER_CLI_PROGRAM, "record", "--server",
                                                   server_address_, "--listen", "127.0.0.1:0",
                                                   "--map", "march", "--out", file_});
        recorder_address_ = address_of(*recorder_);
    }
    Finished stop_recorder() {
        recorder_->signal(SIGINT);
        return recorder_->finish(60s);
    }
    [[nodiscard]] std::vector<std::string> load(const std::string& seconds) const {
        return {OUTRIDER_CLI_PROGRAM,
                "load",
                "--server",
                recorder_address_,
                "--map",
                "march",
                "--rate",
                "400",
                "--seconds",
                seconds,
                "--units",
                "50",
                "--edits-per-second",
                "20",
                "--connections",
                "3",
                "--verify",
                "--json"};
    }
    static Finished replay(const std::string& file) {
        return outrider_cli({"replay", "--in", file, "--json"});
    }

    // The recording once more, changed by `change(record)` where that returns true, once.
    template <class Change>
    std::string forged(Change change) {
        std::ifstream in(file_, std::ios::binary);
        std::ostringstream text;
        text << in.rdbuf();
        const std::string bytes = text.str();
        google::protobuf::io::ArrayInputStream stream(bytes.data(), static_cast<int>(bytes.size()));
        std::string path = (folder_ / "forged.rec").string();
        std::ofstream out(path, std::ios::binary);
        bool is_changed = false;
        v1::Record record;
        while (
            google::protobuf::util::ParseDelimitedFromZeroCopyStream(&record, &stream, nullptr)) {
            is_changed = is_changed || change(record);
            google::protobuf::util::SerializeDelimitedToOstream(record, &out);
            record.Clear();
        }
        EXPECT_TRUE(is_changed);
        return path;
    }

    std::filesystem::path folder_;
    std::string file_;
    std::optional<Program> server_;
    std::optional<Program> recorder_;
    std::string server_address_;
    std::string recorder_address_;
};

TEST_F(Recording, OfAMatchWithEditsUnderWayReplaysWithoutADifference) {
    // If this failed, a recording would accuse a server that was right.
    record();
    const Finished loaded = run_program(load("2"));
    ASSERT_EQ(loaded.exit_code, 0) << loaded.err << loaded.out;
    const Finished recorded = stop_recorder();
    ASSERT_EQ(recorded.exit_code, 0) << recorded.err;
    const Finished done = replay(file_);
    EXPECT_EQ(done.exit_code, 0) << done.err;
    EXPECT_EQ(done.err, "");
    const json report = json::parse(done.out);
    // A recording has path requests; groups are surveys.
    const json sent = json::parse(loaded.out);
    EXPECT_EQ(report["requests"], sent["sent"].get<int>() - sent["groups"].get<int>());
    EXPECT_EQ(report["mismatches"], 0);
    EXPECT_GT(report["compared"], 0);
    EXPECT_GT(report["versions"], 40);
    EXPECT_EQ(report["skipped"]["unknown_version"], 0);
    EXPECT_EQ(report["skipped"]["unanswered"], 0);
}

TEST_F(Recording, AForgedCostIsFoundInWordsThatCanBePasted) {
    // If this failed, a wrong answer in a match would stay hidden, or nobody could ask again.
    record();
    const std::vector<std::string> question{
        "path", "--server", recorder_address_, "--map", "march", "--from",
        "2,2",  "--to",     "60,30",           "--json"};
    const Finished asked = outrider_cli(question);
    ASSERT_EQ(asked.exit_code, 0) << asked.err;
    ASSERT_EQ(stop_recorder().exit_code, 0);
    EXPECT_EQ(replay(file_).exit_code, 0);
    const Finished done = replay(forged([](v1::Record& record) {
        if (!record.path().has_reply()) {
            return false;
        }
        record.mutable_path()->mutable_reply()->set_cost(record.path().reply().cost() - 8160);
        return true;
    }));
    EXPECT_EQ(done.exit_code, 1);
    EXPECT_EQ(json::parse(done.out)["mismatches"], 1);
    EXPECT_THAT(done.err, HasSubstr("recorded cost"));
    const std::size_t at = done.err.find("outrider path");
    ASSERT_NE(at, std::string::npos) << done.err;
    const std::string words = done.err.substr(at + 8, done.err.find('\n', at) - at - 8);
    const Finished pasted = run_program(
        {"/bin/sh", "-c",
         std::string(OUTRIDER_CLI_PROGRAM) + words + " --json --server " + server_address_});
    ASSERT_EQ(pasted.exit_code, 0) << pasted.err;
    EXPECT_EQ(json::parse(pasted.out)["path_hash"], json::parse(asked.out)["path_hash"]);
}

TEST_F(Recording, OfARecorderThatWasKilledReplays) {
    // If this failed, the crash that a recording is for would take the recording with it.
    record();
    Program loading(load("3"));
    // The file grows by some 70 bytes a request; the map itself takes six thousand.
    ASSERT_TRUE(test::eventually([&] { return std::filesystem::file_size(file_) > 20'000; }));
    recorder_->signal(SIGKILL);
    (void)recorder_->finish(60s);
    (void)loading.finish(60s);
    const Finished done = replay(file_);
    EXPECT_EQ(done.exit_code, 0) << done.err;
    EXPECT_GT(json::parse(done.out)["compared"], 50);
    EXPECT_NE(done.err, "");
}

TEST_F(Recording, AServerThatDiesIsToldAndLeavesTheOpenRequestsInTheFile) {
    // If this failed, the request that brought a server down would be lost, or the recorder hang.
    record();
    Program loading(load("3"));
    ASSERT_TRUE(test::eventually([&] { return std::filesystem::file_size(file_) > 10'000; }));
    server_->signal(SIGKILL);
    (void)loading.finish(60s);
    const Finished recorded = stop_recorder();
    EXPECT_EQ(recorded.exit_code, 1);
    EXPECT_THAT(recorded.err, HasSubstr("the recording ends at version"));
    const Finished done = replay(file_);
    EXPECT_EQ(done.exit_code, 0) << done.err;
    EXPECT_EQ(json::parse(done.out)["mismatches"], 0);
}

TEST_F(Recording, ClientsSeeWhatTheServerSends) {
    // If this failed, a match could not be played through the recorder as without it.
    record();
    std::vector<std::string> question{"path",  "--map",   "march",     "--from", "2,2",     "--to",
                                      "60,30", "--cells", "--explain", "--json", "--server"};
    json answers[2];
    for (int i = 0; i < 2; ++i) {
        auto asking = question;
        asking.push_back(i == 0 ? server_address_ : recorder_address_);
        const Finished done = outrider_cli(asking);
        ASSERT_EQ(done.exit_code, 0) << done.err;
        answers[i] = json::parse(done.out);
        answers[i].erase("elapsed_ms");
    }
    EXPECT_EQ(answers[0], answers[1]);
    // Many at once: each connection has its own.
    EXPECT_EQ(outrider_cli({"ping", "--server", recorder_address_}).exit_code, 0);
    EXPECT_EQ(stop_recorder().exit_code, 0);
    EXPECT_EQ(json::parse(replay(file_).out)["requests"], 1);
}

TEST_F(Recording, WhatCannotBeginSaysWhy) {
    // If this failed, a user would learn after the match that nothing was recorded.
    const auto record_with = [&](const std::string& server, const std::string& map,
                                 const std::string& listen, const std::string& file) {
        return outrider_cli(
            {"record", "--server", server, "--map", map, "--listen", listen, "--out", file});
    };
    const std::string any = "127.0.0.1:0";
    const Finished no_server = record_with("127.0.0.1:1", "march", any, file_);
    EXPECT_EQ(no_server.exit_code, 1);
    EXPECT_THAT(no_server.err, HasSubstr("127.0.0.1:1"));
    const Finished no_map = record_with(server_address_, "moon", any, file_);
    EXPECT_EQ(no_map.exit_code, 1);
    EXPECT_THAT(no_map.err, HasSubstr("it has: march"));
    const Finished no_port = record_with(server_address_, "march", server_address_, file_);
    EXPECT_EQ(no_port.exit_code, 1);
    EXPECT_THAT(no_port.err, HasSubstr("--listen"));
    EXPECT_FALSE(std::filesystem::exists(file_));
    std::ofstream(file_) << "a match";
    const Finished there = record_with(server_address_, "march", any, file_);
    EXPECT_EQ(there.exit_code, 1);
    EXPECT_THAT(there.err, HasSubstr("--overwrite"));
    EXPECT_EQ(std::filesystem::file_size(file_), 7U);
    EXPECT_EQ(outrider_cli({"record", "--map", "march"}).exit_code, 2);
    EXPECT_EQ(outrider_cli({"replay", "--in", file_ + ".gone"}).exit_code, 2);
    const Finished no_recording = replay(file_);
    EXPECT_EQ(no_recording.exit_code, 1);
    EXPECT_THAT(no_recording.err, HasSubstr("no recording"));
}

}  // namespace
}  // namespace outrider
