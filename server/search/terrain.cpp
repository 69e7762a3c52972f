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

constexpr unsigned kAllAround = 0x1FF;
constexpr std::array<model::Cost, kMoveCount> kMoveLength{
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
    }
    open_ = &buffers.open_places;
    const std::int32_t x = task.start.x;
    const std::int32_t y = task.start.y;
    const model::Cost h = bound_.estimate(x, y);
    open_->reset(h, bucket_shift());
    // As if reached from all sides.
    nodes_[node_index(x, y)] = {0, generation_, kFromEverywhere, 0};
    open_->push(h, CellQueue::entry_of(x, y));
    if (task.explain) {
        buffers.note(task.start, model::ExploredKind::kOpened, 0, h * unit_);
    }
}

// A bucket is no wider than the cheapest step, so that few cells come up before their g is final;
// narrower ones would cost more than the few that they save. With landmarks most cells that matter
// have an f close below the path's cost, and a wide bucket would expand all of them that lie close
// above it as well: a sixteenth halves the time.
unsigned TerrainKernel::bucket_shift() const {
    const model::Cost cheapest =
        2 * model::Cost{task_.layer->weight_min()} * model::kStraight / unit_;
    const model::Cost width = bound_.has_landmarks() ? cheapest / 16 : cheapest;
    return static_cast<unsigned>(std::bit_width(width)) - 1;
}

OUTRIDER_HOT void TerrainKernel::reach(CellQueue::Entry entry, CellNode& node, model::Cost g,
                                       unsigned move) {
    const auto arrival = static_cast<std::uint8_t>(1U << move);
    const auto low_g = static_cast<std::uint32_t>(g);
    // How much cheaper it is now. Only the low half of a g is kept: two costs of one cell differ by
    // far less than 2^31. Untouched reads as dearer, by arithmetic and not by a branch.
    const bool untouched = node.stamp != generation_;
    const auto gain = static_cast<std::int32_t>(untouched ? 1U : node.g - low_g);
    if (gain < 0) {
        return;
    }
    if (gain == 0) {
        const bool waits = (node.arrivals & ~node.done) != 0;
        node.arrivals |= arrival;
        if (waits || (node.done & arrival) != 0) {
            return;
        }
    } else {
        node = {low_g, generation_, arrival, 0};
    }
    const std::int32_t x = CellQueue::x_of(entry);
    const std::int32_t y = CellQueue::y_of(entry);
    const model::Cost h = bound_.estimate(x, y);
    open_->push(g + h, entry);
    if (task_.explain) [[unlikely]] {
        buffers_->note({x, y}, model::ExploredKind::kOpened, g * unit_, h * unit_);
    }
}

OUTRIDER_HOT MoveMask TerrainKernel::take_moves(CellNode& node, unsigned around) const {
    MoveMask moves = canonical_->next(node.arrivals, around);
    if (node.done != 0) [[unlikely]] {
        moves = static_cast<MoveMask>(moves & ~canonical_->next(node.done, around));
    }
    node.done = node.arrivals;
    return moves;
}

// On a layer of one weight: g counts octile units.
OUTRIDER_HOT void TerrainKernel::expand_even(CellQueue::Entry entry, CellNode& node,
                                             model::Cost g) {
    const unsigned around =
        bits_around(*task_.layer, CellQueue::x_of(entry), CellQueue::y_of(entry));
    for (unsigned moves = take_moves(node, around); moves != 0; moves &= moves - 1) {
        const auto move = static_cast<unsigned>(std::countr_zero(moves));
        reach(entry + kMoveEntry[move], (&node)[beside_[move]], g + kMoveLength[move], move);
    }
}

