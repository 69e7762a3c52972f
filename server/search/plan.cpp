#include "outrider/search/plan.hpp"

#include <algorithm>

#include "outrider/model/path.hpp"
#include "outrider/search/open_cells.hpp"
#include "outrider/search/scope_of.hpp"
#include "outrider/search/search.hpp"
#include "outrider/search/smoothing.hpp"
#include "outrider/search/start_components.hpp"

namespace outrider::search {
namespace {

using model::Outcome;

// Nearer goals than two chunks are found as quickly without a route.
constexpr model::Cost kFastFrom = 2 * map::kChunkSide * model::kStraight;

model::Algorithm exact_kernel(const map::Layer& layer, const model::PathQuery& query) {
    if (query.weight_percent > 100) {
        return model::Algorithm::kAstar;
    }
    return layer.has_stops() ? model::Algorithm::kJps : model::Algorithm::kTerrain;
}

model::Algorithm kernel_for(const map::Layer& layer, const model::PathQuery& query,
                            const GoalRegion& goal) {
    switch (query.algorithm) {
        case model::Algorithm::kDijkstra:
        case model::Algorithm::kAstar:
        case model::Algorithm::kTerrain: return query.algorithm;
        case model::Algorithm::kFast:
            if (goal.distance(query.start.x, query.start.y) >= goal.range() + kFastFrom) {
                return query.algorithm;
            }
            break;
        case model::Algorithm::kAuto:
        case model::Algorithm::kJps: break;
    }
    return exact_kernel(layer, query);
}

// Ends where it starts.
model::PathResult stays(const Plan& plan, const model::PathQuery& query) {
    model::PathResult result = pathless(plan.outcome, plan.task.algorithm);
    result.reason = plan.reason;
    result.turning_points = {query.start};
    result.path_hash = model::path_hash(result.turning_points);
    if (query.smoothing.grade != model::Grade::kNone) {
        result.smooth = smooth(*plan.task.layer, result.turning_points, query.smoothing);
    }
    return result;
}

Task task_of(const map::Layer& layer, const model::PathQuery& query) {
    const GoalRegion goal = region_of(layer, query.goal);
    return {&layer,
            query.start,
            goal,
            kernel_for(layer, query, goal),
            query.weight_percent,
            query.expansions_max,
            query.explain};
}

// The goal cannot be reached: the plain answer, or the same search with the region grown until it
// touches the nearest reachable cell.
void plan_around(Plan& plan, const StartComponents& from, const model::PathQuery& query) {
    const GoalRegion goal = plan.task.goal;
    const Outcome reason =
        any_open(*plan.task.layer, goal) ? Outcome::kUnreachable : Outcome::kGoalBlocked;
    const auto nearest =
        query.allow_partial ? from.nearest_distance(goal.rect()) : std::optional<model::Cost>{};
    if (!nearest) {
        plan.answer = pathless(reason, plan.task.algorithm);
        return;
    }
    plan.outcome = Outcome::kPartial;
    plan.reason = reason;
    plan.task.goal = GoalRegion(goal.rect(), *nearest);
    if (plan.task.goal.contains(query.start.x, query.start.y)) {
        plan.answer = stays(plan, query);
    }
}

}  // namespace

bool any_open(const map::Layer& layer, const GoalRegion& goal) {
    const Span rows = rows_on_map(layer, goal);
    bool any = false;
    for (std::int32_t y = rows.first; y <= rows.last && !any; ++y) {
        for_each_open_on(layer, y, goal.on_row(y), [&](std::int32_t) { any = true; });
    }
    return any;
}

model::PathResult pathless(Outcome outcome, model::Algorithm algorithm) {
    model::PathResult result;
    result.outcome = outcome;
    result.reason = outcome;
    result.algorithm = algorithm;
    return result;
}

Plan make_plan(const map::Layer& layer, const model::PathQuery& query) {
    Plan plan;
    plan.task = task_of(layer, query);
    plan.exact = exact_kernel(layer, query);
    const GoalRegion& goal = plan.task.goal;
    const model::Algorithm algorithm = plan.task.algorithm;
    if (goal.contains(query.start.x, query.start.y)) {
        plan.answer = stays(plan, query);
        return plan;
    }
    if (!query.leave_blocked_start && !layer.open(query.start)) {
        plan.answer = pathless(Outcome::kStartBlocked, algorithm);
        return plan;
    }
    const StartComponents from(layer, query.start);
    if (from.empty()) {
        plan.answer = pathless(Outcome::kStartBlocked, algorithm);
        return plan;
    }
    const model::Rect& rect = goal.rect();
    if (rect.area() == 1 && from.holds({rect.x, rect.y})) {
        return plan;
    }
    const bool one_cell = rect.area() == 1 && goal.range() == 0;
    const auto nearest = one_cell ? std::optional<model::Cost>{} : from.nearest_distance(rect);
    if (!nearest || *nearest > goal.range()) {
        plan_around(plan, from, query);
    }
    return plan;
}

std::optional<model::PathResult> verdict(const map::Layer& layer, const model::PathQuery& query) {
    return make_plan(layer, query).answer;
}

std::optional<model::PathQuery> first_leg_query(const map::Layer& layer,
                                                const model::PathQuery& query,
                                                std::uint64_t expansions_max) {
    model::PathQuery leading = query;
    leading.algorithm = model::Algorithm::kFast;
    leading.weight_percent = 100;
    leading.explain = false;
    leading.smoothing = {};
    leading.expansions_max = expansions_max;
    const Plan plan = make_plan(layer, leading);
    if (plan.answer || plan.task.algorithm != model::Algorithm::kFast) {
        return std::nullopt;
    }
    return leading;
}

Outlook look_ahead(const map::Layer& layer, const model::PathQuery& query) {
    Plan plan = make_plan(layer, query);
    const model::Aim aim = plan.answer ? model::Aim{} : aim_of(plan);
    return {std::move(plan.answer), aim};
}

}  // namespace outrider::search
