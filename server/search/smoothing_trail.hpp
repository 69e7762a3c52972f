#pragma once
// What: a path as a row of places, each a number of cells along one leg, and what it costs from one
//       to the other. A leg runs from one turning point to the next.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "outrider/map/layer.hpp"
#include "outrider/model/cell.hpp"
#include "outrider/model/cost.hpp"

namespace outrider::search {

class Trail {
  public:
    // `cells` below the leg's length; the end of the path is {legs(), 0}.
    struct Place {
        std::size_t leg{};
        std::int32_t cells{};
    };

    // Keeps both; needs a turning point at least.
    void begin(const map::Layer& layer, std::span<const model::Cell> turning_points);
    // Steps of the path.
    [[nodiscard]] std::uint64_t cells() const { return cells_; }
    [[nodiscard]] std::size_t bytes() const { return costs_.capacity() * sizeof(model::Cost); }

    [[nodiscard]] std::size_t legs() const { return turns_.size() - 1; }
    // In cells.
    [[nodiscard]] std::int32_t length(std::size_t leg) const;
    [[nodiscard]] model::Cell cell(Place place) const;
    // The place so many cells along a leg, from 0 to the whole leg.
    [[nodiscard]] Place along(std::size_t leg, std::int32_t cells) const {
        return cells == length(leg) ? Place{leg + 1, 0} : Place{leg, cells};
    }
    // Of the path's own steps; layers of mixed weights only.
    [[nodiscard]] model::Cost cost_between(Place from, Place to) const {
        return cost_to(to) - cost_to(from);
    }

  private:
    [[nodiscard]] model::Cell step(std::size_t leg) const;
    [[nodiscard]] model::Cost cost_to(Place place) const {
        return costs_[place.leg] + cost_along(place.leg, place.cells);
    }
    [[nodiscard]] model::Cost cost_along(std::size_t leg, std::int32_t cells) const;

    const map::Layer* layer_{nullptr};
    std::span<const model::Cell> turns_;
    std::uint64_t cells_{0};
    // Up to each turning point; empty for uniform layers.
    std::vector<model::Cost> costs_;
};

}  // namespace outrider::search
