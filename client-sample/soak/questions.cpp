#include "soak/questions.hpp"

#include <algorithm>

#include "cli/path_check.hpp"
#include "outrider/base/check.hpp"
#include "outrider/model/cost.hpp"
#include "outrider/search/survey.hpp"

namespace outrider::soak {
namespace {

constexpr std::uint64_t kKinds = 7;
// A player's group, a base's resource fields, a threat range, a squad's table, a screen's field.
constexpr std::int32_t kUnitsMax = 64;
constexpr std::int32_t kGoalsMax = 16;
constexpr std::int32_t kReachStepsMax = 24;
constexpr std::int32_t kMatrixMax = 6;
constexpr std::int32_t kFieldSide = 48;

model::Cost plain_steps(std::int32_t steps) {
    return static_cast<model::Cost>(steps) * model::kCostPerCell;
}

void sort_units(model::SurveyResult& result) {
    if (auto* paths = std::get_if<model::GroupPaths>(&result.body)) {
        std::ranges::sort(paths->units, {}, &model::UnitPath::unit);
    }
}

template <class Way>
void forget_ways(std::vector<Way>& ways) {
    for (Way& way : ways) {
        way.turning_points.clear();
        way.path_hash = 0;
    }
}

// Which of several equally good ways the server takes may depend on landmarks, which it has and we
// have not: so ways are walked here, and only the rest is compared with our own answer.
struct Ways {
    const map::Layer& layer;
    const model::Survey& survey;

    [[nodiscard]] std::optional<std::string> fault_in(const model::GroupPaths& answer) const {
        const auto& group = std::get<model::GroupQuery>(survey.query);
        for (const model::UnitPath& unit : answer.units) {
            if (unit.unit >= group.starts.size()) {
                return "unit " + std::to_string(unit.unit) + " was not asked for";
            }
            if (auto fault = fault_of(cli::path_of(unit), group.starts[unit.unit], group.goal,
                                      group.leave_blocked_start)) {
                return "unit " + std::to_string(unit.unit) + ": " + *fault;
            }
        }
        return std::nullopt;
    }
    [[nodiscard]] std::optional<std::string> fault_in(const model::NearestGoals& answer) const {
        const auto& nearest = std::get<model::NearestQuery>(survey.query);
        for (const model::NearestGoal& goal : answer.goals) {
            if (goal.goal >= nearest.goals.size()) {
                return "goal " + std::to_string(goal.goal) + " was not asked for";
            }
            if (auto fault = fault_of(cli::path_of(goal), nearest.start, nearest.goals[goal.goal],
                                      nearest.leave_blocked_start)) {
                return "goal " + std::to_string(goal.goal) + ": " + *fault;
            }
        }
        return std::nullopt;
    }
    [[nodiscard]] std::optional<std::string> fault_in(const auto&) const { return std::nullopt; }

  private:
    [[nodiscard]] std::optional<std::string> fault_of(const model::PathResult& path,
                                                      model::Cell start, const model::Goal& goal,
                                                      bool leave_blocked_start) const {
        model::PathQuery query;
        query.start = start;
        query.goal = goal;
        query.leave_blocked_start = leave_blocked_start;
        return cli::path_fault(layer, query, path);
    }
};

void forget_ways(model::SurveyResult& result) {
    if (auto* group = std::get_if<model::GroupPaths>(&result.body)) {
        forget_ways(group->units);
    } else if (auto* nearest = std::get_if<model::NearestGoals>(&result.body)) {
        forget_ways(nearest->goals);
    }
}

}  // namespace

Questions::Questions(const map::Layer& layer, std::uint64_t seed)
    : width_(layer.width()), height_(layer.height()), dice_(seed) {
    for (std::int32_t y = 0; y < height_; ++y) {
        for (std::int32_t x = 0; x < width_; ++x) {
            if (layer.open({x, y})) {
                open_.push_back({x, y});
            }
        }
    }
    OUTRIDER_CHECK(!open_.empty());
}

model::Cell Questions::open_cell() {
    return open_[dice_.below(open_.size())];
}

std::vector<model::Cell> Questions::open_cells(std::int32_t least, std::int32_t most) {
    std::vector<model::Cell> cells(static_cast<std::size_t>(dice_.between(least, most)));
    std::ranges::generate(cells, [this] { return open_cell(); });
    return cells;
}

model::Goal Questions::goal() {
    const model::Cell cell = open_cell();
    return {{cell.x, cell.y, 1, 1}, 0};
}

model::Survey Questions::next() {
    model::Survey survey;
    switch (dice_.below(kKinds)) {
        case 0:
            survey.query = model::GroupQuery{
                .starts = open_cells(1, kUnitsMax), .goal = goal(), .formation = {}};
            break;
        case 1: {
            std::vector<model::Goal> goals(static_cast<std::size_t>(dice_.between(1, kGoalsMax)));
            std::ranges::generate(goals, [this] { return goal(); });
            survey.query =
                model::NearestQuery{.start = open_cell(), .goals = std::move(goals), .count = 3};
            break;
        }
        case 2:
            survey.query =
                model::ReachQuery{.starts = open_cells(1, 4),
                                  .cost_max = plain_steps(dice_.between(1, kReachStepsMax)),
                                  .costs = dice_.chance(0.5)};
            break;
        case 3:
            survey.query = model::MatrixQuery{open_cells(1, kMatrixMax), open_cells(1, kMatrixMax)};
            break;
        case 4: {
            const model::Cell corner = open_cell();
            survey.query = model::FieldQuery{.goal = goal(),
                                             .rect = {corner.x, corner.y, kFieldSide, kFieldSide},
                                             .costs = dice_.chance(0.5)};
            break;
        }
        case 5: survey.query = model::ConnectedQuery{.start = open_cell(), .goal = goal()}; break;
        default: survey.query = model::SightQuery{open_cell(), open_cell()}; break;
    }
    return survey;
}

model::PathQuery Questions::long_way() {
    model::PathQuery query;
    query.algorithm = model::Algorithm::kDijkstra;
    query.start = open_cell();
    query.goal = goal();
    return query;
}

std::optional<std::string> fault_of(const map::Layer& layer, const model::Survey& survey,
                                    model::SurveyResult answer) {
    model::SurveyResult own = search::run(layer, survey);
    sort_units(own);
    sort_units(answer);
    const std::string kind{model::name_of(survey)};
    if (own.outcome != answer.outcome) {
        return kind + ": the outcome is " + std::string(model::name_of(answer.outcome)) + ", not " +
               std::string(model::name_of(own.outcome));
    }
    const Ways ways{layer, survey};
    if (auto fault =
            std::visit([&](const auto& body) { return ways.fault_in(body); }, answer.body)) {
        return kind + ": " + *fault;
    }
    forget_ways(own);
    forget_ways(answer);
    if (own.body != answer.body) {
        return kind + ": another answer than our own search gives";
    }
    return std::nullopt;
}

}  // namespace outrider::soak
