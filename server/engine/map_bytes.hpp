#pragma once
// What: about how much memory a map takes once it is loaded, by the rows of server/DESIGN.md,
//       "Memory": without landmarks, which count on their own. Private to the engine room.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "outrider/map/map_file.hpp"
#include "outrider/model/movement_class.hpp"

namespace outrider::engine {

[[nodiscard]] inline std::size_t map_bytes(const map::Grid& grid,
                                           const std::vector<model::MovementClass>& classes) {
    // Hundredths of a byte a cell: terrain and its tables; a class with its regions. The dearest
    // kind of class counts, since what is cheaper is not known before it is built.
    constexpr std::size_t kTerrain = 106;
    constexpr std::size_t kClass = 210 + 60;
    constexpr std::size_t kTables = std::size_t{12} << 10U;
    constexpr std::size_t kChunk = 64;
    const auto whole = [](std::int32_t side) {
        return (static_cast<std::size_t>(std::max(side, 0)) + kChunk - 1) / kChunk * kChunk;
    };
    const std::size_t cells = whole(grid.width) * whole(grid.height);
    return cells * (kTerrain + kClass * classes.size()) / 100 + kTables * (classes.size() + 1);
}

}  // namespace outrider::engine
