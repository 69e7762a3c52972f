#pragma once
// What:     which cells of a layer can reach which: components labelled per chunk of 64 x 64 cells,
//           joined across chunk borders by a union-find that is built when first asked for.
// Contract: component(a) == component(b) exactly when a path of legal steps leads from a to b, both
//           open. Components are 4-connected where the corner rule forbids squeezing (there equal
//           to 8-connected) and 8-connected under CornerRule::kNoneOpen with 8 directions.
// Threads:  any number of readers; the lazy join happens once, under a lock.
// Cost:     a verdict is two label loads and two root loads. An edit relabels the chunks it
// touches. Source:   DESIGN of the project, "Kernels", row "regions".

#include <cstdint>
#include <optional>

#include "outrider/model/cell.hpp"

namespace outrider::map {

using Component = std::uint32_t;
inline constexpr Component kNoComponent = 0xFFFFFFFF;

class Regions {
  public:
    // kNoComponent where the cell is blocked or outside.
    [[nodiscard]] Component component(model::Cell cell) const;
    // The least octile distance (model::octile_distance units) from `rect` to an open cell of
    // `component`; rings of chunks outward from the rectangle. Zero when the rectangle holds one.
    // Nothing when the component is kNoComponent.
    [[nodiscard]] std::optional<model::Cost> nearest_distance(Component component,
                                                              const model::Rect& rect) const;
};

}  // namespace outrider::map
