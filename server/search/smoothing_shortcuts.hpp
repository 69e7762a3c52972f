#pragma once
// What: from each point of a path to the farthest place of it that is in sight, one point a step.
//       Says what the lines of sight were worth, in expansions.

#include <cstdint>
#include <vector>

#include "outrider/map/layer.hpp"
#include "outrider/model/smoothing.hpp"
#include "outrider/search/smoothing_pull.hpp"
#include "outrider/search/smoothing_trail.hpp"

namespace outrider::search {

class Shortcuts {
  public:
    // Keeps layer and trail. `knots` are added to, and begin with the path's first point.
    void begin(const map::Layer& layer, const Trail& trail, const model::Smoothing& how,
               std::vector<Knot>& knots);
    // False at the end of the path.
    bool step(std::vector<Knot>& knots);
    // Of the last step.
    [[nodiscard]] std::uint64_t worth() const { return worth_; }

  private:
    using Place = Trail::Place;

    [[nodiscard]] Point point(Place place) const { return centre_of(trail_->cell(place)); }
    [[nodiscard]] bool sees(Place from, Place to);
    // `from` itself when not even the next cell is in sight.
    [[nodiscard]] Place farthest(Place from);
    [[nodiscard]] std::size_t farthest_turn(Place from);
    [[nodiscard]] bool in_view(Place from, std::size_t turn);
    [[nodiscard]] Place farthest_along(Place from, std::size_t leg, std::int32_t seen);
    void add(Place from, Place to, bool kept, std::vector<Knot>& knots) const;

    const map::Layer* layer_{nullptr};
    const Trail* trail_{nullptr};
    model::Smoothing how_;
    Place at_{};
    std::uint64_t worth_{0};
};

}  // namespace outrider::search
