#include "outrider/search/smoothing.hpp"

#include <algorithm>

#include "outrider/search/smoother.hpp"

namespace outrider::search {
namespace {

using model::Cell;

// The path of mixed terrain is weighed cell by cell; so many cells take as long as one expansion.
constexpr std::uint64_t kCellsPerExpansion = 16;

// Every line lies between cells of the path, and so do the bodies that slide along it.
model::Rect box_around(std::span<const Cell> cells, std::int32_t footprint) {
    Cell low = cells.front();
    Cell high = low;
    for (const Cell cell : cells) {
        low = {std::min(low.x, cell.x), std::min(low.y, cell.y)};
        high = {std::max(high.x, cell.x), std::max(high.y, cell.y)};
    }
    return {low.x, low.y, high.x - low.x + footprint, high.y - low.y + footprint};
}

}  // namespace

void Smoother::begin(const map::Layer& layer, std::span<const Cell> turning_points,
                     const model::Smoothing& how) {
    layer_ = &layer;
    turning_points_ = turning_points;
    how_ = how;
    phase_ = Phase::kShortcuts;
    trail_.begin(layer, turning_points);
    knots_.clear();
    shortcuts_.begin(layer, trail_, how, knots_);
    worth_ = layer.uniform() ? 0 : trail_.cells() / kCellsPerExpansion;
    paid_ = 0;
}

bool Smoother::step(std::uint64_t expansions_max) {
    std::uint64_t left = expansions_max;
    for (;;) {
        const std::uint64_t paid = std::min(left, worth_ - paid_);
        paid_ += paid;
        left -= paid;
        if (paid_ < worth_ || (left == 0 && phase_ != Phase::kDone)) {
            return false;
        }
        if (phase_ == Phase::kDone) {
            return true;
        }
        do_piece();
    }
}

void Smoother::do_piece() {
    if (phase_ == Phase::kPull) {
        if (!pull_.step()) {
            pull_.finish(knots_);
            phase_ = Phase::kDone;
        }
        worth_ += pull_.worth();
        return;
    }
    if (!shortcuts_.step(knots_)) {
        const bool corners = how_.grade == model::Grade::kCorners;
        if (corners) {
            pull_.begin(*layer_, how_.clearance, knots_);
        }
        phase_ = corners ? Phase::kPull : Phase::kDone;
    }
    worth_ += shortcuts_.worth();
}

Smoothed Smoother::take() {
    Smoothed smoothed;
    const std::uint8_t footprint = layer_->movement_class().footprint;
    const Point shift = unit_centre({0, 0}, footprint);
    std::uint64_t parts = 0;
    smoothed.points.reserve(knots_.size());
    for (std::size_t i = 0; i < knots_.size(); ++i) {
        const Point at = knots_[i].at;
        smoothed.points.push_back({at.x + shift.x - kCellSide / 2, at.y + shift.y - kCellSide / 2});
        smoothed.cost += knots_[i].cost;
        parts += i == 0 ? 0 : line_length(knots_[i - 1].at, at);
    }
    smoothed.length = (parts + kLengthParts - 1) / kLengthParts;
    smoothed.hash = model::hash_of(smoothed.points);
    smoothed.looked_at = box_around(turning_points_, footprint);
    return smoothed;
}

std::size_t Smoother::bytes() const {
    return trail_.bytes() + pull_.bytes() + knots_.capacity() * sizeof(Knot);
}

Smoothed smooth(const map::Layer& layer, std::span<const Cell> turning_points,
                const model::Smoothing& how) {
    if (turning_points.empty()) {
        return {};
    }
    Smoother smoother;
    smoother.begin(layer, turning_points, how);
    while (!smoother.step(~std::uint64_t{0})) {
    }
    return smoother.take();
}

}  // namespace outrider::search
