#include "cli/survey_report.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/path_report.hpp"
#include "outrider/model/cost.hpp"

namespace outrider::cli {
namespace {

using Json = nlohmann::ordered_json;

template <class... Numbers>
std::string text(const char* format, Numbers... numbers) {
    std::array<char, 256> line{};
    std::snprintf(line.data(), line.size(), format, numbers...);
    return line.data();
}

Json json_of_cost(model::Cost cost) {
    if (cost == model::kNoWay) {
        return nullptr;
    }
    return cost == model::kCostUnknown ? Json("unknown") : Json(cost);
}

std::string length_text(model::Cost cost) {
    if (cost == model::kNoWay) {
        return "-";
    }
    return cost == model::kCostUnknown ? "?" : text("%.2f", model::length_in_cells(cost));
}

std::size_t cells_in(const model::Reach& reach) {
    std::size_t cells = 0;
    for (const model::Run& run : reach.runs) {
        cells += static_cast<std::size_t>(run.length);
    }
    return cells;
}

std::size_t arrivals_in(const model::GroupPaths& group) {
    return static_cast<std::size_t>(
        std::ranges::count(group.units, model::Outcome::kComplete, &model::UnitPath::outcome));
}

const model::Goal& goal_of(const Surveyed& surveyed, std::uint32_t index) {
    return std::get<model::NearestQuery>(surveyed.survey.query).goals.at(index);
}

// What of a summary differs from kind to kind.
struct Words {
    const Surveyed& surveyed;

    std::string operator()(const model::GroupPaths& group) const {
        return text("%zu of %zu units have a way, the first after %.2f ms", arrivals_in(group),
                    std::get<model::GroupQuery>(surveyed.survey.query).starts.size(),
                    surveyed.first_ms);
    }
    std::string operator()(const model::NearestGoals& nearest) const {
        return text("%zu of %zu goals named", nearest.goals.size(),
                    std::get<model::NearestQuery>(surveyed.survey.query).goals.size());
    }
    std::string operator()(const model::Reach& reach) const {
        return text("%zu cells within a length of %.2f cells", cells_in(reach),
                    model::length_in_cells(reach.cost_max));
    }
    std::string operator()(const model::CostMatrix& matrix) const {
        return text("%zu costs", matrix.costs.size());
    }
    std::string operator()(const model::FieldArrows& field) const {
        return text("steps of %lld cells", static_cast<long long>(field.rect.area()));
    }
    std::string operator()(const model::Connection& connection) const {
        return connection.connected ? "there is a way" : "there is no way";
    }
    std::string operator()(const model::Sight& sight) const {
        return sight.clear ? "nothing is in the way" : "something is in the way";
    }
};

// Lines before the summary.
std::string details_of(const Surveyed& surveyed) {
    std::string out;
    if (const auto* nearest = std::get_if<model::NearestGoals>(&surveyed.answer.result.body)) {
        for (const model::NearestGoal& goal : nearest->goals) {
            const model::Rect& rect = goal_of(surveyed, goal.goal).rect;
            out += text("%d,%d  length %s cells, cost %llu\n", rect.x, rect.y,
                        length_text(goal.cost).c_str(), static_cast<unsigned long long>(goal.cost));
        }
    } else if (const auto* matrix = std::get_if<model::CostMatrix>(&surveyed.answer.result.body)) {
        const std::size_t columns = std::get<model::MatrixQuery>(surveyed.survey.query).to.size();
        for (std::size_t i = 0; i < matrix->costs.size(); ++i) {
            out += text("%10s", length_text(matrix->costs[i]).c_str());
            out += (i + 1) % columns == 0 ? "\n" : " ";
        }
    }
    return out;
}

// Adds what differs from kind to kind.
struct JsonBody {
    const Surveyed& surveyed;
    Json& out;

