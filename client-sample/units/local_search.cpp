#include "units/local_search.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace outrider::units {
namespace {

constexpr std::array<model::Cell, 8> kNeighbours{
    {{0, -1}, {1, 0}, {0, 1}, {-1, 0}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}}};

}  // namespace

LocalSearch::LocalSearch()
    : nodes_(static_cast<std::size_t>(kSide) * static_cast<std::size_t>(kSide)) {}

void LocalSearch::relax(std::int32_t from, model::Cell to, std::uint32_t cost) {
    const std::int32_t index = (to.y - corner_.y) * kSide + (to.x - corner_.x);
    Node& node = nodes_[static_cast<std::size_t>(index)];
    if (node.round == round_ && (node.settled || node.cost <= cost)) {
        return;
    }
    node = {round_, cost, false, from};
    open_.emplace_back(cost, index);
    std::ranges::push_heap(open_, std::greater<>{});
}

void LocalSearch::expand(const map::Layer& layer, std::int32_t node, const Rules& rules) {
    const model::Cell from = cell_of(node);
    const std::uint32_t cost = nodes_[static_cast<std::size_t>(node)].cost;
    for (const model::Cell by : kNeighbours) {
        const model::Cell to{from.x + by.x, from.y + by.y};
        const bool inside = to.x >= corner_.x && to.y >= corner_.y && to.x < corner_.x + kSide &&
                            to.y < corner_.y + kSide;
        if (!inside || !is_legal(layer, from, to)) {
            continue;
        }
        if (const auto more = rules.enter(to)) {
            relax(node, to, cost + step_between(from, to).length + *more);
        }
    }
}

std::vector<model::Cell> LocalSearch::trace(std::int32_t node, std::int32_t start) const {
    std::vector<model::Cell> cells;
    for (; node != start; node = nodes_[static_cast<std::size_t>(node)].before) {
        cells.push_back(cell_of(node));
    }
    std::ranges::reverse(cells);
    return cells;
}

std::vector<model::Cell> LocalSearch::find(const map::Layer& layer, model::Cell start,
                                           const Rules& rules) {
    ++round_;
    open_.clear();
    corner_ = {start.x - kRadius, start.y - kRadius};
    const std::int32_t first = kRadius * kSide + kRadius;
    relax(first, start, 0);
    std::uint32_t best = std::numeric_limits<std::uint32_t>::max();
    std::int32_t best_node = first;
    while (!open_.empty()) {
        std::ranges::pop_heap(open_, std::greater<>{});
        const auto [cost, index] = open_.back();
        open_.pop_back();
        if (cost >= best || cost > rules.cost_max) {
            break;
        }
        Node& node = nodes_[static_cast<std::size_t>(index)];
        if (node.settled) {
            continue;
        }
        node.settled = true;
        const auto rest = index == first ? std::nullopt : rules.end(cell_of(index));
        if (rest && cost + *rest <= rules.cost_max && cost + *rest < best) {
            best = cost + *rest;
            best_node = index;
        }
        expand(layer, index, rules);
    }
    return trace(best_node, first);
}

}  // namespace outrider::units
