#include "cli/path_check.hpp"

#include <algorithm>

#include "outrider/model/path.hpp"

namespace outrider::cli {
namespace {

std::string text_of(model::Cell cell) {
    return std::to_string(cell.x) + "," + std::to_string(cell.y);
}

bool at_goal(const model::Goal& goal, model::Cell cell) {
    const auto beyond = [](std::int64_t value, std::int64_t low, std::int64_t end) {
        return value < low ? low - value : std::max<std::int64_t>(0, value - (end - 1));
    };
    const std::int64_t dx = beyond(cell.x, goal.rect.x, goal.rect.end_x());
    const std::int64_t dy = beyond(cell.y, goal.rect.y, goal.rect.end_y());
    return model::octile_distance(dx, dy) <= model::Cost{goal.range} * model::kStraight;
}

class Walk {
  public:
    Walk(const map::Layer& layer, const model::PathQuery& query) : layer_(layer), query_(query) {}

    [[nodiscard]] std::optional<std::string> take(model::Cell from, model::Cell to) {
        if (!enterable(to)) {
            return "the path crosses the blocked cell " + text_of(to);
        }
        const bool diagonal = from.x != to.x && from.y != to.y;
        if (diagonal && !diagonal_legal(from, to)) {
            return "the diagonal step from " + text_of(from) + " to " + text_of(to) +
                   " breaks the corner rule";
        }
        const model::Cost weights = weight(from) + weight(to);
        cost_ += weights * (diagonal ? model::kDiagonal : model::kStraight);
        return std::nullopt;
    }
    [[nodiscard]] model::Cost cost() const { return cost_; }
    [[nodiscard]] bool enterable(model::Cell cell) const {
        return layer_.open(cell) || (query_.leave_blocked_start && cell == query_.start);
    }

  private:
    [[nodiscard]] model::Cost weight(model::Cell cell) const {
        return layer_.open(cell) ? layer_.weight(cell) : layer_.weight_min();
    }
    [[nodiscard]] bool diagonal_legal(model::Cell from, model::Cell to) const {
        const model::MovementClass& movement_class = layer_.movement_class();
        if (movement_class.directions == model::Directions::kFour) {
            return false;
        }
        const int open_sides =
            (layer_.open({to.x, from.y}) ? 1 : 0) + (layer_.open({from.x, to.y}) ? 1 : 0);
        switch (movement_class.corner_rule) {
            case model::CornerRule::kBothOpen: return open_sides == 2;
            case model::CornerRule::kOneOpen: return open_sides >= 1;
            case model::CornerRule::kNoneOpen: return true;
        }
        return false;
    }

    const map::Layer& layer_;
    const model::PathQuery& query_;
    model::Cost cost_{0};
};

std::optional<std::string> pathless_fault(const model::PathResult& result) {
    if (result.outcome == model::Outcome::kComplete || result.outcome == model::Outcome::kPartial) {
        return "the outcome promises a path and there is none";
    }
    if (result.cost != 0 || result.path_hash != 0) {
        return "there is no path and yet a cost or a hash";
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string> path_fault(const map::Layer& layer, const model::PathQuery& query,
                                      const model::PathResult& result) {
    const std::vector<model::Cell>& points = result.turning_points;
    if (points.empty()) {
        return pathless_fault(result);
    }
    if (!model::are_turning_points(points)) {
        return "the turning points are not joined by straight and diagonal legs";
    }
    const std::vector<model::Cell> cells = model::cells_of(points);
    if (model::turning_points_of(cells) != points) {
        return "a turning point lies on a straight run";
    }
    Walk walk(layer, query);
    // A unit that is told to stay where it stands stays, even where somebody has built on it.
    const bool stays = result.outcome == model::Outcome::kComplete && cells.size() == 1;
    if (cells.front() != query.start || !(stays || walk.enterable(cells.front()))) {
        return "the path begins at " + text_of(cells.front()) + ", not at an open start";
    }
    for (std::size_t index = 1; index < cells.size(); ++index) {
        if (auto fault = walk.take(cells[index - 1], cells[index])) {
            return fault;
        }
    }
    if (result.outcome == model::Outcome::kComplete && !at_goal(query.goal, cells.back())) {
        return "the path ends at " + text_of(cells.back()) + ", not at the goal";
    }
    if (walk.cost() != result.cost) {
        return "the steps cost " + std::to_string(walk.cost()) + ", the answer says " +
               std::to_string(result.cost);
    }
    if (model::path_hash(points) != result.path_hash) {
        return "the hash is not that of the path";
    }
    return std::nullopt;
}

model::PathResult path_of(const model::UnitPath& unit) {
    model::PathResult path;
    path.outcome = unit.outcome;
    path.reason = unit.reason;
    path.algorithm = model::Algorithm::kDijkstra;
    path.bound_percent = unit.bound_percent;
    path.cost = unit.cost;
    path.turning_points = unit.turning_points;
    path.path_hash = unit.path_hash;
    return path;
}

model::PathResult path_of(const model::NearestGoal& goal) {
    return path_of(model::UnitPath{.outcome = model::Outcome::kComplete,
                                   .reason = model::Outcome::kComplete,
                                   .cost = goal.cost,
                                   .turning_points = goal.turning_points,
                                   .path_hash = goal.path_hash});
}

}  // namespace outrider::cli
