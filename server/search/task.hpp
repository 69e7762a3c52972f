#pragma once
// What: a query resolved against its layer: what a kernel needs to run, and nothing else.

#include <cstdint>

#include "outrider/map/layer.hpp"
#include "outrider/model/cell.hpp"
#include "outrider/model/cost.hpp"
#include "outrider/model/query.hpp"
#include "outrider/search/goal_region.hpp"

namespace outrider::search {

struct Task {
    const map::Layer* layer{nullptr};
    model::Cell start;
    // For a partial path: the goal's rectangle with the range raised to the nearest reachable cell.
    GoalRegion goal;
    // Never kAuto.
    model::Algorithm algorithm{model::Algorithm::kAstar};
    std::uint32_t weight_percent{100};
    std::uint64_t expansions_max{0};  // 0: none
    bool explain{false};

    [[nodiscard]] model::CellIndex index_of(std::int32_t x, std::int32_t y) const {
        return static_cast<model::CellIndex>(y) * static_cast<model::CellIndex>(layer->width()) +
               static_cast<model::CellIndex>(x);
    }
    [[nodiscard]] model::Cell cell_of(model::CellIndex index) const {
        const auto width = static_cast<model::CellIndex>(layer->width());
        return {static_cast<std::int32_t>(index % width), static_cast<std::int32_t>(index / width)};
    }
};

}  // namespace outrider::search
