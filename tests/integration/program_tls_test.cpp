#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/certificates.hpp"
#include "support/program.hpp"

namespace outrider {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using test::Finished;
using test::Program;
using testing::HasSubstr;

// A server that speaks TLS, with the sample map, as an operator starts it.
class ProgramTls : public ::testing::Test {
  protected:
    void SetUp() override {
        folder_ = std::filesystem::path(::testing::TempDir()) /
                  ("outrider_tls_" + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
        const test::Certificate authority = test::make_authority();
        const test::Certificate own = test::make_certificate({}, &authority);
        ca_ = write("ca.pem", authority.pem);
        server_.emplace(std::vector<std::string>{
            OUTRIDER_SERVER_PROGRAM, "--listen", "127.0.0.1:0", "--tls-cert",
            write("cert.pem", own.pem), "--tls-key", write("key.pem", own.key), "--map",
            "march=" OUTRIDER_SOURCE_DIR "/client-sample/maps/march.map"});
        address_ = address_of(*server_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string write(const std::string& name, const std::string& text) const {
        const auto file = folder_ / name;
        std::ofstream(file) << text;
        return file.string();
    }
    static std::string address_of(Program& program) {
        const std::string words = "listening on ";
        const auto line = program.read_line(30s);
        EXPECT_TRUE(line && line->starts_with(words));
        return line ? line->substr(words.size()) : "";
    }
    [[nodiscard]] Finished outrider_cli(const std::string& command, const std::string& server,
                                        const std::vector<std::string>& arguments) const {
        std::vector<std::string> all{OUTRIDER_CLI_PROGRAM, command, "--server", server};
        all.insert(all.end(), arguments.begin(), arguments.end());
        return test::run_program(std::move(all));
    }

    std::filesystem::path folder_;
    std::string ca_;
    std::optional<Program> server_;
    std::string address_;
};

// If this failed, health checks and tools could not reach a server that speaks TLS, or would
// believe anybody.
TEST_F(ProgramTls, EveryCommandSpeaksIt) {
    EXPECT_EQ(outrider_cli("ping", address_, {"--tls-ca", ca_}).exit_code, 0);
    EXPECT_EQ(outrider_cli("ping", address_, {"--tls-insecure"}).exit_code, 0);
    const Finished strange = outrider_cli("ping", address_, {"--tls"});
    EXPECT_EQ(strange.exit_code, 1);
    EXPECT_THAT(strange.err, HasSubstr("unknown authority"));
    const Finished plain = outrider_cli("ping", address_, {});
    EXPECT_EQ(plain.exit_code, 1);
    EXPECT_THAT(plain.err, HasSubstr("--tls"));
    const Finished other =
        outrider_cli("ping", address_, {"--tls-ca", ca_, "--tls-server-name", "elsewhere"});
    EXPECT_THAT(other.err, HasSubstr("not for elsewhere"));
    const Finished path = outrider_cli(
        "path", address_,
        {"--tls-ca", ca_, "--map", "march", "--from", "2,2", "--to", "60,30", "--json"});
    EXPECT_EQ(path.exit_code, 0) << path.err;
    EXPECT_THAT(path.out, HasSubstr("COMPLETE"));
}

// If this failed, answers under load would be lost or wrong only where they are sealed, and a match
// on a server that speaks TLS could not be recorded.
TEST_F(ProgramTls, LoadAndRecordGoThroughIt) {
    Program recorder({OUTRIDER_CLI_PROGRAM, "record", "--server", address_, "--tls-ca", ca_,
                      "--listen", "127.0.0.1:0", "--map", "march", "--out",
                      (folder_ / "match.rec").string()});
    const std::string before = address_of(recorder);
    const std::vector<std::string> what{
        "--map", "march",     "--rate", "300",      "--units", "50", "--edits-per-second",
        "10",    "--seconds", "1",      "--verify", "--json"};
    std::vector<std::string> sealed = what;
    sealed.insert(sealed.end(), {"--tls-ca", ca_});
    const Finished direct = outrider_cli("load", address_, sealed);
    ASSERT_EQ(direct.exit_code, 0) << direct.err;
    EXPECT_EQ(json::parse(direct.out).at("wrong"), 0);
    const Finished through = outrider_cli("load", before, what);
    ASSERT_EQ(through.exit_code, 0) << through.err;
    recorder.signal(SIGINT);
    const Finished recorded = recorder.finish(60s);
    EXPECT_EQ(recorded.exit_code, 0) << recorded.err;
    const Finished replay = test::run_program(
        {OUTRIDER_CLI_PROGRAM, "replay", "--in", (folder_ / "match.rec").string(), "--json"});
    EXPECT_EQ(replay.exit_code, 0) << replay.err;
    EXPECT_GT(json::parse(replay.out).at("compared"), 100);
}

}  // namespace
}  // namespace outrider
