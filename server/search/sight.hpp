#pragma once
// What:     straight walks over a layer: whether one is possible, and what it costs.
//
//               S . . . . .        `*`: the cells that the line from S to G runs over. All must
//               . * * # . .        be open; the wall beside it is no hindrance.
//               . . . * * G
//
// Contract: exact, in integers alone. A line from centre to centre is *in sight* when every cell is
//           open whose inside it meets. Where it runs through the very corner of four cells, it
//           makes a diagonal step, and the two cells beside it must be as open as the class's
//           corner rule demands; with 4 directions, both. So a line in sight is a legal walk of
//           the class from cell to cell. What holds for S and G holds for G and S. A layer knows
//           anchors, so the line of a wide unit is that of its top left cell, and "open" means that
//           all of the unit fits.
//
//           A line is *clear* when the unit's body slides along it and overlaps no blocked cell;
//           touching is no overlap. The body is a square around the unit's centre. With clearance
//           kClearanceMax it is the whole footprint of N x N cells, with less it is smaller: N - 1
//           cells and twice the clearance a side.
// Threads:  any number of readers.
// Cost:     in_sight, is_clear: one run of bits for each row that the line crosses, or for each
//           column if those are fewer: about 25 instructions a run, up to the first blocked cell;
//           whole lines of open cells go 64 a load. walk_cost: a constant on uniform terrain, else
//           about 20 instructions a cell. No allocation.
// Source:   search/README.md, "Line of sight".

#include <cstdint>

#include "outrider/map/layer.hpp"
#include "outrider/model/cell.hpp"
#include "outrider/model/cost.hpp"
#include "outrider/model/smoothing.hpp"

namespace outrider::search {

using model::cell_of;
using model::centre_of;
using model::kCellSide;
using model::kClearanceMax;
using model::kClearanceMin;
using model::Point;

// False if either lies outside the map.
[[nodiscard]] bool in_sight(const map::Layer& layer, model::Cell from, model::Cell to);

// Points of the anchor's centre, as centre_of() gives them; false if either lies outside the map.
// Needs a clearance within the bounds.
[[nodiscard]] bool is_clear(const map::Layer& layer, Point from, Point to, std::int32_t clearance);

// What the straight walk costs: the length of the line, shared among the cells that it runs over,
// each share times the cell's weight; rounded up once, never less than the true value and less than
// two more. So from centre to centre one cell on costs (wa + wb) * 408, and one diagonal step at
// most (wa + wb) * 577. Blocked cells count as the class's cheapest, as for a unit that leaves one.
// Needs points on the map, none of them on the border of two cells.
[[nodiscard]] model::Cost walk_cost(const map::Layer& layer, Point from, Point to);
[[nodiscard]] inline model::Cost sight_cost(const map::Layer& layer, model::Cell from,
                                            model::Cell to) {
    return walk_cost(layer, centre_of(from), centre_of(to));
}

// The length of a line in parts of a sub-cell, rounded up.
inline constexpr std::uint64_t kLengthParts = 1024;
[[nodiscard]] std::uint64_t line_length(Point from, Point to);

}  // namespace outrider::search
