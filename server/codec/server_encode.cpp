#include <algorithm>
#include <utility>

#include "outrider/base/check.hpp"
#include "outrider/base/limits.hpp"
#include "outrider/codec/convert.hpp"
#include "outrider/codec/point_walk.hpp"
#include "outrider/codec/reply_encoder_state.hpp"
#include "outrider/codec/server_codec.hpp"

namespace outrider::codec {
namespace {

void set_head(const model::PathAnswer& answer, v1::PathReply& out) {
    const model::PathResult& result = *answer.result;
    out.set_outcome(to_wire(result.outcome));
    out.set_reason(to_wire(result.reason));
    out.set_version(answer.version);
    out.set_cost(result.cost);
    out.set_length_cells(model::length_in_cells(result.cost));
    out.set_expansions(result.expansions);
    out.set_algorithm(to_wire(result.algorithm));
    out.set_bound_percent(result.bound_percent);
    out.set_path_hash(result.path_hash);
    if (!result.smooth.points.empty()) {
        v1::SmoothPath& smooth = *out.mutable_smooth();
        smooth.set_length(result.smooth.length);
        smooth.set_cost(result.smooth.cost);
        smooth.set_hash(result.smooth.hash);
    }
}

void set_head(const PushHead& head, v1::PathPush& out) {
    out.set_reason(to_wire(head.reason));
    out.mutable_start()->set_x(head.start.x);
    out.mutable_start()->set_y(head.start.y);
}

}  // namespace

PathCursor::PathCursor(model::RequestId id, model::PathAnswer answer, PathFormat format)
    : id_(id), answer_(std::move(answer)), format_(format) {
    OUTRIDER_CHECK(answer_.result != nullptr);
}

PathCursor::PathCursor(const model::PathPush& push, PathFormat format)
    : PathCursor(push.id, push.body.value(), format) {
    push_ = PushHead{push.reason, push.start, std::nullopt};
}

MapStateCursor::MapStateCursor(model::RequestId id, MapState state)
    : id_(id), state_(std::move(state)) {}

ReplyEncoder::ReplyEncoder() : state_(std::make_unique<State>()) {}
ReplyEncoder::~ReplyEncoder() = default;

void ReplyEncoder::welcome(model::RequestId id, const Welcome& welcome, Output& out) {
    auto& message = state_->fresh(id);
    v1::Welcome& wire = *message.mutable_welcome();
    wire.set_protocol_version(welcome.protocol_version);
    wire.set_server_name(welcome.server_name);
    v1::Limits& limits = *wire.mutable_limits();
    limits.set_frame_bytes_max(welcome.limits.frame_bytes_max);
    limits.set_requests_in_flight_max(welcome.limits.requests_in_flight_max);
    limits.set_edits_per_batch_max(welcome.limits.edits_per_batch_max);
    limits.set_expansions_max(welcome.limits.expansions_max);
    limits.set_follows_max(welcome.limits.follows_max);
    limits.set_idle_timeout_ms(static_cast<std::uint32_t>(welcome.limits.idle_timeout.count()));
    for (const MapInfo& info : welcome.maps) {
        to_wire(info, *wire.add_maps());
    }
    write_message(message, out);
}

void ReplyEncoder::refusal(model::RequestId id, const model::Refusal& refusal, Output& out) {
    auto& message = state_->fresh(id);
    to_wire(refusal, *message.mutable_refusal());
    write_message(message, out);
}

void ReplyEncoder::goodbye(const model::Refusal& reason, Output& out) {
    auto& message = state_->fresh({});
    to_wire(reason, *message.mutable_goodbye()->mutable_reason());
    write_message(message, out);
}

void ReplyEncoder::edit(model::RequestId id, const model::EditReceipt& receipt, Output& out) {
    auto& message = state_->fresh(id);
    v1::EditReply& wire = *message.mutable_edit();
    wire.set_version(receipt.version);
    for (const model::ObstacleId unknown : receipt.unknown_obstacles) {
        wire.add_unknown_obstacle_ids(unknown.value);
    }
    write_message(message, out);
}

void ReplyEncoder::cancel(model::RequestId id, bool cancelled, Output& out) {
    auto& message = state_->fresh(id);
    message.mutable_cancel()->set_cancelled(cancelled);
    write_message(message, out);
}

void ReplyEncoder::pong(model::RequestId id, std::uint64_t payload, Output& out) {
    auto& message = state_->fresh(id);
    message.mutable_pong()->set_payload(payload);
    write_message(message, out);
}

void ReplyEncoder::stats(model::RequestId id, const StatsReply& reply, Output& out) {
    auto& message = state_->fresh(id);
    v1::StatsReply& wire = *message.mutable_stats();
    wire.set_submitted(reply.submitted);
    wire.set_answered(reply.answered);
    wire.set_refused(reply.refused);
    wire.set_joined(reply.joined);
    wire.set_verdicts(reply.verdicts);
    wire.set_cache_hits(reply.cache_hits);
    wire.set_cache_misses(reply.cache_misses);
    wire.set_cache_carried(reply.cache_carried);
    wire.set_cache_fallen(reply.cache_fallen);
    wire.set_expansions(reply.expansions);
    wire.set_edits(reply.edits);
    wire.set_surveys_submitted(reply.surveys_submitted);
    wire.set_surveys_answered(reply.surveys_answered);
    wire.set_survey_parts(reply.survey_parts);
    write_message(message, out);
}

void ReplyEncoder::list_maps(model::RequestId id, std::span<const MapInfo> maps, Output& out) {
    auto& message = state_->fresh(id);
    v1::ListMapsReply& wire = *message.mutable_list_maps();
    for (const MapInfo& info : maps) {
        to_wire(info, *wire.add_maps());
    }
    write_message(message, out);
}

void ReplyEncoder::unwatch(model::RequestId id, Output& out) {
    auto& message = state_->fresh(id);
    (void)message.mutable_unwatch();
    write_message(message, out);
}

void ReplyEncoder::add_class(model::RequestId id, const AddClassReply& reply, Output& out) {
    auto& message = state_->fresh(id);
    message.mutable_add_class()->set_class_id(reply.id.value);
    message.mutable_add_class()->set_version(reply.version);
    write_message(message, out);
}

void ReplyEncoder::load_map(model::RequestId id, const LoadMapReply& reply, Output& out) {
    auto& message = state_->fresh(id);
    v1::LoadMapReply& wire = *message.mutable_load_map();
    to_wire(reply.info, *wire.mutable_info());
    wire.set_replaced_map_id(reply.replaced.value);
    write_message(message, out);
}

void ReplyEncoder::drop_map(model::RequestId id, model::MapId map, Output& out) {
    auto& message = state_->fresh(id);
    message.mutable_drop_map()->set_map_id(map.value);
    write_message(message, out);
}

void ReplyEncoder::map_dropped(model::RequestId id, const MapDropped& dropped, Output& out) {
    auto& message = state_->fresh(id);
    v1::MapDropped& wire = *message.mutable_map_dropped();
    wire.set_map_id(dropped.map.value);
    wire.set_replaced_by_map_id(dropped.replaced_by.value);
    write_message(message, out);
}

void ReplyEncoder::map_edited(model::RequestId id, model::MapId map, model::Version version,
                              const model::EditBatch& batch, Output& out) {
    auto& message = state_->fresh(id);
    v1::MapEdited& wire = *message.mutable_map_edited();
    wire.set_map_id(map.value);
    wire.set_version(version);
    for (const model::Edit& edit : batch.edits) {
        to_wire(edit, *wire.add_edits());
    }
    if (batch.added_class) {
        to_wire(*batch.added_class, *wire.mutable_added_class());
    }
    if (batch.landmarks_of) {
        wire.set_landmarks_class_id(batch.landmarks_of->value);
    }
    write_message(message, out);
}

void ReplyEncoder::progress(model::RequestId id, std::span<const model::RequestId> unknown,
                            Output& out) {
    auto& message = state_->fresh(id);
    v1::ProgressReply& wire = *message.mutable_progress();
    for (const model::RequestId follow : unknown) {
        wire.add_unknown_follow_ids(follow.value);
    }
    write_message(message, out);
}

void ReplyEncoder::first_leg(const model::LegPush& push, Output& out) {
    const model::FirstLeg& leg = *push.leg;
    auto& message = state_->fresh(push.id);
    v1::FirstLeg& wire = *message.mutable_first_leg();
    wire.set_version(push.version);
    wire.set_cost(leg.cost);
    wire.set_length_cells(model::length_in_cells(leg.cost));
    wire.set_binding(leg.binding);
    wire.set_expansions(leg.expansions);
    static_assert(base::limits::kFirstLegPointsMax <= kPointsPerPart);
    PointPlace place;
    (void)write_points({leg.turning_points, PathFormat::kTurningPoints}, place, kPointsPerPart,
                       *wire.mutable_path()->mutable_deltas());
    OUTRIDER_CHECK(place.done == leg.turning_points.size());
    write_message(message, out);
}

void ReplyEncoder::refused_push(const model::PathPush& push, Output& out) {
    auto& message = state_->fresh(push.id);
    v1::PathPush& wire = *message.mutable_path_push();
    set_head({push.reason, push.start, std::nullopt}, wire);
    to_wire(push.body.error(), *wire.mutable_refusal());
    write_message(message, out);
}

// As many points as a part holds; true when all are written.
bool ReplyEncoder::State::write_path(PathCursor& cursor, v1::PathReply& wire) {
    const model::PathResult& result = *cursor.answer_.result;
    std::size_t room = kPointsPerPart;
    if (const std::size_t left = result.turning_points.size() - cursor.place_.done; left > 0) {
        auto& deltas = *wire.mutable_path()->mutable_deltas();
        deltas.Reserve(static_cast<int>(2 * std::min(left, kPointsPerPart)));
        room -= write_points({result.turning_points, cursor.format_}, cursor.place_, room, deltas);
    }
    if (cursor.place_.done < result.turning_points.size()) {
        return false;
    }
    const std::vector<model::Point>& points = result.smooth.points;
    const std::size_t end = std::min(points.size(), cursor.smooth_done_ + room);
    if (cursor.smooth_done_ < end) {
        auto& deltas = *wire.mutable_smooth()->mutable_points()->mutable_deltas();
        deltas.Reserve(static_cast<int>(2 * (end - cursor.smooth_done_)));
        for (; cursor.smooth_done_ < end; ++cursor.smooth_done_) {
            const std::size_t at = cursor.smooth_done_;
            const model::Point last = at == 0 ? model::Point{} : points[at - 1];
            deltas.Add(points[at].x - last.x);
            deltas.Add(points[at].y - last.y);
        }
    }
    return end == points.size();
}

void ReplyEncoder::State::write_explored(PathCursor& cursor, v1::PathReply& wire) {
    const std::vector<model::Explored>& all = cursor.answer_.result->explored;
    const std::size_t end = std::min(all.size(), cursor.explored_done_ + kExploredPerPart);
    if (cursor.explored_done_ == end) {
        return;
    }
    v1::Explored& explored = *wire.mutable_explored();
    for (; cursor.explored_done_ < end; ++cursor.explored_done_) {
        const model::Explored& one = all[cursor.explored_done_];
        explored.mutable_cells()->add_deltas(one.cell.x - cursor.last_explored_.x);
        explored.mutable_cells()->add_deltas(one.cell.y - cursor.last_explored_.y);
        explored.add_kinds(to_wire(one.kind));
        explored.add_g(one.g);
        explored.add_h(one.h);
        cursor.last_explored_ = one.cell;
    }
}

void ReplyEncoder::path_part(PathCursor& cursor, Output& out) {
    OUTRIDER_CHECK(!cursor.done_);
    const model::PathResult& result = *cursor.answer_.result;
    auto& message = state_->fresh(cursor.id_);
    v1::PathReply& wire =
        cursor.push_ ? *message.mutable_path_push()->mutable_path() : *message.mutable_path();
    if (!cursor.started_) {
        cursor.started_ = true;
        if (cursor.push_) {
            set_head(*cursor.push_, *message.mutable_path_push());
        }
        set_head(cursor.answer_, wire);
    }
    const bool points_done = State::write_path(cursor, wire);
    if (points_done) {
        State::write_explored(cursor, wire);
    }
    cursor.done_ = points_done && cursor.explored_done_ == result.explored.size();
    wire.set_last(cursor.done_);
    write_message(message, out);
}

void ReplyEncoder::map_state_part(MapStateCursor& cursor, Output& out) {
    OUTRIDER_CHECK(!cursor.done_);
    const MapState& state = cursor.state_;
    auto& message = state_->fresh(cursor.id_);
    v1::MapStateReply& wire = *message.mutable_map_state();
    if (!cursor.started_) {
        cursor.started_ = true;
        to_wire(state.info, *wire.mutable_info());
    }
    const auto width = static_cast<std::size_t>(state.info.width);
    const auto height = static_cast<std::size_t>(state.info.height);
    const std::size_t rows =
        std::min(height - cursor.row_, std::max<std::size_t>(1, kTerrainBytesPerPart / width));
    if (rows > 0) {
        wire.set_first_row(static_cast<std::uint32_t>(cursor.row_));
        wire.mutable_terrain()->assign(
            reinterpret_cast<const char*>(state.terrain.data()) + cursor.row_ * width,
            rows * width);
        cursor.row_ += rows;
    }
    const std::size_t end = std::min(state.obstacles.size(), cursor.obstacle_ + kObstaclesPerPart);
    std::size_t mask_bytes = 0;
    for (; cursor.obstacle_ < end && mask_bytes < kMaskBytesPerPart; ++cursor.obstacle_) {
        mask_bytes += state.obstacles[cursor.obstacle_].mask.size();
        to_wire(state.obstacles[cursor.obstacle_], *wire.add_obstacles());
    }
    cursor.done_ = cursor.row_ == height && cursor.obstacle_ == state.obstacles.size();
    wire.set_last(cursor.done_);
    write_message(message, out);
}

}  // namespace outrider::codec
