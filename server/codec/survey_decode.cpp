#include "outrider/codec/survey_decode.hpp"

#include <utility>

namespace outrider::codec {
namespace {

using Body = decltype(SurveyPart::body);

model::Cost cost_from_wire(std::uint64_t cost) {
    switch (cost) {
        case 0: return model::kNoWay;
        case 1: return model::kCostUnknown;
        default: return cost - 2;
    }
}

Checked<WayPart> read_way(const v1::UnitPath& in) {
    auto steps = steps_from_wire(in.path(), "survey.group.units.path.deltas");
    if (!steps) {
        return std::unexpected(std::move(steps).error());
    }
    WayPart way{in.unit(), std::nullopt, *std::move(steps), in.more()};
    if (in.outcome() == v1::OUTCOME_UNSPECIFIED) {
        return way;
    }
    const auto outcome = from_wire(in.outcome());
    const auto reason = from_wire(in.reason());
    if (!outcome || !reason) {
        return invalid(outcome ? "survey.group.units.reason" : "survey.group.units.outcome",
                       "is unknown to this client");
    }
    way.head = WayHead{*outcome, *reason, in.bound_percent(), in.cost(), in.path_hash()};
    return way;
}

Checked<WayPart> read_way(const v1::NearestGoal& in) {
    auto steps = steps_from_wire(in.path(), "survey.nearest.goals.path.deltas");
    if (!steps) {
        return std::unexpected(std::move(steps).error());
    }
    WayHead head;
    head.cost = in.cost();
    head.path_hash = in.path_hash();
    return WayPart{in.goal(), head, *std::move(steps), in.more()};
}

template <class Part, class Wire>
Checked<Body> read_ways(const google::protobuf::RepeatedPtrField<Wire>& in) {
    Part part;
    part.ways.reserve(static_cast<std::size_t>(in.size()));
    for (const Wire& wire : in) {
        auto way = read_way(wire);
        if (!way) {
            return std::unexpected(std::move(way).error());
        }
        part.ways.push_back(*std::move(way));
    }
    return part;
}

Checked<Body> read(const v1::Reach& in) {
    if (in.runs_size() % 3 != 0) {
        return invalid("survey.reach.runs", "holds a run of less than three numbers");
    }
    ReachPart part{in.cost_max(), {}, {in.cost_deltas().begin(), in.cost_deltas().end()}};
    part.runs.reserve(static_cast<std::size_t>(in.runs_size() / 3));
    for (int i = 0; i < in.runs_size(); i += 3) {
        for (int j = 0; j < 3; ++j) {
            if (!std::in_range<std::int32_t>(in.runs(i + j))) {
                return invalid("survey.reach.runs", "holds a number that does not fit 31 bits");
            }
        }
        part.runs.push_back({static_cast<std::int32_t>(in.runs(i)),
                             static_cast<std::int32_t>(in.runs(i + 1)),
                             static_cast<std::int32_t>(in.runs(i + 2))});
    }
    return part;
}

Checked<Body> read(const v1::CostMatrix& in) {
    MatrixPart part;
    part.costs.reserve(static_cast<std::size_t>(in.costs_size()));
    for (const std::uint64_t cost : in.costs()) {
        part.costs.push_back(cost_from_wire(cost));
    }
    return part;
}

Checked<Body> read(const v1::FieldArrows& in) {
    FieldPart part;
    if (in.has_rect()) {
        const auto rect = from_wire(in.rect(), "survey.field.rect");
        if (!rect) {
            return std::unexpected(rect.error());
        }
        part.rect = *rect;
    }
    part.steps.assign(in.steps().begin(), in.steps().end());
    part.cost_deltas.assign(in.cost_deltas().begin(), in.cost_deltas().end());
    return part;
}

Checked<Body> read_body(const v1::SurveyReply& in) {
    switch (in.body_case()) {
        case v1::SurveyReply::kGroup: return read_ways<GroupPart>(in.group().units());
        case v1::SurveyReply::kNearest: return read_ways<NearestPart>(in.nearest().goals());
        case v1::SurveyReply::kReach: return read(in.reach());
        case v1::SurveyReply::kMatrix: return read(in.matrix());
        case v1::SurveyReply::kField: return read(in.field());
        case v1::SurveyReply::kConnected: return model::Connection{in.connected().connected()};
        case v1::SurveyReply::kSight: return model::Sight{in.sight().clear()};
        case v1::SurveyReply::BODY_NOT_SET: break;
    }
    return std::monostate{};
}

}  // namespace

Checked<std::vector<model::Cell>> steps_from_wire(const v1::PackedCells& in, const char* field) {
    if (in.deltas_size() % 2 != 0) {
        return invalid(field, "holds an odd number of deltas");
    }
    std::vector<model::Cell> steps;
    steps.reserve(static_cast<std::size_t>(in.deltas_size() / 2));
    for (int i = 0; i < in.deltas_size(); i += 2) {
        steps.push_back({in.deltas(i), in.deltas(i + 1)});
    }
    return steps;
}

Checked<SurveyPart> from_wire(const v1::SurveyReply& in) {
    SurveyPart part{std::nullopt, in.last(), {}};
    if (in.outcome() != v1::OUTCOME_UNSPECIFIED) {
        const auto outcome = from_wire(in.outcome());
        if (!outcome) {
            return invalid("survey.outcome", "is unknown to this client");
        }
        part.head = SurveyHead{*outcome, in.version(), in.expansions()};
    }
    auto body = read_body(in);
    if (!body) {
        return std::unexpected(std::move(body).error());
    }
    part.body = *std::move(body);
    return part;
}

}  // namespace outrider::codec
