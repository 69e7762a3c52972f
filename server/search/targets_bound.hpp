#pragma once
// What:     a lower bound of the cost from a cell to the nearest of many targets that are still to
//           be met: the least over a few boxes around them, of each the octile distance or, where
//           they say more of the first source, what the landmarks say.
// Contract: never too large. It grows when the last target of a box has been met. With landmarks
//           not quite consistent, as GoalBound. Estimates of targets not met are 0. In octile
//           units.
// Cost:     begin(): a few loads a target. estimate(): some fifteen instructions a box, and one
//           load of 16 bytes where landmarks have a say.
// Source:   as map/landmarks.hpp, taken over a set: the interval of its distances from a landmark.

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "outrider/map/layer.hpp"
#include "outrider/search/cell_boxes.hpp"
#include "outrider/search/goal_region.hpp"
#include "outrider/search/lanes.hpp"

namespace outrider::search {

class TargetsBound {
  public:
    // The bound of a cell from which no target is left.
    static constexpr model::Cost kNothingLeft = ~model::Cost{0};

    // For a layer of one weight. At least one target, each once, and none met.
    void begin(const map::Layer& layer, model::Cell source, std::span<const model::Cell> targets);
    // The target with that index. It was not met before.
    void meet(std::size_t target);
    // How often it has grown since begin().
    [[nodiscard]] std::size_t grown() const { return count_ - open_; }

    [[nodiscard]] model::Cost estimate(std::int32_t x, std::int32_t y) const {
        model::Cost least = kNothingLeft;
        if (landmarks_ == nullptr) {
            for (std::size_t i = 0; i < open_; ++i) {
                least = std::min(least, boxes_[i].region.distance(x, y));
            }
            return least;
        }
        const Quanta& at = landmarks_->at(x, y);
        for (std::size_t i = 0; i < open_; ++i) {
            least = std::min(least, estimate(boxes_[i], x, y, at));
        }
        return least;
    }
    // Asks the memory for what estimate() will read.
    void prefetch(std::int32_t x, std::int32_t y) const {
        if (landmarks_ != nullptr) {
            __builtin_prefetch(&landmarks_->at(x, y));
        }
    }
    [[nodiscard]] std::size_t bytes() const { return sorted_.bytes() + box_of_.capacity(); }

  private:
    using Quanta = map::Landmarks::Quanta;

    struct Box {
        GoalRegion region;
        Quanta low{};
        Quanta high{};
        bool by_landmarks{false};
        std::uint8_t number{0};
        std::size_t left{0};
    };

    [[nodiscard]] model::Cost estimate(const Box& box, std::int32_t x, std::int32_t y,
                                       const Quanta& at) const {
        const model::Cost straight = box.region.distance(x, y);
        if (!box.by_landmarks) {
            return straight;
        }
        // One quantum less, for what rounding may have added.
        const std::uint16_t most = farthest(at, box.low, box.high);
        return std::max(straight, most > 1 ? (most - model::Cost{1}) * quantum_ : 0);
    }
    void measure(Box& box, std::span<const std::uint32_t> cells,
                 std::span<const model::Cell> targets) const;

    const map::Landmarks* landmarks_{nullptr};
    model::Cost quantum_{1};
    CellBoxes sorted_;
    std::vector<std::uint8_t> box_of_;  // number of the box, by target
    std::array<Box, CellBoxes::kMost> boxes_{};
    std::size_t count_{0};
    std::size_t open_{0};  // boxes with targets left; they stand first
};

}  // namespace outrider::search
