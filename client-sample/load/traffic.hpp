#pragma once
// What:     what players ask for: armies stand in clusters, orders go to places of interest (bases,
//           mines, choke points) and are repeated, armies are sent to one goal, and some orders are
//           anything at all.
// Contract: the same seed, map and calls give the same orders. Goals are open cells of the map as
//           it was at the start of the run, and so are starts, as long as nobody has moved.
// Threads:  one.
// Cost:     a few random numbers an order. Memory: a few words a unit and open cell.

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "load/dice.hpp"
#include "outrider/map/layer.hpp"
#include "outrider/model/cell.hpp"

namespace outrider::load {

struct TrafficOptions {
    std::uint32_t units{500};
    // Share of the requests that are group requests: 0 .. 1.
    double group_share{0.02};
    std::uint64_t seed{1};
};

struct Order {
    std::uint32_t unit{};
    model::Cell start;
    model::Cell goal;
};

// An army to one goal, by one request.
struct GroupOrder {
    std::vector<std::uint32_t> units;
    std::vector<model::Cell> starts;
    model::Cell goal;
};

using Request = std::variant<Order, GroupOrder>;

[[nodiscard]] bool has_open_cell(const map::Layer& layer);
// A passage: at most kChokeWidth cells wide one way, and more than twice as long the other.
[[nodiscard]] bool is_choke(const map::Layer& layer, model::Cell cell);
inline constexpr std::int32_t kChokeWidth = 4;

class Traffic {
  public:
    // Needs a layer with at least one open cell; reads it during construction only.
    Traffic(const map::Layer& layer, const TrafficOptions& options);

    [[nodiscard]] Request next();
    // Where the unit stands now.
    void moved(std::uint32_t unit, model::Cell to) { positions_[unit] = to; }
    // Where units stand, army by army.
    [[nodiscard]] std::span<const model::Cell> positions() const { return positions_; }
    // The order for a unit from where it stands.
    [[nodiscard]] Order order_for(std::uint32_t unit, model::Cell goal) const {
        return {unit, positions_[unit], goal};
    }

  private:
    // Units first .. first + count - 1.
    struct Army {
        std::uint32_t first{};
        std::uint32_t count{};
    };

    void find_places(const map::Layer& layer);
    void raise_armies(std::uint32_t units);
    [[nodiscard]] model::Cell any_cell();
    [[nodiscard]] model::Cell cell_near(model::Cell centre, std::int32_t radius);
    [[nodiscard]] model::Cell any_place();
    [[nodiscard]] Order single_order();
    [[nodiscard]] GroupOrder group_order();

    std::int32_t width_;
    std::int32_t height_;
    std::vector<bool> open_;
    std::vector<model::Cell> open_cells_;
    Dice dice_;
    double group_share_;
    std::vector<model::Cell> places_;
    std::vector<model::Cell> positions_;
    std::vector<Army> armies_;
    // Ring of what single units were told, for repeats.
    std::vector<Order> recent_;
    std::size_t recent_next_{0};
};

}  // namespace outrider::load
