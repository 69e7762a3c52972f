#include <gtest/gtest.h>

#include <string>

#include "outrider/base/limits.hpp"
#include "outrider/codec/assemble.hpp"
#include "outrider/codec/client_codec.hpp"
#include "outrider/codec/server_codec.hpp"
#include "outrider/model/path.hpp"
#include "outrider/v1/session.pb.h"
#include "support/collect_output.hpp"

namespace outrider::codec {
namespace {

using Decoded = std::expected<ClientMessage, Rejection>;
constexpr std::size_t kLegMost = base::limits::kFirstLegPointsMax;

Decoded decode(const v1::ClientMessage& message) {
    const std::string bytes = message.SerializeAsString();
    return RequestDecoder().decode(std::as_bytes(std::span(bytes)));
}

v1::ClientMessage path_message() {
    v1::ClientMessage message;
    message.set_request_id(7);
    message.mutable_path()->mutable_start()->set_x(1);
    message.mutable_path()->mutable_goal()->set_x(2);
    return message;
}

std::string refused_field(const v1::ClientMessage& message) {
    const Decoded decoded = decode(message);
    EXPECT_FALSE(decoded.has_value());
    if (decoded) {
        return "accepted";
    }
    EXPECT_EQ(decoded.error().id.value, message.request_id());
    EXPECT_FALSE(decoded.error().fatal);
    EXPECT_FALSE(decoded.error().refusal.message.empty());
    return decoded.error().refusal.field;
}

// If this failed, a client that leaves fields at their zero would get another search than the
// protocol promises.
TEST(RequestDecoder, ZeroMeansTheDocumentedDefault) {
    const Decoded decoded = decode(path_message());
    ASSERT_TRUE(decoded.has_value());
    EXPECT_EQ(decoded->id.value, 7U);
    const auto& path = std::get<PathRequest>(decoded->body);
    EXPECT_EQ(path.query.start, (model::Cell{1, 0}));
    EXPECT_EQ(path.query.goal.rect, (model::Rect{2, 0, 1, 1}));
    EXPECT_EQ(path.query.algorithm, model::Algorithm::kAuto);
    EXPECT_EQ(path.query.weight_percent, 100U);
    EXPECT_EQ(path.priority, model::Priority::kNormal);
    EXPECT_EQ(path.format, PathFormat::kTurningPoints);
}

// If this failed, a value that the server does not know would be taken for one that it does.
TEST(RequestDecoder, RefusesUnknownEnumsNamingTheField) {
    auto message = path_message();
    message.mutable_path()->set_algorithm(static_cast<v1::Algorithm>(7));
    EXPECT_EQ(refused_field(message), "path.algorithm");
    message.mutable_path()->set_algorithm(static_cast<v1::Algorithm>(-1));
    EXPECT_EQ(refused_field(message), "path.algorithm");
    message = path_message();
    message.mutable_path()->set_priority(static_cast<v1::Priority>(5));
    EXPECT_EQ(refused_field(message), "path.priority");
    message = path_message();
    message.mutable_path()->set_format(static_cast<v1::PathFormat>(3));
    EXPECT_EQ(refused_field(message), "path.format");
    message = {};
    message.set_request_id(1);
    auto& unit = *message.mutable_add_class()->mutable_movement_class();
    unit.set_directions(static_cast<v1::Directions>(5));
    EXPECT_EQ(refused_field(message), "add_class.movement_class.directions");
    unit.set_directions(v1::DIRECTIONS_FOUR);
    unit.set_corner_rule(static_cast<v1::CornerRule>(4));
    EXPECT_EQ(refused_field(message), "add_class.movement_class.corner_rule");
}

// If this failed, a number would lose its upper bits on the way in and mean another cell, class or
// weight (faults K7#81).
TEST(RequestDecoder, RefusesNumbersThatDoNotFitBeforeNarrowing) {
    auto message = path_message();
    message.mutable_path()->set_class_id(65536);
    EXPECT_EQ(refused_field(message), "path.class_id");
    message.mutable_path()->set_class_id(65535);
    EXPECT_TRUE(decode(message).has_value());
    message.mutable_path()->mutable_goal()->set_width(0x8000'0000U);
    EXPECT_EQ(refused_field(message), "path.goal.width");
    message.mutable_path()->mutable_goal()->set_width(0x7FFF'FFFFU);
    EXPECT_TRUE(decode(message).has_value());
    message.mutable_path()->set_deadline_us(kDeadlineUsMax + 1);
    EXPECT_EQ(refused_field(message), "path.deadline_us");
    message.mutable_path()->set_deadline_us(kDeadlineUsMax);
    EXPECT_TRUE(decode(message).has_value());
    message = {};
    message.set_request_id(1);
    auto& unit = *message.mutable_add_class()->mutable_movement_class();
    auto& weight = *unit.add_weights();
    weight.set_weight_tenths(256);
    EXPECT_EQ(refused_field(message), "add_class.movement_class.weights[0].weight_tenths");
    weight.set_weight_tenths(255);
    weight.set_terrain(256);
    EXPECT_EQ(refused_field(message), "add_class.movement_class.weights[0].terrain");
    weight.set_terrain(255);
    unit.set_footprint(256);
    EXPECT_EQ(refused_field(message), "add_class.movement_class.footprint");
    unit.set_footprint(0);
    unit.set_team(256);
    EXPECT_EQ(refused_field(message), "add_class.movement_class.team");
}

// If this failed, a request without a start or a goal would run from cell (0, 0).
TEST(RequestDecoder, RefusesMissingStartAndGoal) {
    auto message = path_message();
    message.mutable_path()->clear_start();
    EXPECT_EQ(refused_field(message), "path.start");
    message = path_message();
    message.mutable_path()->clear_goal();
    EXPECT_EQ(refused_field(message), "path.goal");
}

// If this failed, a name, token or batch of any length would get past the door.
TEST(RequestDecoder, LengthLimitsHoldAtAndAbove) {
    auto message = path_message();
    message.mutable_path()->set_map_name(std::string(base::limits::kNameBytesMax, 'm'));
    EXPECT_TRUE(decode(message).has_value());
    message.mutable_path()->set_map_name(std::string(base::limits::kNameBytesMax + 1, 'm'));
    EXPECT_EQ(refused_field(message), "path.map_name");
    message = {};
    message.set_request_id(1);
    message.mutable_hello()->set_token(std::string(kTokenBytesMax, 't'));
    EXPECT_TRUE(decode(message).has_value());
    message.mutable_hello()->set_token(std::string(kTokenBytesMax + 1, 't'));
    EXPECT_EQ(refused_field(message), "hello.token");
    message = {};
    message.set_request_id(1);
    for (std::size_t i = 0; i < base::limits::kEditsPerBatchMax; ++i) {
        message.mutable_edit()->add_edits()->mutable_remove()->set_obstacle_id(i);
    }
    EXPECT_TRUE(decode(message).has_value());
    message.mutable_edit()->add_edits()->mutable_remove();
    EXPECT_EQ(refused_field(message), "edit.edits");
}

// If this failed, an edit of the wrong size would read past its bytes, or an unknown kind of edit
// would be taken for another.
TEST(RequestDecoder, RefusesMalformedEdits) {
    v1::ClientMessage message;
    message.set_request_id(1);
    auto& edit = *message.mutable_edit()->add_edits();
    EXPECT_EQ(refused_field(message), "edit.edits[0]");
    auto& rect = *edit.mutable_terrain()->mutable_rect();
    rect.set_width(3);
    rect.set_height(2);
    for (const std::size_t size : {0U, 2U, 5U, 7U}) {
        edit.mutable_terrain()->set_terrain(std::string(size, '.'));
        EXPECT_EQ(refused_field(message), "edit.edits[0].terrain.terrain") << size;
    }
    for (const std::size_t size : {1U, 6U}) {
        edit.mutable_terrain()->set_terrain(std::string(size, '.'));
        EXPECT_TRUE(decode(message).has_value()) << size;
    }
    rect.set_width(0xFFFF'FFFFU);
    EXPECT_EQ(refused_field(message), "edit.edits[0].terrain.rect.width");
}

// If this failed, an order to load nothing would be taken for one, or a name could fill the log.
TEST(RequestDecoder, RefusesMalformedOrdersForMaps) {
    v1::ClientMessage message;
    message.set_request_id(1);
    v1::LoadMapRequest& load = *message.mutable_load_map();
    load.set_name("arena");
    EXPECT_EQ(refused_field(message), "load_map.file");
    load.set_content("");
    EXPECT_EQ(refused_field(message), "load_map.content");
    load.set_content("map");
    EXPECT_TRUE(decode(message).has_value());
    for (const std::size_t size : {0U, 63U, 64U, 65U}) {
        load.set_name(std::string(size, 'n'));
        EXPECT_EQ(decode(message).has_value(), size <= 64) << "no name is for the engine to refuse";
    }
    load.set_name("arena");
    for (const std::size_t size : {4095U, 4096U, 4097U}) {
        load.set_file(std::string(size, 'f'));
        EXPECT_EQ(decode(message).has_value(), size <= kMapFileNameBytesMax);
    }
    message.mutable_drop_map()->set_map_name(std::string(64, 'n'));
    EXPECT_TRUE(decode(message).has_value());
    message.mutable_drop_map()->set_map_name(std::string(65, 'n'));
    EXPECT_EQ(refused_field(message), "drop_map.map_name");
}

// If this failed, a message of a newer client would be dropped without a word, or garbage would be
// answered as if it were a request.
TEST(RequestDecoder, UnknownBodyIsRefusedAndGarbageIsFatal) {
    v1::ClientMessage message;
    message.set_request_id(9);
    EXPECT_EQ(refused_field(message), "body");
    message.set_request_id(0);
    message.mutable_ping();
    EXPECT_EQ(refused_field(message), "request_id");
    const std::string garbage = "\x0A\xFF\xFF garbage";
    const Decoded decoded = RequestDecoder().decode(std::as_bytes(std::span(garbage)));
    ASSERT_FALSE(decoded.has_value());
    EXPECT_TRUE(decoded.error().fatal);
}

// If this failed, the two ends would call one outcome by two names.
TEST(Codec, EnumsOfModelAndWireStandSideBySide) {
    for (int i = 1; i < v1::Outcome_ARRAYSIZE; ++i) {
        EXPECT_EQ("OUTCOME_" + std::string(name_of(static_cast<model::Outcome>(i - 1))),
                  v1::Outcome_Name(i));
    }
    for (int i = 1; i < v1::RefusalCode_ARRAYSIZE; ++i) {
        EXPECT_EQ("REFUSAL_CODE_" + std::string(name_of(static_cast<model::RefusalCode>(i - 1))),
                  v1::RefusalCode_Name(i));
    }
    for (int i = 1; i < v1::Algorithm_ARRAYSIZE; ++i) {
        EXPECT_EQ("ALGORITHM_" + std::string(name_of(static_cast<model::Algorithm>(i - 1))),
                  v1::Algorithm_Name(i));
    }
    EXPECT_EQ(static_cast<int>(v1::PRIORITY_URGENT),
              static_cast<int>(model::Priority::kUrgent) + 1);
    EXPECT_EQ(static_cast<int>(v1::EXPLORED_KIND_JUMP_POINT),
              static_cast<int>(model::ExploredKind::kJumpPoint) + 1);
    for (int i = 1; i < v1::PushReason_ARRAYSIZE; ++i) {
        EXPECT_EQ("PUSH_REASON_" + std::string(name_of(static_cast<model::PushReason>(i - 1))),
                  v1::PushReason_Name(i));
    }
    EXPECT_EQ(static_cast<int>(v1::CORNER_RULE_NONE_OPEN),
              static_cast<int>(model::CornerRule::kNoneOpen) + 1);
}

std::vector<std::byte> bytes_of_hex(std::string_view hex) {
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        bytes.push_back(
            static_cast<std::byte>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
    }
    return bytes;
}

// If this failed, the examples of proto/README.md would lead the author of a client astray.
TEST(Codec, ReadsTheExamplesOfTheStandard) {
    const auto hello = RequestDecoder().decode(bytes_of_hex("0801120b08011201741a0464656d6f"));
    ASSERT_TRUE(hello.has_value());
    EXPECT_EQ(*hello, (ClientMessage{{1}, Hello{1, "t", "demo"}}));
    const auto path =
        RequestDecoder().decode(bytes_of_hex("08021a1312056172656e612a0408061008320408501028"));
    ASSERT_TRUE(path.has_value());
    EXPECT_EQ(std::get<PathRequest>(path->body).map_name, "arena");
    EXPECT_EQ(std::get<PathRequest>(path->body).query.goal.rect, (model::Rect{40, 20, 1, 1}));
    const auto reply = ReplyDecoder().decode(
        bytes_of_hex("08021a2208011001180120c07f2900000000000000403003380440645206"
                     "0a04060804006001"));
    ASSERT_TRUE(reply.has_value()) << reply.error().message;
    PathAssembler assembler;
    ASSERT_TRUE(assembler.add(std::get<PathPart>(reply->body)).value());
    EXPECT_EQ(assembler.take().points, (std::vector<model::Cell>{{3, 4}, {5, 4}}));
    const auto goodbye = ReplyDecoder().decode(bytes_of_hex("620b0a090807120568656c6c6f"));
    ASSERT_TRUE(goodbye.has_value());
    EXPECT_EQ(std::get<Goodbye>(goodbye->body).reason.code, model::RefusalCode::kUnauthenticated);
}

// If this failed, a client would trust a reply whose parts do not belong together.
TEST(Assemblers, RefusePartsThatDoNotFit) {
    PathAssembler no_head;
    EXPECT_FALSE(no_head.add(PathPart{}).has_value());
    PathAssembler two_heads;
    EXPECT_FALSE(
        two_heads.add({.head = PathHead{}, .steps = {}, .explored = {}, .last = false}).value());
    EXPECT_FALSE(two_heads.add({.head = PathHead{}, .steps = {}, .explored = {}}).has_value());
    PathAssembler off_map;
    EXPECT_FALSE(off_map.add({.head = PathHead{}, .steps = {{0, -1}}, .explored = {}}).has_value());
    PathAssembler overflow;
    EXPECT_FALSE(
        overflow.add({.head = PathHead{}, .steps = {{1, 1}, {INT32_MAX, 0}}, .explored = {}})
            .has_value());
    MapInfo info;
    info.width = 2;
    info.height = 2;
    MapStateAssembler torn_row;
    EXPECT_FALSE(torn_row.add({.info = info, .first_row = 0, .terrain = {1, 2, 3}, .obstacles = {}})
                     .has_value());
    MapStateAssembler too_short;
    EXPECT_FALSE(too_short.add({.info = info, .first_row = 0, .terrain = {1, 2}, .obstacles = {}})
                     .has_value());
    MapStateAssembler wrong_row;
    EXPECT_FALSE(
        wrong_row
            .add({.info = info, .first_row = 1, .terrain = {1, 2}, .obstacles = {}, .last = false})
            .has_value());
}

// If this failed, one message could make the server look at a million units (law 5).
TEST(RequestDecoder, AProgressReportEndsAtItsLimit) {
    RequestDecoder decoder;
    RequestEncoder encoder;
    constexpr std::size_t kMost = base::limits::kProgressPerRequestMax;
    for (const std::size_t count : {kMost - 1, kMost, kMost + 1}) {
        ProgressRequest request;
        request.units.resize(count);
        test::CollectOutput out;
        encoder.encode({{7}, std::move(request)}, out);
        const auto decoded = decoder.decode(out.messages.at(0));
        EXPECT_EQ(decoded.has_value(), count <= kMost);
        if (!decoded) {
            EXPECT_EQ(decoded.error().refusal.field, "progress.units");
        }
    }
}

// If this failed, a client that forgets the cell would have its unit led on from 0,0.
TEST(RequestDecoder, AProgressReportNamesTheCell) {
    v1::ClientMessage message;
    message.set_request_id(7);
    message.mutable_progress()->add_units()->mutable_cell();
    EXPECT_TRUE(decode(message).has_value()) << "0,0 is a cell";
    message.mutable_progress()->add_units()->set_follow_id(3);
    EXPECT_EQ(refused_field(message), "progress.units[1].cell");
}

// If this failed, a server could make a client hold any number of points, or a leg without an end.
TEST(ClientCodec, AFirstLegHasOneToTheMostPoints) {
    for (const std::size_t points : {std::size_t{0}, std::size_t{1}, kLegMost, kLegMost + 1}) {
        v1::ServerMessage message;
        message.set_request_id(7);
        for (std::size_t i = 0; i < points; ++i) {
            message.mutable_first_leg()->mutable_path()->add_deltas(1);
            message.mutable_first_leg()->mutable_path()->add_deltas(0);
        }
        (void)message.mutable_first_leg();
        const std::string bytes = message.SerializeAsString();
        const auto decoded = ReplyDecoder().decode(std::as_bytes(std::span(bytes)));
        EXPECT_EQ(decoded.has_value(), points >= 1 && points <= kLegMost) << points;
    }
}

// If this failed, a client would take the landmarks of one class for those of another.
TEST(ClientCodec, LandmarkStatesAreOneAClassOrNone) {
    for (const int states : {0, 1, 2, 3}) {
        v1::ServerMessage message;
        message.set_request_id(7);
        v1::MapInfo& info = *message.mutable_list_maps()->add_maps();
        info.set_width(1);
        info.set_height(1);
        info.add_classes()->set_name("a");
        info.add_classes()->set_name("b");
        for (int i = 0; i < states; ++i) {
            info.add_landmarks(v1::LANDMARK_STATE_READY);
        }
        const std::string bytes = message.SerializeAsString();
        const auto decoded = ReplyDecoder().decode(std::as_bytes(std::span(bytes)));
        EXPECT_EQ(decoded.has_value(), states == 0 || states == 2) << states;
    }
}

}  // namespace
}  // namespace outrider::codec
