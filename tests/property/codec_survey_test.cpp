#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "outrider/base/limits.hpp"
#include "outrider/codec/assemble.hpp"
#include "outrider/codec/client_codec.hpp"
#include "outrider/codec/server_codec.hpp"
#include "outrider/model/path.hpp"
#include "support/collect_output.hpp"
#include "support/random.hpp"

namespace outrider::codec {
namespace {

using test::CollectOutput;
using test::Random;

constexpr std::int32_t kMiddle = 4000;

// Turning points of `legs` legs that double back, so that any number fits a map.
std::vector<model::Cell> any_way(Random& random, std::int64_t legs) {
    std::vector<model::Cell> points{{static_cast<std::int32_t>(random.between(0, 8000)), kMiddle}};
    for (std::int64_t leg = 0; leg < legs; ++leg) {
        const auto length = static_cast<std::int32_t>(random.between(1, 90));
        points.push_back({points.back().x + (leg % 2 == 0 ? length : 0),
                          points.back().y + (leg % 2 == 1 ? length : 0)});
        if (points.back().x > 8000 || points.back().y > 8000) {
            points.pop_back();
            break;
        }
    }
    return points;
}

model::SurveyResult any_result(Random& random) {
    model::SurveyResult result;
    result.outcome = static_cast<model::Outcome>(random.between(0, 8));
    result.expansions = random.bits();
    return result;
}

model::GroupPaths any_group(Random& random, std::uint32_t first, std::int64_t units) {
    model::GroupPaths group;
    for (std::int64_t i = 0; i < units; ++i) {
        model::UnitPath unit{.unit = first + static_cast<std::uint32_t>(i),
                             .outcome = static_cast<model::Outcome>(random.between(0, 8)),
                             .reason = static_cast<model::Outcome>(random.between(0, 8)),
                             .bound_percent = static_cast<std::uint32_t>(random.bits()),
                             .cost = random.bits() >> 20U,
                             .turning_points = {},
                             .path_hash = random.bits()};
        if (random.chance(80)) {
            unit.turning_points = any_way(random, random.between(0, random.chance(3) ? 900 : 9));
        }
        group.units.push_back(std::move(unit));
    }
    return group;
}

// What the client has after each whole part of the engine.
struct Carried {
    std::vector<SurveyReply> replies;
    std::size_t wire_parts{0};
    bool ended{false};
};

// Sends engine parts one after the other through both halves of the codec.
Carried carry(const model::Survey& survey, const std::vector<model::SurveyResult>& parts,
              PathFormat format) {
    Carried carried;
    SurveyAssembler assembler(survey);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        SurveyCursor cursor({42}, {7, std::make_shared<const model::SurveyResult>(parts[i])},
                            format, i + 1 == parts.size());
        while (!cursor.done()) {
            EXPECT_FALSE(carried.ended);
            CollectOutput out;
            ReplyEncoder().survey_part(cursor, out);
            EXPECT_LE(out.messages.at(0).size(), kReplyPartBytesMax);
            auto message = ReplyDecoder().decode(out.messages.at(0));
            EXPECT_TRUE(message.has_value()) << message.error().message;
            const auto whole = assembler.add(std::get<SurveyPart>(std::move(message->body)));
            EXPECT_TRUE(whole.has_value()) << whole.error().message;
            carried.ended = whole.value_or(true);
            ++carried.wire_parts;
            if (parts[i].body.index() == 0 || carried.ended) {
                carried.replies.push_back(assembler.take());
            }
        }
    }
    EXPECT_TRUE(carried.ended);
    return carried;
}

void expect_same(const model::Survey& survey, const model::SurveyResult& result) {
    const Carried carried = carry(survey, {result}, PathFormat::kTurningPoints);
    ASSERT_EQ(carried.replies.size(), 1U);
    EXPECT_EQ(carried.replies[0].head.version, 7U);
    EXPECT_TRUE(carried.replies[0].last);
    EXPECT_EQ(carried.replies[0].result, result);
}

// If this failed, a unit of an army would walk another's path, or none.
TEST(CodecSurvey, ClientReadsTheGroupThatServerWrote) {
    Random random(31);
    for (std::uint64_t round = 0; round < test::rounds(20); ++round) {
        std::vector<model::SurveyResult> parts;
        std::vector<model::UnitPath> units;
        for (std::int64_t i = random.between(1, 4); i > 0; --i) {
            parts.push_back(any_result(random));
            const auto group = any_group(random, static_cast<std::uint32_t>(units.size()),
                                         random.between(0, 1500));
            units.insert(units.end(), group.units.begin(), group.units.end());
            parts.back().body = group;
        }
        model::Survey survey;
        survey.query = model::GroupQuery{
            .starts = std::vector<model::Cell>(units.size()), .goal = {}, .formation = {}};
        for (const PathFormat format : {PathFormat::kTurningPoints, PathFormat::kCells}) {
            std::vector<model::UnitPath> got;
            for (const SurveyReply& reply : carry(survey, parts, format).replies) {
                const auto& some = std::get<model::GroupPaths>(reply.result.body).units;
                got.insert(got.end(), some.begin(), some.end());
            }
            ASSERT_EQ(got.size(), units.size());
            for (std::size_t i = 0; i < units.size(); ++i) {
                model::UnitPath want = units[i];
                if (format == PathFormat::kCells) {
                    want.turning_points = model::cells_of(want.turning_points);
                }
                ASSERT_EQ(got[i], want);
            }
        }
    }
}

// If this failed, the nearest resource would be another than the server found.
TEST(CodecSurvey, ClientReadsTheNearestThatServerWrote) {
    Random random(32);
    for (std::uint64_t round = 0; round < test::rounds(40); ++round) {
        model::SurveyResult result = any_result(random);
        model::NearestGoals nearest;
        const std::int64_t goals = random.between(0, 1024);
        for (std::int64_t i = 0; i < goals; ++i) {
            nearest.goals.push_back({static_cast<std::uint32_t>(goals - 1 - i),
                                     random.bits() >> 20U, any_way(random, random.between(0, 9)),
                                     random.bits()});
        }
        result.body = std::move(nearest);
        model::Survey survey;
        survey.query = model::NearestQuery{
            .start = {}, .goals = std::vector<model::Goal>(static_cast<std::size_t>(goals))};
        expect_same(survey, result);
    }
}

// If this failed, a threat range would be drawn where the threat is not.
TEST(CodecSurvey, ClientReadsTheReachThatServerWrote) {
    Random random(33);
    for (std::uint64_t round = 0; round < test::rounds(20); ++round) {
        model::SurveyResult result = any_result(random);
        model::Reach reach;
        reach.cost_max = random.bits() % model::kCostUnknown;
        std::size_t cells = 0;
        for (std::int32_t y = 0; y < random.between(1, 300); y += random.chance(90) ? 1 : 9) {
            std::int32_t x = static_cast<std::int32_t>(random.between(0, 300));
            for (std::int64_t i = random.between(0, 30); i > 0; --i) {
                const auto length = static_cast<std::int32_t>(random.between(1, 90));
                reach.runs.push_back({y, x, length});
                x += length + static_cast<std::int32_t>(random.between(1, 50));
                cells += static_cast<std::size_t>(length);
            }
        }
        if (random.chance(50)) {
            for (; cells > 0; --cells) {
                reach.costs.push_back(random.chance(99) ? random.bits() >> 40U
                                                        : random.bits() % model::kCostUnknown);
            }
        }
        result.body = std::move(reach);
        model::Survey survey;
        survey.query = model::ReachQuery{};
        expect_same(survey, result);
    }
}

// If this failed, a client would weigh its choices by costs that the server never told.
TEST(CodecSurvey, ClientReadsTheMatrixThatServerWrote) {
    Random random(34);
    for (std::uint64_t round = 0; round < test::rounds(40); ++round) {
        model::SurveyResult result = any_result(random);
        const std::int64_t rows = random.between(1, 200);
        const std::int64_t columns = random.between(1, 200);
        model::CostMatrix matrix;
        for (std::int64_t i = rows * columns; i > 0; --i) {
            constexpr model::Cost kSpecial[] = {0, 1, model::kNoWay, model::kCostUnknown,
                                                model::kCostUnknown - 1};
            matrix.costs.push_back(random.chance(20) ? kSpecial[random.between(0, 4)]
                                                     : random.bits() >> 30U);
        }
        result.body = std::move(matrix);
        model::Survey survey;
        survey.query =
            model::MatrixQuery{std::vector<model::Cell>(static_cast<std::size_t>(rows)),
                               std::vector<model::Cell>(static_cast<std::size_t>(columns))};
        expect_same(survey, result);
    }
}

// If this failed, units that steer by a field would step into walls.
TEST(CodecSurvey, ClientReadsTheFieldThatServerWrote) {
    Random random(35);
    for (std::uint64_t round = 0; round < test::rounds(20); ++round) {
        model::SurveyResult result = any_result(random);
        model::FieldArrows field;
        field.rect = {static_cast<std::int32_t>(random.between(0, 900)), 7,
                      static_cast<std::int32_t>(random.between(1, 500)),
                      static_cast<std::int32_t>(random.between(1, 500))};
        const auto cells = static_cast<std::size_t>(field.rect.area());
        field.steps.resize((cells + 1) / 2);
        const bool costs = random.chance(50);
        for (std::size_t cell = 0; cell < cells; ++cell) {
            constexpr std::uint8_t kSteps[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 14, 15};
            const std::uint8_t step = kSteps[random.between(0, 10)];
            field.steps[cell / 2] =
                static_cast<std::uint8_t>(field.steps[cell / 2] | step << (cell % 2 * 4));
            if (costs) {
                field.costs.push_back(step <= 8
                                          ? random.bits() >> 40U
                                          : (step == 14 ? model::kCostUnknown : model::kNoWay));
            }
        }
        result.body = std::move(field);
        model::Survey survey;
        // A field with not one way in it has no cost on the wire, whether asked for or not.
        survey.query = model::FieldQuery{.goal = {}, .rect = {}, .costs = costs};
        expect_same(survey, result);
    }
}

// If this failed, a yes would arrive as a no.
TEST(CodecSurvey, ClientReadsTheVerdictsThatServerWrote) {
    Random random(36);
    for (const bool verdict : {false, true}) {
        model::SurveyResult result = any_result(random);
        model::Survey survey;
        result.body = model::Connection{verdict};
        survey.query = model::ConnectedQuery{};
        expect_same(survey, result);
        result.body = model::Sight{verdict};
        survey.query = model::SightQuery{};
        expect_same(survey, result);
    }
}

// If this failed, a part would end one item early or late where a list exactly fills it.
TEST(CodecSurvey, PartLimitsHoldAtBelowAndAbove) {
    const auto parts_of = [](const model::Survey& survey, model::SurveyResult result) {
        return carry(survey, {std::move(result)}, PathFormat::kTurningPoints).wire_parts;
    };
    for (const std::size_t more : {0U, 1U, 2U}) {
        const std::size_t parts = more == 2 ? 2 : 1;
        model::Survey survey;
        model::SurveyResult result;
        Random random(37);
        result.body = any_group(random, 0, static_cast<std::int64_t>(kWaysPerPart + more - 1));
        for (auto& unit : std::get<model::GroupPaths>(result.body).units) {
            unit.turning_points.resize(std::min<std::size_t>(unit.turning_points.size(), 1));
        }
        survey.query = model::GroupQuery{
            .starts = std::vector<model::Cell>(kWaysPerPart + 1), .goal = {}, .formation = {}};
        EXPECT_EQ(parts_of(survey, result), parts);
        model::UnitPath unit;
        for (std::size_t i = 0; i < kPointsPerPart + more - 1; ++i) {
            unit.turning_points.push_back({static_cast<std::int32_t>(i % 2), 3});
        }
        result.body = model::GroupPaths{{unit}};
        EXPECT_EQ(parts_of(survey, result), parts);
        model::Reach reach;
        for (std::size_t i = 0; i < kRunsPerPart + more - 1; ++i) {
            reach.runs.push_back({static_cast<std::int32_t>(i), 3, 1});
        }
        result.body = reach;
        survey.query = model::ReachQuery{};
        EXPECT_EQ(parts_of(survey, result), parts);
        result.body = model::CostMatrix{std::vector<model::Cost>(kCostsPerPart + more - 1, 5)};
        survey.query = model::MatrixQuery{std::vector<model::Cell>(1),
                                          std::vector<model::Cell>(kCostsPerPart + more - 1)};
        EXPECT_EQ(parts_of(survey, result), parts);
        model::FieldArrows field;
        // 16 cells, and so 8 bytes, a row.
        field.rect = {0, 0, 16, static_cast<std::int32_t>(kStepBytesPerPart / 8 + more) - 1};
        field.steps.resize(static_cast<std::size_t>(field.rect.area()) / 2);
        result.body = field;
        survey.query = model::FieldQuery{};
        EXPECT_EQ(parts_of(survey, result), parts);
    }
}

}  // namespace
}  // namespace outrider::codec
