#pragma once
// What:     what one version of a map changed, for whoever keeps something that an edit may spoil:
//           cached answers, followed paths.
// Contract: every cell that differs from the version before lies in one of `rects`, and every class
//           whose layer differs has its bit in `classes`. Both may name more than what differs.
// Cost:     linear in the batch's rectangles; at most kChangeRectsMax of them are kept.

#include <cstdint>
#include <vector>

#include "outrider/map/snapshot.hpp"
#include "outrider/model/cell.hpp"
#include "outrider/model/ids.hpp"

namespace outrider::map {

// A batch of more is described by rectangles that cover several: whoever asks pays for each.
inline constexpr std::size_t kChangeRectsMax = 32;

// Bit c stands for the class with id c.
using ClassSet = std::uint32_t;

struct Change {
    model::Version version{};
    std::vector<model::Rect> rects;  // of cells (not anchors), inside the map
    ClassSet classes{};
    // Classes whose answers may differ everywhere although no cell near them changed: what guides
    // their searches is another. A subset of `classes`.
    ClassSet renewed{};
};

// From `before` to `after`, the next version.
[[nodiscard]] Change change_between(const Snapshot& before, const Snapshot& after);

}  // namespace outrider::map
