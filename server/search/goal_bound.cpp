#include "outrider/search/goal_bound.hpp"

#include <array>
#include <span>

#include "outrider/base/hash.hpp"

namespace outrider::search {

void GoalBound::begin(const map::Layer& layer, model::Cell start, const GoalRegion& goal,
                      model::Cost unit) {
    goal_ = goal;
    factor_ = 2 * model::Cost{layer.weight_min()} / unit;
    four_ = layer.movement_class().directions == model::Directions::kFour;
    // A cell within an octile range r of the goal is at most r * 2 * 408 / 577 straight steps away.
    manhattan_range_ =
        (goal.range() * 2 * model::kStraight + model::kDiagonal - 1) / model::kDiagonal;
    landmarks_ = layer.landmarks();
    if (landmarks_ != nullptr && !measure_goal(layer, start)) {
        landmarks_ = nullptr;
    }
    quantum_ = landmarks_ != nullptr ? landmarks_->quantum() / unit : 1;
}

std::uint64_t GoalBound::guide() const {
    if (landmarks_ == nullptr) {
        return 0;
    }
    const std::array<Quanta, 2> known{low_, high_};
    return base::hash64(std::as_bytes(std::span(known)));
}

// Only cells that the start can reach count, so that a landmark knows all of them or none: then it
// knows every cell that the search can touch, or its lane is shut.
bool GoalBound::measure_goal(const map::Layer& layer, model::Cell start) {
    // A unit that leaves a blocked cell starts where no landmark has been.
    const map::Component component = layer.regions().component(start);
    const std::int32_t top = std::max(goal_.rows().first, 0);
    const std::int32_t bottom = std::min(goal_.rows().last, layer.height() - 1);
    if (component == map::kNoComponent || bottom - top >= kGoalCellsMax) {
        return false;
    }
    low_.lanes.fill(map::Landmarks::kUnknown);
    high_.lanes.fill(0);
    bool any = false;
    std::int64_t cells = 0;
    for (std::int32_t y = top; y <= bottom; ++y) {
        const Span on_row = goal_.on_row(y);
        const std::int32_t first = std::max(on_row.first, 0);
        const std::int32_t last = std::min(on_row.last, layer.width() - 1);
        cells += std::max(last - first + 1, 0);
        if (cells > kGoalCellsMax) {
            return false;
        }
        for (std::int32_t x = first; x <= last; ++x) {
            if (layer.regions().component({x, y}) != component) {
                continue;
            }
            any = true;
            const Quanta& at = landmarks_->at(x, y);
            for (std::size_t i = 0; i < at.lanes.size(); ++i) {
                low_.lanes[i] = std::min(low_.lanes[i], at.lanes[i]);
                high_.lanes[i] = std::max(high_.lanes[i], at.lanes[i]);
            }
        }
    }
    for (std::size_t i = 0; i < high_.lanes.size(); ++i) {
        if (high_.lanes[i] == map::Landmarks::kUnknown) {
            low_.lanes[i] = 0;
        }
    }
    return any;
}

}  // namespace outrider::search
