#pragma once
// What: the command `outrider`, as its users run it, beside a server of the test's own.

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/program.hpp"

namespace outrider::test {

// Two rooms with one door in the wall between them, and a closed cell.
inline constexpr const char* kRooms =
    "type octile\n"
    "height 6\n"
    "width 12\n"
    "map\n"
    ".....@......\n"
    ".....@......\n"
    "............\n"
    ".....@......\n"
    ".....@...@@@\n"
    ".....@...@.@\n";

inline Finished outrider_cli(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), OUTRIDER_CLI_PROGRAM);
    return run_program(std::move(arguments));
}

class CommandLine : public ::testing::Test {
  protected:
    void SetUp() override {
        const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::path(::testing::TempDir()) /
                  (std::string("outrider_cli_") + info->name() + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string file(const std::string& name, const std::string& text) {
        const std::filesystem::path path = folder_ / name;
        std::ofstream(path) << text;
        return path.string();
    }
    // Starts a server on a free port; its address is `server_`.
    // Without landmarks, so that no version comes while a test asks.
    void serve(const std::string& name, const std::string& map_file,
               const std::vector<std::string>& more = {}) {
        std::vector<std::string> words{OUTRIDER_SERVER_PROGRAM, "--listen", "127.0.0.1:0",
                                       "--landmark-bytes-max",  "0",        "--map",
                                       name + "=" + map_file};
        words.insert(words.end(), more.begin(), more.end());
        program_.emplace(std::move(words));
        const auto line = program_->read_line(std::chrono::seconds(30));
        ASSERT_TRUE(line);
        const std::string begin = "listening on ";
        ASSERT_EQ(line->substr(0, begin.size()), begin);
        server_ = line->substr(begin.size());
    }
    Finished ask(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin() + 1, {"--server", server_});
        return outrider_cli(std::move(arguments));
    }

    std::filesystem::path folder_;
    std::optional<Program> program_;
    std::string server_;
};

}  // namespace outrider::test
