#pragma once
// What:     paths as turning points and as cells, and the hash that clients compare.
// Contract: turning points are normalised: no point lies on the straight run between its
//           neighbours, so that equal cell paths have equal turning points and equal hashes.
// Cost:     linear in the length.

#include <cstdint>
#include <span>
#include <vector>

#include "outrider/model/cell.hpp"

namespace outrider::model {

// Every cell, start and end included. Needs turning points as described above.
[[nodiscard]] std::vector<Cell> cells_of(std::span<const Cell> turning_points);
// Needs consecutive cells that are neighbours.
[[nodiscard]] std::vector<Cell> turning_points_of(std::span<const Cell> cells);
// Number of cells of the path.
[[nodiscard]] std::uint64_t cell_count_of(std::span<const Cell> turning_points);
// True when each leg is straight or exactly diagonal and no leg is empty.
[[nodiscard]] bool are_turning_points(std::span<const Cell> points);
// XXH64, seed 0, over the turning points as little-endian int32 x, y. 0 for no path.
[[nodiscard]] std::uint64_t path_hash(std::span<const Cell> turning_points);

}  // namespace outrider::model
