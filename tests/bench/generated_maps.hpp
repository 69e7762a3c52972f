#pragma once
// What: maps that need no file, the same on every machine, of any side.

#include <cstdint>

#include "outrider/map/map_file.hpp"

namespace outrider::bench {

[[nodiscard]] map::Grid open_grid(std::int32_t side);
// That many percent of the cells blocked, each by itself; the four corners open.
[[nodiscard]] map::Grid noise_grid(std::int32_t side, int percent, std::uint64_t seed = 1);
// Rooms of 31 x 31 cells, a door of one cell in four of five walls.
[[nodiscard]] map::Grid rooms_grid(std::int32_t side);
// A cellular automaton: 45 % noise, five times smoothed (Johnson, Yannakakis, Togelius 2010).
[[nodiscard]] map::Grid caves_grid(std::int32_t side);
// Terrain of weights 1.0 to 3.0 (for model::terrain_class()) in patches of some 30 cells on all
// that is open in `grid`.
[[nodiscard]] map::Grid with_terrain(map::Grid grid);

}  // namespace outrider::bench
