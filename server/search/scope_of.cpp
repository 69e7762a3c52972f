#include "outrider/search/scope_of.hpp"

#include "outrider/search/goal_bound.hpp"

namespace outrider::search {
namespace {

bool is_proven(model::Algorithm algorithm) {
    switch (algorithm) {
        case model::Algorithm::kDijkstra:
        case model::Algorithm::kAstar:
        case model::Algorithm::kJps:
        case model::Algorithm::kTerrain: return true;
        case model::Algorithm::kAuto:
        case model::Algorithm::kFast: break;
    }
    return false;
}

}  // namespace

model::Aim aim_of(const Plan& plan) {
    const Task& task = plan.task;
    model::Aim aim{plan.outcome, plan.reason, task.goal.range(), 0};
    // The landmarks measure those cells of a goal that can be reached. One cell alone can.
    const bool one_cell = task.goal.rect().area() == 1 && task.goal.range() == 0;
    if (!one_cell && task.layer->landmarks() != nullptr) {
        GoalBound bound;
        bound.begin(*task.layer, task.start, task.goal, 1);
        aim.guide = bound.guide();
    }
    return aim;
}

model::Scope scope_of(const Plan& plan, Progress end, model::Cost cost) {
    const Task& task = plan.task;
    model::Scope scope;
    scope.start = task.start;
    scope.goal = task.goal.rect();
    scope.aim = aim_of(plan);
    // A budget or an empty open list ends a search at no cost that would bound it; an explained one
    // also tells of cells that it never closed.
    if (end != Progress::kReached || task.explain || !is_proven(task.algorithm)) {
        return scope;
    }
    const map::Layer& layer = *task.layer;
    scope.footprint = layer.movement_class().footprint;
    const model::Cost unit = 2 * model::Cost{layer.weight_min()};
    if (task.weight_percent > 100) {
        // Closed means 100 g + weight h <= weight * optimum, and the optimum is at most the cost.
        scope.start_factor = 100 * unit;
        scope.goal_factor = task.weight_percent * unit;
        scope.limit = task.weight_percent * cost;
    } else {
        scope.start_factor = unit;
        scope.goal_factor = task.algorithm == model::Algorithm::kDijkstra ? 0 : unit;
        // The terrain kernel empties buckets of f, none wider than the cheapest step.
        const bool by_buckets = task.algorithm == model::Algorithm::kTerrain;
        scope.limit = cost + (by_buckets ? unit * model::kStraight : 0);
    }
    return scope;
}

}  // namespace outrider::search
