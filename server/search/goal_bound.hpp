#pragma once
// What:     the estimate of every kernel that looks ahead: a lower bound of the cost from a cell to
//           the goal region, the larger of the octile one and that of the landmarks.
// Contract: never too large (admissible). With landmarks it is not quite consistent: along a step
//           it may fall by up to one quantum more than the step costs, so that a kernel must open a
//           closed cell again when it finds a cheaper way to it.
//           A goal cell's estimate is 0. Layer and landmarks outlive the bound.
// Cost:     begin(): up to kGoalCellsMax cells of the region. estimate(): one load of 16 bytes and
//           one vector's worth of arithmetic.
// Source:   as map/landmarks.hpp.

#include <algorithm>
#include <cstdint>

#include "outrider/map/layer.hpp"
#include "outrider/model/movement_class.hpp"
#include "outrider/search/goal_region.hpp"
#include "outrider/search/lanes.hpp"

namespace outrider::search {

class GoalBound {
  public:
    // A region of more cells goes by the octile distance alone: over a wide goal the landmarks say
    // little, and looking at its cells takes longer than a short search.
    static constexpr std::int64_t kGoalCellsMax = 256;

    // Estimates are in units of `unit`: 1, or 2 * weight_min on a layer of one weight.
    void begin(const map::Layer& layer, model::Cell start, const GoalRegion& goal,
               model::Cost unit);

    [[nodiscard]] bool has_landmarks() const { return landmarks_ != nullptr; }

    [[nodiscard]] model::Cost estimate(std::int32_t x, std::int32_t y) const {
        return estimate(x, y, goal_.distance(x, y));
    }
    // For who knows the octile distance to the goal's rectangle.
    [[nodiscard]] model::Cost estimate(std::int32_t x, std::int32_t y, model::Cost octile) const {
        const model::Cost straight = geometric(x, y, octile);
        return landmarks_ == nullptr ? straight : std::max(straight, by_landmarks(x, y));
    }
    // Asks the memory for what estimate() will read.
    void prefetch(std::int32_t x, std::int32_t y) const {
        if (landmarks_ != nullptr) {
            __builtin_prefetch(&landmarks_->at(x, y));
        }
    }

    // What estimate() knows of the goal by landmarks, as a hash: with the same landmarks and an
    // equal guide, every estimate is equal. 0 where landmarks have no say.
    [[nodiscard]] std::uint64_t guide() const;

  private:
    [[nodiscard]] model::Cost geometric(std::int32_t x, std::int32_t y, model::Cost octile) const {
        model::Cost least = std::max(octile, goal_.range()) - goal_.range();
        if (four_) [[unlikely]] {
            const model::Cost straight = goal_.manhattan(x, y);
            least = std::max(least, std::max(straight, manhattan_range_) - manhattan_range_);
        }
        return factor_ * least;
    }
    [[nodiscard]] model::Cost by_landmarks(std::int32_t x, std::int32_t y) const {
        const std::uint16_t most = farthest(landmarks_->at(x, y), low_, high_);
        // One quantum less, for what rounding may have added.
        return most > 1 ? (most - model::Cost{1}) * quantum_ : 0;
    }

    using Quanta = map::Landmarks::Quanta;

    // False where the landmarks can say nothing of this goal.
    [[nodiscard]] bool measure_goal(const map::Layer& layer, model::Cell start);

    GoalRegion goal_;
    const map::Landmarks* landmarks_{nullptr};
    model::Cost quantum_{1};
    model::Cost factor_{1};
    bool four_{false};
    // What a 4-direction estimate must give away for the goal's octile range.
    model::Cost manhattan_range_{0};
    // Least and most distance of the goal's cells from each landmark.
    Quanta low_{};
    Quanta high_{};
};

}  // namespace outrider::search
