#include "load/traffic.hpp"

#include "outrider/base/check.hpp"

namespace outrider::load {
namespace {

// A player's map has about this many places that orders go to.
constexpr std::size_t kPlaces = 24;
constexpr std::int32_t kPlaceRadius = 6;
// A control group of an RTS.
constexpr std::int32_t kGroupMin = 8;
constexpr std::int32_t kGroupMax = 32;
constexpr std::int32_t kGroupRadius = 5;
// Players click again: the same order for the same unit.
constexpr double kRepeatShare = 0.15;
constexpr std::size_t kRecentMax = 256;
constexpr double kAnywhereShare = 0.3;
constexpr int kTriesNear = 16;

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
    for (std::size_t index = 0; index < kPlaces; ++index) {
        places_.push_back(any_cell());
    }
    for (std::uint32_t unit = 0; unit < options.units; ++unit) {
        positions_.push_back(cell_near(places_[dice_.below(kPlaces)], kPlaceRadius * 2));
    }
}

model::Cell Traffic::any_cell() {
    return open_cells_[dice_.below(open_cells_.size())];
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
        return recent_[dice_.below(recent_.size())];
    }
    const auto unit = static_cast<std::uint32_t>(dice_.below(positions_.size()));
    const model::Cell goal = dice_.chance(kAnywhereShare)
                                 ? any_cell()
                                 : cell_near(places_[dice_.below(kPlaces)], kPlaceRadius);
    return {unit, positions_[unit], goal};
}

void Traffic::begin_group_order() {
    const model::Cell goal = cell_near(places_[dice_.below(kPlaces)], kPlaceRadius);
    const auto leader = static_cast<std::uint32_t>(dice_.below(positions_.size()));
    const std::int32_t size = dice_.between(kGroupMin, kGroupMax);
    for (std::int32_t member = 0; member < size; ++member) {
        const auto unit = static_cast<std::uint32_t>((leader + static_cast<std::uint32_t>(member)) %
                                                     positions_.size());
        group_.push_back({unit, cell_near(positions_[leader], kGroupRadius), goal});
    }
}

Order Traffic::next() {
    // A group brings this many requests at once, so that it is begun that much more seldom.
    constexpr double kGroupMean = (kGroupMin + kGroupMax) / 2.0;
    if (group_.empty() && group_share_ > 0.0) {
        const double singles = 1.0 - group_share_;
        if (dice_.chance(group_share_ / (group_share_ + singles * kGroupMean))) {
            begin_group_order();
        }
    }
    Order order;
    if (!group_.empty()) {
        order = group_.front();
        group_.pop_front();
    } else {
        order = single_order();
    }
    if (recent_.size() < kRecentMax) {
        recent_.push_back(order);
    } else {
        recent_[recent_next_] = order;
        recent_next_ = (recent_next_ + 1) % kRecentMax;
    }
    return order;
}

void Traffic::moved(std::uint32_t unit, model::Cell to) {
    positions_[unit] = to;
}

}  // namespace outrider::load
