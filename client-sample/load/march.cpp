#include "load/march.hpp"

#include <algorithm>

namespace outrider::load {

void March::sent(std::uint64_t key, std::size_t connection, model::RequestId id) {
    const base::Lock lock(mutex_);
    Walker& walker = walkers_[key];
    walker.connection = connection;
    walker.id = id;
    if (walker.over) {
        walkers_.erase(key);
    }
}

void March::take_path(std::uint64_t key, std::uint32_t unit, std::vector<model::Cell> cells) {
    const base::Lock lock(mutex_);
    Walker& walker = walkers_[key];
    walker.unit = unit;
    if (walker.cells.empty()) {
        walker.cells = std::move(cells);
        walker.at = 0;
        return;
    }
    const model::Cell place = walker.cells[walker.at];
    const auto found = std::ranges::find(cells, place);
    // Not on the way: it stays where it is, and its report brings a path from there.
    walker.at = found == cells.end() ? 0 : static_cast<std::size_t>(found - cells.begin());
    walker.cells = found == cells.end() ? std::vector<model::Cell>{place} : std::move(cells);
}

void March::end(std::uint64_t key, bool arrived) {
    const base::Lock lock(mutex_);
    arrivals_ += arrived ? 1 : 0;
    Walker& walker = walkers_[key];
    if (walker.id == model::RequestId{}) {
        walker.over = true;
    } else {
        walkers_.erase(key);
    }
}

std::vector<March::Place> March::walk(std::size_t steps) {
    std::vector<Place> places;
    const base::Lock lock(mutex_);
    for (auto& [key, walker] : walkers_) {
        if (walker.id == model::RequestId{} || walker.cells.empty()) {
            continue;
        }
        const std::size_t to = std::min(walker.at + steps, walker.cells.size() - 1);
        // Who waits for a path says again where it is.
        if (to != walker.at || walker.cells.size() == 1) {
            walker.at = to;
            places.push_back({walker.unit, walker.connection, {walker.id, walker.cells[to]}});
        }
    }
    return places;
}

std::uint64_t March::arrivals() const {
    const base::Lock lock(mutex_);
    return arrivals_;
}

}  // namespace outrider::load
