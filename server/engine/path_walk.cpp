#include "outrider/engine/path_walk.hpp"

#include <algorithm>

namespace outrider::engine {
namespace {

model::Cost weight_of(const map::Layer& layer, model::Cell cell) {
    if (layer.uniform()) {
        return layer.weight_min();
    }
    const std::uint8_t weight = layer.weight(cell);
    return weight == 0 ? layer.weight_min() : weight;
}

model::Cost step_length(model::Cell from, model::Cell to) {
    return from.x != to.x && from.y != to.y ? model::kDiagonal : model::kStraight;
}

// The dearest terrain under the footprint; the cheapest of the class where it cannot be crossed.
model::Cost ground_weight(const map::Snapshot& snapshot, const map::Layer& layer,
                          model::Cell anchor) {
    if (layer.uniform() || layer.open(anchor)) {
        return weight_of(layer, anchor);
    }
    const model::MovementClass& who = layer.movement_class();
    const model::Rect under = model::intersect({anchor.x, anchor.y, who.footprint, who.footprint},
                                               {0, 0, layer.width(), layer.height()});
    std::uint8_t dearest = layer.weight_min();
    for (std::int32_t y = under.y; y < under.end_y(); ++y) {
        for (std::int32_t x = under.x; x < under.end_x(); ++x) {
            dearest = std::max(dearest, who.weights[snapshot.terrain({x, y})]);
        }
    }
    return dearest;
}

bool lies_between(model::Cell a, model::Cell b, model::Cell cell) {
    const std::int32_t dx = cell.x - a.x;
    const std::int32_t dy = cell.y - a.y;
    const bool boxed = cell.x >= std::min(a.x, b.x) && cell.x <= std::max(a.x, b.x) &&
                       cell.y >= std::min(a.y, b.y) && cell.y <= std::max(a.y, b.y);
    const bool straight = a.x == b.x || a.y == b.y;
    return boxed && (straight || std::abs(dx) == std::abs(dy));
}

}  // namespace

model::Cost step_cost(const map::Layer& layer, model::Cell from, model::Cell to) {
    return (weight_of(layer, from) + weight_of(layer, to)) * step_length(from, to);
}

bool is_legal_step(const map::Layer& layer, model::Cell from, model::Cell to) {
    if (!layer.open(to)) {
        return false;
    }
    if (from.x == to.x || from.y == to.y) {
        return true;
    }
    const model::MovementClass& who = layer.movement_class();
    const int sides = (layer.open({to.x, from.y}) ? 1 : 0) + (layer.open({from.x, to.y}) ? 1 : 0);
    switch (who.corner_rule) {
        case model::CornerRule::kBothOpen: return sides == 2;
        case model::CornerRule::kOneOpen: return sides >= 1;
        case model::CornerRule::kNoneOpen: return true;
    }
    return false;
}

std::optional<model::Cost> weigh(const map::Layer& layer, PathWalk walk, bool may_leave_blocked) {
    if (!layer.open(walk.cell()) && !may_leave_blocked) {
        return std::nullopt;
    }
    model::Cost cost = 0;
    model::Cell from = walk.cell();
    while (walk.advance()) {
        if (!is_legal_step(layer, from, walk.cell())) {
            return std::nullopt;
        }
        cost += step_cost(layer, from, walk.cell());
        from = walk.cell();
    }
    return cost;
}

bool stands_in(const map::Layer& layer, std::span<const model::Cell> points, PathWalk walk,
               std::span<const model::Rect> boxes, bool may_leave_blocked) {
    model::Cell begin = walk.cell();
    if (!layer.open(begin) && !may_leave_blocked) {
        return false;
    }
    for (std::size_t next = walk.next(); next < points.size(); ++next) {
        const model::Cell end = points[next];
        const model::Rect ends[] = {{begin.x, begin.y, 1, 1}, {end.x, end.y, 1, 1}};
        const model::Rect leg = model::box_of(ends);
        // A blocked cell also forbids the diagonal steps beside it.
        const bool passes = std::ranges::any_of(boxes, [&](const model::Rect& box) {
            return !model::intersect(leg, {box.x - 1, box.y - 1, box.width + 2, box.height + 2})
                        .empty();
        });
        PathWalk steps(points.first(next + 1), next, begin);
        for (model::Cell from = begin; passes && steps.advance(); from = steps.cell()) {
            if (!is_legal_step(layer, from, steps.cell())) {
                return false;
            }
        }
        begin = end;
    }
    return true;
}

model::Cost cost_until(const map::Layer& layer, PathWalk walk, model::Cell to) {
    model::Cost cost = 0;
    model::Cell from = walk.cell();
    while (from != to && walk.advance()) {
        cost += step_cost(layer, from, walk.cell());
        from = walk.cell();
    }
    return cost;
}

model::Cost ground_cost_until(const map::Snapshot& snapshot, model::ClassId id, PathWalk walk,
                              model::Cell to, bool first_cheapest) {
    const map::Layer& layer = *snapshot.layer(id);
    model::Cell from = walk.cell();
    model::Cost before =
        first_cheapest ? weight_of(layer, from) : ground_weight(snapshot, layer, from);
    model::Cost cost = 0;
    while (from != to && walk.advance()) {
        const model::Cost weight = ground_weight(snapshot, layer, walk.cell());
        cost += (before + weight) * step_length(from, walk.cell());
        before = weight;
        from = walk.cell();
    }
    return cost;
}

std::optional<PathWalk> find_on_path(std::span<const model::Cell> points, PathWalk from,
                                     model::Cell cell) {
    model::Cell begin = from.cell();
    if (begin == cell) {
        return from;
    }
    for (std::size_t next = from.next(); next < points.size(); ++next) {
        if (lies_between(begin, points[next], cell)) {
            return PathWalk(points, next, cell);
        }
        begin = points[next];
    }
    return std::nullopt;
}

}  // namespace outrider::engine
