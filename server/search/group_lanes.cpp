#include "outrider/search/group_lanes.hpp"

#include <algorithm>

namespace outrider::search {

void GroupLanes::begin(const map::Layer& layer, const GroupUnits& units,
                       std::uint64_t expansions_max) {
    layer_ = &layer;
    units_ = &units;
    budget_ = expansions_max;
    expansions_ = 0;
    found_.clear();
    ways_.assign(units.waiting().size(), {});
    points_.clear();
    place_ = 0;
    ended_ = units.waiting().empty();
    if (!ended_) {
        begin_lane();
    }
}

void GroupLanes::begin_lane() {
    lane_.begin_one(*layer_, *units_, place_, budget_ == 0 ? 0 : budget_ - expansions_);
}

std::uint64_t GroupLanes::step(std::uint64_t cells_max, std::vector<SettledUnit>& settled) {
    const std::uint64_t work = lane_.step(cells_max, found_);
    if (lane_.ended()) {
        end_lane();
        if (ended_) {
            settle_all(settled);
        }
    }
    return work;
}

void GroupLanes::end_lane() {
    const bool found = !found_.empty() && found_.back().place == place_;
    if (found) {
        way_.clear();
        lane_.write_way(found_.back(), way_);
        ways_[place_] = {points_.size(), way_.size()};
        points_.insert(points_.end(), way_.begin(), way_.end());
    }
    expansions_ += lane_.expansions();
    ++place_;
    const bool spent = !found || (budget_ != 0 && expansions_ >= budget_);
    ended_ = spent || place_ == units_->waiting().size();
    if (!ended_) {
        begin_lane();
    }
}

void GroupLanes::settle_all(std::vector<SettledUnit>& settled) {
    std::ranges::sort(found_);
    for (SettledUnit& unit : found_) {
        unit.needed = expansions_;
    }
    settled.insert(settled.end(), found_.begin(), found_.end());
}

std::uint64_t GroupLanes::write_way(const SettledUnit& unit, std::vector<model::Cell>& points) {
    const Way& way = ways_[unit.place];
    const auto first = points_.begin() + static_cast<std::ptrdiff_t>(way.first);
    points.insert(points.end(), first, first + static_cast<std::ptrdiff_t>(way.count));
    return 1;
}

std::size_t GroupLanes::bytes() const {
    return lane_.bytes() + found_.capacity() * sizeof(SettledUnit) +
           ways_.capacity() * sizeof(Way) +
           (points_.capacity() + way_.capacity()) * sizeof(model::Cell);
}

}  // namespace outrider::search
