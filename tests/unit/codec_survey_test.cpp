#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "outrider/base/limits.hpp"
#include "outrider/codec/assemble.hpp"
#include "outrider/codec/server_codec.hpp"
#include "outrider/v1/session.pb.h"

namespace outrider::codec {
namespace {

namespace limits = base::limits;

v1::SurveyRequest& fresh(v1::ClientMessage& message) {
    message = {};
    message.set_request_id(7);
    return *message.mutable_survey();
}

std::expected<ClientMessage, Rejection> decode(const v1::ClientMessage& message) {
    const std::string bytes = message.SerializeAsString();
    return RequestDecoder().decode(std::as_bytes(std::span(bytes)));
}

// "" when the message is accepted.
std::string refused_field(const v1::ClientMessage& message) {
    const auto decoded = decode(message);
    if (decoded) {
        return "";
    }
    EXPECT_EQ(decoded.error().id.value, 7U);
    EXPECT_FALSE(decoded.error().fatal);
    EXPECT_FALSE(decoded.error().refusal.message.empty());
    return decoded.error().refusal.field;
}

void add_cells(v1::PackedCells& cells, std::size_t count) {
    for (std::size_t i = 0; i < 2 * count; ++i) {
        cells.add_deltas(i == 0 ? 5 : 1);
    }
}

v1::GroupQuery& group_in(v1::ClientMessage& message) {
    v1::GroupQuery& group = *fresh(message).mutable_group();
    add_cells(*group.mutable_starts(), 3);
    group.mutable_goal()->set_x(9);
    return group;
}

// If this failed, one message could make the server search for more cells than it has room for, or
// an army of nobody would be answered (law 5).
TEST(SurveyDecoder, CountsEndAtTheirLimits) {
    v1::ClientMessage message;
    const auto check = [&](std::size_t most, const std::string& field,
                           const std::function<void(std::size_t)>& fill) {
        for (const std::size_t count : {std::size_t{0}, std::size_t{1}, most - 1, most, most + 1}) {
            fill(count);
            EXPECT_EQ(refused_field(message), count >= 1 && count <= most ? "" : field) << count;
        }
    };
    check(limits::kUnitsPerGroupMax, "survey.group.starts", [&](std::size_t count) {
        v1::GroupQuery& group = group_in(message);
        group.clear_starts();
        add_cells(*group.mutable_starts(), count);
    });
    check(limits::kGoalsPerNearestMax, "survey.nearest.goals", [&](std::size_t count) {
        v1::NearestQuery& nearest = *fresh(message).mutable_nearest();
        (void)nearest.mutable_start();
        for (; count > 0; --count) {
            nearest.add_goals()->set_x(3);
        }
    });
    check(limits::kStartsPerReachMax, "survey.reach.starts", [&](std::size_t count) {
        add_cells(*fresh(message).mutable_reach()->mutable_starts(), count);
    });
    check(limits::kMatrixSideMax, "survey.matrix.from", [&](std::size_t count) {
        v1::MatrixQuery& matrix = *fresh(message).mutable_matrix();
        add_cells(*matrix.mutable_from(), count);
        add_cells(*matrix.mutable_to(), 1);
    });
    check(limits::kMatrixSideMax, "survey.matrix.to", [&](std::size_t count) {
        v1::MatrixQuery& matrix = *fresh(message).mutable_matrix();
        add_cells(*matrix.mutable_from(), 1);
        add_cells(*matrix.mutable_to(), count);
    });
}

// If this failed, two sides that each are in range could ask for a million costs together.
TEST(SurveyDecoder, AMatrixEndsAtItsCells) {
    v1::ClientMessage message;
    // 65,535, 65,536 and 65,538 cells.
    constexpr std::pair<std::size_t, std::size_t> kSides[] = {{255, 257}, {256, 256}, {331, 198}};
    for (const auto& [rows, columns] : kSides) {
        v1::MatrixQuery& matrix = *fresh(message).mutable_matrix();
        add_cells(*matrix.mutable_from(), rows);
        add_cells(*matrix.mutable_to(), columns);
        const bool fits = rows * columns <= limits::kMatrixCellsMax;
        EXPECT_EQ(refused_field(message), fits ? "" : "survey.matrix");
    }
}

// If this failed, a field would be cut from a rectangle that no map has, or be larger than an
// answer may be.
TEST(SurveyDecoder, AFieldEndsAtItsSidesAndCells) {
    v1::ClientMessage message;
    v1::FieldQuery& field = *fresh(message).mutable_field();
    (void)field.mutable_goal();
    EXPECT_EQ(refused_field(message), "survey.field.rect");
    v1::Rect& rect = *field.mutable_rect();
    rect.set_height(1);
    constexpr auto kSide = static_cast<std::uint32_t>(limits::kMapSideMax);
    for (const std::uint32_t side : {0U, 1U, kSide - 1, kSide, kSide + 1, 0xFFFF'FFFFU}) {
        rect.set_width(side);
        rect.set_height(1);
        const bool good = side >= 1 && side <= kSide;
        EXPECT_EQ(refused_field(message), good ? "" : "survey.field.rect.width") << side;
        rect.set_width(1);
        rect.set_height(side);
        EXPECT_EQ(refused_field(message), good ? "" : "survey.field.rect.height") << side;
    }
    constexpr auto kMost = static_cast<std::uint32_t>(limits::kFieldCellsMax / limits::kMapSideMax);
    for (const std::uint32_t height : {kMost - 1, kMost, kMost + 1}) {
        rect.set_width(kSide);
        rect.set_height(height);
        EXPECT_EQ(refused_field(message), height <= kMost ? "" : "survey.field.rect");
    }
}

// If this failed, half a cell, or a cell that wraps around, would be taken for another.
TEST(SurveyDecoder, RefusesPackedCellsThatAreNone) {
    v1::ClientMessage message;
    v1::PackedCells* starts = group_in(message).mutable_starts();
    starts->add_deltas(4);
    EXPECT_EQ(refused_field(message), "survey.group.starts.deltas");
    starts = fresh(message).mutable_reach()->mutable_starts();
    for (const int delta : {INT32_MAX, INT32_MIN, 0, 0}) {
        starts->add_deltas(delta);
    }
    EXPECT_EQ(refused_field(message), "");
    starts->set_deltas(2, 1);
    EXPECT_EQ(refused_field(message), "survey.reach.starts.deltas");
    starts->set_deltas(2, 0);
    starts->set_deltas(3, -1);
    EXPECT_EQ(refused_field(message), "survey.reach.starts.deltas");
}

// If this failed, units would stand in a formation that was meant for others.
TEST(SurveyDecoder, AFormationHasAPlaceForEachStart) {
    v1::ClientMessage message;
    for (const std::size_t places : {0U, 2U, 3U, 4U}) {
        v1::GroupQuery& group = group_in(message);
        add_cells(*group.mutable_formation(), places);
        EXPECT_EQ(refused_field(message),
                  places == 0 || places == 3 ? "" : "survey.group.formation");
    }
}

// If this failed, a wave would be told to stop at a word that means "no way".
TEST(SurveyDecoder, ACostThatIsAWordIsNoBudget) {
    v1::ClientMessage message;
    v1::ReachQuery& reach = *fresh(message).mutable_reach();
    add_cells(*reach.mutable_starts(), 1);
    for (const model::Cost cost : {model::kCostUnknown - 1, model::kCostUnknown, model::kNoWay}) {
        reach.set_cost_max(cost);
        EXPECT_EQ(refused_field(message),
                  cost < model::kCostUnknown ? "" : "survey.reach.cost_max");
    }
}

// If this failed, what a client forgot to say would be taken for cell (0, 0), and what it says in
// a newer dialect for something else.
TEST(SurveyDecoder, RefusesWhatIsMissingOrUnknown) {
    v1::ClientMessage message;
    (void)fresh(message);
    EXPECT_EQ(refused_field(message), "survey.query");
    group_in(message).clear_goal();
    EXPECT_EQ(refused_field(message), "survey.group.goal");
    group_in(message).set_format(static_cast<v1::PathFormat>(3));
    EXPECT_EQ(refused_field(message), "survey.group.format");
    group_in(message).mutable_goal()->set_width(0x8000'0000U);
    EXPECT_EQ(refused_field(message), "survey.group.goal.width");
    fresh(message).mutable_nearest()->add_goals();
    EXPECT_EQ(refused_field(message), "survey.nearest.start");
    (void)message.mutable_survey()->mutable_nearest()->mutable_start();
    message.mutable_survey()->mutable_nearest()->add_goals()->set_height(0xFFFF'FFFFU);
    EXPECT_EQ(refused_field(message), "survey.nearest.goals[1].height");
    (void)fresh(message).mutable_field();
    EXPECT_EQ(refused_field(message), "survey.field.goal");
    (void)fresh(message).mutable_connected();
    EXPECT_EQ(refused_field(message), "survey.connected.start");
    (void)message.mutable_survey()->mutable_connected()->mutable_start();
    EXPECT_EQ(refused_field(message), "survey.connected.goal");
    (void)fresh(message).mutable_sight();
    EXPECT_EQ(refused_field(message), "survey.sight.from");
    (void)message.mutable_survey()->mutable_sight()->mutable_from();
    EXPECT_EQ(refused_field(message), "survey.sight.to");
    (void)message.mutable_survey()->mutable_sight()->mutable_to();
    EXPECT_EQ(refused_field(message), "");
    message.mutable_survey()->set_priority(static_cast<v1::Priority>(5));
    EXPECT_EQ(refused_field(message), "survey.priority");
    message.mutable_survey()->set_class_id(65536);
    EXPECT_EQ(refused_field(message), "survey.class_id");
    message.mutable_survey()->set_class_id(1);
    message.mutable_survey()->set_deadline_us(kDeadlineUsMax + 1);
    EXPECT_EQ(refused_field(message), "survey.deadline_us");
    message.mutable_survey()->set_map_name(std::string(limits::kNameBytesMax + 1, 'm'));
    EXPECT_EQ(refused_field(message), "survey.map_name");
}

// --- the client's end

SurveyPart part_of(decltype(SurveyPart::body) body, bool last = true) {
    return {SurveyHead{model::Outcome::kComplete, 1, 2}, last, std::move(body)};
}

WayPart way(std::uint32_t index, std::vector<model::Cell> steps, bool more = false) {
    return {index, WayHead{}, std::move(steps), more};
}

model::Survey asked(decltype(model::Survey::query) query) {
    model::Survey survey;
    survey.query = std::move(query);
    return survey;
}

model::Survey two_units() {
    return asked(model::GroupQuery{.starts = {{1, 1}, {2, 2}}, .goal = {}, .formation = {}});
}

// If this failed, a client would send a unit along a path that is not whole, not its own or not on
// the map.
TEST(SurveyAssembler, RefusesWaysThatDoNotFit) {
    const auto refuses = [](std::vector<SurveyPart> parts) {
        SurveyAssembler assembler(two_units());
        for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
            EXPECT_TRUE(assembler.add(parts[i]).has_value());
        }
        return !assembler.add(parts.back()).has_value();
    };
    const WayPart headless{1, std::nullopt, {{1, 0}}, false};
    EXPECT_FALSE(refuses({part_of(GroupPart{{way(1, {{3, 4}, {1, 0}})}})}));
    EXPECT_TRUE(refuses({part_of(GroupPart{{way(2, {{3, 4}})}})}));
    EXPECT_TRUE(refuses({part_of(GroupPart{{way(1, {{3, 4}}), way(1, {{3, 4}})}})}));
    EXPECT_TRUE(refuses({part_of(GroupPart{{way(1, {{3, -1}})}})}));
    EXPECT_TRUE(refuses({part_of(GroupPart{{way(1, {{8192, 0}})}})}));
    EXPECT_TRUE(refuses({part_of(GroupPart{{headless}})}));
    EXPECT_TRUE(refuses({part_of(GroupPart{{way(0, {{3, 4}}, true), way(1, {{3, 4}})}}, false)}));
    EXPECT_TRUE(refuses({part_of(GroupPart{{way(1, {{3, 4}}, true)}})}));
    EXPECT_FALSE(refuses(
        {part_of(GroupPart{{way(1, {{3, 4}}, true)}}, false), part_of(GroupPart{{headless}})}));
    EXPECT_TRUE(refuses(
        {part_of(GroupPart{{way(0, {{3, 4}}, true)}}, false), part_of(GroupPart{{headless}})}));
    EXPECT_TRUE(refuses({part_of(NearestPart{{way(1, {{3, 4}})}})}));
    EXPECT_TRUE(refuses({SurveyPart{std::nullopt, true, GroupPart{}}}));
}

// If this failed, units whose paths are there would wait for those whose paths are not.
TEST(SurveyAssembler, HandsOutAUnitAsSoonAsItsPathIsWhole) {
    SurveyAssembler assembler(two_units());
    const auto units = [&] {
        return std::get<model::GroupPaths>(assembler.take().result.body).units;
    };
    EXPECT_FALSE(
        assembler.add(part_of(GroupPart{{way(1, {{3, 4}}), way(0, {{5, 5}}, true)}}, false))
            .value());
    const auto first = units();
    ASSERT_EQ(first.size(), 1U);
    EXPECT_EQ(first[0].unit, 1U);
    EXPECT_TRUE(assembler.add(part_of(GroupPart{{{0, std::nullopt, {{0, 1}}, false}}})).value());
    const auto second = units();
    ASSERT_EQ(second.size(), 1U);
    EXPECT_EQ(second[0].turning_points, (std::vector<model::Cell>{{5, 5}, {5, 6}}));
}

// If this failed, a client would read a reach, a matrix or a field past its end or in a wrong
// order.
TEST(SurveyAssembler, RefusesListsThatDoNotFit) {
    const auto refuses = [](decltype(model::Survey::query) query, decltype(SurveyPart::body) body) {
        SurveyAssembler assembler(asked(std::move(query)));
        return !assembler.add(part_of(std::move(body))).has_value();
    };
    const model::ReachQuery reach;
    EXPECT_FALSE(refuses(reach, ReachPart{1, {{0, 0, 3}, {0, 4, 1}, {1, 0, 1}}, {}}));
    EXPECT_TRUE(refuses(reach, ReachPart{1, {{0, 0, 3}, {0, 3, 1}}, {}}));
    EXPECT_TRUE(refuses(reach, ReachPart{1, {{0, 0, 0}}, {}}));
    EXPECT_FALSE(refuses(reach, ReachPart{1, {{8191, 8191, 1}}, {}}));
    EXPECT_TRUE(refuses(reach, ReachPart{1, {{8191, 8191, 2}}, {}}));
    EXPECT_TRUE(refuses(reach, ReachPart{1, {{8192, 0, 1}}, {}}));
    EXPECT_FALSE(refuses(reach, ReachPart{1, {{0, 0, 2}}, {5, 6}}));
    EXPECT_TRUE(refuses(reach, ReachPart{1, {{0, 0, 2}}, {5, 6, 7}}));
    EXPECT_TRUE(refuses(reach, ReachPart{1, {{0, 0, 2}}, {5}}));
    const model::MatrixQuery matrix{{{1, 1}}, {{2, 2}, {3, 3}}};
    EXPECT_FALSE(refuses(matrix, MatrixPart{{5, 6}}));
    EXPECT_TRUE(refuses(matrix, MatrixPart{{5}}));
    EXPECT_TRUE(refuses(matrix, MatrixPart{{5, 6, 7}}));
    const model::FieldQuery field;
    EXPECT_FALSE(refuses(field, FieldPart{{0, 0, 3, 1}, {0x12, 0x0F}, {5, 6}}));
    EXPECT_TRUE(refuses(field, FieldPart{{0, 0, 3, 1}, {0x12}, {}}));
    EXPECT_FALSE(refuses(field, FieldPart{{0, 0, 1, 1}, {}, {}})) << "ended before it began";
    EXPECT_TRUE(refuses(field, FieldPart{{0, 0, 3, 1}, {0x12, 0x03, 0x03}, {}}));
    EXPECT_TRUE(refuses(field, FieldPart{{0, 0, 3, 1}, {0x12, 0x09}, {}}));
    EXPECT_TRUE(refuses(field, FieldPart{{0, 0, 3, 1}, {0x12, 0x0F}, {5, 6, 7}}));
    EXPECT_TRUE(refuses(field, FieldPart{{0, 0, 3, 1}, {0x12, 0x0F}, {5}}));
    EXPECT_TRUE(refuses(field, FieldPart{{8190, 0, 3, 1}, {0x12, 0x0F}, {}}));
    EXPECT_TRUE(refuses(field, MatrixPart{{5, 6}}));
    const model::FieldQuery with_costs{.goal = {}, .rect = {}, .costs = true};
    EXPECT_FALSE(refuses(with_costs, FieldPart{{0, 0, 3, 1}, {0x12, 0x0F}, {5, 6}}));
    EXPECT_TRUE(refuses(with_costs, FieldPart{{0, 0, 3, 1}, {0x12, 0x0F}, {}}));
}

// If this failed, a client that asked for costs behind a wall would read beside its empty list. The
// soak found it: a goal that is built in on all sides.
TEST(SurveyAssembler, AFieldWithoutOneWayHasItsCostsAllTheSame) {
    model::Survey survey;
    for (const bool costs : {false, true}) {
        survey.query = model::FieldQuery{.goal = {}, .rect = {}, .costs = costs};
        SurveyAssembler assembler(survey);
        SurveyPart part;
        part.head = SurveyHead{.outcome = model::Outcome::kComplete, .version = 1};
        part.body = FieldPart{{0, 0, 3, 1}, {0xFF, 0x0E}, {}};
        ASSERT_TRUE(assembler.add(part));
        const auto field = std::get<model::FieldArrows>(assembler.take().result.body);
        EXPECT_EQ(field.costs, costs ? (std::vector<model::Cost>{model::kNoWay, model::kNoWay,
                                                                 model::kCostUnknown})
                                     : std::vector<model::Cost>{});
    }
}

}  // namespace
}  // namespace outrider::codec