    void operator()(const model::GroupPaths& group) const {
        out["arrived"] = arrivals_in(group);
        out["first_ms"] = surveyed.first_ms;
        Json units = Json::array();
        for (const model::UnitPath& unit : group.units) {
            units.push_back({{"unit", unit.unit},
                             {"outcome", model::name_of(unit.outcome)},
                             {"reason", model::name_of(unit.reason)},
                             {"cost", unit.cost},
                             {"length_cells", model::length_in_cells(unit.cost)},
                             {"bound_percent", unit.bound_percent},
                             {"path_hash", hash_text(unit.path_hash)},
                             {"turning_points", json_of_cells(unit.turning_points)}});
        }
        out["units"] = std::move(units);
    }
    void operator()(const model::NearestGoals& nearest) const {
        Json goals = Json::array();
        for (const model::NearestGoal& goal : nearest.goals) {
            goals.push_back({{"goal", goal.goal},
                             {"cost", goal.cost},
                             {"length_cells", model::length_in_cells(goal.cost)},
                             {"path_hash", hash_text(goal.path_hash)},
                             {"turning_points", json_of_cells(goal.turning_points)}});
        }
        out["goals"] = std::move(goals);
    }
    void operator()(const model::Reach& reach) const {
        out["cost_max"] = reach.cost_max;
        out["cells"] = cells_in(reach);
        Json runs = Json::array();
        for (const model::Run& run : reach.runs) {
            runs.push_back({run.y, run.x, run.length});
        }
        out["runs"] = std::move(runs);
        if (!reach.costs.empty()) {
            out["costs"] = reach.costs;
        }
    }
    void operator()(const model::CostMatrix& matrix) const {
        const std::size_t columns = std::get<model::MatrixQuery>(surveyed.survey.query).to.size();
        out["costs"] = rows_of(matrix.costs, columns);
    }
    void operator()(const model::FieldArrows& field) const {
        const auto width = static_cast<std::size_t>(std::max(field.rect.width, 1));
        out["rect"] = {field.rect.x, field.rect.y, field.rect.width, field.rect.height};
        Json rows = Json::array();
        const auto cells = static_cast<std::size_t>(field.rect.area());
        for (std::size_t cell = 0; cell < cells; ++cell) {
            if (cell % width == 0) {
                rows.push_back(std::string());
            }
            rows.back().get_ref<std::string&>() +=
                "0123456789abcdef"[static_cast<std::size_t>(field.step(cell)) % 16];
        }
        out["steps"] = std::move(rows);
        if (!field.costs.empty()) {
            out["costs"] = rows_of(field.costs, width);
        }
    }
    void operator()(const model::Connection& connection) const {
        out["connected"] = connection.connected;
    }
    void operator()(const model::Sight& sight) const { out["clear"] = sight.clear; }

  private:
    static Json rows_of(const std::vector<model::Cost>& costs, std::size_t columns) {
        Json rows = Json::array();
        for (std::size_t i = 0; i < costs.size(); ++i) {
            if (i % columns == 0) {
                rows.push_back(Json::array());
            }
            rows.back().push_back(json_of_cost(costs[i]));
        }
        return rows;
    }
};

}  // namespace

std::string summary_of(const Surveyed& surveyed) {
    const model::SurveyResult& result = surveyed.answer.result;
    return details_of(surveyed) + std::string(model::name_of(result.outcome)) + "  " +
           std::visit(Words{surveyed}, result.body) +
           text(", %llu expansions, version %llu, %.2f ms",
                static_cast<unsigned long long>(result.expansions),
                static_cast<unsigned long long>(surveyed.answer.version), surveyed.elapsed_ms);
}

std::string json_of(const Surveyed& surveyed) {
    const model::SurveyResult& result = surveyed.answer.result;
    Json json{{"outcome", model::name_of(result.outcome)},
              {"version", surveyed.answer.version},
              {"expansions", result.expansions},
              {"elapsed_ms", surveyed.elapsed_ms}};
    std::visit(JsonBody{surveyed, json}, result.body);
    return json.dump();
}

bool is_useful(const Surveyed& surveyed) {
    const model::SurveyResult& result = surveyed.answer.result;
    if (const auto* group = std::get_if<model::GroupPaths>(&result.body)) {
        return std::ranges::any_of(group->units, [](const model::UnitPath& unit) {
            return unit.outcome == model::Outcome::kComplete ||
                   unit.outcome == model::Outcome::kPartial;
        });
    }
    if (const auto* nearest = std::get_if<model::NearestGoals>(&result.body)) {
        return !nearest->goals.empty();
    }
    if (const auto* connection = std::get_if<model::Connection>(&result.body)) {
        return connection->connected;
    }
    if (const auto* sight = std::get_if<model::Sight>(&result.body)) {
        return sight->clear;
    }
    return result.outcome == model::Outcome::kComplete;
}

}  // namespace outrider::cli
