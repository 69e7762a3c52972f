#include "support/oracle.hpp"

#include <algorithm>
#include <queue>
#include <utility>
#include <vector>

#include "outrider/model/path.hpp"

namespace outrider::test {
namespace {

using model::Cell;
using model::Cost;
using model::Outcome;

std::size_t index_of(const WeightGrid& grid, Cell cell) {
    return static_cast<std::size_t>(cell.y) * static_cast<std::size_t>(grid.width) +
           static_cast<std::size_t>(cell.x);
}

Cost weight_at(const WeightGrid& grid, const Mover& mover, Cell cell) {
    return grid.open(cell) ? grid.at(cell) : mover.weight_min;
}

// What the flooded cells say about a goal.
struct Survey {
    bool any_open{false};  // of the goal, reached or not
    bool moved{false};     // any cell but the start was reached
    Cost cheapest{kNever};
    Cost nearest{kNever};
    Cost cheapest_nearest{kNever};
};

Survey survey(const WeightGrid& grid, const std::vector<Cost>& costs,
              const model::PathQuery& query) {
    Survey found;
    const Cost range = Cost{query.goal.range} * model::kStraight;
    for (Cell cell{0, 0}; cell.y < grid.height; ++cell.y) {
        for (cell.x = 0; cell.x < grid.width; ++cell.x) {
            if (!grid.open(cell)) {
                continue;
            }
            const Cost distance = distance_to(query.goal.rect, cell);
            const Cost cost = costs[index_of(grid, cell)];
            found.any_open = found.any_open || distance <= range;
            if (cost == kNever) {
                continue;
            }
            found.moved = found.moved || cell != query.start;
            if (distance <= range) {
                found.cheapest = std::min(found.cheapest, cost);
            }
            if (std::pair(distance, cost) < std::pair(found.nearest, found.cheapest_nearest)) {
                found.nearest = distance;
                found.cheapest_nearest = cost;
            }
        }
    }
    return found;
}

}  // namespace

Cost step_cost(const WeightGrid& grid, const Mover& mover, Cell from, Cell to) {
    const Cost both = weight_at(grid, mover, from) + weight_at(grid, mover, to);
    return both * (from.x != to.x && from.y != to.y ? model::kDiagonal : model::kStraight);
}

std::vector<Cost> costs_from(const WeightGrid& grid, const Mover& mover, Cell start) {
    return costs_from(grid, mover, std::span<const Cell>(&start, 1));
}

std::vector<Cost> costs_from(const WeightGrid& grid, const Mover& mover,
                             std::span<const Cell> starts) {
    std::vector<Cost> costs(grid.weights.size(), kNever);
    using Entry = std::pair<Cost, Cell>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    for (const Cell start : starts) {
        costs[index_of(grid, start)] = 0;
        open.emplace(0, start);
    }
    while (!open.empty()) {
        const auto [cost, from] = open.top();
        open.pop();
        if (cost != costs[index_of(grid, from)]) {
            continue;
        }
        for (std::int32_t dy = -1; dy <= 1; ++dy) {
            for (std::int32_t dx = -1; dx <= 1; ++dx) {
                const Cell to{from.x + dx, from.y + dy};
                if (!legal_step(grid, mover.directions, mover.corner_rule, from, to)) {
                    continue;
                }
                const Cost next = cost + step_cost(grid, mover, from, to);
                if (next < costs[index_of(grid, to)]) {
                    costs[index_of(grid, to)] = next;
                    open.emplace(next, to);
                }
            }
        }
    }
    return costs;
}

Mover mover_of(const model::MovementClass& movement_class) {
    std::uint8_t least = 255;
    for (const std::uint8_t weight : movement_class.weights) {
        if (weight != 0) {
            least = std::min(least, weight);
        }
    }
    return {movement_class.directions, movement_class.corner_rule, least};
}

WeightGrid weights_of(const map::Grid& grid, const model::MovementClass& who) {
    WeightGrid cells{grid.width, grid.height, {}};
    for (const model::Terrain terrain : grid.terrain) {
        cells.weights.push_back(who.weights[terrain]);
    }
    WeightGrid anchors = cells;
    for (Cell at{0, 0}; at.y < grid.height; ++at.y) {
        for (at.x = 0; at.x < grid.width; ++at.x) {
            std::uint8_t dearest = 0;
            bool open = true;
            for (std::int32_t dy = 0; dy < who.footprint; ++dy) {
                for (std::int32_t dx = 0; dx < who.footprint; ++dx) {
                    const std::uint8_t weight = cells.at({at.x + dx, at.y + dy});
                    open = open && weight != 0;
                    dearest = std::max(dearest, weight);
                }
            }
            anchors.weights[index_of(anchors, at)] = open ? dearest : std::uint8_t{0};
        }
    }
    return anchors;
}

Cost distance_to(const model::Rect& rect, Cell cell) {
    const std::int64_t dx =
        std::max({std::int64_t{0}, std::int64_t{rect.x} - cell.x, cell.x - rect.end_x() + 1});
    const std::int64_t dy =
        std::max({std::int64_t{0}, std::int64_t{rect.y} - cell.y, cell.y - rect.end_y() + 1});
    return model::octile_distance(dx, dy);
}

Expected ask_oracle(const WeightGrid& grid, const Mover& mover, const model::PathQuery& query) {
    const Cost own = distance_to(query.goal.rect, query.start);
    if (own <= Cost{query.goal.range} * model::kStraight) {
        return {Outcome::kComplete, Outcome::kComplete, 0};
    }
    const bool blocked = !grid.open(query.start);
    if (blocked && !query.leave_blocked_start) {
        return {Outcome::kStartBlocked, Outcome::kStartBlocked, 0};
    }
    const Survey found = survey(grid, costs_from(grid, mover, query.start), query);
    if (blocked && !found.moved) {
        return {Outcome::kStartBlocked, Outcome::kStartBlocked, 0};
    }
    if (found.cheapest != kNever) {
        return {Outcome::kComplete, Outcome::kComplete, found.cheapest};
    }
    const Outcome reason = found.any_open ? Outcome::kUnreachable : Outcome::kGoalBlocked;
    if (!query.allow_partial) {
        return {reason, reason, 0};
    }
    // Who stands at least as near as any cell that can be reached stays.
    return {Outcome::kPartial, reason, own <= found.nearest ? 0 : found.cheapest_nearest};
}

std::string fault_of_path(const WeightGrid& grid, const Mover& mover, const model::PathQuery& query,
                          const model::PathResult& result) {
    const std::vector<Cell>& points = result.turning_points;
    if (points.empty()) {
        return "no path";
    }
    if (!model::are_turning_points(points)) {
        return "a leg is neither straight nor diagonal";
    }
    if (points.front() != query.start) {
        return "does not begin at the start";
    }
    const std::vector<Cell> cells = model::cells_of(points);
    if (model::turning_points_of(cells) != points) {
        return "turning points are not normalised";
    }
    if (model::path_hash(points) != result.path_hash) {
        return "wrong hash";
    }
    Cost cost = 0;
    for (std::size_t i = 1; i < cells.size(); ++i) {
        if (!legal_step(grid, mover.directions, mover.corner_rule, cells[i - 1], cells[i])) {
            return "illegal step to " + std::to_string(cells[i].x) + "," +
                   std::to_string(cells[i].y);
        }
        cost += step_cost(grid, mover, cells[i - 1], cells[i]);
    }
    return cost == result.cost
               ? std::string{}
               : "says " + std::to_string(result.cost) + " but costs " + std::to_string(cost);
}

}  // namespace outrider::test
