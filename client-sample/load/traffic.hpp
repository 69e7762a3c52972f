#pragma once
// What:     what players ask for: units stand in clusters, orders go to places of interest and are
//           repeated, groups are sent to one goal, and some orders are anything at all.
// Contract: the same seed, map and calls give the same orders. Starts and goals are open cells of
//           the map as it was at the start of the run.
// Threads:  next() and moved() from one thread.
// Cost:     a few random numbers an order. Memory: a few words a unit.

#include <cstdint>
#include <deque>
#include <vector>

#include "load/dice.hpp"
#include "outrider/map/layer.hpp"
#include "outrider/model/cell.hpp"

namespace outrider::load {

struct TrafficOptions {
    std::uint32_t units{500};
    // Share of the requests that belong to group orders: 0 .. 1.
    double group_share{0.3};
    std::uint64_t seed{1};
};

struct Order {
    std::uint32_t unit{};
    model::Cell start;
    model::Cell goal;
};

[[nodiscard]] bool has_open_cell(const map::Layer& layer);

class Traffic {
  public:
    // Needs a layer with at least one open cell; reads it during construction only.
    Traffic(const map::Layer& layer, const TrafficOptions& options);

    [[nodiscard]] Order next();
    // The unit has been told its path: it stands somewhere along it by the time of its next order.
    void moved(std::uint32_t unit, model::Cell to);
    [[nodiscard]] std::size_t unit_count() const { return positions_.size(); }

  private:
    [[nodiscard]] model::Cell any_cell();
    [[nodiscard]] model::Cell cell_near(model::Cell centre, std::int32_t radius);
    [[nodiscard]] Order single_order();
    void begin_group_order();

    std::int32_t width_;
    std::int32_t height_;
    std::vector<bool> open_;
    std::vector<model::Cell> open_cells_;
    Dice dice_;
    double group_share_;
    std::vector<model::Cell> places_;  // bases, mines, crossings
    std::vector<model::Cell> positions_;
    std::deque<Order> group_;    // the rest of a group order under way
    std::vector<Order> recent_;  // ring of what was asked, for repeats
    std::size_t recent_next_{0};
};

}  // namespace outrider::load
