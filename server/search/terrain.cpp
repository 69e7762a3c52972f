#include "outrider/search/terrain.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "outrider/search/cell_ring.hpp"

// As in jps.cpp: the innermost functions are worth inlining whatever their size.
#define OUTRIDER_HOT [[gnu::always_inline]] inline

namespace outrider::search {

namespace {

// Below this a node's 32-bit g is the whole of it: an open cell's g is at most its f, which is not
// far above that of the current bucket.
constexpr model::Cost kWholeBelow = model::Cost{1} << 31U;

constexpr std::array<std::uint32_t, kMoveCount> kMoveLength{
    model::kStraight, model::kStraight, model::kStraight, model::kStraight,
    model::kDiagonal, model::kDiagonal, model::kDiagonal, model::kDiagonal};

constexpr std::array<CellQueue::Entry, kMoveCount> make_move_entries() {
    std::array<CellQueue::Entry, kMoveCount> entries{};
    for (std::size_t move = 0; move < kMoveCount; ++move) {
        entries[move] = CellQueue::entry_of(kMoveX[move], kMoveY[move]);
    }
    return entries;
}
constexpr std::array<CellQueue::Entry, kMoveCount> kMoveEntry = make_move_entries();

// Of the moves that the node's arrivals call for, those that have not been made. `next`: which a
// set of arrivals calls for.
template <class Next>
OUTRIDER_HOT MoveMask take_moves(CellNode& node, Next next) {
    const CellNode was = node;
    MoveMask moves = next(was.arrivals());
    if (was.done() != 0) [[unlikely]] {
        moves = static_cast<MoveMask>(moves & ~next(was.done()));
    }
    node.set_done(was.arrivals());
    return moves;
}

}  // namespace

void TerrainKernel::begin(const Task& task, Buffers& buffers) {
    restart(task);
    task_ = task;
    buffers_ = &buffers;
    const map::Layer& layer = *task.layer;
    const model::MovementClass& who = layer.movement_class();
    legal_ = &move_table(who.directions, who.corner_rule);
    canonical_ = &CanonicalMoves::of(who);
    unit_ = layer.uniform() ? 2 * model::Cost{layer.weight_min()} : 1;
    bound_.begin(layer, task.start, task.goal, unit_);
    goal_ = {0, kNoGoal, 0};
    buffers.cells.prepare(layer.width(), layer.height());
    nodes_ = buffers.cells.data();
    generation_ = buffers.cells.generation();
    stride_ = buffers.cells.stride();
    for (std::size_t move = 0; move < kMoveCount; ++move) {
        beside_[move] = node_index(kMoveX[move], kMoveY[move]);
        fresh_[move] = {0, generation_, static_cast<std::uint8_t>(1U << move)};
    }
    open_ = &buffers.open_places;
    const std::int32_t x = task.start.x;
    const std::int32_t y = task.start.y;
    const model::Cost h = bound_.estimate(x, y);
    watch_ = std::max(best().distance, task.goal.range());
    const model::Cost cheapest = 2 * model::Cost{layer.weight_min()} * model::kStraight / unit_;
    open_->reset(h, bucket_shift(cheapest, bound_.has_landmarks()));
    // As if reached from all sides.
    nodes_[node_index(x, y)] = {0, generation_, kFromEverywhere};
    open_->push(static_cast<std::uint32_t>(h), CellQueue::entry_of(x, y) | CellQueue::kMarked);
    look_at_all_ = 0;
    if (task.explain) {
        buffers.note(task.start, model::ExploredKind::kOpened, 0, h * unit_);
    }
}

OUTRIDER_HOT void TerrainKernel::reach(CellQueue::Entry entry, CellNode& node, std::uint32_t g,
                                       unsigned move) {
    CellNode was = node;
    const std::int32_t gain = was.gain_of(g, generation_);
    if (gain < 0) {
        return;
    }
    if (gain > 0) {
        node = fresh_[move].with(g);
    } else {
        const auto arrival = static_cast<std::uint8_t>(1U << move);
        const bool needless = was.waits() || (was.done() & arrival) != 0;
        was.arrive(arrival);
        node = was;
        if (needless) {
            return;
        }
    }
    const std::int32_t x = CellQueue::x_of(entry);
    const std::int32_t y = CellQueue::y_of(entry);
    const model::Cost distance = task_.goal.distance(x, y);
    const model::Cost h = bound_.estimate(x, y, distance);
    open_->push(g + static_cast<std::uint32_t>(h),
                entry | (distance <= watch_ ? CellQueue::kMarked : 0));
    if (task_.explain) [[unlikely]] {
        buffers_->note({x, y}, model::ExploredKind::kOpened, whole(g, h) * unit_, h * unit_);
    }
}

// On a layer of one weight: g counts octile units.
OUTRIDER_HOT void TerrainKernel::expand_uniform(CellQueue::Entry entry, CellNode& node) {
    const unsigned around =
        bits_around(*task_.layer, CellQueue::x_of(entry), CellQueue::y_of(entry));
    const auto next = [&](Arrivals set) { return canonical_->next(set, around); };
    const std::uint32_t g = node.g();
    for (unsigned moves = take_moves(node, next); moves != 0; moves &= moves - 1) {
        const auto move = static_cast<unsigned>(std::countr_zero(moves));
        reach(entry + kMoveEntry[move], (&node)[beside_[move]], g + kMoveLength[move], move);
    }
}

OUTRIDER_HOT void TerrainKernel::expand_mixed(CellQueue::Entry entry, CellNode& node) {
    const CellRows rows = rows_of(*task_.layer, CellQueue::x_of(entry), CellQueue::y_of(entry));
    const std::uint32_t g = node.g();
    if (rows.even()) [[likely]] {
        const auto next = [&](Arrivals set) { return canonical_->next_on_even(set); };
        const std::uint32_t both = 2 * rows.own();
        for (unsigned moves = take_moves(node, next); moves != 0; moves &= moves - 1) {
            const auto move = static_cast<unsigned>(std::countr_zero(moves));
            reach(entry + kMoveEntry[move], (&node)[beside_[move]], g + both * kMoveLength[move],
                  move);
        }
        return;
    }
    const CellRing ring = rows.ring();
    unsigned moves;
    if (ring.one_weight()) {
        const unsigned around = ring.around();
        moves = take_moves(node, [&](Arrivals set) { return canonical_->next(set, around); });
    } else {
        moves = (*legal_)[ring.around()];
        node.set_done(kFromEverywhere);
    }
    // Only a start that the unit may leave is blocked here; it weighs as the cheapest terrain.
    const std::uint32_t own = ring.own != 0 ? ring.own : task_.layer->weight_min();
    for (; moves != 0; moves &= moves - 1) {
        const auto move = static_cast<unsigned>(std::countr_zero(moves));
        reach(entry + kMoveEntry[move], (&node)[beside_[move]],
              g + (own + ring.weight(move)) * kMoveLength[move], move);
    }
}

model::Cost TerrainKernel::whole(std::uint32_t g, model::Cost h) const {
    if (open_->floor() < kWholeBelow) {
        return g;
    }
    // The number with these low bits that is nearest to what the bucket lets expect.
    const model::Cost near = open_->floor() - h;
    const auto beyond = static_cast<std::int32_t>(g - static_cast<std::uint32_t>(near));
    return near + static_cast<model::Cost>(std::int64_t{beyond});
}

bool TerrainKernel::takes(CellNode& node, std::int32_t x, std::int32_t y) {
    const model::Cost h = bound_.estimate(x, y);
    const model::Cost distance = task_.goal.distance(x, y);
    const Closed at{distance, whole(node.g(), h), task_.index_of(x, y)};
    if (distance <= task_.goal.range()) {
        node.set_done(kFromEverywhere);
        if (std::pair(at.g, at.cell) < std::pair(goal_.g, goal_.cell)) {
            goal_ = at;
            look_at_all_ = CellQueue::kMarked;
        }
        return false;
    }
    if (goal_.g != kNoGoal && at.g + h >= goal_.g) {
        return false;
    }
    (void)close(at, task_.goal.range());
    watch_ = std::max(best().distance, task_.goal.range());
    return true;
}

// A search waits for memory more than it counts: asking ahead saves a third of its time. The cells
// around may lie in two cache lines of each row.
template <bool kUniform>
OUTRIDER_HOT void TerrainKernel::prefetch(CellQueue::Entry soon) const {
    const std::int32_t x = CellQueue::x_of(soon);
    const std::int32_t y = CellQueue::y_of(soon);
    const CellNode* const node = &nodes_[node_index(x, y)];
    for (const std::ptrdiff_t line : {-stride_, std::ptrdiff_t{0}, stride_}) {
        __builtin_prefetch(node + line - 1, 1);
        __builtin_prefetch(node + line + 1, 1);
    }
    if constexpr (!kUniform) {
        __builtin_prefetch(task_.layer->weight_at({x, y}));
    }
}

template <bool kUniform>
Progress TerrainKernel::run(std::uint64_t expansions_max) {
    const std::uint64_t left =
        task_.expansions_max != 0 ? task_.expansions_max - expansions() : ~std::uint64_t{0};
    const std::uint64_t limit = std::min(expansions_max, left);
    const Progress at_limit = limit == left ? Progress::kBudget : Progress::kRunning;
    std::uint64_t done = 0;
    // A goal cell ends the search when nothing cheaper waits, not when it comes up: the order
    // inside a bucket is not that of f.
    while (open_->settle() && open_->floor() < goal_.g) {
        if (done == limit) {
            return at_limit;
        }
        const CellQueue::Entry marked = open_->pop();
        const CellQueue::Entry top = marked & ~CellQueue::kMarked;
        prefetch<kUniform>(open_->soon());
        const std::int32_t x = CellQueue::x_of(top);
        const std::int32_t y = CellQueue::y_of(top);
        CellNode& node = nodes_[node_index(x, y)];
        if (!node.waits()) {
            continue;
        }
        if (((marked | look_at_all_) & CellQueue::kMarked) == 0) [[likely]] {
            close_far();
        } else if (!takes(node, x, y)) {
            continue;
        }
        ++done;
        if (task_.explain) [[unlikely]] {
            const model::Cost h = bound_.estimate(x, y);
            buffers_->note({x, y}, model::ExploredKind::kClosed, whole(node.g(), h) * unit_,
                           h * unit_);
        }
        if constexpr (kUniform) {
            expand_uniform(top, node);
        } else {
            expand_mixed(top, node);
        }
    }
    if (goal_.g == kNoGoal) {
        return Progress::kExhausted;
    }
    return done == limit ? at_limit : finish();
}

Progress TerrainKernel::finish() {
    if (task_.explain) {
        buffers_->note(task_.cell_of(goal_.cell), model::ExploredKind::kClosed, goal_.g * unit_, 0);
    }
    (void)close(goal_, task_.goal.range());
    return Progress::kReached;
}

Progress TerrainKernel::step(std::uint64_t expansions_max) {
    return task_.layer->uniform() ? run<true>(expansions_max) : run<false>(expansions_max);
}

// Half of what a step between two such cells costs, a unit of length.
model::Cost TerrainKernel::weight_of(model::Cell cell) const {
    const std::uint8_t weight = task_.layer->weight(cell);
    return weight != 0 ? weight : task_.layer->weight_min();
}

model::Cost TerrainKernel::trail(model::CellIndex end, std::vector<model::Cell>& points) const {
    model::Cell at = task_.cell_of(end);
    model::Cost cost = 0;
    points.push_back(at);
    while (at != task_.start) {
        const CellNode& node = nodes_[node_index(at.x, at.y)];
        const auto move = static_cast<std::size_t>(std::countr_zero(node.arrivals()));
        const model::Cell from{at.x - kMoveX[move], at.y - kMoveY[move]};
        cost += (weight_of(from) + weight_of(at)) * kMoveLength[move];
        points.push_back(from);
        at = from;
    }
    return cost / unit_;
}

}  // namespace outrider::search
