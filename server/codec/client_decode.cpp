#include <string>
#include <utility>

#include "outrider/base/limits.hpp"
#include "outrider/codec/advance.hpp"
#include "outrider/codec/client_codec.hpp"
#include "outrider/codec/convert.hpp"
#include "outrider/codec/scratch.hpp"
#include "outrider/codec/survey_decode.hpp"
#include "outrider/v1/session.pb.h"

namespace outrider::codec {
namespace {

using Body = decltype(ServerMessage::body);

Checked<std::vector<MapInfo>> decode_maps(const google::protobuf::RepeatedPtrField<v1::MapInfo>& in,
                                          const std::string& field) {
    std::vector<MapInfo> maps;
    for (const v1::MapInfo& wire : in) {
        auto info = from_wire(wire, field + "[" + std::to_string(maps.size()) + "]");
        if (!info) {
            return std::unexpected(std::move(info).error());
        }
        maps.push_back(*std::move(info));
    }
    return maps;
}

Checked<Body> decode_welcome(const v1::Welcome& in) {
    auto maps = decode_maps(in.maps(), "welcome.maps");
    if (!maps) {
        return std::unexpected(std::move(maps).error());
    }
    const v1::Limits& limits = in.limits();
    return Welcome{.protocol_version = in.protocol_version(),
                   .server_name = in.server_name(),
                   .limits = {.frame_bytes_max = limits.frame_bytes_max(),
                              .requests_in_flight_max = limits.requests_in_flight_max(),
                              .edits_per_batch_max = limits.edits_per_batch_max(),
                              .expansions_max = limits.expansions_max(),
                              .idle_timeout = std::chrono::milliseconds(limits.idle_timeout_ms()),
                              .follows_max = limits.follows_max()},
                   .maps = *std::move(maps)};
}

Checked<std::vector<model::Explored>> decode_explored(const v1::Explored& in) {
    const auto steps = steps_from_wire(in.cells(), "path.explored.cells.deltas");
    if (!steps) {
        return std::unexpected(steps.error());
    }
    const auto count = static_cast<int>(steps->size());
    if (in.kinds_size() != count || in.g_size() != count || in.h_size() != count) {
        return invalid("path.explored", "has arrays of unequal length");
    }
    std::vector<model::Explored> explored;
    explored.reserve(steps->size());
    for (int i = 0; i < count; ++i) {
        const auto kind = from_wire(static_cast<v1::ExploredKind>(in.kinds(i)));
        if (!kind) {
            return invalid("path.explored.kinds", "is unknown to this client");
        }
        explored.push_back({(*steps)[static_cast<std::size_t>(i)], *kind, in.g(i), in.h(i)});
    }
    return explored;
}

Checked<std::optional<PathHead>> decode_head(const v1::PathReply& in) {
    if (in.outcome() == v1::OUTCOME_UNSPECIFIED) {
        return std::nullopt;
    }
    const auto outcome = from_wire(in.outcome());
    const auto reason = from_wire(in.reason());
    if (!outcome || !reason) {
        return invalid(outcome ? "path.reason" : "path.outcome", "is unknown to this client");
    }
    const auto algorithm = from_wire(in.algorithm());
    if (!algorithm) {
        return invalid("path.algorithm", "is unknown to this client");
    }
    return PathHead{.outcome = *outcome,
                    .reason = *reason,
                    .version = in.version(),
                    .cost = in.cost(),
                    .length_cells = in.length_cells(),
                    .expansions = in.expansions(),
                    .algorithm = *algorithm,
                    .bound_percent = in.bound_percent(),
                    .path_hash = in.path_hash(),
                    .smooth_length = in.smooth().length(),
                    .smooth_cost = in.smooth().cost(),
                    .smooth_hash = in.smooth().hash()};
}

Checked<PathPart> decode_part(const v1::PathReply& in) {
    const auto head = decode_head(in);
    if (!head) {
        return std::unexpected(head.error());
    }
    auto steps = steps_from_wire(in.path(), "path.path.deltas");
    if (!steps) {
        return std::unexpected(std::move(steps).error());
    }
    auto explored = decode_explored(in.explored());
    if (!explored) {
        return std::unexpected(std::move(explored).error());
    }
    auto smooth = steps_from_wire(in.smooth().points(), "path.smooth.points.deltas");
    if (!smooth) {
        return std::unexpected(std::move(smooth).error());
    }
    return PathPart{*head, *std::move(steps), *std::move(explored), in.last(), *std::move(smooth)};
}

Checked<Body> decode_path(const v1::PathReply& in) {
    auto part = decode_part(in);
    if (!part) {
        return std::unexpected(std::move(part).error());
    }
    return *std::move(part);
}

Checked<Body> decode_push(const v1::PathPush& in) {
    PathPushPart out;
    if (in.reason() != v1::PUSH_REASON_UNSPECIFIED) {
        const auto reason = from_wire(in.reason());
        if (!reason) {
            return invalid("path_push.reason", "is unknown to this client");
        }
        out.head = PushHead{*reason, {in.start().x(), in.start().y()}, std::nullopt};
    }
    if (in.has_refusal()) {
        if (!out.head) {
            return invalid("path_push.reason", "is missing beside a refusal");
        }
        out.head->refusal = from_wire(in.refusal());
        return out;
    }
    auto path = decode_part(in.path());
    if (!path) {
        return std::unexpected(std::move(path).error());
    }
    out.path = *std::move(path);
    return out;
}

Checked<Body> decode_first_leg(const v1::FirstLeg& in) {
    const auto steps = steps_from_wire(in.path(), "first_leg.path.deltas");
    if (!steps) {
        return std::unexpected(steps.error());
    }
    if (steps->empty() || steps->size() > base::limits::kFirstLegPointsMax) {
        return invalid("first_leg.path", "has " + std::to_string(steps->size()) +
                                             " points; there are 1 to " +
                                             std::to_string(base::limits::kFirstLegPointsMax));
    }
    FirstLeg out{in.version(), {{}, in.cost(), in.binding(), in.expansions()}};
    model::Cell point;
    for (const model::Cell step : *steps) {
        if (!advance(point, step)) {
            return invalid("first_leg.path", "leaves the map");
        }
        out.leg.turning_points.push_back(point);
    }
    return out;
}

Body decode_progress(const v1::ProgressReply& in) {
    ProgressReply out;
    for (const std::uint64_t id : in.unknown_follow_ids()) {
        out.unknown_follows.push_back({id});
    }
    return out;
}

Checked<Body> decode_map_state(const v1::MapStateReply& in) {
    MapStatePart out;
    if (in.has_info()) {
        auto info = from_wire(in.info(), "map_state.info");
        if (!info) {
            return std::unexpected(std::move(info).error());
        }
        out.info = *std::move(info);
    }
    out.first_row = in.first_row();
    out.terrain.assign(in.terrain().begin(), in.terrain().end());
    for (const v1::PlaceObstacle& wire : in.obstacles()) {
        auto obstacle = from_wire(wire, "map_state.obstacles");
        if (!obstacle) {
            return std::unexpected(std::move(obstacle).error());
        }
        out.obstacles.push_back(*obstacle);
    }
    out.last = in.last();
    return out;
}

Checked<Body> decode_map_edited(const v1::MapEdited& in) {
    MapEdited out{{in.map_id()}, in.version(), {}};
    for (const v1::Edit& wire : in.edits()) {
        auto edit = from_wire(wire, "map_edited.edits");
        if (!edit) {
            return std::unexpected(std::move(edit).error());
        }
        out.batch.edits.push_back(*std::move(edit));
    }
    if (in.has_added_class()) {
        auto added = from_wire(in.added_class(), "map_edited.added_class");
        if (!added) {
            return std::unexpected(std::move(added).error());
        }
        out.batch.added_class = *std::move(added);
    }
    if (in.has_landmarks_class_id()) {
        if (in.landmarks_class_id() > 0xFFFF) {
            return invalid("map_edited.landmarks_class_id", "does not fit 16 bits");
        }
        out.batch.landmarks_of =
            model::ClassId{static_cast<std::uint16_t>(in.landmarks_class_id())};
    }
    return out;
}

Checked<Body> decode_list_maps(const v1::ListMapsReply& in) {
    auto maps = decode_maps(in.maps(), "list_maps.maps");
    if (!maps) {
        return std::unexpected(std::move(maps).error());
    }
    return ListMapsReply{*std::move(maps)};
}

Checked<Body> decode_add_class(const v1::AddClassReply& in) {
    if (in.class_id() > 0xFFFF) {
        return invalid("add_class.class_id", "does not fit 16 bits");
    }
    return AddClassReply{{static_cast<std::uint16_t>(in.class_id())}, in.version()};
}

Checked<Body> decode_load_map(const v1::LoadMapReply& in) {
    auto info = from_wire(in.info(), "load_map.info");
    if (!info) {
        return std::unexpected(std::move(info).error());
    }
    return LoadMapReply{*std::move(info), {in.replaced_map_id()}};
}

MapDropped decode_map_dropped(const v1::MapDropped& in) {
    return {{in.map_id()}, {in.replaced_by_map_id()}};
}

Body decode_edit(const v1::EditReply& in) {
    EditReply out{in.version(), {}};
    for (const std::uint64_t id : in.unknown_obstacle_ids()) {
        out.unknown_obstacles.push_back({id});
    }
    return out;
}

StatsReply decode_stats(const v1::StatsReply& in) {
    return {.submitted = in.submitted(),
            .answered = in.answered(),
            .refused = in.refused(),
            .joined = in.joined(),
            .verdicts = in.verdicts(),
            .cache_hits = in.cache_hits(),
            .cache_misses = in.cache_misses(),
            .cache_carried = in.cache_carried(),
            .cache_fallen = in.cache_fallen(),
            .expansions = in.expansions(),
            .edits = in.edits(),
            .surveys_submitted = in.surveys_submitted(),
            .surveys_answered = in.surveys_answered(),
            .survey_parts = in.survey_parts()};
}

Checked<Body> decode_survey(const v1::SurveyReply& in) {
    auto part = from_wire(in);
    if (!part) {
        return std::unexpected(std::move(part).error());
    }
    return *std::move(part);
}

Checked<Body> decode_body(const v1::ServerMessage& in) {
    switch (in.body_case()) {
        case v1::ServerMessage::kWelcome: return decode_welcome(in.welcome());
        case v1::ServerMessage::kPath: return decode_path(in.path());
        case v1::ServerMessage::kEdit: return decode_edit(in.edit());
        case v1::ServerMessage::kCancel: return CancelReply{in.cancel().cancelled()};
        case v1::ServerMessage::kPong: return Pong{in.pong().payload()};
        case v1::ServerMessage::kListMaps: return decode_list_maps(in.list_maps());
        case v1::ServerMessage::kMapState: return decode_map_state(in.map_state());
        case v1::ServerMessage::kUnwatch: return UnwatchReply{};
        case v1::ServerMessage::kAddClass: return decode_add_class(in.add_class());
        case v1::ServerMessage::kRefusal: return from_wire(in.refusal());
        case v1::ServerMessage::kGoodbye: return Goodbye{from_wire(in.goodbye().reason())};
        case v1::ServerMessage::kMapEdited: return decode_map_edited(in.map_edited());
        case v1::ServerMessage::kLoadMap: return decode_load_map(in.load_map());
        case v1::ServerMessage::kDropMap: return DropMapReply{{in.drop_map().map_id()}};
        case v1::ServerMessage::kMapDropped: return decode_map_dropped(in.map_dropped());
        case v1::ServerMessage::kStats: return decode_stats(in.stats());
        case v1::ServerMessage::kPathPush: return decode_push(in.path_push());
        case v1::ServerMessage::kProgress: return decode_progress(in.progress());
        case v1::ServerMessage::kSurvey: return decode_survey(in.survey());
        case v1::ServerMessage::kFirstLeg: return decode_first_leg(in.first_leg());
        case v1::ServerMessage::BODY_NOT_SET: break;
    }
    return invalid("body", "is no message that this client knows");
}

}  // namespace

struct ReplyDecoder::State {
    Scratch scratch;
};

ReplyDecoder::ReplyDecoder() : state_(std::make_unique<State>()) {}
ReplyDecoder::~ReplyDecoder() = default;

base::Result<ServerMessage> ReplyDecoder::decode(std::span<const std::byte> bytes) {
    auto& in = state_->scratch.fresh<v1::ServerMessage>();
    if (!parse_message(in, bytes)) {
        return base::fail("the bytes of a frame are no ServerMessage of outrider.v1");
    }
    auto body = decode_body(in);
    if (!body) {
        return base::fail("reply to request " + std::to_string(in.request_id()) + ": " +
                          body.error().field + " " + body.error().message);
    }
    return ServerMessage{{in.request_id()}, *std::move(body)};
}

}  // namespace outrider::codec
