#include "outrider/engine/follow_repair.hpp"

#include <algorithm>
#include <unordered_map>

#include "outrider/model/path.hpp"

namespace outrider::engine {
namespace {

std::vector<model::Cell> cells_of(PathWalk walk) {
    std::vector<model::Cell> cells{walk.cell()};
    while (walk.advance()) {
        cells.push_back(walk.cell());
    }
    return cells;
}

std::uint64_t key_of(model::Cell cell) {
    return std::uint64_t{static_cast<std::uint32_t>(cell.y)} << 32U |
           static_cast<std::uint32_t>(cell.x);
}

// Appends a cell, or goes back to where it was met before.
class LooplessPath {
  public:
    void add(model::Cell cell) {
        const auto [met, fresh] = places_.try_emplace(key_of(cell), cells_.size());
        if (fresh) {
            cells_.push_back(cell);
            return;
        }
        while (cells_.size() > met->second + 1) {
            places_.erase(key_of(cells_.back()));
            cells_.pop_back();
        }
    }
    [[nodiscard]] const std::vector<model::Cell>& cells() const { return cells_; }

  private:
    std::vector<model::Cell> cells_;
    std::unordered_map<std::uint64_t, std::size_t> places_;
};

}  // namespace

std::optional<Mend> find_mend(const map::Layer& layer, PathWalk rest) {
    const std::vector<model::Cell> cells = cells_of(rest);
    const std::size_t end = cells.size() - 1;
    std::size_t first = end;
    std::size_t last = 0;
    for (std::size_t i = 0; i < end; ++i) {
        if (!is_legal_step(layer, cells[i], cells[i + 1])) {
            first = std::min(first, i);
            last = i + 1;
        }
    }
    if (last == 0) {
        return std::nullopt;
    }
    const std::size_t margin = std::min(kMendMargin, cells.size() / 8);
    const std::size_t from = first > margin ? first - margin : 0;
    const std::size_t to = std::min(last + margin, end);
    if (!layer.open(cells[to]) || 2 * (to - from) > end) {
        return std::nullopt;
    }
    Mend mend{.next = rest.next(), .from = cells[from], .to = cells[to]};
    for (std::size_t i = 0; i < end; ++i) {
        if (i < from || i >= to) {
            mend.kept += step_cost(layer, cells[i], cells[i + 1]);
        }
    }
    return mend;
}

model::PathQuery stretch_query(const model::PathQuery& whole, const Mend& mend) {
    model::PathQuery query;
    query.movement_class = whole.movement_class;
    query.start = mend.from;
    query.goal.rect = {mend.to.x, mend.to.y, 1, 1};
    query.expansions_max = std::min(whole.expansions_max, kMendExpansionsMax);
    return query;
}

std::vector<model::Cell> mended_path(PathWalk rest, const Mend& mend,
                                     std::span<const model::Cell> stretch) {
    LooplessPath path;
    bool old = true;
    for (const model::Cell cell : cells_of(rest)) {
        if (cell == mend.from) {
            for (const model::Cell detour : model::cells_of(stretch)) {
                path.add(detour);
            }
            old = false;
        }
        old = old || cell == mend.to;
        if (old) {
            path.add(cell);
        }
    }
    return model::turning_points_of(path.cells());
}

PathBound bound_of(const map::Layer& layer, std::span<const model::Cell> points,
                   std::uint32_t bound_percent, bool may_leave_blocked) {
    PathBound bound;
    bound.to_go.resize(points.size());
    for (std::size_t i = points.size() - 1; i > 0; --i) {
        const PathWalk leg(points.first(i + 1), i, points[i - 1]);
        // Only the first cell may be blocked.
        const auto cost = weigh(layer, leg, may_leave_blocked && i == 1);
        if (!cost) {
            return {};
        }
        bound.to_go[i - 1] = bound.to_go[i] + *cost;
    }
    bound.least = bound.to_go.front() * 100 / std::max(bound_percent, 100U);
    return bound;
}

model::Cost least_from(const PathBound& bound, std::span<const model::Cell> points,
                       std::size_t next, model::Cell place, model::Cost weight_min) {
    if (bound.to_go.empty()) {
        return 0;
    }
    model::Cost to_go = 0;
    if (next < points.size()) {
        const model::Cost steps =
            model::octile_distance(points[next].x - place.x, points[next].y - place.y);
        to_go = bound.to_go[next] + 2 * weight_min * steps;
    }
    const model::Cost whole = bound.to_go.front();
    const model::Cost paid = whole - std::min(whole, to_go);
    return bound.least - std::min(bound.least, paid);
}

}  // namespace outrider::engine
