#include "outrider/search/jps.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "outrider/search/goal_ahead.hpp"
#include "outrider/search/many_jumps.hpp"

// The compiler takes the three innermost functions for too large to inline into their many callers;
// made to, the whole search gains a tenth.
#define OUTRIDER_HOT [[gnu::always_inline]] inline

namespace outrider::search {

void JpsKernel::begin(const Task& task, Buffers& buffers) {
    restart(task);
    task_ = task;
    buffers_ = &buffers;
    layer_ = task.layer;
    unit_ = 2 * model::Cost{layer_->weight_min()};
    buffers.nodes.prepare(static_cast<std::size_t>(layer_->width()) *
                          static_cast<std::size_t>(layer_->height()));
    nodes_ = buffers.nodes.data();
    generation_ = buffers.nodes.generation();
    bound_.begin(*layer_, task.start, task.goal, unit_);
    buffers.open_jumps.reset(estimate(task.start.x, task.start.y));
    const model::CellIndex cell = task.index_of(task.start.x, task.start.y);
    reach({0, cell, static_cast<std::uint16_t>(task.start.x),
           static_cast<std::uint16_t>(task.start.y), kStartHere},
          cell);
}

// What the open list has bits for: a smaller estimate is one too.
OUTRIDER_HOT model::Cost JpsKernel::estimate(std::int32_t x, std::int32_t y) const {
    return std::min(bound_.estimate(x, y), OpenJump::kEstimateMax);
}

inline void JpsKernel::find(const FoundJump& found) {
    if (found_count_ == kFoundJumpsMax) [[unlikely]] {
        reach_found();
    }
    __builtin_prefetch(&nodes_[found.cell], 1);
    bound_.prefetch(found.x, found.y);
    found_[found_count_++] = found;
}

void JpsKernel::reach_found() {
    for (std::size_t i = 0; i < found_count_; ++i) {
        reach(found_[i], parent_);
    }
    found_count_ = 0;
}

OUTRIDER_HOT void JpsKernel::reach(const FoundJump& at, model::CellIndex parent) {
    if (!JumpNode(nodes_[at.cell]).reach(at, generation_, parent)) {
        return;
    }
    const model::Cost h = estimate(at.x, at.y);
    buffers_->open_jumps.push({(at.g + h) << OpenJump::kEstimateBits | h, at.cell, at.x, at.y});
    if (task_.explain) [[unlikely]] {
        const auto kind = at.arrivals == kStartHere ? model::ExploredKind::kOpened
                                                    : model::ExploredKind::kJumpPoint;
        buffers_->note({at.x, at.y}, kind, at.g * unit_, h * unit_);
    }
}

// From `at` on along one line to the first stop, or to the goal region if that comes first.
template <Move kMove>
OUTRIDER_HOT void JpsKernel::jump_straight(const Origin& at) {
    constexpr bool kAlongRow = kMove == kE || kMove == kW;
    constexpr bool kForward = kMove == kE || kMove == kS;
    const std::int32_t line = kAlongRow ? at.y : at.x;
    const std::int32_t from = kAlongRow ? at.x : at.y;
    const auto [stop, stop_open] = scan<kMove, false>(layer_->bits(), at.x, at.y);
    const GoalRegion& goal = task_.goal;
    std::int32_t end = stop;
    Arrivals arrivals = 1U << kMove;
    if (kAlongRow ? goal.touches_row(line) : goal.touches_column(line)) [[unlikely]] {
        const Span span = kAlongRow ? goal.on_row(line) : goal.on_column(line);
        const std::int32_t last = stop_open ? stop : (kForward ? stop - 1 : stop + 1);
        const std::int32_t first =
            kForward ? std::max(span.first, from + 1) : std::min(span.last, from - 1);
        const bool met =
            kForward ? first <= std::min(span.last, last) : first >= std::max(span.first, last);
        if (met) {
            end = first;
            arrivals = kGoalHere;
        }
    }
    if (arrivals != kGoalHere && !stop_open) {
        return;
    }
    const model::Cost g = at.g + static_cast<model::Cost>(std::abs(end - from)) * model::kStraight;
    const std::int32_t x = kAlongRow ? end : line;
    const std::int32_t y = kAlongRow ? line : end;
    find({g, task_.index_of(x, y), static_cast<std::uint16_t>(x), static_cast<std::uint16_t>(y),
          arrivals});
}

// As jump_straight, from a cell whose line the goal region does not touch.
template <Move kMove>
OUTRIDER_HOT void JpsKernel::jump_past(std::int32_t x, std::int32_t y, model::Cost g) {
    constexpr bool kAlongRow = kMove == kE || kMove == kW;
    const auto [stop, open] = scan<kMove, true>(layer_->bits(), x, y);
    if (!open) {
        return;
    }
    const std::int32_t steps = std::abs(stop - (kAlongRow ? x : y));
    (kAlongRow ? x : y) = stop;
    find({g + static_cast<model::Cost>(steps) * model::kStraight, task_.index_of(x, y),
          static_cast<std::uint16_t>(x), static_cast<std::uint16_t>(y), 1U << kMove});
}

// Where the goal region touches the row or the column of some of the run's cells: their jumps ask
// for the goal, and are taken off the run. False when the run itself enters the goal and ends.
template <Move kMove>
bool JpsKernel::meet_goal(const Origin& origin, const GoalSteps& goal, std::int32_t step,
                          DiagonalRun& run) {
    constexpr Move kBeside = kMoveY[kMove] < 0 ? kN : kS;
    constexpr Move kAlong = kMoveX[kMove] < 0 ? kW : kE;
    const Origin first = origin.after<kMove>(step);
    bool goes_on = true;
    const Span rows = goal.on_rows(step, run.cells);
    const Span columns = goal.on_columns(step, run.cells);
    for (std::int32_t s = std::max(rows.first, columns.first);
         s <= std::min(rows.last, columns.last); ++s) {
        const Origin at = origin.after<kMove>(s);
        if (task_.goal.contains(at.x, at.y)) {
            find({at.g, task_.index_of(at.x, at.y), static_cast<std::uint16_t>(at.x),
                  static_cast<std::uint16_t>(at.y), kGoalHere});
            run.cells = s - step;
            run.rows &= bits_from<(kMoveY[kMove] > 0)>(first.y & 63, run.cells);
            run.columns &= bits_from<(kMoveX[kMove] > 0)>(first.x & 63, run.cells);
            goes_on = false;
            break;
        }
    }
    for (std::int32_t s = rows.first; s <= std::min(rows.last, step + run.cells - 1); ++s) {
        const Origin at = origin.after<kMove>(s);
        run.rows &= ~(std::uint64_t{1} << (at.y & 63));
        jump_straight<kAlong>(at);
    }
    for (std::int32_t s = columns.first; s <= std::min(columns.last, step + run.cells - 1); ++s) {
        const Origin at = origin.after<kMove>(s);
        run.columns &= ~(std::uint64_t{1} << (at.x & 63));
        jump_straight<kBeside>(at);
    }
    return goes_on;
}

// A diagonal run, chunk by chunk; what the straight jumps beside each of its cells find hangs on
// the origin at once (intermediate pruning), so that the run's cells never enter the open list.
template <Move kMove>
void JpsKernel::jump_diagonal(const Origin& origin) {
    constexpr std::int32_t kDx = kMoveX[kMove];
    constexpr std::int32_t kDy = kMoveY[kMove];
    constexpr Move kBeside = kDy < 0 ? kN : kS;
    constexpr Move kAlong = kDx < 0 ? kW : kE;
    constexpr bool kFalling = kDx == kDy;
    const GoalSteps goal(task_.goal, origin.x, origin.y, kDx, kDy);
    // The first step is legal, by the mask of legal moves.
    std::int32_t step = 1;
    bool goes_on = true;
    while (goes_on) {
        const Origin first = origin.after<kMove>(step);
        const std::uint64_t* tile = layer_->bits().row(first.y >> 6)[first.x >> 6];
        DiagonalRun run = diagonal_run<kMove>(tile, first.x, first.y, step == 1);
        goes_on = run.goes_on;
        if (goal.touches(step, run.cells)) [[unlikely]] {
            goes_on &= meet_goal<kMove>(origin, goal, step, run);
        }
        const map::ChunkPlace place = map::ChunkPlace::of({first.x, first.y});
        const std::int32_t x = first.x & 63;
        const std::int32_t y = first.y & 63;
        run.rows = lines_with_finds<kAlong>(layer_->bits(), place, run.rows,
                                            {kFalling ? x - y : x + y, !kFalling});
        run.columns = lines_with_finds<kBeside>(layer_->bits(), place, run.columns,
                                                {kFalling ? y - x : x + y, !kFalling});
        for (; run.rows != 0; run.rows &= run.rows - 1) {
            const std::int32_t ahead = std::abs(std::countr_zero(run.rows) - y);
            const Origin at = origin.after<kMove>(step + ahead);
            jump_past<kAlong>(at.x, at.y, at.g);
        }
        for (; run.columns != 0; run.columns &= run.columns - 1) {
            const std::int32_t ahead = std::abs(std::countr_zero(run.columns) - x);
            const Origin at = origin.after<kMove>(step + ahead);
            jump_past<kBeside>(at.x, at.y, at.g);
        }
        step += run.cells;
    }
}

OUTRIDER_HOT MoveMask JpsKernel::moves_of(const Origin& at, Arrivals arrivals) const {
    const std::size_t row = (arrivals & kStartHere) != 0 ? kAnyMove : arrivals & (kAnyMove - 1);
    return kJumpTable[row][bits_around(*layer_, at.x, at.y)];
}

void JpsKernel::expand(const Origin& origin, MoveMask moves) {
    parent_ = origin.cell;
    const auto has = [moves](Move move) { return ((moves >> move) & 1U) != 0; };
    if (has(kN)) {
        jump_straight<kN>(origin);
    }
    if (has(kE)) {
        jump_straight<kE>(origin);
    }
    if (has(kS)) {
        jump_straight<kS>(origin);
    }
    if (has(kW)) {
        jump_straight<kW>(origin);
    }
    if (has(kNE)) {
        jump_diagonal<kNE>(origin);
    }
    if (has(kSE)) {
        jump_diagonal<kSE>(origin);
    }
    if (has(kSW)) {
        jump_diagonal<kSW>(origin);
    }
    if (has(kNW)) {
        jump_diagonal<kNW>(origin);
    }
    reach_found();
}

// A goal straight ahead is the next to come up, whatever else there is to find: its f is not above
// that of the cell at hand, and of the cells of an equal f it alone has come the whole way. A
// search that is explained makes all its jumps, for the picture.
bool JpsKernel::find_ahead(const Origin& origin, MoveMask moves) {
    if (task_.explain || (origin.g != 0 && best().distance > kNear)) {
        return false;
    }
    const auto end = goal_ahead(layer_->bits(), task_.goal, {origin.x, origin.y}, moves);
    if (!end) {
        return false;
    }
    reach({origin.g + task_.goal.distance(origin.x, origin.y), task_.index_of(end->x, end->y),
           static_cast<std::uint16_t>(end->x), static_cast<std::uint16_t>(end->y), kGoalHere},
          origin.cell);
    return true;
}

Progress JpsKernel::step(std::uint64_t expansions_max) {
    JumpQueue& open = buffers_->open_jumps;
    std::uint64_t done = 0;
    while (true) {
        if (open.empty()) {
            return Progress::kExhausted;
        }
        if (spent(task_)) {
            return Progress::kBudget;
        }
        if (done == expansions_max) {
            return Progress::kRunning;
        }
        const OpenJump top = open.pop();
        JumpNode node(nodes_[top.cell]);
        const Origin origin{top.x, top.y, top.g(), top.cell};
        if (!node.waits_at(origin.g)) {
            continue;
        }
        const Arrivals pending = node.pending();
        const Arrivals before = node.done();
        node.close(origin.g);
        ++done;
        if (task_.explain) [[unlikely]] {
            buffers_->note({top.x, top.y}, model::ExploredKind::kClosed, origin.g * unit_,
                           top.h() * unit_);
        }
        const model::Cost distance = task_.goal.distance(top.x, top.y);
        if (close({distance, origin.g, top.cell}, task_.goal.range())) {
            return Progress::kReached;
        }
        MoveMask moves = moves_of(origin, pending);
        if (before != 0) [[unlikely]] {
            moves = static_cast<MoveMask>(moves & ~moves_of(origin, before));
        }
        if (best().cell == top.cell && find_ahead(origin, moves)) {
            continue;
        }
        expand(origin, moves);
    }
}

model::Cost JpsKernel::trail(model::CellIndex end, std::vector<model::Cell>& points) const {
    model::Cost cost = 0;
    model::Cell at = task_.cell_of(end);
    points.push_back(at);
    for (model::CellIndex cell = end; nodes_[cell].link != cell; cell = nodes_[cell].link) {
        // A leg runs diagonally first, then straight.
        const model::Cell from = task_.cell_of(nodes_[cell].link);
        const std::int32_t dx = at.x - from.x;
        const std::int32_t dy = at.y - from.y;
        cost += model::octile_distance(dx, dy);
        const std::int32_t diagonal = std::min(std::abs(dx), std::abs(dy));
        const model::Cell bend{from.x + (dx < 0 ? -diagonal : diagonal),
                               from.y + (dy < 0 ? -diagonal : diagonal)};
        if (bend != from && bend != at) {
            points.push_back(bend);
        }
        points.push_back(from);
        at = from;
    }
    return cost;
}

}  // namespace outrider::search
