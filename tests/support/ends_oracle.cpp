#include "support/ends_oracle.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>

namespace outrider::test {
namespace {

using model::Cell;
using model::Cost;

constexpr std::size_t kNowhere = ~std::size_t{0};

class Ends {
  public:
    Ends(const WeightGrid& grid, const Mover& mover, std::int32_t footprint,
         const model::GroupQuery& query)
        : grid_(grid),
          mover_(mover),
          footprint_(footprint),
          query_(query),
          label_(static_cast<std::size_t>(grid.width) * static_cast<std::size_t>(grid.height),
                 kNowhere) {}

    [[nodiscard]] ExpectedEnds find() {
        ExpectedEnds expected;
        for (const Cell start : query_.starts) {
            const std::size_t region = label_region(start);
            expected.region_of_unit.push_back(served_[region] ? std::optional(region)
                                                              : std::nullopt);
            units_[region] += served_[region] ? 1 : 0;
        }
        if (query_.formation.empty()) {
            expected.ends_of_region = nearest_ends();
        } else {
            for (std::size_t unit = 0; unit < query_.starts.size(); ++unit) {
                const auto region = expected.region_of_unit[unit];
                expected.slots.push_back(region ? slot(unit, *region) : std::nullopt);
            }
        }
        return expected;
    }

  private:
    [[nodiscard]] std::size_t index(Cell cell) const {
        return static_cast<std::size_t>(cell.y) * static_cast<std::size_t>(grid_.width) +
               static_cast<std::size_t>(cell.x);
    }
    template <class Visit>
    void for_each_cell(Visit visit) const {
        for (Cell cell{0, 0}; cell.y < grid_.height; ++cell.y) {
            for (cell.x = 0; cell.x < grid_.width; ++cell.x) {
                visit(cell);
            }
        }
    }
    [[nodiscard]] model::Rect goal() const {
        return model::intersect(query_.goal.rect, {0, 0, grid_.width, grid_.height});
    }

    std::size_t label_region(Cell start) {
        if (label_[index(start)] != kNowhere) {
            return label_[index(start)];
        }
        const std::size_t region = units_.size();
        units_.push_back(0);
        const std::vector<Cost> costs = costs_from(grid_, mover_, start);
        Cost nearest = kNever;
        for_each_cell([&](Cell cell) {
            if (costs[index(cell)] != kNever) {
                label_[index(cell)] = region;
                nearest = std::min(nearest, distance_to(goal(), cell));
            }
        });
        const Cost range = Cost{query_.goal.range} * model::kStraight;
        served_.push_back(nearest <= range || query_.allow_partial);
        for_each_cell([&](Cell cell) {
            if (label_[index(cell)] == region &&
                distance_to(goal(), cell) <= std::max(range, nearest)) {
                seeds_.push_back(cell);
            }
        });
        return region;
    }
    [[nodiscard]] bool is_free(Cell cell) const {
        return std::ranges::none_of(taken_,
                                    [&](Cell other) { return overlap(cell, other, footprint_); });
    }

    std::vector<std::vector<Cell>> nearest_ends() {
        const std::vector<Cost> costs = costs_from(grid_, mover_, seeds_);
        std::vector<std::tuple<Cost, Cost, std::int32_t, std::int32_t>> order;
        for_each_cell([&](Cell cell) {
            if (costs[index(cell)] != kNever) {
                order.emplace_back(
                    costs[index(cell)],
                    model::octile_distance(2 * cell.x - 2 * goal().x - goal().width + 1,
                                           2 * cell.y - 2 * goal().y - goal().height + 1),
                    cell.y, cell.x);
            }
        });
        std::ranges::sort(order);
        std::vector<std::vector<Cell>> ends(units_.size());
        for (const auto& [cost, off, y, x] : order) {
            const std::size_t region = label_[index({x, y})];
            if (ends[region].size() < units_[region] && is_free({x, y})) {
                ends[region].push_back({x, y});
                taken_.push_back({x, y});
            }
        }
        return ends;
    }
    std::optional<Cell> slot(std::size_t unit, std::size_t region) {
        const Cell offset = query_.formation[unit];
        const Cell wish{std::clamp(query_.goal.rect.x + offset.x, 0, grid_.width - 1),
                        std::clamp(query_.goal.rect.y + offset.y, 0, grid_.height - 1)};
        std::optional<std::pair<Cost, Cell>> best;
        for_each_cell([&](Cell cell) {
            const Cost distance = model::octile_distance(cell.x - wish.x, cell.y - wish.y);
            if (label_[index(cell)] == region && (!best || distance < best->first) &&
                is_free(cell)) {
                best = {distance, cell};
            }
        });
        if (!best) {
            return std::nullopt;
        }
        taken_.push_back(best->second);
        return best->second;
    }

    const WeightGrid& grid_;
    Mover mover_;
    std::int32_t footprint_;
    const model::GroupQuery& query_;
    std::vector<std::size_t> label_;
    std::vector<std::size_t> units_;  // by region
    std::vector<bool> served_;
    std::vector<Cell> seeds_;
    std::vector<Cell> taken_;
};

}  // namespace

bool overlap(Cell a, Cell b, std::int32_t footprint) {
    return std::abs(a.x - b.x) < footprint && std::abs(a.y - b.y) < footprint;
}

ExpectedEnds ends_of(const WeightGrid& grid, const Mover& mover, std::int32_t footprint,
                     const model::GroupQuery& query) {
    return Ends(grid, mover, footprint, query).find();
}

}  // namespace outrider::test
