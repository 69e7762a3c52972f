#include "cli/path_report.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "outrider/model/cost.hpp"
#include "outrider/model/path.hpp"

namespace outrider::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string_view word_of(model::ExploredKind kind) {
    switch (kind) {
        case model::ExploredKind::kOpened: return "opened";
        case model::ExploredKind::kClosed: return "closed";
        case model::ExploredKind::kJumpPoint: return "jump_point";
    }
    return "";
}

Json json_of_explored(std::span<const model::Explored> explored) {
    Json list = Json::array();
    for (const model::Explored& item : explored) {
        list.push_back({{"x", item.cell.x},
                        {"y", item.cell.y},
                        {"kind", word_of(item.kind)},
                        {"g", item.g},
                        {"h", item.h}});
    }
    return list;
}

double cells_of(std::uint64_t sub_cells) {
    return static_cast<double>(sub_cells) / model::kCellSide;
}

Json json_of_smooth(const model::SmoothPath& smooth) {
    Json points = Json::array();
    for (const model::Point point : smooth.points) {
        points.push_back({point.x / double{model::kCellSide}, point.y / double{model::kCellSide}});
    }
    return {{"length_cells", cells_of(smooth.length)},
            {"cost", smooth.cost},
            {"hash", hash_text(smooth.hash)},
            {"points", std::move(points)}};
}

}  // namespace

nlohmann::ordered_json json_of_cells(std::span<const model::Cell> cells) {
    Json list = Json::array();
    for (const model::Cell cell : cells) {
        list.push_back({cell.x, cell.y});
    }
    return list;
}

namespace {

Json json_of_leg(const TimedLeg& leg) {
    const model::FirstLeg& first = leg.told.leg;
    return {{"version", leg.told.version},
            {"cost", first.cost},
            {"length_cells", model::length_in_cells(first.cost)},
            {"binding", first.binding},
            {"expansions", first.expansions},
            {"elapsed_ms", leg.elapsed_ms},
            {"turning_points", json_of_cells(first.turning_points)}};
}

}  // namespace

std::string hash_text(std::uint64_t hash) {
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
    return text;
}

std::string summary_of(const client::PathAnswer& answer, double elapsed_ms) {
    const model::PathResult& result = answer.result;
    char text[256];
    std::snprintf(text, sizeof text,
                  "%s  length %.2f cells, cost %llu, %llu expansions, %s, version %llu, %.2f ms",
                  std::string(model::name_of(result.outcome)).c_str(),
                  model::length_in_cells(result.cost), static_cast<unsigned long long>(result.cost),
                  static_cast<unsigned long long>(result.expansions),
                  std::string(model::name_of(result.algorithm)).c_str(),
                  static_cast<unsigned long long>(answer.version), elapsed_ms);
    std::string summary = text;
    if (!result.smooth.points.empty()) {
        std::snprintf(text, sizeof text, ", smooth %.2f cells in %zu lines",
                      cells_of(result.smooth.length), result.smooth.points.size() - 1);
        summary += text;
    }
    if (result.bound_percent > 100) {
        summary += ", at most " + std::to_string(result.bound_percent) + " % of the optimum";
    }
    return summary;
}

std::string advice_for(const client::PathAnswer& answer) {
    switch (answer.result.outcome) {
        case model::Outcome::kComplete: return "";
        case model::Outcome::kPartial:
            return "the path ends short of the goal, at the reachable cell nearest to it (" +
                   std::string(model::name_of(answer.result.reason)) + ")";
        case model::Outcome::kUnreachable: return "no way leads there; --partial goes near it";
        case model::Outcome::kStartBlocked:
            return "the start is blocked; --leave-blocked-start walks off it";
        case model::Outcome::kGoalBlocked: return "the goal is blocked; --partial goes near it";
        case model::Outcome::kBudget: return "the budget of expansions ran out";
        case model::Outcome::kDeadline: return "the deadline passed";
        case model::Outcome::kCancelled: return "the request was cancelled";
        case model::Outcome::kSuperseded: return "a newer order took its place";
    }
    return "";
}

std::string summary_of(const TimedLeg& leg) {
    const model::FirstLeg& first = leg.told.leg;
    const model::Cell end = first.turning_points.back();
    char text[160];
    std::snprintf(text, sizeof text,
                  "FIRST LEG  length %.2f cells to %d,%d, version %llu, %.2f ms; the path %s",
                  model::length_in_cells(first.cost), end.x, end.y,
                  static_cast<unsigned long long>(leg.told.version), leg.elapsed_ms,
                  first.binding ? "begins with it" : "may be another");
    return text;
}

std::string json_of(const client::PathAnswer& answer, double elapsed_ms, bool with_explored,
                    const std::optional<TimedLeg>& leg) {
    const model::PathResult& result = answer.result;
    const bool as_cells = !answer.cells.empty();
    Json json{{"outcome", model::name_of(result.outcome)},
              {"reason", model::name_of(result.reason)},
              {"arrived", answer.arrived()},
              {"version", answer.version},
              {"cost", result.cost},
              {"length_cells", model::length_in_cells(result.cost)},
              {"expansions", result.expansions},
              {"algorithm", model::name_of(result.algorithm)},
              {"bound_percent", result.bound_percent},
              {"path_hash", hash_text(result.path_hash)},
              {"elapsed_ms", elapsed_ms},
              {as_cells ? "cells" : "turning_points",
               json_of_cells(as_cells ? answer.cells : result.turning_points)}};
    if (!result.smooth.points.empty()) {
        json["smooth"] = json_of_smooth(result.smooth);
    }
    if (leg) {
        json["first_leg"] = json_of_leg(*leg);
    }
    if (with_explored) {
        json["explored"] = json_of_explored(result.explored);
    }
    return json.dump();
}

}  // namespace outrider::cli
