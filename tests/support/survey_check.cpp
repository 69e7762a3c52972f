#include "support/survey_check.hpp"

#include <iterator>
#include <tuple>

namespace outrider::test {
namespace {

using model::Cell;
using model::Cost;
using model::FieldStep;
using model::Outcome;
using model::SurveyResult;

bool cut_short(Outcome outcome) {
    return outcome == Outcome::kBudget || outcome == Outcome::kDeadline ||
           outcome == Outcome::kCancelled;
}

// The oracle of one survey.
class Judge {
  public:
    Judge(const EditedWorld& world, const SurveyResult& result)
        : grid_(world.weights()), mover_(world.mover()), result_(result) {}

    void operator()(const model::GroupQuery& query) const;
    void operator()(const model::NearestQuery& query) const;
    void operator()(const model::ReachQuery& query) const;
    void operator()(const model::MatrixQuery& query) const;
    void operator()(const model::FieldQuery& query) const;
    void operator()(const model::ConnectedQuery&) const {}
    void operator()(const model::SightQuery&) const {}

  private:
    template <class Visit>
    void for_each_cell(const model::Rect& rect, Visit visit) const {
        const model::Rect inside = model::intersect(rect, {0, 0, grid_.width, grid_.height});
        for (Cell cell{inside.x, inside.y}; cell.y < inside.end_y(); ++cell.y) {
            for (cell.x = inside.x; cell.x < inside.end_x(); ++cell.x) {
                visit(cell);
            }
        }
    }
    [[nodiscard]] model::Rect whole() const { return {0, 0, grid_.width, grid_.height}; }
    [[nodiscard]] Cost at(const std::vector<Cost>& costs, Cell cell) const {
        return costs[static_cast<std::size_t>(cell.y) * static_cast<std::size_t>(grid_.width) +
                     static_cast<std::size_t>(cell.x)];
    }
    static bool in_goal(const model::Goal& goal, Cell cell) {
        return distance_to(goal.rect, cell) <= Cost{goal.range} * model::kStraight;
    }
    // Whether a unit there can walk at all.
    [[nodiscard]] bool walks(Cell start, bool leave) const {
        if (grid_.open(start)) {
            return true;
        }
        const auto costs = costs_from(grid_, mover_, start);
        return leave && std::ranges::count_if(costs, [](Cost cost) { return cost != kNever; }) > 1;
    }
    [[nodiscard]] std::string fault(Cell start, Cost cost, const std::vector<Cell>& points,
                                    std::uint64_t hash) const {
        model::PathQuery query;
        query.start = start;
        model::PathResult path;
        path.cost = cost;
        path.turning_points = points;
        path.path_hash = hash;
        return fault_of_path(grid_, mover_, query, path);
    }
    void check_unit(const model::GroupQuery& query, const model::UnitPath& unit, bool ask) const;

