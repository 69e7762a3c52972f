#include <utility>

#include "outrider/codec/client_codec.hpp"
#include "outrider/codec/convert.hpp"
#include "outrider/codec/scratch.hpp"
#include "outrider/codec/survey_request.hpp"
#include "outrider/v1/session.pb.h"

namespace outrider::codec {
namespace {

struct BodyWriter {
    v1::ClientMessage& out;

    void operator()(const Hello& hello) const {
        v1::Hello& wire = *out.mutable_hello();
        wire.set_protocol_version(hello.protocol_version);
        wire.set_token(hello.token);
        wire.set_client_name(hello.client_name);
    }
    void operator()(const PathRequest& request) const {
        v1::PathRequest& wire = *out.mutable_path();
        wire.set_map_id(request.map.value);
        wire.set_map_name(request.map_name);
        wire.set_class_name(request.class_name);
        write_query(request.query, wire);
        wire.set_priority(to_wire(request.priority));
        wire.set_deadline_us(request.deadline_us);
        wire.set_unit_id(request.unit.value);
        wire.set_format(to_wire(request.format));
        if (request.follow) {
            wire.mutable_follow()->set_improve(request.follow->improve);
            wire.mutable_follow()->set_repair_percent(request.follow->repair_percent);
        }
        wire.set_first_leg(request.first_leg);
    }
    void operator()(const EditRequest& request) const {
        v1::EditRequest& wire = *out.mutable_edit();
        wire.set_map_id(request.map.value);
        for (const model::Edit& edit : request.batch.edits) {
            to_wire(edit, *wire.add_edits());
        }
    }
    void operator()(const CancelRequest& request) const {
        out.mutable_cancel()->set_request_id(request.request.value);
    }
    void operator()(const Ping& ping) const { out.mutable_ping()->set_payload(ping.payload); }
    void operator()(const ListMapsRequest&) const { (void)out.mutable_list_maps(); }
    void operator()(const StatsRequest&) const { (void)out.mutable_stats(); }
    void operator()(const MapStateRequest& request) const {
        out.mutable_map_state()->set_map_id(request.map.value);
        out.mutable_map_state()->set_watch(request.watch);
    }
    void operator()(const UnwatchRequest& request) const {
        out.mutable_unwatch()->set_map_id(request.map.value);
    }
    void operator()(const AddClassRequest& request) const {
        out.mutable_add_class()->set_map_id(request.map.value);
        to_wire(request.movement_class, *out.mutable_add_class()->mutable_movement_class());
    }
    void operator()(const LoadMapRequest& request) const {
        v1::LoadMapRequest& wire = *out.mutable_load_map();
        wire.set_name(request.name);
        wire.set_replace(request.replace);
        if (request.file.empty()) {
            wire.set_content(request.content);
        } else {
            wire.set_file(request.file);
        }
    }
    void operator()(const DropMapRequest& request) const {
        out.mutable_drop_map()->set_map_id(request.map.value);
        out.mutable_drop_map()->set_map_name(request.map_name);
    }
    void operator()(const SurveyRequest& request) const { to_wire(request, *out.mutable_survey()); }
    void operator()(const ProgressRequest& request) const {
        v1::ProgressRequest& wire = *out.mutable_progress();
        for (const model::Progress& progress : request.units) {
            v1::Progress& unit = *wire.add_units();
            unit.set_follow_id(progress.follow.value);
            unit.mutable_cell()->set_x(progress.cell.x);
            unit.mutable_cell()->set_y(progress.cell.y);
        }
    }

  private:
    static void write_query(const model::PathQuery& query, v1::PathRequest& wire) {
        wire.set_class_id(query.movement_class.value);
        wire.mutable_start()->set_x(query.start.x);
        wire.mutable_start()->set_y(query.start.y);
        to_wire(query.goal, *wire.mutable_goal());
        wire.set_algorithm(to_wire(query.algorithm));
        wire.set_weight_percent(query.weight_percent);
        wire.set_allow_partial(query.allow_partial);
        wire.set_leave_blocked_start(query.leave_blocked_start);
        wire.set_explain(query.explain);
        wire.set_expansions_max(query.expansions_max);
        if (query.smoothing != model::Smoothing{}) {
            to_wire(query.smoothing, *wire.mutable_smoothing());
        }
        if (query.ignore_obstacle) {
            wire.set_ignore_obstacle_id(query.ignore_obstacle->value);
        }
    }
};

}  // namespace

struct RequestEncoder::State {
    Scratch scratch;
};

RequestEncoder::RequestEncoder() : state_(std::make_unique<State>()) {}
RequestEncoder::~RequestEncoder() = default;

void RequestEncoder::encode(const ClientMessage& message, Output& out) {
    auto& wire = state_->scratch.fresh<v1::ClientMessage>();
    wire.set_request_id(message.id.value);
    std::visit(BodyWriter{wire}, message.body);
    write_message(wire, out);
}

}  // namespace outrider::codec
