#include "outrider/search/fast.hpp"

#include <algorithm>
#include <optional>

#include "outrider/base/check.hpp"
#include "outrider/model/path.hpp"
#include "outrider/search/goal_bound.hpp"
#include "outrider/search/goal_cell.hpp"
#include "outrider/search/moves.hpp"

namespace outrider::search {
namespace {

std::int32_t sign(std::int32_t value) {
    return value > 0 ? 1 : (value < 0 ? -1 : 0);
}

// The start itself, or for a unit that leaves a blocked cell the first step that leads nearest.
std::optional<model::Cell> first_open(const map::Layer& layer, model::Cell start, model::Cell to) {
    if (layer.open(start)) {
        return start;
    }
    const map::Component wanted = layer.regions().component(to);
    std::optional<model::Cell> nearest;
    for (std::size_t move = 0; move < kMoveCount; ++move) {
        const model::Cell cell{start.x + kMoveX[move], start.y + kMoveY[move]};
        if (layer.regions().component(cell) != wanted) {
            continue;
        }
        const auto distance = [to](model::Cell from) {
            return model::octile_distance(from.x - to.x, from.y - to.y);
        };
        if (!nearest || distance(cell) < distance(*nearest)) {
            nearest = cell;
        }
    }
    return nearest;
}

}  // namespace

void FastKernel::begin(const Task& task, Buffers& buffers) {
    restart(task);
    task_ = task;
    buffers_ = &buffers;
    meter_.begin(task.expansions_max);
    walked_cost_ = 0;
    first_leg_points_ = 0;
    buffers.walked.assign(1, task.start);
    next_ = 0;
    last_ = false;
    whole_ = !plan_route();
    phase_ = Phase::kRoute;
    if (whole_) {
        begin_leg();
    }
}

bool FastKernel::plan_route() {
    const map::Layer& layer = *task_.layer;
    const StartComponents from(layer, task_.start);
    const auto to = nearest_goal_cell(layer, task_.goal, from, task_.start);
    const auto start = to ? first_open(layer, task_.start, *to) : std::nullopt;
    if (!start || map::ChunkPlace::of(*start) == map::ChunkPlace::of(*to)) {
        return false;
    }
    route_.begin(layer, *start, *to, *buffers_);
    return true;
}

void FastKernel::begin_leg() {
    Task leg = task_;
    leg.start = buffers_->walked.back();
    leg.algorithm = exact_name_;
    leg.expansions_max = 0;
    last_ = whole_ || next_ + kAhead >= buffers_->route.size();
    if (!last_) {
        const model::Cell to = buffers_->route[next_ + kAhead - 1];
        leg.goal = GoalRegion({to.x, to.y, 1, 1}, 0);
    }
    phase_ = Phase::kLeg;
    exact_->begin(leg, *buffers_);
}

Progress FastKernel::step(std::uint64_t expansions_max) {
    meter_.begin_step(expansions_max);
    Progress progress = Progress::kRunning;
    const std::size_t known = first_leg_points_;
    // Whoever waits for the first leg is to see it at once.
    while (progress == Progress::kRunning && meter_.available() > 0 && known == first_leg_points_) {
        progress = phase_ == Phase::kRoute ? step_route() : step_leg();
    }
    report_so_far();
    if (progress == Progress::kRunning && meter_.budget_spent()) {
        return Progress::kBudget;
    }
    return progress;
}

Progress FastKernel::step_route() {
    switch (route_.step(meter_)) {
        case Progress::kReached: begin_leg(); break;
        case Progress::kExhausted:
            whole_ = true;
            begin_leg();
            break;
        case Progress::kRunning:
        case Progress::kBudget: break;
    }
    return Progress::kRunning;
}

Progress FastKernel::step_leg() {
    const std::uint64_t before = exact_->expansions();
    const Progress progress = exact_->step(meter_.available());
    meter_.spend(exact_->expansions() - before);
    if (progress == Progress::kRunning) {
        return Progress::kRunning;
    }
    if (progress != Progress::kReached) {
        OUTRIDER_CHECK(whole_);
        return progress;
    }
    walk_leg();
    if (last_) {
        phase_ = Phase::kDone;
        return Progress::kReached;
    }
    if (next_ == 0) {
        first_leg_points_ = buffers_->walked.size();
        first_leg_cost_ = walked_cost_;
    }
    ++next_;
    begin_leg();
    return Progress::kRunning;
}

void FastKernel::walk_leg() {
    std::vector<model::Cell>& points = buffers_->points;
    points.clear();
    exact_->trail(exact_->best().cell, points);
    const model::Cost cost = exact_->best().g * exact_->unit();
    const model::Cost enough = walked_cost_ + (last_ ? cost : cost * kWalkPercent / 100);
    for (auto point = points.rbegin() + 1; point != points.rend(); ++point) {
        walk_to(*point, enough);
        if (walked_cost_ >= enough) {
            return;
        }
    }
}

// Straight or exactly diagonal, cell by cell, until the path has cost enough.
void FastKernel::walk_to(model::Cell to, model::Cost enough) {
    model::Cell at = buffers_->walked.back();
    const std::int32_t dx = sign(to.x - at.x);
    const std::int32_t dy = sign(to.y - at.y);
    while (at != to && walked_cost_ < enough) {
        const model::Cell next{at.x + dx, at.y + dy};
        walked_cost_ += step_cost(at, next);
        at = next;
    }
    buffers_->walked.push_back(at);
}

model::Cost FastKernel::step_cost(model::Cell a, model::Cell b) const {
    const map::Layer& layer = *task_.layer;
    // Only a start that the unit may leave is blocked here; it weighs as the cheapest terrain.
    const model::Cost own = layer.open(a) ? layer.weight(a) : layer.weight_min();
    const model::Cost step = a.x == b.x || a.y == b.y ? model::kStraight : model::kDiagonal;
    return (own + layer.weight(b)) * step;
}

model::Cost FastKernel::cost_along(std::span<const model::Cell> turning_points) const {
    const std::vector<model::Cell> cells = model::cells_of(turning_points);
    model::Cost cost = 0;
    for (std::size_t i = 1; i < cells.size(); ++i) {
        cost += step_cost(cells[i - 1], cells[i]);
    }
    return cost;
}

void FastKernel::report_so_far() {
    model::Cell end = buffers_->walked.back();
    model::Cost cost = walked_cost_;
    if (phase_ == Phase::kLeg) {
        end = task_.cell_of(exact_->best().cell);
        cost += exact_->best().g * exact_->unit();
    }
    report({task_.goal.distance(end.x, end.y), cost, task_.index_of(end.x, end.y)}, meter_.spent());
}

model::Cost FastKernel::trail(model::CellIndex end, std::vector<model::Cell>& points) const {
    model::Cost cost = walked_cost_;
    if (phase_ == Phase::kLeg) {
        cost += exact_->trail(end, points) * exact_->unit();
        points.pop_back();
    }
    points.insert(points.end(), buffers_->walked.rbegin(), buffers_->walked.rend());
    return cost;
}

std::uint32_t FastKernel::bound_percent(model::Cost cost, const GoalRegion& end) const {
    GoalBound bound;
    bound.begin(*task_.layer, task_.start, end, 1);
    const model::Cost least = bound.estimate(task_.start.x, task_.start.y);
    if (whole_ || cost == least) {
        return 100;
    }
    OUTRIDER_CHECK(least > 0 && least < cost);
    constexpr model::Cost kMost = 0xFFFFFFFF;
    return static_cast<std::uint32_t>(std::min((cost * 100 + least - 1) / least, kMost));
}

}  // namespace outrider::search
