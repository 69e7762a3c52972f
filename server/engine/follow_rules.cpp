#include "outrider/engine/follow_rules.hpp"

#include <algorithm>
#include <utility>

namespace outrider::engine {
namespace {

std::int64_t gap(std::int64_t begin_a, std::int64_t end_a, std::int64_t begin_b,
                 std::int64_t end_b) {
    return std::max({begin_b - (end_a - 1), begin_a - (end_b - 1), std::int64_t{0}});
}

model::Cost range_of(const model::PathQuery& query) {
    return model::Cost{query.goal.range} * model::kStraight;
}

}  // namespace

model::Cost distance_between(const model::Rect& a, const model::Rect& b) {
    return model::octile_distance(gap(a.x, a.end_x(), b.x, b.end_x()),
                                  gap(a.y, a.end_y(), b.y, b.end_y()));
}

model::Cost distance_to(const model::Rect& rect, model::Cell cell) {
    return distance_between(rect, {cell.x, cell.y, 1, 1});
}

bool is_at_goal(const model::PathQuery& query, model::Cell cell) {
    return distance_to(query.goal.rect, cell) <= range_of(query);
}

model::Cost bound_through(const map::Layer& layer, const model::PathQuery& query,
                          const model::Rect& box) {
    const model::Rect grown{box.x - 1, box.y - 1, box.width + 2, box.height + 2};
    const model::Cost range = range_of(query);
    const model::Cost to_goal = distance_between(grown, query.goal.rect);
    const model::Cost steps =
        distance_to(grown, query.start) + (to_goal > range ? to_goal - range : 0);
    return 2 * model::Cost{layer.weight_min()} * steps;
}

bool may_come_nearer(const map::Layer& layer, const Follow& follow) {
    const model::PathQuery& query = follow.query;
    if (!layer.open(query.start)) {
        // Where a unit can go that leaves a blocked cell, the search works out.
        return query.leave_blocked_start;
    }
    const map::Regions& regions = layer.regions();
    const map::Component own = regions.component(query.start);
    const model::Rect goal =
        model::intersect(query.goal.rect, {0, 0, layer.width(), layer.height()});
    const bool one_cell = goal.area() == 1 && query.goal.range == 0;
    if (one_cell && regions.component({goal.x, goal.y}) == own) {
        return true;
    }
    if (one_cell && !query.allow_partial) {
        return false;
    }
    const auto nearest = regions.nearest_distance(own, goal);
    if (!nearest) {
        return false;
    }
    if (*nearest <= range_of(query)) {
        return true;
    }
    return query.allow_partial &&
           (!follow.has_path() ||
            *nearest < distance_to(goal, follow.answer.result->turning_points.back()));
}

bool is_better(const model::PathQuery& query, const Standing& fresh, const Standing& old) {
    const bool fresh_complete = fresh.result.outcome == model::Outcome::kComplete;
    if (old.result.outcome == model::Outcome::kComplete) {
        return fresh_complete && fresh.cost && *fresh.cost < *old.cost;
    }
    if (fresh_complete) {
        return true;
    }
    if (old.result.turning_points.empty()) {
        return !fresh.result.turning_points.empty() ||
               std::pair(fresh.result.outcome, fresh.result.reason) !=
                   std::pair(old.result.outcome, old.result.reason);
    }
    if (!fresh.cost) {
        return false;
    }
    const auto rank = [&](const Standing& standing) {
        return std::pair(distance_to(query.goal.rect, standing.result.turning_points.back()),
                         *standing.cost);
    };
    return rank(fresh) < rank(old);
}

}  // namespace outrider::engine
