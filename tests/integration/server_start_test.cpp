// How outrider-server begins, and what it refuses before it has loaded a map.

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "integration/server_process.hpp"

namespace outrider::test {
namespace {

struct ServerStart : testing::Test {
    ~ServerStart() override { std::filesystem::remove_all(folder); }

    static std::filesystem::path fresh_directory() {
        const auto path =
            std::filesystem::path(testing::TempDir()) /
            (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) +
             std::to_string(::getpid()));
        std::filesystem::create_directories(path);
        return path;
    }
    [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(folder / name) << text;
        return (folder / name).string();
    }

    const std::filesystem::path folder = fresh_directory();
    const std::string file = write("good.map", "type octile\nheight 1\nwidth 2\nmap\n..\n");
    const std::string good = "good=" + file;
    const std::string broken = "broken=" + write("broken.map", "no map");
};

// If this failed, a server that is stopped while its maps load would first load them all, and tell
// its supervisor that it is ready when it is about to end.
TEST_F(ServerStart, ASignalWhileMapsLoadEndsItWithoutAWordOfListening) {
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
        for (const std::vector<std::string>& maps : std::vector<std::vector<std::string>>{
                 {}, {"--map", good}, {"--map", good, "--map", broken}}) {
            std::vector<std::string> arguments{"--listen", "127.0.0.1:0"};
            arguments.insert(arguments.end(), maps.begin(), maps.end());
            ServerProcess program(arguments, 0, signal);
            EXPECT_EQ(program.port(), 0) << signal << " with " << maps.size() / 2 << " maps";
            const std::string log = program.errors();
            EXPECT_EQ(program.wait(), 0) << "there was nothing to answer\n" << log;
            EXPECT_NE(log.find("ended by a signal before it served"), std::string::npos) << log;
            EXPECT_EQ(log.find("map loaded"), std::string::npos) << log;
        }
    }
}

// If this failed, new tokens that come while a server loads its maps would end it, or be missed.
TEST_F(ServerStart, AReloadWhileMapsLoadWaitsUntilTheServerListens) {
    const std::string tokens = write("tokens", "admin one-of-this-test-1\n");
    ServerProcess program({"--listen", "127.0.0.1:0", "--map", good, "--token-file", tokens}, 0,
                          SIGHUP);
    EXPECT_NE(program.port(), 0);
    EXPECT_NE(program.errors_until("reloaded").find("map loaded"), std::string::npos);
    program.terminate();
    EXPECT_EQ(program.wait(), 0);
}

// If this failed, an operator would wait for maps to load only to hear of a slip in the options, or
// hear of it when a player asks.
TEST_F(ServerStart, WhatCanBeRefusedWithoutAMapIsRefusedBefore) {
    ServerProcess holder({"--listen", "127.0.0.1:0", "--log-level", "error"});
    const std::string taken = "127.0.0.1:" + std::to_string(holder.port());
    struct Case {
        std::vector<std::string> arguments;
        std::vector<std::string> told;
    };
    for (const Case& refused : std::vector<Case>{
             {{"--listen", "0.0.0.0:0"}, {"--insecure-public", "--token-file"}},
             {{"--listen", taken}, {taken, "choose another with --listen"}},
             {{"--listen", "no-such-host.invalid:0"}, {"no such host", "check --listen"}},
             {{"--http", taken}, {taken, "--http"}},
             {{"--data-dir", "/nowhere"}, {"--data-dir /nowhere: No such", "leave the option out"}},
             {{"--data-dir", file}, {"--data-dir " + file + ": is no directory"}},
             {{"--token-file", "/nowhere/tokens"}, {"/nowhere/tokens"}},
             {{"--tls-cert", file, "--tls-key", file}, {file}},
             {{"--map", "second=/nowhere/b.map"}, {"map second: /nowhere/b.map: No such"}},
             {{"--map", "second=" + folder.string()}, {"map second: ", "is no file to be read"}},
             {{"--map", good}, {"map good: --map gives this name twice"}},
             {{"--map", "\x01=" + file}, {"control character"}},
             {{"--class", "ground=.:10"}, {"--class: ", "two movement classes are named `ground`"}},
         }) {
        std::vector<std::string> arguments{"--listen", "127.0.0.1:0", "--map", good};
        if (refused.arguments[0] == "--listen") {
            arguments = {"--map", good};
        }
        arguments.insert(arguments.end(), refused.arguments.begin(), refused.arguments.end());
        ServerProcess program(arguments);
        EXPECT_EQ(program.port(), 0) << refused.arguments[1];
        const std::string errors = program.errors();
        EXPECT_EQ(program.wait(), 1) << refused.arguments[1];
        for (const std::string& told : refused.told) {
            EXPECT_NE(errors.find(told), std::string::npos) << told << "\n" << errors;
        }
        EXPECT_EQ(errors.find("map loaded"), std::string::npos) << errors;
    }
    holder.terminate();
    EXPECT_EQ(holder.wait(), 0);
}

// If this failed, a configuration that asks for 65 maps would be refused after 64 of them.
TEST_F(ServerStart, MoreMapsThanThereArePlacesAreRefusedBefore) {
    for (const int count : {63, 64, 65}) {
        std::vector<std::string> arguments{"--listen", "127.0.0.1:0"};
        for (int i = 0; i < count; ++i) {
            arguments.insert(arguments.end(), {"--map", "m" + std::to_string(i) + "=" + file});
        }
        ServerProcess program(arguments);
        EXPECT_EQ(program.port() != 0, count <= 64) << count;
        program.terminate();
        const std::string log = program.errors();
        EXPECT_EQ(program.wait(), count <= 64 ? 0 : 1) << log;
        EXPECT_EQ(log.find("at most 64 maps") != std::string::npos, count > 64) << log;
        EXPECT_EQ(log.find("map loaded") != std::string::npos, count <= 64) << log;
    }
}

}  // namespace
}  // namespace outrider::test
