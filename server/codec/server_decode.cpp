#include <string>
#include <utility>

#include "outrider/base/limits.hpp"
#include "outrider/codec/convert.hpp"
#include "outrider/codec/scratch.hpp"
#include "outrider/codec/server_codec.hpp"
#include "outrider/codec/survey_request.hpp"
#include "outrider/v1/session.pb.h"

namespace outrider::codec {
namespace {

using Body = decltype(ClientMessage::body);

Checked<void> check_length(const std::string& text, std::size_t bytes_max, const char* field) {
    if (text.size() > bytes_max) {
        return invalid(field, "is longer than " + std::to_string(bytes_max) + " bytes");
    }
    return {};
}

Checked<Body> decode_hello(const v1::Hello& in) {
    if (auto ok = check_length(in.token(), kTokenBytesMax, "hello.token"); !ok) {
        return std::unexpected(std::move(ok).error());
    }
    if (auto ok = check_length(in.client_name(), kClientNameBytesMax, "hello.client_name"); !ok) {
        return std::unexpected(std::move(ok).error());
    }
    return Hello{in.protocol_version(), in.token(), in.client_name()};
}

Checked<model::PathQuery> decode_query(const v1::PathRequest& in) {
    if (!in.has_start()) {
        return invalid("path.start", "is missing; send the cell where the unit stands");
    }
    if (!in.has_goal()) {
        return invalid("path.goal", "is missing; send where the unit is to go");
    }
    const auto goal = from_wire(in.goal(), "path.goal");
    if (!goal) {
        return std::unexpected(goal.error());
    }
    const auto algorithm = from_wire(in.algorithm());
    if (!algorithm) {
        return invalid("path.algorithm", "is unknown to this server");
    }
    const auto smoothing = from_wire(in.smoothing(), "path.smoothing");
    if (!smoothing) {
        return std::unexpected(smoothing.error());
    }
    std::optional<model::ObstacleId> ignored;
    if (in.has_ignore_obstacle_id()) {
        ignored = model::ObstacleId{in.ignore_obstacle_id()};
    }
    return model::PathQuery{.movement_class = {static_cast<std::uint16_t>(in.class_id())},
                            .start = {in.start().x(), in.start().y()},
                            .goal = *goal,
                            .algorithm = *algorithm,
                            .weight_percent = in.weight_percent() == 0 ? 100 : in.weight_percent(),
                            .allow_partial = in.allow_partial(),
                            .leave_blocked_start = in.leave_blocked_start(),
                            .explain = in.explain(),
                            .ignore_obstacle = ignored,
                            .expansions_max = in.expansions_max(),
                            .smoothing = *smoothing};
}

std::optional<model::FollowOptions> decode_follow(const v1::PathRequest& in) {
    if (!in.has_follow()) {
        return std::nullopt;
    }
    return model::FollowOptions{.improve = in.follow().improve(),
                                .repair_percent = in.follow().repair_percent()};
}

Checked<Body> decode_path(const v1::PathRequest& in) {
    if (auto ok = check_addressee(in, "path"); !ok) {
        return std::unexpected(std::move(ok).error());
    }
    auto query = decode_query(in);
    if (!query) {
        return std::unexpected(std::move(query).error());
    }
    const auto priority = from_wire(in.priority());
    if (!priority) {
        return invalid("path.priority", "is unknown to this server");
    }
    const auto format = from_wire(in.format());
    if (!format) {
        return invalid("path.format", "is unknown to this server");
    }
    return PathRequest{.map = {in.map_id()},
                       .map_name = in.map_name(),
                       .class_name = in.class_name(),
                       .query = *query,
                       .priority = *priority,
                       .deadline_us = in.deadline_us(),
                       .unit = {in.unit_id()},
                       .format = *format,
                       .follow = decode_follow(in),
                       .first_leg = in.first_leg()};
}

Checked<Body> decode_progress(const v1::ProgressRequest& in) {
    constexpr std::size_t kUnitsMax = base::limits::kProgressPerRequestMax;
    if (static_cast<std::size_t>(in.units_size()) > kUnitsMax) {
        return invalid("progress.units", "holds " + std::to_string(in.units_size()) +
                                             " units; send at most " + std::to_string(kUnitsMax));
    }
    ProgressRequest out;
    out.units.reserve(static_cast<std::size_t>(in.units_size()));
    for (const v1::Progress& unit : in.units()) {
        if (!unit.has_cell()) {
            return invalid("progress.units[" + std::to_string(out.units.size()) + "].cell",
                           "is missing; send the cell where the unit stands");
        }
        out.units.push_back({{unit.follow_id()}, {unit.cell().x(), unit.cell().y()}});
    }
    return out;
}

Checked<Body> decode_edit(const v1::EditRequest& in) {
    if (static_cast<std::size_t>(in.edits_size()) > base::limits::kEditsPerBatchMax) {
        return invalid("edit.edits", "holds " + std::to_string(in.edits_size()) +
                                         " edits; send at most " +
                                         std::to_string(base::limits::kEditsPerBatchMax));
    }
    EditRequest out{.map = {in.map_id()}, .batch = {}};
    out.batch.edits.reserve(static_cast<std::size_t>(in.edits_size()));
    for (int i = 0; i < in.edits_size(); ++i) {
        auto edit = from_wire(in.edits(i), "edit.edits[" + std::to_string(i) + "]");
        if (!edit) {
            return std::unexpected(std::move(edit).error());
        }
        out.batch.edits.push_back(*std::move(edit));
    }
    return out;
}

Checked<Body> decode_add_class(const v1::AddClassRequest& in) {
    auto movement_class = from_wire(in.movement_class(), "add_class.movement_class");
    if (!movement_class) {
        return std::unexpected(std::move(movement_class).error());
    }
    return AddClassRequest{{in.map_id()}, *std::move(movement_class)};
}

Checked<Body> decode_survey(const v1::SurveyRequest& in) {
    auto request = from_wire(in);
    if (!request) {
        return std::unexpected(std::move(request).error());
    }
    return *std::move(request);
}

// Whether the name will do is for the engine to say; this one bounds what a message may hold.
Checked<Body> decode_load_map(const v1::LoadMapRequest& in) {
    if (auto ok = check_length(in.name(), base::limits::kNameBytesMax, "load_map.name"); !ok) {
        return std::unexpected(std::move(ok).error());
    }
    if (auto ok = check_length(in.file(), kMapFileNameBytesMax, "load_map.file"); !ok) {
        return std::unexpected(std::move(ok).error());
    }
    if (in.file().empty() && in.content().empty()) {
        return invalid(in.has_content() ? "load_map.content" : "load_map.file",
                       "is empty; send a file's name, or what a map file holds as content");
    }
    return LoadMapRequest{in.name(), in.file(), in.content(), in.replace()};
}

Checked<Body> decode_drop_map(const v1::DropMapRequest& in) {
    if (auto ok = check_length(in.map_name(), base::limits::kNameBytesMax, "drop_map.map_name");
        !ok) {
        return std::unexpected(std::move(ok).error());
    }
    return DropMapRequest{{in.map_id()}, in.map_name()};
}

Checked<Body> decode_body(const v1::ClientMessage& in) {
    switch (in.body_case()) {
        case v1::ClientMessage::kHello: return decode_hello(in.hello());
        case v1::ClientMessage::kPath: return decode_path(in.path());
        case v1::ClientMessage::kEdit: return decode_edit(in.edit());
        case v1::ClientMessage::kCancel: return CancelRequest{{in.cancel().request_id()}};
        case v1::ClientMessage::kPing: return Ping{in.ping().payload()};
        case v1::ClientMessage::kListMaps: return ListMapsRequest{};
        case v1::ClientMessage::kMapState:
            return MapStateRequest{{in.map_state().map_id()}, in.map_state().watch()};
        case v1::ClientMessage::kUnwatch: return UnwatchRequest{{in.unwatch().map_id()}};
        case v1::ClientMessage::kAddClass: return decode_add_class(in.add_class());
        case v1::ClientMessage::kStats: return StatsRequest{};
        case v1::ClientMessage::kProgress: return decode_progress(in.progress());
        case v1::ClientMessage::kSurvey: return decode_survey(in.survey());
        case v1::ClientMessage::kLoadMap: return decode_load_map(in.load_map());
        case v1::ClientMessage::kDropMap: return decode_drop_map(in.drop_map());
        case v1::ClientMessage::BODY_NOT_SET: break;
    }
    return invalid("body", "is no message that this server knows");
}

}  // namespace

struct RequestDecoder::State {
    Scratch scratch;
};

RequestDecoder::RequestDecoder() : state_(std::make_unique<State>()) {}
RequestDecoder::~RequestDecoder() = default;

std::expected<ClientMessage, Rejection> RequestDecoder::decode(std::span<const std::byte> bytes) {
    auto& in = state_->scratch.fresh<v1::ClientMessage>();
    if (!parse_message(in, bytes)) {
        auto refusal = invalid("", "the bytes of a frame are no ClientMessage of outrider.v1");
        return std::unexpected(Rejection{{}, std::move(refusal).error(), true});
    }
    const model::RequestId id{in.request_id()};
    if (id.value == 0) {
        auto refusal = invalid("request_id", "is 0; number requests from 1");
        return std::unexpected(Rejection{id, std::move(refusal).error(), false});
    }
    auto body = decode_body(in);
    if (!body) {
        return std::unexpected(Rejection{id, std::move(body).error(), false});
    }
    return ClientMessage{id, *std::move(body)};
}

}  // namespace outrider::codec