    const WeightGrid& grid_;
    Mover mover_;
    const SurveyResult& result_;
};

void Judge::check_unit(const model::GroupQuery& query, const model::UnitPath& unit,
                       bool ask) const {
    const bool ends = unit.outcome == Outcome::kComplete || unit.outcome == Outcome::kPartial;
    if (ends) {
        ASSERT_EQ(fault(query.starts[unit.unit], unit.cost, unit.turning_points, unit.path_hash),
                  "");
        ASSERT_EQ(in_goal(query.goal, unit.turning_points.back()),
                  unit.outcome == Outcome::kComplete);
        ASSERT_EQ(unit.bound_percent, 100U);
    } else {
        ASSERT_TRUE(unit.turning_points.empty());
        ASSERT_EQ(unit.cost, 0U);
    }
    if (!ask || cut_short(unit.outcome)) {
        return;
    }
    model::PathQuery path;
    path.start = query.starts[unit.unit];
    path.goal = query.goal;
    path.allow_partial = query.allow_partial;
    path.leave_blocked_start = query.leave_blocked_start;
    const Expected expected = ask_oracle(grid_, mover_, path);
    ASSERT_EQ(unit.outcome, expected.outcome) << "unit " << unit.unit;
    ASSERT_EQ(unit.reason, expected.reason) << "unit " << unit.unit;
    ASSERT_EQ(unit.cost, expected.cost) << "unit " << unit.unit;
}

void Judge::operator()(const model::GroupQuery& query) const {
    const auto& units = std::get<model::GroupPaths>(result_.body).units;
    ASSERT_EQ(units.size(), query.starts.size());
    std::vector<bool> seen(units.size());
    std::pair<Cost, std::uint32_t> last{0, 0};
    for (std::size_t i = 0; i < units.size(); ++i) {
        ASSERT_FALSE(seen[units[i].unit]) << "unit " << units[i].unit << " has two answers";
        seen[units[i].unit] = true;
        ASSERT_NO_FATAL_FAILURE(check_unit(query, units[i], i % (1 + units.size() / 8) == 0));
        if (units[i].cost != 0) {
            ASSERT_LT(last, std::pair(units[i].cost, units[i].unit));
            last = {units[i].cost, units[i].unit};
        }
        if (cut_short(units[i].outcome)) {
            ASSERT_EQ(units[i].outcome, result_.outcome);
        }
    }
    ASSERT_TRUE(result_.outcome == Outcome::kComplete || cut_short(result_.outcome));
}

void Judge::operator()(const model::NearestQuery& query) const {
    const bool walks = this->walks(query.start, query.leave_blocked_start);
    const auto costs = costs_from(grid_, mover_, query.start);
    std::vector<std::pair<Cost, std::uint32_t>> expected;
    bool any_open = false;
    for (std::uint32_t goal = 0; goal < query.goals.size(); ++goal) {
        Cost least = kNever;
        for_each_cell(whole(), [&](Cell cell) {
            if (in_goal(query.goals[goal], cell)) {
                any_open = any_open || grid_.open(cell);
                if (cell == query.start || (walks && grid_.open(cell))) {
                    least = std::min(least, at(costs, cell));
                }
            }
        });
        if (least != kNever) {
            expected.emplace_back(least, goal);
        }
    }
    std::ranges::sort(expected);
    const auto& goals = std::get<model::NearestGoals>(result_.body).goals;
    const std::size_t wanted = std::min<std::size_t>(query.count, expected.size());
    if (cut_short(result_.outcome)) {
        ASSERT_LE(goals.size(), wanted);
    } else {
        ASSERT_EQ(goals.size(), wanted);
        const Outcome empty = !walks     ? Outcome::kStartBlocked
                              : any_open ? Outcome::kUnreachable
                                         : Outcome::kGoalBlocked;
        ASSERT_EQ(result_.outcome, wanted == 0 ? empty : Outcome::kComplete);
        const auto needed = std::ranges::count_if(
            costs, [&](Cost cost) { return wanted != 0 && cost <= expected[wanted - 1].first; });
        ASSERT_LE(result_.expansions, static_cast<std::uint64_t>(needed));
    }
    for (std::size_t i = 0; i < goals.size(); ++i) {
        ASSERT_EQ(std::pair(goals[i].cost, goals[i].goal), expected[i]);
        ASSERT_EQ(fault(query.start, goals[i].cost, goals[i].turning_points, goals[i].path_hash),
                  "");
        ASSERT_TRUE(in_goal(query.goals[goals[i].goal], goals[i].turning_points.back()));
    }
}

void Judge::operator()(const model::ReachQuery& query) const {
    std::vector<Cell> starts;
    std::ranges::copy_if(query.starts, std::back_inserter(starts),
                         [&](Cell start) { return walks(start, query.leave_blocked_start); });
    const auto& reach = std::get<model::Reach>(result_.body);
    if (starts.empty()) {
        ASSERT_EQ(result_.outcome, Outcome::kStartBlocked);
        return;
    }
    if (!cut_short(result_.outcome)) {
        ASSERT_EQ(result_.outcome, Outcome::kComplete);
        ASSERT_EQ(reach.cost_max, query.cost_max);
    }
    if (result_.outcome == Outcome::kCancelled) {
        ASSERT_TRUE(reach.runs.empty());
        return;
    }
    ASSERT_LE(reach.cost_max, query.cost_max);
    const auto costs = costs_from(grid_, mover_, starts);
    std::vector<model::Run> runs;
    std::vector<Cost> within;
    for_each_cell(whole(), [&](Cell cell) {
        if (at(costs, cell) > reach.cost_max) {
            return;
        }
        const bool goes_on = !runs.empty() && runs.back().y == cell.y &&
                             runs.back().x + runs.back().length == cell.x;
        if (goes_on) {
            ++runs.back().length;
        } else {
            runs.push_back({cell.y, cell.x, 1});
        }
        within.push_back(at(costs, cell));
    });
    ASSERT_EQ(reach.runs, runs);
    ASSERT_EQ(reach.costs, query.costs ? within : std::vector<Cost>{});
    if (result_.outcome == Outcome::kComplete) {
        ASSERT_LE(result_.expansions, within.size());
    }
}

void Judge::operator()(const model::MatrixQuery& query) const {
    const auto& costs = std::get<model::CostMatrix>(result_.body).costs;
    if (result_.outcome == Outcome::kCancelled) {
        ASSERT_TRUE(costs.empty());
        return;
    }
    ASSERT_EQ(costs.size(), query.from.size() * query.to.size());
    for (std::size_t i = 0; i < query.from.size(); ++i) {
        const Cell from = query.from[i];
        const auto expected = costs_from(grid_, mover_, from);
        for (std::size_t j = 0; j < query.to.size(); ++j) {
            const Cell to = query.to[j];
            const bool walked = from == to || grid_.open(from);
            const Cost cost =
                walked && at(expected, to) != kNever ? at(expected, to) : model::kNoWay;
            const Cost told = costs[i * query.to.size() + j];
            if (!cut_short(result_.outcome) || told != model::kCostUnknown) {
                ASSERT_EQ(told, cost) << "row " << i << " column " << j;
            }
        }
    }
}

void Judge::operator()(const model::FieldQuery& query) const {
    const auto& arrows = std::get<model::FieldArrows>(result_.body);
    std::vector<Cell> goals;
    for_each_cell(whole(), [&](Cell cell) {
        if (in_goal(query.goal, cell) && grid_.open(cell)) {
            goals.push_back(cell);
        }
    });
    if (!cut_short(result_.outcome)) {
        ASSERT_EQ(result_.outcome, goals.empty() ? Outcome::kGoalBlocked : Outcome::kComplete);
    } else if (arrows.rect.empty()) {
        return;
    }
    ASSERT_EQ(arrows.rect, model::intersect(query.rect, whole()));
    const auto costs = costs_from(grid_, mover_, goals);
    std::size_t index = 0;
    for_each_cell(query.rect, [&](Cell cell) {
        const FieldStep step = arrows.step(index);
        const Cost cost = query.costs ? arrows.costs[index] : 0;
        ++index;
        const Cost expected = at(costs, cell);
        if (step == FieldStep::kUnknown) {
            ASSERT_TRUE(cut_short(result_.outcome));
            ASSERT_NE(expected, kNever);
            return;
        }
        if (query.costs) {
            ASSERT_EQ(cost, expected == kNever ? model::kNoWay : expected);
        }
        ASSERT_EQ(step == FieldStep::kNone, expected == kNever);
        ASSERT_EQ(step == FieldStep::kAtGoal, grid_.open(cell) && in_goal(query.goal, cell));
        if (step <= FieldStep::kLastMove) {
            static constexpr Cell kMoves[] = {{0, -1}, {1, 0}, {0, 1},  {-1, 0},
                                              {1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
            const Cell by = kMoves[static_cast<std::size_t>(step)];
            const Cell to{cell.x + by.x, cell.y + by.y};
            ASSERT_TRUE(legal_step(grid_, mover_.directions, mover_.corner_rule, cell, to));
            ASSERT_EQ(expected, at(costs, to) + step_cost(grid_, mover_, cell, to));
        }
    });
}

}  // namespace

SurveyResult joined(const std::vector<SurveyResult>& parts) {
    SurveyResult whole = parts.back();
    if (auto* paths = std::get_if<model::GroupPaths>(&whole.body)) {
        paths->units.clear();
        for (const SurveyResult& part : parts) {
            const auto& units = std::get<model::GroupPaths>(part.body).units;
            paths->units.insert(paths->units.end(), units.begin(), units.end());
        }
    }
    return whole;
}

void check_survey(const EditedWorld& world, const model::Survey& survey,
                  const SurveyResult& result) {
    std::visit(Judge(world, result), survey.query);
}

}  // namespace outrider::test