OUTRIDER_HOT void TerrainKernel::expand_mixed(CellQueue::Entry entry, CellNode& node,
                                              model::Cost g) {
    const CellRing ring = ring_of(*task_.layer, CellQueue::x_of(entry), CellQueue::y_of(entry));
    unsigned moves;
    if (ring.even()) {
        moves = take_moves(node, kAllAround);
    } else if (ring.one_weight()) {
        moves = take_moves(node, ring.around());
    } else {
        moves = (*legal_)[ring.around()];
        node.done = kFromEverywhere;
    }
    // Only a start that the unit may leave is blocked here; it weighs as the cheapest terrain.
    const model::Cost own = ring.own != 0 ? ring.own : task_.layer->weight_min();
    for (; moves != 0; moves &= moves - 1) {
        const auto move = static_cast<unsigned>(std::countr_zero(moves));
        reach(entry + kMoveEntry[move], (&node)[beside_[move]],
              g + (own + ring.weight(move)) * kMoveLength[move], move);
    }
}

OUTRIDER_HOT model::Cost TerrainKernel::g_of(const CellNode& node, std::int32_t x,
                                             std::int32_t y) const {
    if (open_->floor() < kWholeBelow) [[likely]] {
        return node.g;
    }
    // The number with these low bits that is nearest to what the bucket lets expect.
    const model::Cost near = open_->floor() - bound_.estimate(x, y);
    const auto beyond = static_cast<std::int32_t>(node.g - static_cast<std::uint32_t>(near));
    return near + static_cast<model::Cost>(std::int64_t{beyond});
}

OUTRIDER_HOT bool TerrainKernel::takes(const Closed& at, CellNode& node, std::int32_t x,
                                       std::int32_t y) {
    if (at.distance <= task_.goal.range()) [[unlikely]] {
        node.done = kFromEverywhere;
        if (std::pair(at.g, at.cell) < std::pair(goal_.g, goal_.cell)) {
            goal_ = at;
        }
        return false;
    }
    return goal_.g == kNoGoal || at.g + bound_.estimate(x, y) < goal_.g;
}

// On maps beyond the processor's cache a search waits for memory more than it counts: asking ahead
// saves a seventh of its time.
template <bool kUniform>
OUTRIDER_HOT void TerrainKernel::prefetch(CellQueue::Entry soon) const {
    const std::int32_t x = CellQueue::x_of(soon);
    const std::int32_t y = CellQueue::y_of(soon);
    const CellNode* const node = &nodes_[node_index(x, y)];
    for (const std::ptrdiff_t line : {-stride_, std::ptrdiff_t{0}, stride_}) {
        __builtin_prefetch(node + line, 1);
    }
    if constexpr (!kUniform) {
        const std::uint8_t* const weight = task_.layer->weight_at({x, y});
        for (const std::int32_t line : {-1, 0, 1}) {
            __builtin_prefetch(weight + line * map::Layer::kWeightStride);
        }
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
        const CellQueue::Entry top = open_->pop();
        prefetch<kUniform>(open_->soon());
        const std::int32_t x = CellQueue::x_of(top);
        const std::int32_t y = CellQueue::y_of(top);
        CellNode& node = nodes_[node_index(x, y)];
        if ((node.arrivals & ~node.done) == 0) {
            continue;
        }
        const Closed at{task_.goal.distance(x, y), g_of(node, x, y), task_.index_of(x, y)};
        if (!takes(at, node, x, y)) [[unlikely]] {
            continue;
        }
        ++done;
        if (task_.explain) [[unlikely]] {
            buffers_->note({x, y}, model::ExploredKind::kClosed, at.g * unit_,
                           bound_.estimate(x, y) * unit_);
        }
        (void)close(at, task_.goal.range());
        if constexpr (kUniform) {
            expand_even(top, node, at.g);
        } else {
            expand_mixed(top, node, at.g);
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
        const auto move = static_cast<std::size_t>(std::countr_zero(node.arrivals));
        const model::Cell from{at.x - kMoveX[move], at.y - kMoveY[move]};
        cost += (weight_of(from) + weight_of(at)) * kMoveLength[move];
        points.push_back(from);
        at = from;
    }
    return cost / unit_;
}

}  // namespace outrider::search
