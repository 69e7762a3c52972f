#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/edited_world.hpp"
#include "support/random_surveys.hpp"
#include "support/survey_check.hpp"

namespace outrider::test {
namespace {

using model::Outcome;
using model::SurveyResult;

// Stepped in slices of `size` cells; the parts are put together.
SurveyResult in_slices(search::SurveySearch& search, const EditedWorld& world,
                       const model::Survey& survey, std::uint64_t size,
                       std::vector<SurveyResult>& parts) {
    parts.clear();
    search.start(world.layer(), survey);
    while (search.step(size) == search::Step::kRunning) {
        while (auto part = search.take_part()) {
            parts.push_back(std::move(*part));
        }
    }
    while (auto part = search.take_part()) {
        parts.push_back(std::move(*part));
    }
    parts.push_back(search.take_result());
    return joined(parts);
}

void check_slices(const EditedWorld& world, const model::Survey& survey, Random& random,
                  search::SurveySearch& warm) {
    std::vector<SurveyResult> whole;
    std::vector<SurveyResult> parts;
    const SurveyResult result = in_slices(warm, world, survey, ~std::uint64_t{0}, whole);
    ASSERT_NO_FATAL_FAILURE(check_survey(world, survey, result));
    for (const std::uint64_t size :
         {std::uint64_t{1}, static_cast<std::uint64_t>(random.between(2, 900))}) {
        ASSERT_EQ(in_slices(warm, world, survey, size, parts), result);
        ASSERT_EQ(parts, whole) << "parts differ at slices of " << size;
    }
    model::Survey cut = survey;
    cut.expansions_max = static_cast<std::uint64_t>(random.between(1, 1500));
    const SurveyResult some = in_slices(warm, world, cut, ~std::uint64_t{0}, whole);
    ASSERT_NO_FATAL_FAILURE(check_survey(world, cut, some));
    ASSERT_EQ(in_slices(warm, world, cut, 7, parts), some);
    ASSERT_EQ(parts, whole);
}

// If this failed, an answer for many would differ from what each alone would be told, or from slice
// to slice.
TEST(SurveyProperty, EveryAnswerIsTheOraclesAtEverySliceSize) {
    search::SurveySearch warm;
    const std::uint64_t count = rounds(220);
    for (std::uint64_t round = 0; round < count; ++round) {
        SCOPED_TRACE("round " + std::to_string(round));
        Random random(0x50000 + round);
        EditedWorld world(random, random.chance(50) ? tiny_map(random) : random_map(random));
        for (int turn = 0; turn < 3; ++turn) {
            world.maybe_add_landmarks(random);
            const model::Survey survey = random_survey(random, world.weights());
            SCOPED_TRACE(std::string(model::name_of(survey)));
            ASSERT_TRUE(search::validate(world.snapshot(), survey).has_value());
            ASSERT_NO_FATAL_FAILURE(check_slices(world, survey, random, warm));
            ASSERT_NO_FATAL_FAILURE(world.edit(random));
        }
    }
}

// If this failed, a unit of an army would get two answers or none when its time ran out.
TEST(SurveyProperty, AStoppedSurveyAnswersEachUnitOnce) {
    search::SurveySearch warm;
    const std::uint64_t count = rounds(150);
    for (std::uint64_t round = 0; round < count; ++round) {
        SCOPED_TRACE("round " + std::to_string(round));
        Random random(0x60000 + round);
        EditedWorld world(random, random_map(random));
        const model::Survey survey = random_survey(random, world.weights());
        SCOPED_TRACE(std::string(model::name_of(survey)));
        warm.start(world.layer(), survey);
        std::vector<SurveyResult> parts;
        bool running = !search::verdict(world.layer(), survey);
        for (std::int64_t steps = random.between(0, 40); running && steps > 0; --steps) {
            running = warm.step(static_cast<std::uint64_t>(random.between(1, 60))) ==
                      search::Step::kRunning;
            while (auto part = warm.take_part()) {
                parts.push_back(std::move(*part));
            }
        }
        if (running) {
            const Outcome outcome = random.chance(50) ? Outcome::kDeadline : Outcome::kCancelled;
            running = warm.stop(outcome) == search::Step::kRunning;
            const std::uint64_t before = warm.expansions();
            while (running) {
                running = warm.step(16) == search::Step::kRunning;
                while (auto part = warm.take_part()) {
                    parts.push_back(std::move(*part));
                }
            }
            // Nothing but writing comes after a cancel, and of a group alone.
            EXPECT_TRUE(outcome == Outcome::kDeadline || warm.expansions() == before ||
                        std::holds_alternative<model::GroupQuery>(survey.query));
            parts.push_back(warm.take_result());
            ASSERT_EQ(parts.back().outcome, outcome);
            ASSERT_NO_FATAL_FAILURE(check_survey(world, survey, joined(parts)));
        }
    }
}

}  // namespace
}  // namespace outrider::test
