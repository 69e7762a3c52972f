#include "outrider/codec/survey_request.hpp"

#include <limits>
#include <string>
#include <utility>

#include "outrider/base/limits.hpp"

namespace outrider::codec {
namespace {

namespace limits = base::limits;
using Cells = std::vector<model::Cell>;
using Query = decltype(model::Survey::query);

// A count in a sentence: "holds 5 cells; send 1 to 4".
std::unexpected<model::Refusal> wrong_count(std::string field, std::int64_t count,
                                            std::string_view things, std::size_t count_max) {
    return invalid(std::move(field), "holds " + std::to_string(count) + " " + std::string(things) +
                                         "; send 1 to " + std::to_string(count_max));
}

void write_cell(model::Cell cell, v1::Cell& out) {
    out.set_x(cell.x);
    out.set_y(cell.y);
}

void write_cells(const Cells& cells, v1::PackedCells& out) {
    auto& deltas = *out.mutable_deltas();
    deltas.Reserve(static_cast<int>(2 * cells.size()));
    model::Cell last;
    for (const model::Cell cell : cells) {
        // A step of more than 31 bits wraps, and the far end refuses where it leads.
        deltas.Add(static_cast<std::int32_t>(std::int64_t{cell.x} - last.x));
        deltas.Add(static_cast<std::int32_t>(std::int64_t{cell.y} - last.y));
        last = cell;
    }
}

// Any number of cells up to `count_max`.
Checked<Cells> read_cells(const v1::PackedCells& in, const std::string& field,
                          std::size_t count_max) {
    const auto numbers = static_cast<std::size_t>(in.deltas_size());
    if (numbers % 2 != 0) {
        return invalid(field + ".deltas", "holds an odd number of deltas; send x and y of each");
    }
    if (numbers / 2 > count_max) {
        return wrong_count(field, static_cast<std::int64_t>(numbers / 2), "cells", count_max);
    }
    Cells cells;
    cells.reserve(numbers / 2);
    std::int64_t x = 0;
    std::int64_t y = 0;
    for (int i = 0; i < in.deltas_size(); i += 2) {
        x += in.deltas(i);
        y += in.deltas(i + 1);
        if (!std::in_range<std::int32_t>(x) || !std::in_range<std::int32_t>(y)) {
            return invalid(field + ".deltas",
                           "lead cell " + std::to_string(i / 2) + " out of the range of 32 bits");
        }
        cells.push_back({static_cast<std::int32_t>(x), static_cast<std::int32_t>(y)});
    }
    return cells;
}

Checked<Cells> read_some_cells(const v1::PackedCells& in, const std::string& field,
                               std::size_t count_max) {
    if (in.deltas_size() == 0) {
        return wrong_count(field, 0, "cells", count_max);
    }
    return read_cells(in, field, count_max);
}

std::unexpected<model::Refusal> missing(std::string field, const std::string& cure) {
    return invalid(std::move(field), "is missing; send " + cure);
}

// --- one function a kind of question: to the wire

void write(const model::GroupQuery& query, PathFormat format, v1::SurveyRequest& out) {
    v1::GroupQuery& wire = *out.mutable_group();
    write_cells(query.starts, *wire.mutable_starts());
    to_wire(query.goal, *wire.mutable_goal());
    wire.set_own_ends(query.own_ends);
    if (!query.formation.empty()) {
        write_cells(query.formation, *wire.mutable_formation());
    }
    wire.set_allow_partial(query.allow_partial);
    wire.set_leave_blocked_start(query.leave_blocked_start);
    wire.set_format(to_wire(format));
}

void write(const model::NearestQuery& query, PathFormat format, v1::SurveyRequest& out) {
    v1::NearestQuery& wire = *out.mutable_nearest();
    write_cell(query.start, *wire.mutable_start());
    for (const model::Goal& goal : query.goals) {
        to_wire(goal, *wire.add_goals());
    }
    wire.set_count(query.count);
    wire.set_leave_blocked_start(query.leave_blocked_start);
    wire.set_format(to_wire(format));
}

void write(const model::ReachQuery& query, PathFormat, v1::SurveyRequest& out) {
    v1::ReachQuery& wire = *out.mutable_reach();
    write_cells(query.starts, *wire.mutable_starts());
    wire.set_cost_max(query.cost_max);
    wire.set_costs(query.costs);
    wire.set_leave_blocked_start(query.leave_blocked_start);
}

void write(const model::MatrixQuery& query, PathFormat, v1::SurveyRequest& out) {
    write_cells(query.from, *out.mutable_matrix()->mutable_from());
    write_cells(query.to, *out.mutable_matrix()->mutable_to());
}

void write(const model::FieldQuery& query, PathFormat, v1::SurveyRequest& out) {
    v1::FieldQuery& wire = *out.mutable_field();
    to_wire(query.goal, *wire.mutable_goal());
    to_wire(query.rect, *wire.mutable_rect());
    wire.set_costs(query.costs);
}

void write(const model::ConnectedQuery& query, PathFormat, v1::SurveyRequest& out) {
    v1::ConnectedQuery& wire = *out.mutable_connected();
    write_cell(query.start, *wire.mutable_start());
    to_wire(query.goal, *wire.mutable_goal());
    wire.set_leave_blocked_start(query.leave_blocked_start);
}

void write(const model::SightQuery& query, PathFormat, v1::SurveyRequest& out) {
    write_cell(query.from, *out.mutable_sight()->mutable_from());
    write_cell(query.to, *out.mutable_sight()->mutable_to());
}

// --- and from it

Checked<Query> read(const v1::GroupQuery& in) {
    constexpr std::size_t kUnitsMax = limits::kUnitsPerGroupMax;
    auto starts = read_some_cells(in.starts(), "survey.group.starts", kUnitsMax);
    if (!starts) {
        return std::unexpected(std::move(starts).error());
    }
    if (!in.has_goal()) {
        return missing("survey.group.goal", "where the units are to go");
    }
    const auto goal = from_wire(in.goal(), "survey.group.goal");
    if (!goal) {
        return std::unexpected(goal.error());
    }
    auto formation = read_cells(in.formation(), "survey.group.formation", kUnitsMax);
    if (!formation) {
        return std::unexpected(std::move(formation).error());
    }
    if (!formation->empty() && formation->size() != starts->size()) {
        return invalid("survey.group.formation",
                       "holds " + std::to_string(formation->size()) + " places for " +
                           std::to_string(starts->size()) + " starts; send one each, or none");
    }
    return model::GroupQuery{.starts = *std::move(starts),
                             .goal = *goal,
                             .own_ends = in.own_ends(),
                             .formation = *std::move(formation),
                             .allow_partial = in.allow_partial(),
                             .leave_blocked_start = in.leave_blocked_start()};
}

Checked<Query> read(const v1::NearestQuery& in) {
    if (!in.has_start()) {
        return missing("survey.nearest.start", "the cell where the unit stands");
    }
    if (in.goals_size() == 0 ||
        static_cast<std::size_t>(in.goals_size()) > limits::kGoalsPerNearestMax) {
        return wrong_count("survey.nearest.goals", in.goals_size(), "goals",
                           limits::kGoalsPerNearestMax);
    }
    model::NearestQuery query{.start = {in.start().x(), in.start().y()},
                              .goals = {},
                              .count = in.count() == 0 ? 1 : in.count(),
                              .leave_blocked_start = in.leave_blocked_start()};
    query.goals.reserve(static_cast<std::size_t>(in.goals_size()));
    for (int i = 0; i < in.goals_size(); ++i) {
        const auto goal = from_wire(in.goals(i), "survey.nearest.goals[" + std::to_string(i) + "]");
        if (!goal) {
            return std::unexpected(goal.error());
        }
        query.goals.push_back(*goal);
    }
    return query;
}

Checked<Query> read(const v1::ReachQuery& in) {
    auto starts = read_some_cells(in.starts(), "survey.reach.starts", limits::kStartsPerReachMax);
    if (!starts) {
        return std::unexpected(std::move(starts).error());
    }
    if (in.cost_max() >= model::kCostUnknown) {
        return invalid("survey.reach.cost_max",
                       "is no cost; send at most " + std::to_string(model::kCostUnknown - 1));
    }
    return model::ReachQuery{.starts = *std::move(starts),
                             .cost_max = in.cost_max(),
                             .costs = in.costs(),
                             .leave_blocked_start = in.leave_blocked_start()};
}

Checked<Query> read(const v1::MatrixQuery& in) {
    auto from = read_some_cells(in.from(), "survey.matrix.from", limits::kMatrixSideMax);
    if (!from) {
        return std::unexpected(std::move(from).error());
    }
    auto to = read_some_cells(in.to(), "survey.matrix.to", limits::kMatrixSideMax);
    if (!to) {
        return std::unexpected(std::move(to).error());
    }
    if (from->size() * to->size() > limits::kMatrixCellsMax) {
        return invalid("survey.matrix", "asks for " + std::to_string(from->size() * to->size()) +
                                            " costs; ask for at most " +
                                            std::to_string(limits::kMatrixCellsMax));
    }
    return model::MatrixQuery{*std::move(from), *std::move(to)};
}

Checked<model::Rect> read_field_rect(const v1::Rect& in) {
    constexpr auto kSideMax = static_cast<std::uint32_t>(limits::kMapSideMax);
    const std::string range = "send 1 to " + std::to_string(kSideMax);
    if (in.width() < 1 || in.width() > kSideMax) {
        return invalid("survey.field.rect.width",
                       "is " + std::to_string(in.width()) + "; " + range);
    }
    if (in.height() < 1 || in.height() > kSideMax) {
        return invalid("survey.field.rect.height",
                       "is " + std::to_string(in.height()) + "; " + range);
    }
    const model::Rect rect{in.x(), in.y(), static_cast<std::int32_t>(in.width()),
                           static_cast<std::int32_t>(in.height())};
    if (rect.area() > limits::kFieldCellsMax) {
        return invalid("survey.field.rect", "covers " + std::to_string(rect.area()) +
                                                " cells; ask for at most " +
                                                std::to_string(limits::kFieldCellsMax));
    }
    return rect;
}

Checked<Query> read(const v1::FieldQuery& in) {
    if (!in.has_goal()) {
        return missing("survey.field.goal", "where the steps are to lead");
    }
    const auto goal = from_wire(in.goal(), "survey.field.goal");
    if (!goal) {
        return std::unexpected(goal.error());
    }
    if (!in.has_rect()) {
        return missing("survey.field.rect", "the cells whose steps you want");
    }
    const auto rect = read_field_rect(in.rect());
    if (!rect) {
        return std::unexpected(rect.error());
    }
    return model::FieldQuery{*goal, *rect, in.costs()};
}

Checked<Query> read(const v1::ConnectedQuery& in) {
    if (!in.has_start()) {
        return missing("survey.connected.start", "the cell where the unit stands");
    }
    if (!in.has_goal()) {
        return missing("survey.connected.goal", "where the unit is to go");
    }
    const auto goal = from_wire(in.goal(), "survey.connected.goal");
    if (!goal) {
        return std::unexpected(goal.error());
    }
    return model::ConnectedQuery{{in.start().x(), in.start().y()}, *goal, in.leave_blocked_start()};
}

Checked<Query> read(const v1::SightQuery& in) {
    if (!in.has_from()) {
        return missing("survey.sight.from", "the cell to look from");
    }
    if (!in.has_to()) {
        return missing("survey.sight.to", "the cell to look at");
    }
    return model::SightQuery{{in.from().x(), in.from().y()}, {in.to().x(), in.to().y()}};
}

Checked<Query> read_query(const v1::SurveyRequest& in) {
    switch (in.query_case()) {
        case v1::SurveyRequest::kGroup: return read(in.group());
        case v1::SurveyRequest::kNearest: return read(in.nearest());
        case v1::SurveyRequest::kReach: return read(in.reach());
        case v1::SurveyRequest::kMatrix: return read(in.matrix());
        case v1::SurveyRequest::kField: return read(in.field());
        case v1::SurveyRequest::kConnected: return read(in.connected());
        case v1::SurveyRequest::kSight: return read(in.sight());
        case v1::SurveyRequest::QUERY_NOT_SET: break;
    }
    return invalid("survey.query",
                   "is no question that this server knows; send group, nearest, reach, matrix, "
                   "field, connected or sight");
}

Checked<PathFormat> read_format(const v1::SurveyRequest& in) {
    const bool is_nearest = in.query_case() == v1::SurveyRequest::kNearest;
    const auto format = from_wire(is_nearest ? in.nearest().format() : in.group().format());
    if (!format) {
        return invalid(is_nearest ? "survey.nearest.format" : "survey.group.format",
                       "is unknown to this server");
    }
    return *format;
}

}  // namespace

void to_wire(const SurveyRequest& request, v1::SurveyRequest& out) {
    out.set_map_id(request.map.value);
    out.set_map_name(request.map_name);
    out.set_class_id(request.survey.movement_class.value);
    out.set_class_name(request.class_name);
    out.set_expansions_max(request.survey.expansions_max);
    out.set_deadline_us(request.deadline_us);
    out.set_priority(to_wire(request.priority));
    std::visit([&](const auto& query) { write(query, request.format, out); }, request.survey.query);
}

Checked<SurveyRequest> from_wire(const v1::SurveyRequest& request) {
    if (auto ok = check_addressee(request, "survey"); !ok) {
        return std::unexpected(std::move(ok).error());
    }
    auto query = read_query(request);
    if (!query) {
        return std::unexpected(std::move(query).error());
    }
    const auto priority = from_wire(request.priority());
    if (!priority) {
        return invalid("survey.priority", "is unknown to this server");
    }
    const auto format = read_format(request);
    if (!format) {
        return std::unexpected(format.error());
    }
    return SurveyRequest{
        .map = {request.map_id()},
        .map_name = request.map_name(),
        .class_name = request.class_name(),
        .survey = {.movement_class = {static_cast<std::uint16_t>(request.class_id())},
                   .expansions_max = request.expansions_max(),
                   .query = *std::move(query)},
        .priority = *priority,
        .deadline_us = request.deadline_us(),
        .format = *format};
}

}  // namespace outrider::codec
