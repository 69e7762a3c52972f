#pragma once
// What: the components that a unit on the start cell can walk in: one, or for a unit that leaves a
//       blocked cell those of its legal first steps.

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

#include "outrider/map/layer.hpp"
#include "outrider/search/moves.hpp"

namespace outrider::search {

class StartComponents {
  public:
    StartComponents(const map::Layer& layer, model::Cell start) : regions_(layer.regions()) {
        if (layer.open(start)) {
            add(start);
            return;
        }
        const unsigned around = bits_around(layer, start.x, start.y);
        const model::MovementClass& who = layer.movement_class();
        const MoveMask moves = move_table(who.directions, who.corner_rule)[around];
        for (std::size_t move = 0; move < kMoveCount; ++move) {
            if (((moves >> move) & 1U) != 0) {
                add({start.x + kMoveX[move], start.y + kMoveY[move]});
            }
        }
    }

    [[nodiscard]] bool empty() const { return count_ == 0; }
    [[nodiscard]] bool holds(model::Cell cell) const {
        const map::Component component = regions_.component(cell);
        return component != map::kNoComponent && std::find(begin(), end(), component) != end();
    }
    [[nodiscard]] std::optional<model::Cost> nearest_distance(const model::Rect& rect) const {
        std::optional<model::Cost> nearest;
        for (const map::Component component : *this) {
            const auto distance = regions_.nearest_distance(component, rect);
            if (distance && (!nearest || *distance < *nearest)) {
                nearest = distance;
            }
        }
        return nearest;
    }
    [[nodiscard]] const map::Component* begin() const { return components_.data(); }
    [[nodiscard]] const map::Component* end() const { return components_.data() + count_; }

  private:
    void add(model::Cell cell) {
        const map::Component component = regions_.component(cell);
        if (std::find(begin(), end(), component) == end()) {
            components_[count_++] = component;
        }
    }

    const map::Regions& regions_;
    std::array<map::Component, kMoveCount> components_{};
    std::size_t count_{0};
};

}  // namespace outrider::search
