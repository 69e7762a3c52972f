#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "outrider/telemetry/log.hpp"

namespace outrider::telemetry {
namespace {

// If this failed, a client could forge log lines through its name.
TEST(FormatEvent, EscapesWhatAClientChose) {
    const std::string_view forged = "bot\"\n2026 info all is well \\";
    EXPECT_EQ(format_event(Format::kText, "session opened", {{"client", forged}}),
              R"(session opened client="bot\"\u000a2026 info all is well \\")");
    EXPECT_EQ(format_event(Format::kJson, "session opened", {{"client", forged}}),
              R"("event":"session opened","client":"bot\"\u000a2026 info all is well \\")");
}

// If this failed, programs that read the log would get numbers as text.
TEST(FormatEvent, WritesNumbersAsNumbers) {
    EXPECT_EQ(format_event(Format::kText, "summary",
                           {{"sessions", std::uint64_t{3}}, {"requests_per_s", 12.25}}),
              "summary sessions=3 requests_per_s=12.2");
    EXPECT_EQ(format_event(Format::kJson, "summary", {{"sessions", std::uint64_t{3}}}),
              R"("event":"summary","sessions":3)");
}

class ManualClock final : public base::Clock {
  public:
    [[nodiscard]] base::TimePoint now() const override { return now_; }
    void advance(base::Duration by) { now_ += by; }

  private:
    base::TimePoint now_{};
};

// If this failed, a flood of bad tokens would fill the disk with log lines.
TEST(Log, LimitsRepeatedWarnings) {
    ManualClock clock;
    testing::internal::CaptureStderr();
    {
        Log log({.level = Level::kInfo,
                 .format = Format::kText,
                 .repeat_interval = std::chrono::seconds(10)},
                clock);
        for (int i = 0; i < 100; ++i) {
            log.warn_limited("token refused", {{"session", std::uint64_t{7}}});
        }
        clock.advance(std::chrono::seconds(10));
        log.warn_limited("token refused", {{"session", std::uint64_t{8}}});
        log.write(Level::kDebug, "not wanted", {});
    }
    const std::string out = testing::internal::GetCapturedStderr();
    EXPECT_EQ(std::ranges::count(out, '\n'), 2) << out;
    EXPECT_NE(out.find("warning token refused session=7\n"), std::string::npos) << out;
    EXPECT_NE(out.find("session=8 left_out=99\n"), std::string::npos) << out;
}

// If this failed, one slow request in ten seconds would be all that an operator sees.
TEST(Log, LimitsWarningsToSoManyInAnInterval) {
    ManualClock clock;
    testing::internal::CaptureStderr();
    {
        Log log({.repeat_interval = std::chrono::seconds(10)}, clock);
        for (std::uint64_t i = 0; i < 7; ++i) {
            log.warn_limited("slow request", {{"request", i}}, 3);
        }
        clock.advance(std::chrono::seconds(10));
        for (std::uint64_t i = 7; i < 9; ++i) {
            log.warn_limited("slow request", {{"request", i}}, 3);
        }
    }
    const std::string out = testing::internal::GetCapturedStderr();
    EXPECT_EQ(std::ranges::count(out, '\n'), 5) << out;
    EXPECT_NE(out.find("request=2\n"), std::string::npos) << out;
    EXPECT_NE(out.find("request=7 left_out=4\n"), std::string::npos) << out;
    EXPECT_NE(out.find("request=8\n"), std::string::npos) << out;
}

// If this failed, a line of the JSON log could not be read by a JSON reader.
TEST(Log, JsonLinesAreObjects) {
    const base::SteadyClock clock;
    testing::internal::CaptureStderr();
    {
        Log log({.format = Format::kJson}, clock);
        log.write(Level::kInfo, "started", {{"maps", std::uint64_t{2}}});
    }
    const std::string out = testing::internal::GetCapturedStderr();
    EXPECT_EQ(out.substr(0, 9), R"({"time":")") << out;
    EXPECT_NE(out.find(R"("level":"info","event":"started","maps":2})"), std::string::npos) << out;
}

}  // namespace
}  // namespace outrider::telemetry
