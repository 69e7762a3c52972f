#include "units/local_search.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace outrider::units {
namespace {

constexpr std::array<model::Cell, 8> kNeighbours{
    {{0, -1}, {1, 0}, {0, 1}, {-1, 0}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}}};

std::uint32_t least_from(model::Cell cell, const LocalSearch::Rules& rules) {
    return rules.towards ? static_cast<std::uint32_t>(model::octile_distance(
                               cell.x - rules.towards->x, cell.y - rules.towards->y))
                         : 0;
}

}  // namespace

LocalSearch::LocalSearch()
    : nodes_(static_cast<std::size_t>(kSide) * static_cast<std::size_t>(kSide)) {}

void LocalSearch::expand(const map::Layer& layer, std::int32_t node, const Rules& rules) {
    const model::Cell from = cell_of(node);
    const std::uint32_t cost = nodes_[static_cast<std::size_t>(node)].cost;
    for (const model::Cell by : kNeighbours) {
        const model::Cell to{from.x + by.x, from.y + by.y};
        const bool inside = to.x >= corner_.x && to.y >= corner_.y && to.x < corner_.x + kSide &&
                            to.y < corner_.y + kSide;
        if (!inside) {
            continue;
        }
        const std::int32_t index = node + by.y * kSide + by.x;
        Node& next = nodes_[static_cast<std::size_t>(index)];
        std::uint32_t sum = cost + step_between(from, to).length;
        const std::uint32_t least = least_from(to, rules);
        const auto is_dearer = [&] {
            return sum + least > rules.cost_max ||
                   (next.round == round_ && (next.settled || next.cost <= sum));
        };
        // The dear questions last.
        if (is_dearer() || !is_legal(layer, from, to)) {
            continue;
        }
        const auto more = rules.enter(to);
        sum += more.value_or(0);
        if (!more || is_dearer()) {
            continue;
        }
        next = {round_, sum, false, node};
        open_.emplace_back(sum + least, index);
        std::ranges::push_heap(open_, std::greater<>{});
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
    nodes_[static_cast<std::size_t>(first)] = {round_, 0, false, first};
    open_.emplace_back(0, first);
    std::uint32_t best = std::numeric_limits<std::uint32_t>::max();
    std::int32_t best_node = first;
    while (!open_.empty()) {
        std::ranges::pop_heap(open_, std::greater<>{});
        const auto [least, index] = open_.back();
        open_.pop_back();
        if (least >= best) {
            break;
        }
        Node& node = nodes_[static_cast<std::size_t>(index)];
        if (node.settled) {
            continue;
        }
        node.settled = true;
        const auto rest = index == first ? std::nullopt : rules.end(cell_of(index));
        if (rest && node.cost + *rest <= rules.cost_max && node.cost + *rest < best) {
            best = node.cost + *rest;
            best_node = index;
        }
        expand(layer, index, rules);
    }
    return trace(best_node, first);
}

}  // namespace outrider::units
