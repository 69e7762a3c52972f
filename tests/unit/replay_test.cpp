#include "record/replay.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "record/replay_report.hpp"
#include "record/request_words.hpp"
#include "support/recording_builder.hpp"

namespace outrider::record {
namespace {

using test::RecordingBuilder;
using testing::HasSubstr;

codec::PathRequest ask(model::Cell from, model::Cell to) {
    codec::PathRequest request;
    request.map = RecordingBuilder::kMap;
    request.query.start = from;
    request.query.goal = {{to.x, to.y, 1, 1}, 0};
    return request;
}

// Two ways round a pillar: the upper one is shorter.
RecordingBuilder pillar() {
    return RecordingBuilder({"......", "..@@..", "..@@..", "......", "......"});
}
codec::PathRequest across() {
    codec::PathRequest request = ask({0, 1}, {5, 1});
    request.query.smoothing = {model::Grade::kCorners, 40};
    return request;
}

base::Result<ReplayReport> replay_text(const std::string& text, const ReplayOptions& options = {}) {
    std::istringstream in(text);
    return replay(in, "match.rec", options);
}
ReplayReport replayed(const RecordingBuilder& recording, const ReplayOptions& options = {}) {
    auto report = replay_text(recording.text(), options);
    EXPECT_TRUE(report) << report.error().message;
    return report.value_or(ReplayReport{});
}
std::string error_of(const RecordingBuilder& recording) {
    const auto report = replay_text(recording.text());
    return report ? "no error" : report.error().message;
}
std::uint64_t skipped(const ReplayReport& report, Skip skip) {
    return report.skipped[static_cast<std::size_t>(skip)];
}

TEST(Replay, AnswersEachRequestOnTheVersionThatItsReplyNames) {
    // If this failed, a sound recording would be called wrong, and nobody would send one again.
    RecordingBuilder recording = pillar();
    recording.path(across());
    // Found before the wall rose, and recorded after it: a search may take a while.
    const model::PathAnswer early = recording.answer_of(across());
    recording.block(2, 0);
    recording.block(3, 0);
    recording.path(across());
    recording.path(across(), early);
    recording.end();
    const ReplayReport report = replayed(recording);
    EXPECT_EQ(report.requests, 3U);
    EXPECT_EQ(report.compared, 3U);
    EXPECT_EQ(report.versions, 3U);
    EXPECT_EQ(report.mismatches, 0U) << report.examples.front();
    EXPECT_EQ(report.torn_bytes, 0U);
    EXPECT_EQ(report.unrecorded, 0U);
}

TEST(Replay, LooksPastTheObstacleThatARequestIgnores) {
    // If this failed, right answers to units in their own footprints would be called wrong.
    RecordingBuilder recording = pillar();
    const model::PathAnswer open = recording.answer_of(across());
    recording.block(0, 1);  // obstacle 1, where the unit stands
    const model::PathAnswer answer{recording.version(), open.result};
    codec::PathRequest request = across();
    request.query.ignore_obstacle = {{1}};
    recording.path(request, answer);
    recording.path(across());
    request.query.ignore_obstacle = {{2}};
    recording.path(request, answer);
    const ReplayReport report = replayed(recording);
    EXPECT_EQ(report.compared, 3U);
    ASSERT_EQ(report.mismatches, 1U);
    EXPECT_THAT(report.examples.at(0), HasSubstr("--ignore-obstacle 2"));
}

// One value of a right answer bent, and what replay says of it.
struct Bent {
    const char* name;
    void (*bend)(model::PathResult&);
    const char* words;
};

class ReplayOfBentAnswers : public testing::TestWithParam<Bent> {};

TEST_P(ReplayOfBentAnswers, FindsTheWrongValue) {
    // If this failed, a wrong answer of a match would pass for a right one.
    RecordingBuilder recording = pillar();
    model::PathAnswer answer = recording.answer_of(across());
    model::PathResult bent = *answer.result;
    GetParam().bend(bent);
    answer.result = std::make_shared<const model::PathResult>(bent);
    recording.path(across());
    recording.path(across(), answer);
    const ReplayReport report = replayed(recording);
    EXPECT_EQ(report.compared, 2U);
    ASSERT_EQ(report.mismatches, 1U);
    EXPECT_THAT(report.examples.at(0), HasSubstr(GetParam().words));
    EXPECT_THAT(report.examples.at(0), HasSubstr("request 2"));
    EXPECT_THAT(
        report.examples.at(0),
        HasSubstr("outrider path --map drawn --class ground --from 0,1 --to 5,1 --smooth corners "
                  "--clearance 40"));
}

INSTANTIATE_TEST_SUITE_P(
    Values, ReplayOfBentAnswers,
    testing::Values(
        Bent{"cost", [](auto& result) { ++result.cost; }, "recorded cost"},
        Bent{"hash", [](auto& result) { ++result.path_hash; }, "another path"},
        Bent{"smooth_hash", [](auto& result) { ++result.smooth.hash; }, "smoothed otherwise"},
        Bent{"outcome", [](auto& result) { result.outcome = model::Outcome::kUnreachable; },
             "recorded outcome UNREACHABLE, replayed COMPLETE"}),
    [](const auto& bent) { return bent.param.name; });

TEST(Replay, FindsAnAnswerOlderThanWhatWasAnnouncedBeforeItWasAsked) {
    // If this failed, a server could answer from the past (law 2) and no recording would show it.
    RecordingBuilder recording = pillar();
    const model::PathAnswer old = recording.answer_of(across());
    recording.block(5, 4);
    recording.path(across(), old, old.version);
    recording.path(across(), old, old.version + 1);
    const ReplayReport report = replayed(recording);
    ASSERT_EQ(report.mismatches, 1U);
    EXPECT_THAT(report.examples.at(0), HasSubstr("version 2 was announced before"));
}

TEST(Replay, CountsWhatHasNoOneRightAnswer) {
    // If this failed, a deadline that passed on a slow machine would be reported as a wrong path.
    RecordingBuilder recording = pillar();
    recording.ended(across(), model::Outcome::kBudget);
    recording.ended(across(), model::Outcome::kDeadline);
    recording.ended(across(), model::Outcome::kCancelled);
    recording.ended(across(), model::Outcome::kSuperseded);
    recording.refused(across(), model::RefusalCode::kOverloaded);
    recording.unanswered(across());
    const model::PathAnswer answer = recording.answer_of(across());
    recording.path(across(), {answer.version + 1, answer.result});
    recording.path(across(), {0, answer.result});
    recording.path(across());
    const ReplayReport report = replayed(recording);
    EXPECT_EQ(report.requests, 9U);
    EXPECT_EQ(report.compared, 1U);
    EXPECT_EQ(report.mismatches, 0U);
    for (const Skip skip : {Skip::kBudget, Skip::kDeadline, Skip::kCancelled, Skip::kSuperseded,
                            Skip::kRefused, Skip::kUnanswered}) {
        EXPECT_EQ(skipped(report, skip), 1U) << name_of(skip);
    }
    EXPECT_EQ(skipped(report, Skip::kUnknownVersion), 2U);
    EXPECT_THAT(json_of(report),
                HasSubstr("\"skipped\":{\"budget\":1,\"deadline\":1,\"cancelled\":1,"
                          "\"superseded\":1,\"refused\":1,\"unanswered\":1,\"unknown_version\":2},"
                          "\"versions\":1,\"mean_us\":"));
}

TEST(Replay, KnowsClassesThatCameLater) {
    // If this failed, matches in which a client registers a class could not be replayed.
    RecordingBuilder recording = pillar();
    model::MovementClass wide = model::ground_class();
    wide.name = "wide";
    wide.footprint = 2;
    recording.edit({{}, wide});
    codec::PathRequest request = ask({0, 3}, {4, 3});
    request.query.movement_class = {1};
    const model::PathAnswer answer = recording.answer_of(request);
    recording.path(request, answer);
    request.query.movement_class = {0};
    request.class_name = "wide";
    recording.path(request, answer);
    request.class_name = "narrow";
    recording.path(request, answer);
    const ReplayReport report = replayed(recording);
    EXPECT_EQ(report.compared, 3U);
    ASSERT_EQ(report.mismatches, 1U);
    EXPECT_THAT(report.examples.at(0), HasSubstr("no such movement class"));
}

TEST(Replay, WithAnotherAlgorithmComparesCostsAndNotPaths) {
    // If this failed, nobody could tell a wrong kernel from a wrong map.
    RecordingBuilder recording = pillar();
    model::PathAnswer answer = recording.answer_of(across());
    model::PathResult other = *answer.result;
    ++other.path_hash;
    recording.path(across(), {1, std::make_shared<const model::PathResult>(other)});
    codec::PathRequest weighted = across();
    weighted.query.weight_percent = 150;
    recording.path(weighted);
    other.cost += model::kCostPerCell;
    recording.path(across(), {1, std::make_shared<const model::PathResult>(other)});
    for (const auto algorithm : {model::Algorithm::kDijkstra, model::Algorithm::kAstar,
                                 model::Algorithm::kJps, model::Algorithm::kAuto}) {
        ReplayOptions options;
        options.algorithm = algorithm;
        const ReplayReport report = replayed(recording, options);
        EXPECT_EQ(report.compared, 3U);
        ASSERT_EQ(report.mismatches, 1U) << model::name_of(algorithm);
        EXPECT_THAT(report.examples.at(0), HasSubstr("recorded cost"));
    }
}

TEST(Replay, CountsAnotherPathOfTheSameCostWhereTheServerMayKnowMore) {
    // If this failed, a server with landmarks would be called wrong, or one without be let off.
    for (const auto& [height, is_counted] : {std::pair{127, false}, std::pair{128, true}}) {
        map::Grid grid{128, height, {}};
        grid.terrain.assign(static_cast<std::size_t>(128 * height), '.');
        RecordingBuilder recording(std::move(grid), {model::ground_class()});
        const model::PathAnswer answer = recording.answer_of(across());
        model::PathResult other = *answer.result;
        ++other.path_hash;
        recording.path(across(), {1, std::make_shared<const model::PathResult>(other)});
        ++other.cost;
        recording.path(across(), {1, std::make_shared<const model::PathResult>(other)});
        const ReplayReport report = replayed(recording);
        EXPECT_EQ(report.compared, 2U);
        EXPECT_EQ(report.other_paths, is_counted ? 1U : 0U);
        EXPECT_EQ(report.mismatches, is_counted ? 1U : 2U);
    }
}

TEST(Replay, DescribesNoMoreMismatchesThanAskedFor) {
    // If this failed, a bad match of an hour would fill the disk with messages.
    RecordingBuilder recording = pillar();
    const model::PathAnswer answer = recording.answer_of(across());
    for (int i = 0; i < 5; ++i) {
        recording.path(ask({0, 0}, {0, 4}), answer);
    }
    ReplayOptions options;
    for (const std::size_t most : {std::size_t{0}, std::size_t{4}, std::size_t{5}}) {
        options.examples_max = most;
        const ReplayReport report = replayed(recording, options);
        EXPECT_EQ(report.mismatches, 5U);
        EXPECT_EQ(report.examples.size(), most);
    }
}

TEST(Replay, OfAFileCutAnywhereUsesWhatIsWhole) {
    // If this failed, a killed recorder would leave a file that nobody can read.
    RecordingBuilder recording = pillar();
    recording.path(across());
    const std::string begun = recording.text();
    recording.block(2, 0);
    recording.path(across());
    const std::string second = recording.text();
    recording.path(across());
    recording.end();
    const std::string whole = recording.text();
    std::uint64_t requests_before = 0;
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const auto report = replay_text(whole.substr(0, size));
        if (!report) {
            EXPECT_LT(size, begun.size()) << report.error().message;
            EXPECT_THAT(report.error().message, HasSubstr("the recorder ended as it began"));
            continue;
        }
        EXPECT_EQ(report->mismatches, 0U);
        EXPECT_EQ(report->compared + skipped(*report, Skip::kUnknownVersion), report->requests);
        EXPECT_GE(report->requests, requests_before);
        requests_before = report->requests;
        EXPECT_FALSE(report->unrecorded.has_value());
    }
    EXPECT_EQ(replay_text(begun)->torn_bytes, 0U);
    EXPECT_EQ(replay_text(second + whole.substr(second.size(), 7))->torn_bytes, 7U);
    EXPECT_EQ(replay_text(whole)->requests, 3U);
}

TEST(Replay, NamesTheRecordThatIsWrong) {
    // If this failed, the sender of a damaged file would not learn what to do.
    RecordingBuilder ahead = pillar();
    ahead.block(0, 0);
    const std::string first_of_ahead = ahead.text();
    ahead.block(1, 0);
    const auto third = replay_text(pillar().text() + ahead.text().substr(first_of_ahead.size()));
    ASSERT_FALSE(third);
    EXPECT_THAT(third.error().message, HasSubstr("match.rec: record 3 at byte "));
    EXPECT_THAT(third.error().message, HasSubstr("version 3 follows version 1"));

    RecordingBuilder joined = pillar();
    const auto twice = replay_text(joined.text() + joined.text());
    ASSERT_FALSE(twice);
    EXPECT_THAT(twice.error().message, HasSubstr("two files were joined"));

    RecordingBuilder ended = pillar();
    ended.end();
    ended.path(across());
    EXPECT_THAT(error_of(ended), HasSubstr("something follows the end"));

    RecordingBuilder short_of_one = pillar();
    short_of_one.end_of(1, 0);
    EXPECT_THAT(error_of(short_of_one),
                HasSubstr("the end tells of 1 requests, and the file has 0"));

    RecordingBuilder empty_record = pillar();
    empty_record.raw({});
    EXPECT_THAT(error_of(empty_record), HasSubstr("record 3"));
    EXPECT_THAT(error_of(empty_record), HasSubstr("the record is empty"));

    EXPECT_THAT(replay_text("").error().message, HasSubstr("record 1 at byte 0"));
    EXPECT_THAT(replay_text("type octile\nheight 3\n").error().message, HasSubstr("no recording"));
    EXPECT_THAT(replay_text("\xff\xff\xff\xff\x0f").error().message, HasSubstr("frame too large"));
}

TEST(Replay, LeavesRecordsOfLaterProgramsAlone) {
    // If this failed, no kind of record could ever be added.
    RecordingBuilder recording = pillar();
    const std::array<std::byte, 4> later{std::byte{0xFA}, std::byte{0x01}, std::byte{0x01},
                                         std::byte{0x41}};
    recording.raw(later);
    recording.path(across());
    EXPECT_EQ(replayed(recording).compared, 1U);
}

TEST(RequestWords, AreOneShellWordEach) {
    // If this failed, a map's name out of a stranger's file could run as a command when pasted.
    model::PathQuery query = across().query;
    query.algorithm = model::Algorithm::kAstar;
    query.weight_percent = 125;
    query.allow_partial = true;
    query.leave_blocked_start = true;
    query.ignore_obstacle = {{7}};
    query.goal = {{5, 1, 2, 3}, 4};
    EXPECT_EQ(words_of("m", "ground", query),
              "outrider path --map m --class ground --from 0,1 --to 5,1 --algorithm astar "
              "--weight 1.25 --range 4 --partial --leave-blocked-start --smooth corners "
              "--clearance 40 --ignore-obstacle 7"
              "  # to any of the 2 x 3 cells from there");
    EXPECT_THAT(words_of("a'; rm -rf x\n", "$(x)", across().query),
                HasSubstr("--map 'a'\\''; rm -rf x?' --class '$(x)'"));
}

}  // namespace
}  // namespace outrider::record
