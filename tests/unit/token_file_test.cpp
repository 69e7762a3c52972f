#include "outrider/app/token_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "outrider/app/small_file.hpp"

namespace outrider::app {
namespace {

struct TokenFile : testing::Test {
    static std::filesystem::path write(const std::string& name, const std::string& text) {
        const auto file =
            std::filesystem::path(testing::TempDir()) /
            (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + name);
        std::ofstream(file) << text;
        return file;
    }
};

// If this failed, a token file's comments would open the server, or an empty one would.
TEST_F(TokenFile, TokenFileHoldsOneTokenALine) {
    const auto tokens =
        read_tokens(write("t", "# ours\n\n  alpha-alpha-alpha \r\nbeta-beta-beta-beta\n"));
    ASSERT_TRUE(tokens.has_value());
    ASSERT_EQ(tokens->size(), 2U);
    EXPECT_EQ((*tokens)[0].digest, net::digest_of("alpha-alpha-alpha"));
    EXPECT_EQ((*tokens)[1].digest, net::digest_of("beta-beta-beta-beta"));
    EXPECT_EQ((*tokens)[1].role, net::Role::kAdmin) << "an old file's tokens may do everything";
    const auto roles = read_tokens(write(
        "r",
        "player one-one-one-one-one p\nbuilder two-two-two-two-two\nadmin three-three-three-3\n"));
    ASSERT_TRUE(roles.has_value()) << roles.error().message;
    EXPECT_EQ((*roles)[0].role, net::Role::kPlayer);
    EXPECT_EQ((*roles)[0].name, "p");
    EXPECT_EQ((*roles)[1].role, net::Role::kBuilder);
    EXPECT_EQ((*roles)[2].role, net::Role::kAdmin);
    for (const char* bad :
         {"player\n", "king sesame-sesame-seed\n", "player sesame-sesame-seed a b\n",
          "sesame-sesame-seed\nsesame-sesame-seed\n", "sesame\n", "player sesame\n"}) {
        const auto refused = read_tokens(write("b", bad));
        ASSERT_FALSE(refused.has_value()) << bad;
        EXPECT_NE(refused.error().message.find("line "), std::string::npos);
        EXPECT_EQ(refused.error().message.find("sesame"), std::string::npos) << "a secret";
    }
    EXPECT_FALSE(read_tokens(write("e", "# none\n\n")).has_value());
    EXPECT_FALSE(read_tokens(write("l", std::string(1025, 't'))).has_value());
    EXPECT_TRUE(read_tokens(write("m", std::string(1024, 't'))).has_value());
    const auto guessable = read_tokens(write("g", std::string(15, 't')));
    ASSERT_FALSE(guessable.has_value());
    EXPECT_NE(guessable.error().message.find("shorter than 16 bytes"), std::string::npos);
    EXPECT_NE(guessable.error().message.find("openssl rand"), std::string::npos);
    EXPECT_TRUE(read_tokens(write("h", std::string(16, 't'))).has_value());
    EXPECT_TRUE(read_tokens(write("i", "player " + std::string(17, 't'))).has_value());
    const auto missing = read_tokens("/nowhere/tokens");
    ASSERT_FALSE(missing.has_value());
    EXPECT_NE(missing.error().message.find("/nowhere/tokens"), std::string::npos);
}

// If this failed, a note behind a token would be its name, or keep the server from starting.
TEST_F(TokenFile, ACommentMayStandBehindAToken) {
    const auto tokens = read_tokens(write("t",
                                          "player one-one-one-one-one lobby # since May\n"
                                          "builder two-two-two-two-two #by the match maker\n"
                                          "three-three-three#3 # a # within a word is of the word\n"
                                          "  # player four-four-four-four\n"));
    ASSERT_TRUE(tokens.has_value()) << tokens.error().message;
    ASSERT_EQ(tokens->size(), 3U);
    EXPECT_EQ((*tokens)[0].name, "lobby");
    EXPECT_EQ((*tokens)[1].digest, net::digest_of("two-two-two-two-two"));
    EXPECT_EQ((*tokens)[1].name, "");
    EXPECT_EQ((*tokens)[2].digest, net::digest_of("three-three-three#3"));
    EXPECT_EQ((*tokens)[2].role, net::Role::kAdmin);
    const auto hidden = read_tokens(write("h", "\nplayer #sesame-sesame-seed\n"));
    ASSERT_FALSE(hidden.has_value());
    EXPECT_NE(hidden.error().message.find("line 2 "), std::string::npos);
    EXPECT_NE(hidden.error().message.find("without a #"), std::string::npos);
    EXPECT_EQ(hidden.error().message.find("sesame"), std::string::npos) << "a secret";
}

// If this failed, a device named by mistake would be read until the memory is gone.
TEST_F(TokenFile, TokenFilesAreBounded) {
    EXPECT_FALSE(read_tokens("/dev/zero"));
    const auto folder = read_tokens(testing::TempDir());
    ASSERT_FALSE(folder);
    EXPECT_NE(folder.error().message.find("cannot read"), std::string::npos);
    EXPECT_EQ(
        read_tokens(write("tokens", "one-one-one-one-one\ntwo-two-two-two-two")).value().size(),
        2U);
}

// If this failed, SIGHUP with a pipe in the place of a file would hold up the server's signals, and
// SIGTERM would never be heard again.
TEST_F(TokenFile, APipeIsReadWhileSomebodyWritesAndGivenUpWhenNobodyDoes) {
    const auto pipe = std::filesystem::path(testing::TempDir()) / "outrider-app-test-pipe";
    std::filesystem::remove(pipe);
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const auto silent =
        read_small_file(pipe, "token file", "--token-file", std::chrono::milliseconds(20));
    ASSERT_FALSE(silent);
    EXPECT_NE(silent.error().message.find("pipe"), std::string::npos) << silent.error().message;
    EXPECT_NE(silent.error().message.find("--token-file"), std::string::npos);
    std::jthread writer(
        [&] { std::ofstream(pipe) << "player one-one-one-one-one\nadmin two-two-two-two-two\n"; });
    const auto read = read_tokens(pipe);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->size(), 2U);
    std::filesystem::remove(pipe);
}

// If this failed, the lines of a log in JSON that name the token would be no JSON.
TEST_F(TokenFile, NamesAreUtf8) {
    const auto name = [](const std::string& text) {
        return read_tokens(write("t", "player one-one-one-one-one " + text + "\n"));
    };
    EXPECT_EQ(name("J\xc3\xb6rg").value().front().name, "J\xc3\xb6rg");
    const auto refused = name("bad\xff");
    ASSERT_FALSE(refused.has_value());
    EXPECT_NE(refused.error().message.find("line 1 of the token file"), std::string::npos);
    EXPECT_NE(refused.error().message.find("UTF-8"), std::string::npos) << refused.error().message;
}

}  // namespace
}  // namespace outrider::app
