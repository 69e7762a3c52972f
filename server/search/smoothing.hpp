#pragma once
// What:     a grid path made straight: fewer points, joined by straight lines of any angle.
//
//           kWaypoints  cells of the path, each in sight of the next. For people to look at, and
//                       for units whose own steering keeps them off the walls.
//           kCorners    points in sub-cells around which a taut string would bend: close to the
//                       corners of obstacles, yet so far that the unit's body passes (sight.hpp
//                       says what body a clearance means). For units that follow the line exactly.
//
//               S * . . . .        S: start, G: goal, #: blocked. The path goes `*`; both grades
//               . * # # # .        turn at the corner left below, kWaypoints on a cell of the
//               . * # . . .        path, kCorners as near to the wall as the body allows.
//               . . * * * G
//
// Contract: the points begin where the path begins and end where it ends. With the layer the path
//           was found on:
//           - each line between two points is in sight (kWaypoints) or clear (kCorners). Where the
//             path itself breaks that, a straight piece of the path stays as it is: the step off a
//             blocked start, and with kCorners the diagonal steps of a class that may cut corners;
//           - no part is longer than the part of the path in whose place it stands;
//           - nor dearer, where terrain has weights: a shortcut through a swamp is none;
//           - the same for the same layer and path, on every machine.
//           Classes of 4 directions get lines of any angle too: that is what smoothing is for.
//           `looked_at` covers every cell of the map that the result hangs on, besides the path.
// Threads:  any number of readers; keeps nothing between calls.
// Cost:     lines of sight: about twice the logarithm of the turning points in view for each point
//           of the result, each as dear as in sight.hpp. Costs of the path itself are added up once
//           (mixed terrain only). kCorners reads, for each bend, the rows (or columns, if fewer) of
//           the triangle that the string sweeps when it is pulled. Allocates the result and a few
//           vectors as long as the turning points.
// Source:   search/README.md, "Smoothing".

#include <cstdint>
#include <span>

#include "outrider/map/layer.hpp"
#include "outrider/model/cell.hpp"
#include "outrider/model/smoothing.hpp"
#include "outrider/search/sight.hpp"

namespace outrider::search {

using model::Grade;

struct Smoothed : model::SmoothPath {
    model::Rect looked_at{0, 0, 0, 0};

    friend bool operator==(const Smoothed&, const Smoothed&) = default;
};

// Needs the turning points of a path that is legal on the layer, and a grade; no points give an
// empty result.
[[nodiscard]] Smoothed smooth(const map::Layer& layer, std::span<const model::Cell> turning_points,
                              const model::Smoothing& how);

// The centre of a unit whose top left cell is `anchor`, and back; for even footprints the centre
// lies on the corner of four cells.
[[nodiscard]] constexpr Point unit_centre(model::Cell anchor, std::uint8_t footprint) {
    const std::int32_t shift = (footprint - 1) * (kCellSide / 2);
    return {centre_of(anchor).x + shift, centre_of(anchor).y + shift};
}
[[nodiscard]] constexpr model::Cell anchor_of(Point unit, std::uint8_t footprint) {
    const std::int32_t shift = (footprint - 1) * (kCellSide / 2);
    return cell_of({unit.x - shift, unit.y - shift});
}

}  // namespace outrider::search
