#include "outrider/search/jps.hpp"

#include <algorithm>
#include <cstdlib>

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
    const model::Cost distance = task.goal.distance(task.start.x, task.start.y);
    buffers.open_jumps.reset(distance - std::min(distance, task.goal.range()));
    const model::CellIndex cell = task.index_of(task.start.x, task.start.y);
    reach({0, cell, static_cast<std::uint16_t>(task.start.x),
           static_cast<std::uint16_t>(task.start.y), kStartHere},
          cell);
}

inline void JpsKernel::find(const Found& found) {
    __builtin_prefetch(&nodes_[found.cell], 1);
    found_[found_count_++] = found;
}

void JpsKernel::reach_found(model::CellIndex parent) {
    for (std::size_t i = 0; i < found_count_; ++i) {
        reach(found_[i], parent);
    }
    found_count_ = 0;
}

OUTRIDER_HOT void JpsKernel::reach(const Found& at, model::CellIndex parent) {
    const Arrivals arrivals = at.arrivals;
    Node& node = nodes_[at.cell];
    // Untouched reads as infinitely dear. By arithmetic, since whether a find is the first of its
    // cell is a coin toss that no branch predictor guesses.
    const model::Cost stale = model::Cost{0} - model::Cost{node.stamp != generation_};
    const model::Cost known_g = (node.word | stale) & kGMask;
    if (known_g < at.g) {
        return;
    }
    if (known_g == at.g) {
        const auto pending = static_cast<Arrivals>(node.word >> kPendingShift);
        const auto done = static_cast<Arrivals>(node.word >> kDoneShift);
        const auto fresh = static_cast<Arrivals>(arrivals & ~(pending | done));
        node.word |= std::uint64_t{fresh} << kPendingShift;
        if (fresh == 0 || pending != 0) {
            return;
        }
    } else {
        node = {at.g | std::uint64_t{arrivals} << kPendingShift, generation_, parent};
    }
    const model::Cost distance = task_.goal.distance(at.x, at.y);
    const model::Cost h = distance > task_.goal.range() ? distance - task_.goal.range() : 0;
    buffers_->open_jumps.push({(at.g + h) << OpenJump::kEstimateBits | h, at.cell, at.x, at.y});
    if (task_.explain) [[unlikely]] {
        const auto kind =
            arrivals == kStartHere ? model::ExploredKind::kOpened : model::ExploredKind::kJumpPoint;
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
    const auto [stop, stop_open] = scan<kMove>(layer_->bits(), at.x, at.y);
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

// One diagonal step after the other; what the straight jumps beside each find hangs on the origin
// at once (intermediate pruning), so that the cells of the diagonal never enter the open list.
template <Move kMove>
void JpsKernel::jump_diagonal(const Origin& origin) {
    constexpr std::int32_t kDx = kMoveX[kMove];
    constexpr std::int32_t kDy = kMoveY[kMove];
    constexpr Move kBeside = kDy < 0 ? kN : kS;
    constexpr Move kAlong = kDx < 0 ? kW : kE;
    Origin at = origin;
    bool legal = true;  // the first step is, by the mask of legal moves
    while (legal) {
        at.x += kDx;
        at.y += kDy;
        at.g += model::kDiagonal;
        if (task_.goal.contains(at.x, at.y)) [[unlikely]] {
            find({at.g, task_.index_of(at.x, at.y), static_cast<std::uint16_t>(at.x),
                  static_cast<std::uint16_t>(at.y), kGoalHere});
            return;
        }
        jump_straight<kBeside>(at);
        jump_straight<kAlong>(at);
        if (found_count_ + 8 > kFoundMax) {
            reach_found(origin.cell);
        }
        legal = free2x2(layer_->bits(), at.x + std::min(kDx, 0), at.y + std::min(kDy, 0));
    }
}

OUTRIDER_HOT MoveMask JpsKernel::moves_of(const Origin& at, Arrivals arrivals) const {
    const std::size_t row = (arrivals & kStartHere) != 0 ? kAnyMove : arrivals & (kAnyMove - 1);
    return kJumpTable[row][bits_around(*layer_, at.x, at.y)];
}

void JpsKernel::expand(const Origin& origin, MoveMask moves) {
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
    reach_found(origin.cell);
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
        Node& node = nodes_[top.cell];
        const Origin origin{top.x, top.y, top.g(), top.cell};
        const auto pending = static_cast<Arrivals>(node.word >> kPendingShift);
        if ((node.word & kGMask) != origin.g || pending == 0) {
            continue;
        }
        const auto before = static_cast<Arrivals>(node.word >> kDoneShift);
        node.word = origin.g | std::uint64_t{static_cast<Arrivals>(before | pending)} << kDoneShift;
        ++done;
        if (task_.explain) [[unlikely]] {
            buffers_->note({top.x, top.y}, model::ExploredKind::kClosed, origin.g * unit_,
                           top.h() * unit_);
        }
        const model::Cost distance =
            top.h() != 0 ? top.h() + task_.goal.range() : task_.goal.distance(top.x, top.y);
        if (close({distance, origin.g, top.cell}, task_.goal.range())) {
            return Progress::kReached;
        }
        MoveMask moves = moves_of(origin, pending);
        if (before != 0) [[unlikely]] {
            moves = static_cast<MoveMask>(moves & ~moves_of(origin, before));
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
