#include "outrider/search/route_end.hpp"

#include <optional>

namespace outrider::search {

model::Cost least_cost(const map::Layer& layer, model::Cell a, model::Cell b) {
    const bool four = layer.movement_class().directions == model::Directions::kFour;
    const model::Cost distance = four ? model::manhattan_distance(a.x - b.x, a.y - b.y)
                                      : model::octile_distance(a.x - b.x, a.y - b.y);
    return 2 * model::Cost{layer.weight_min()} * distance;
}

model::Cell RouteEnd::cell_of(const map::Portal& portal) const {
    return {place_.x * map::kChunkSide + portal.x, place_.y * map::kChunkSide + portal.y};
}

void RouteEnd::begin(const map::Layer& layer, model::Cell cell, map::ChunkSearch& scratch) {
    layer_ = &layer;
    search_ = &scratch;
    cell_ = cell;
    place_ = map::ChunkPlace::of(cell);
    label_ = layer.regions().chunks().at(place_).label(cell.x % map::kChunkSide,
                                                       cell.y % map::kChunkSide);
    const map::ChunkPortals& portals = layer.portals(place_);
    measure(portals, scratch);
    if (roughness_ <= kSmooth) {
        return;
    }
    scratch.begin(layer, cell);
    for (std::uint32_t i = 0; i < portals.count(); ++i) {
        if (portals[i].label == label_) {
            scratch.want(portals[i].x, portals[i].y);
        }
    }
}

// By the costs of the nearest portal.
void RouteEnd::measure(const map::ChunkPortals& portals, map::ChunkSearch& scratch) {
    std::optional<std::uint32_t> nearest;
    model::Cost nearest_cost = 0;
    for (std::uint32_t i = 0; i < portals.count(); ++i) {
        const model::Cost cost = least_cost(*layer_, cell_, cell_of(portals[i]));
        if (portals[i].label == label_ && (!nearest || cost < nearest_cost)) {
            nearest = i;
            nearest_cost = cost;
        }
    }
    model::Cost real = 0;
    model::Cost least = 0;
    if (nearest) {
        const std::uint32_t* row = portals.row(*layer_, place_, *nearest, scratch);
        for (std::uint32_t i = 0; i < portals.count(); ++i) {
            if (row[i] != map::ChunkSearch::kNoWay) {
                real += row[i];
                least += least_cost(*layer_, cell_of(portals[*nearest]), cell_of(portals[i]));
            }
        }
    }
    roughness_ = least == 0 ? 256 : real * 256 / least;
}

bool RouteEnd::step(Meter& meter) {
    while (roughness_ > kSmooth && !search_->done()) {
        if (!meter.pay(1)) {
            return false;
        }
        search_->step(kCellsPerExpansion);
    }
    return true;
}

std::uint32_t RouteEnd::cost(const map::Portal& portal) const {
    if (portal.label != label_) {
        return map::ChunkSearch::kNoWay;
    }
    if (roughness_ > kSmooth) {
        return search_->cost(portal.x, portal.y);
    }
    return static_cast<std::uint32_t>(least_cost(*layer_, cell_, cell_of(portal)) * roughness_ /
                                      256);
}

}  // namespace outrider::search
