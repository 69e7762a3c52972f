#include "outrider/search/textbook.hpp"

#include <algorithm>
#include <bit>

namespace outrider::search {

void TextbookKernel::begin(const Task& task, Buffers& buffers) {
    restart(task);
    task_ = task;
    buffers_ = &buffers;
    const map::Layer& layer = *task.layer;
    const model::MovementClass& who = layer.movement_class();
    moves_ = &move_table(who.directions, who.corner_rule);
    four_ = who.directions == model::Directions::kFour;
    weight_min_ = layer.weight_min();
    // A cell within an octile range r of the goal is at most r * 2 * 408 / 577 straight steps away.
    manhattan_range_ =
        (task.goal.range() * 2 * model::kStraight + model::kDiagonal - 1) / model::kDiagonal;
    const bool weighted = task.weight_percent > 100;
    g_factor_ = weighted ? 100 : 1;
    h_factor_ = task.algorithm == model::Algorithm::kDijkstra
                    ? 0
                    : (weighted ? std::uint64_t{task.weight_percent} : 1);

    buffers.nodes.prepare(static_cast<std::size_t>(layer.width()) *
                          static_cast<std::size_t>(layer.height()));
    nodes_ = buffers.nodes.data();
    generation_ = buffers.nodes.generation();
    buffers.open_cells.reset(nodes_);
    reach(task.start.x, task.start.y, 0, 0);
}

model::Cost TextbookKernel::estimate(std::int32_t x, std::int32_t y) const {
    const GoalRegion& goal = task_.goal;
    const model::Cost octile = goal.distance(x, y);
    model::Cost least = octile > goal.range() ? octile - goal.range() : 0;
    if (four_) {
        const model::Cost straight = goal.manhattan(x, y);
        least = std::max(least, straight > manhattan_range_ ? straight - manhattan_range_ : 0);
    }
    return 2 * weight_min_ * least;
}

void TextbookKernel::reach(std::int32_t x, std::int32_t y, model::Cost g, std::uint32_t move) {
    const model::CellIndex cell = task_.index_of(x, y);
    Node& node = nodes_[cell];
    OpenList& open = buffers_->open_cells;
    if (node.stamp == generation_) {
        const std::uint32_t place = node.link & OpenList::kPlaceMask;
        if (g >= node.word || place == OpenList::kClosed) {
            return;
        }
        OpenCell entry = open.at(place);
        entry.f -= (node.word - g) * g_factor_;
        entry.g = g;
        node.word = g;
        node.link = move << kMoveShift | place;
        open.decrease(place, entry);
        return;
    }
    const model::Cost h = estimate(x, y);
    node = {g, generation_, move << kMoveShift};
    open.push({g * g_factor_ + h * h_factor_, g, cell, static_cast<std::uint16_t>(x),
               static_cast<std::uint16_t>(y)});
    if (task_.explain) [[unlikely]] {
        buffers_->note({x, y}, model::ExploredKind::kOpened, g, h);
    }
}

template <bool kUniform>
void TextbookKernel::expand(const OpenCell& from) {
    const map::Layer& layer = *task_.layer;
    const std::int32_t x = from.x;
    const std::int32_t y = from.y;
    const std::uint8_t* const weight = kUniform ? nullptr : layer.weight_at({x, y});
    // Only a start that the unit may leave is blocked here; it weighs as the cheapest terrain.
    const bool cheapest = kUniform || *weight == 0;
    const model::Cost own = cheapest ? weight_min_ : model::Cost{*weight};
    for (unsigned mask = (*moves_)[bits_around(layer, x, y)]; mask != 0; mask &= mask - 1) {
        const auto move = static_cast<unsigned>(std::countr_zero(mask));
        const std::int32_t to_x = x + kMoveX[move];
        const std::int32_t to_y = y + kMoveY[move];
        const model::Cost other =
            kUniform ? weight_min_
                     : model::Cost{weight[kMoveY[move] * map::Layer::kWeightStride + kMoveX[move]]};
        const model::Cost step = move < kNE ? model::kStraight : model::kDiagonal;
        reach(to_x, to_y, from.g + (own + other) * step, move);
    }
}

template <bool kUniform>
Progress TextbookKernel::run(std::uint64_t expansions_max) {
    OpenList& open = buffers_->open_cells;
    for (std::uint64_t done = 0;; ++done) {
        if (open.empty()) {
            return Progress::kExhausted;
        }
        if (spent(task_)) {
            return Progress::kBudget;
        }
        if (done == expansions_max) {
            return Progress::kRunning;
        }
        const OpenCell top = open.pop();
        if (task_.explain) [[unlikely]] {
            buffers_->note({top.x, top.y}, model::ExploredKind::kClosed, top.g,
                           estimate(top.x, top.y));
        }
        if (close({task_.goal.distance(top.x, top.y), top.g, top.cell}, task_.goal.range())) {
            return Progress::kReached;
        }
        expand<kUniform>(top);
    }
}

Progress TextbookKernel::step(std::uint64_t expansions_max) {
    return task_.layer->uniform() ? run<true>(expansions_max) : run<false>(expansions_max);
}

model::Cost TextbookKernel::trail(model::CellIndex end, std::vector<model::Cell>& points) const {
    const model::CellIndex start = task_.index_of(task_.start.x, task_.start.y);
    model::Cell at = task_.cell_of(end);
    points.push_back(at);
    for (model::CellIndex cell = end; cell != start; cell = task_.index_of(at.x, at.y)) {
        const std::uint32_t move = nodes_[cell].link >> kMoveShift;
        at = {at.x - kMoveX[move], at.y - kMoveY[move]};
        points.push_back(at);
    }
    return nodes_[end].word;
}

}  // namespace outrider::search
