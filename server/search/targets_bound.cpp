#include "outrider/search/targets_bound.hpp"

#include <utility>

namespace outrider::search {

void TargetsBound::begin(const map::Layer& layer, model::Cell source,
                         std::span<const model::Cell> targets) {
    sorted_.sort(targets);
    box_of_.resize(targets.size());
    count_ = sorted_.count();
    open_ = count_;
    landmarks_ = layer.landmarks();
    if (landmarks_ != nullptr) {
        quantum_ = landmarks_->quantum() / (2 * model::Cost{layer.weight_min()});
    }
    bool any_by_landmarks = false;
    for (std::size_t i = 0; i < count_; ++i) {
        const std::span<const std::uint32_t> cells = sorted_.cells_of(i);
        Box& box = boxes_[i];
        box = {.region = GoalRegion(sorted_.rect(i), 0),
               .number = static_cast<std::uint8_t>(i),
               .left = cells.size()};
        for (const std::uint32_t cell : cells) {
            box_of_[cell] = box.number;
        }
        if (landmarks_ != nullptr) {
            measure(box, cells, targets);
            box.by_landmarks = true;
            box.by_landmarks =
                estimate(box, source.x, source.y, landmarks_->at(source.x, source.y)) >
                box.region.distance(source.x, source.y);
            any_by_landmarks = any_by_landmarks || box.by_landmarks;
        }
    }
    if (!any_by_landmarks) {
        landmarks_ = nullptr;
    }
}

void TargetsBound::measure(Box& box, std::span<const std::uint32_t> cells,
                           std::span<const model::Cell> targets) const {
    box.low.lanes.fill(map::Landmarks::kUnknown);
    box.high.lanes.fill(0);
    for (const std::uint32_t cell : cells) {
        const Quanta& at = landmarks_->at(targets[cell].x, targets[cell].y);
        for (std::size_t i = 0; i < at.lanes.size(); ++i) {
            box.low.lanes[i] = std::min(box.low.lanes[i], at.lanes[i]);
            box.high.lanes[i] = std::max(box.high.lanes[i], at.lanes[i]);
        }
    }
    // A landmark that does not know all of the cells has no say.
    for (std::size_t i = 0; i < box.high.lanes.size(); ++i) {
        if (box.high.lanes[i] == map::Landmarks::kUnknown) {
            box.low.lanes[i] = 0;
        }
    }
}

void TargetsBound::meet(std::size_t target) {
    const auto* box =
        std::ranges::find(boxes_.data(), boxes_.data() + open_, box_of_[target], &Box::number);
    const auto place = static_cast<std::size_t>(box - boxes_.data());
    if (--boxes_[place].left == 0) {
        std::swap(boxes_[place], boxes_[--open_]);
    }
}

}  // namespace outrider::search
