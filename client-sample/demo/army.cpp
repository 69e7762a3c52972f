#include "demo/army.hpp"

#include <algorithm>

namespace outrider::demo {

std::size_t Army::arrived() const {
    return static_cast<std::size_t>(std::ranges::count(units_, UnitState::kArrived, &Unit::state));
}

bool path_holds(const map::Layer& layer, const Unit& unit) {
    model::Cell from = unit.at;
    for (auto cell = unit.path.rbegin(); cell != unit.path.rend(); ++cell) {
        const bool straight = cell->x == from.x || cell->y == from.y;
        // The demo's class needs both corners open.
        const bool clear =
            straight || (layer.open({cell->x, from.y}) && layer.open({from.x, cell->y}));
        if (!layer.open(*cell) || !clear) {
            return false;
        }
        from = *cell;
    }
    return true;
}

std::vector<std::size_t> Army::find_wanting(const map::Layer& layer, bool retry_stuck) {
    std::vector<std::size_t> wanting;
    for (std::size_t index = 0; index < units_.size(); ++index) {
        Unit& unit = units_[index];
        const bool broken = unit.state == UnitState::kMarching && !path_holds(layer, unit);
        const bool retry = unit.state == UnitState::kStuck && retry_stuck;
        if (broken || retry) {
            unit.state = UnitState::kWantsPath;
        }
        if (unit.state == UnitState::kWantsPath) {
            wanting.push_back(index);
        }
    }
    return wanting;
}

void Army::give_path(std::size_t index, std::span<const model::Cell> cells, std::uint32_t tick) {
    Unit& unit = units_[index];
    unit.path.clear();
    const bool leads_there =
        !cells.empty() && cells.front() == unit.at && cells.back() == unit.goal;
    if (!leads_there) {
        unit.state = UnitState::kStuck;
        return;
    }
    unit.path.assign(cells.rbegin(), cells.rend() - 1);
    unit.state = unit.path.empty() ? UnitState::kArrived : UnitState::kMarching;
    if (unit.has_marched) {
        unit.replanned = tick;
    }
}

void Army::step(std::uint32_t tick) {
    for (Unit& unit : units_) {
        if (unit.state != UnitState::kMarching || tick < unit.departs) {
            continue;
        }
        unit.at = unit.path.back();
        unit.path.pop_back();
        unit.has_marched = true;
        if (unit.path.empty()) {
            unit.state = UnitState::kArrived;
        }
    }
}

}  // namespace outrider::demo
