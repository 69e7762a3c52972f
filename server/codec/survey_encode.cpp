#include <algorithm>
#include <utility>

#include "outrider/base/check.hpp"
#include "outrider/codec/convert.hpp"
#include "outrider/codec/point_walk.hpp"
#include "outrider/codec/reply_encoder_state.hpp"
#include "outrider/codec/server_codec.hpp"

namespace outrider::codec {
namespace {

// 0 and 1 are words of the wire, see CostMatrix.
std::uint64_t cost_to_wire(model::Cost cost) {
    if (cost == model::kNoWay) {
        return 0;
    }
    return cost == model::kCostUnknown ? 1 : cost + 2;
}

void set_head(const model::UnitPath& unit, v1::UnitPath& out) {
    out.set_outcome(to_wire(unit.outcome));
    out.set_reason(to_wire(unit.reason));
    out.set_bound_percent(unit.bound_percent);
    out.set_cost(unit.cost);
    out.set_length_cells(model::length_in_cells(unit.cost));
    out.set_path_hash(unit.path_hash);
}

void set_head(const model::NearestGoal& goal, v1::NearestGoal& out) {
    out.set_cost(goal.cost);
    out.set_length_cells(model::length_in_cells(goal.cost));
    out.set_path_hash(goal.path_hash);
}

void set_index(const model::UnitPath& unit, v1::UnitPath& out) {
    out.set_unit(unit.unit);
}

void set_index(const model::NearestGoal& goal, v1::NearestGoal& out) {
    out.set_goal(goal.goal);
}

std::int64_t difference(model::Cost cost, model::Cost from) {
    return static_cast<std::int64_t>(cost - from);
}

}  // namespace

SurveyCursor::SurveyCursor(model::RequestId id, model::SurveyAnswer answer, PathFormat format,
                           bool last)
    : id_(id), answer_(std::move(answer)), format_(format), last_(last) {
    OUTRIDER_CHECK(answer_.result != nullptr);
}

// Writes the next part of a body of each kind; true when the body is written.
struct SurveyCursor::Writer {
    SurveyCursor& at;
    v1::SurveyReply& out;

    bool operator()(const model::GroupPaths& body) const {
        return write_ways(body.units, *out.mutable_group()->mutable_units());
    }
    bool operator()(const model::NearestGoals& body) const {
        return write_ways(body.goals, *out.mutable_nearest()->mutable_goals());
    }
    bool operator()(const model::Reach& body) const {
        v1::Reach& wire = *out.mutable_reach();
        if (!at.started_) {
            wire.set_cost_max(body.cost_max);
        }
        const std::size_t end = std::min(body.runs.size(), at.items_done_ + kRunsPerPart);
        for (; at.items_done_ < end; ++at.items_done_) {
            const model::Run& run = body.runs[at.items_done_];
            wire.add_runs(static_cast<std::uint32_t>(run.y - at.last_row_));
            wire.add_runs(static_cast<std::uint32_t>(run.x));
            wire.add_runs(static_cast<std::uint32_t>(run.length));
            at.last_row_ = run.y;
            at.cells_done_ += static_cast<std::size_t>(run.length);
        }
        const std::size_t costs_end =
            std::min({body.costs.size(), at.cells_done_, at.costs_done_ + kCostsPerPart});
        for (; at.costs_done_ < costs_end; ++at.costs_done_) {
            add_cost(body.costs[at.costs_done_], *wire.mutable_cost_deltas());
        }
        return at.items_done_ == body.runs.size() && at.costs_done_ == body.costs.size();
    }
    bool operator()(const model::CostMatrix& body) const {
        v1::CostMatrix& wire = *out.mutable_matrix();
        const std::size_t end = std::min(body.costs.size(), at.costs_done_ + kCostsPerPart);
        for (; at.costs_done_ < end; ++at.costs_done_) {
            wire.add_costs(cost_to_wire(body.costs[at.costs_done_]));
        }
        return at.costs_done_ == body.costs.size();
    }
    bool operator()(const model::FieldArrows& body) const {
        v1::FieldArrows& wire = *out.mutable_field();
        // What ended before it began has no cells, whatever its rectangle.
        if (!at.started_ && !body.steps.empty()) {
            to_wire(body.rect, *wire.mutable_rect());
        }
        const std::size_t end = std::min(body.steps.size(), at.items_done_ + kStepBytesPerPart);
        wire.mutable_steps()->assign(
            reinterpret_cast<const char*>(body.steps.data()) + at.items_done_,
            end - at.items_done_);
        at.items_done_ = end;
        const std::size_t cells = std::min(body.costs.size(), 2 * at.items_done_);
        std::size_t written = 0;
        for (; at.costs_done_ < cells && written < kCostsPerPart; ++at.costs_done_) {
            if (model::leads(body.step(at.costs_done_))) {
                add_cost(body.costs[at.costs_done_], *wire.mutable_cost_deltas());
                ++written;
            }
        }
        return at.items_done_ == body.steps.size() && at.costs_done_ == body.costs.size();
    }
    bool operator()(const model::Connection& body) const {
        out.mutable_connected()->set_connected(body.connected);
        return true;
    }
    bool operator()(const model::Sight& body) const {
        out.mutable_sight()->set_clear(body.clear);
        return true;
    }

  private:
    void add_cost(model::Cost cost, google::protobuf::RepeatedField<std::int64_t>& deltas) const {
        deltas.Add(difference(cost, at.last_cost_));
        at.last_cost_ = cost;
    }

    template <class Way, class Wire>
    bool write_ways(const std::vector<Way>& ways,
                    google::protobuf::RepeatedPtrField<Wire>& wire) const {
        std::size_t points_left = kPointsPerPart;
        for (std::size_t n = 0; n < kWaysPerPart && points_left > 0; ++n) {
            if (at.items_done_ == ways.size()) {
                return true;
            }
            const Way& way = ways[at.items_done_];
            Wire& piece = *wire.Add();
            set_index(way, piece);
            if (at.place_.done == 0) {
                set_head(way, piece);
            }
            if (!way.turning_points.empty()) {
                points_left -= write_points({way.turning_points, at.format_}, at.place_,
                                            points_left, *piece.mutable_path()->mutable_deltas());
            }
            if (at.place_.done < way.turning_points.size()) {
                piece.set_more(true);
                return false;
            }
            at.place_ = {};
            ++at.items_done_;
        }
        return at.items_done_ == ways.size();
    }
};

void ReplyEncoder::survey_part(SurveyCursor& cursor, Output& out) {
    OUTRIDER_CHECK(!cursor.done_);
    const model::SurveyResult& result = *cursor.answer_.result;
    auto& message = state_->fresh(cursor.id_);
    v1::SurveyReply& wire = *message.mutable_survey();
    if (!cursor.started_ || std::holds_alternative<model::GroupPaths>(result.body)) {
        wire.set_outcome(to_wire(result.outcome));
        wire.set_version(cursor.answer_.version);
        wire.set_expansions(result.expansions);
    }
    cursor.done_ = std::visit(SurveyCursor::Writer{cursor, wire}, result.body);
    cursor.started_ = true;
    wire.set_last(cursor.done_ && cursor.last_);
    write_message(message, out);
}

}  // namespace outrider::codec
