#include "load/traffic.hpp"

#include <algorithm>

#include "outrider/base/check.hpp"

namespace outrider::load {
namespace {

// A player's map has about this many places that orders go to, of which so many are choke points,
// where the map has such.
constexpr std::size_t kPlaces = 24;
constexpr std::size_t kChokes = 8;
constexpr int kTriesChoke = 400;
constexpr std::int32_t kPlaceRadius = 6;
// A control group of an RTS; one army in so many is a large one.
constexpr std::int32_t kControlGroupMin = 8;
constexpr std::int32_t kControlGroupMax = 32;
constexpr std::uint64_t kLargeArmyEvery = 8;
constexpr std::int32_t kLargeArmyMin = 64;
constexpr std::int32_t kLargeArmyMax = 200;
// Players click again: the same order for the same unit, within the last so many.
constexpr double kRepeatShare = 0.15;
constexpr std::size_t kRecentMax = 16;
constexpr double kAnywhereShare = 0.3;
constexpr int kTriesNear = 16;

// Open cells in a row from the cell on, itself included, up to a bit more than matters.
std::int32_t run_of(const map::Layer& layer, model::Cell cell, std::int32_t dx, std::int32_t dy) {
    constexpr std::int32_t kFar = 3 * kChokeWidth;
    std::int32_t length = 0;
    while (length < kFar && layer.open(cell)) {
        ++length;
        cell.x += dx;
        cell.y += dy;
    }
    return length;
}

}  // namespace

bool has_open_cell(const map::Layer& layer) {
    for (std::int32_t y = 0; y < layer.height(); ++y) {
        for (std::int32_t x = 0; x < layer.width(); ++x) {
            if (layer.open({x, y})) {
                return true;
            }
        }
    }
    return false;
}

bool is_choke(const map::Layer& layer, model::Cell cell) {
    if (!layer.open(cell)) {
        return false;
    }
    const std::int32_t across = run_of(layer, cell, 1, 0) + run_of(layer, cell, -1, 0) - 1;
    const std::int32_t down = run_of(layer, cell, 0, 1) + run_of(layer, cell, 0, -1) - 1;
    const std::int32_t narrow = std::min(across, down);
    return narrow <= kChokeWidth && std::max(across, down) > 2 * narrow;
}

Traffic::Traffic(const map::Layer& layer, const TrafficOptions& options)
    : width_(layer.width()),
      height_(layer.height()),
      open_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_)),
      dice_(options.seed),
      group_share_(options.group_share) {
    for (std::int32_t y = 0; y < height_; ++y) {
        for (std::int32_t x = 0; x < width_; ++x) {
            if (layer.open({x, y})) {
                open_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                      static_cast<std::size_t>(x)] = true;
                open_cells_.push_back({x, y});
            }
        }
    }
    OUTRIDER_CHECK(!open_cells_.empty());
    find_places(layer);
    raise_armies(options.units);
}

void Traffic::find_places(const map::Layer& layer) {
    for (int attempt = 0; attempt < kTriesChoke && places_.size() < kChokes; ++attempt) {
        const model::Cell cell = any_cell();
        if (is_choke(layer, cell)) {
            places_.push_back(cell);
        }
    }
    while (places_.size() < kPlaces) {
        places_.push_back(any_cell());
    }
}

void Traffic::raise_armies(std::uint32_t units) {
    while (positions_.size() < units) {
        const bool large = dice_.below(kLargeArmyEvery) == 0;
        const auto size =
            static_cast<std::uint32_t>(large ? dice_.between(kLargeArmyMin, kLargeArmyMax)
                                             : dice_.between(kControlGroupMin, kControlGroupMax));
        const auto first = static_cast<std::uint32_t>(positions_.size());
        armies_.push_back({first, std::min(size, units - first)});
        const model::Cell camp = cell_near(any_place(), 2 * kPlaceRadius);
        for (std::uint32_t unit = 0; unit < armies_.back().count; ++unit) {
            positions_.push_back(cell_near(camp, kPlaceRadius));
        }
    }
}

model::Cell Traffic::any_cell() {
    return open_cells_[dice_.below(open_cells_.size())];
}

model::Cell Traffic::any_place() {
    return places_[dice_.below(places_.size())];
}

model::Cell Traffic::cell_near(model::Cell centre, std::int32_t radius) {
    for (int attempt = 0; attempt < kTriesNear; ++attempt) {
        const model::Cell cell{centre.x + dice_.between(-radius, radius),
                               centre.y + dice_.between(-radius, radius)};
        const bool inside = cell.x >= 0 && cell.y >= 0 && cell.x < width_ && cell.y < height_;
        if (inside && open_[static_cast<std::size_t>(cell.y) * static_cast<std::size_t>(width_) +
                            static_cast<std::size_t>(cell.x)]) {
            return cell;
        }
    }
    return centre;
}

Order Traffic::single_order() {
    if (!recent_.empty() && dice_.chance(kRepeatShare)) {
        const Order& again = recent_[dice_.below(recent_.size())];
        return order_for(again.unit, again.goal);
    }
    const auto unit = static_cast<std::uint32_t>(dice_.below(positions_.size()));
    const model::Cell goal =
        dice_.chance(kAnywhereShare) ? any_cell() : cell_near(any_place(), kPlaceRadius);
    const Order order = order_for(unit, goal);
    if (recent_.size() < kRecentMax) {
        recent_.push_back(order);
    } else {
        recent_[recent_next_] = order;
        recent_next_ = (recent_next_ + 1) % kRecentMax;
    }
    return order;
}

GroupOrder Traffic::group_order() {
    GroupOrder order;
    order.goal = cell_near(any_place(), kPlaceRadius);
    const Army army = armies_[dice_.below(armies_.size())];
    for (std::uint32_t unit = army.first; unit < army.first + army.count; ++unit) {
        order.units.push_back(unit);
        order.starts.push_back(positions_[unit]);
    }
    return order;
}

Request Traffic::next() {
    if (dice_.chance(group_share_)) {
        return group_order();
    }
    return single_order();
}

}  // namespace outrider::load
