#include "outrider/engine/follow_rules.hpp"

#include <algorithm>
#include <utility>

#include "outrider/model/rect_distance.hpp"

namespace outrider::engine {
namespace {

model::Cost range_of(const model::PathQuery& query) {
    return model::Cost{query.goal.range} * model::kStraight;
}

}  // namespace

bool is_at_goal(const model::PathQuery& query, model::Cell cell) {
    return model::distance_between(query.goal.rect, cell) <= range_of(query);
}

model::Cost bound_through(const map::Layer& layer, const model::PathQuery& query,
                          const model::Rect& box) {
    const model::Rect grown{box.x - 1, box.y - 1, box.width + 2, box.height + 2};
    const model::Cost range = range_of(query);
    const model::Cost to_goal = model::distance_between(grown, query.goal.rect);
    const model::Cost steps =
        model::distance_between(grown, query.start) + (to_goal > range ? to_goal - range : 0);
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
            *nearest < model::distance_between(goal, follow.answer.result->turning_points.back()));
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
        const model::Cell end = standing.result.turning_points.back();
        return std::pair(model::distance_between(query.goal.rect, end), *standing.cost);
    };
    return rank(fresh) < rank(old);
}

}  // namespace outrider::engine
