#include "outrider/search/smoothing_trail.hpp"

#include <algorithm>
#include <cstdlib>

namespace outrider::search {

using model::Cell;
using model::Cost;

namespace {

constexpr std::int32_t sign(std::int32_t value) {
    return value > 0 ? 1 : (value < 0 ? -1 : 0);
}

}  // namespace

void Trail::begin(const map::Layer& layer, std::span<const Cell> turning_points) {
    layer_ = &layer;
    turns_ = turning_points;
    cells_ = 0;
    costs_.clear();
    if (!layer.uniform()) {
        costs_.push_back(0);
    }
    for (std::size_t leg = 0; leg < legs(); ++leg) {
        cells_ += static_cast<std::uint64_t>(length(leg));
        if (!layer.uniform()) {
            costs_.push_back(costs_.back() + cost_along(leg, length(leg)));
        }
    }
}

std::int32_t Trail::length(std::size_t leg) const {
    return std::max(std::abs(turns_[leg + 1].x - turns_[leg].x),
                    std::abs(turns_[leg + 1].y - turns_[leg].y));
}

Cell Trail::step(std::size_t leg) const {
    return {sign(turns_[leg + 1].x - turns_[leg].x), sign(turns_[leg + 1].y - turns_[leg].y)};
}

Cell Trail::cell(Place place) const {
    const Cell from = turns_[place.leg];
    if (place.cells == 0) {
        return from;
    }
    const Cell by = step(place.leg);
    return {from.x + by.x * place.cells, from.y + by.y * place.cells};
}

Cost Trail::cost_along(std::size_t leg, std::int32_t cells) const {
    if (cells == 0) {
        return 0;
    }
    const Cell by = step(leg);
    // A blocked start weighs as the class's cheapest terrain, and so does no other cell.
    const auto weight = [this](Cell cell) {
        return Cost{std::max(*layer_->weight_at(cell), layer_->weight_min())};
    };
    Cell at = turns_[leg];
    // Each step counts both of its ends: the inner cells twice.
    Cost sum = weight(at);
    for (std::int32_t i = 1; i <= cells; ++i) {
        at = {at.x + by.x, at.y + by.y};
        sum += i < cells ? 2 * weight(at) : weight(at);
    }
    return sum * (by.x != 0 && by.y != 0 ? model::kDiagonal : model::kStraight);
}

}  // namespace outrider::search
