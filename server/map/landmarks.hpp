#pragma once
// What:     how far each cell lies from a few landmark cells, for one movement class: lower bounds
//           of the cost between any two cells by the triangle inequality.
// Contract: immutable. The distances are those of a map with the terrain as it was and without
//           obstacles. Obstacles and dearer terrain only add cost, so that the bounds stay good
//           until some cell becomes cheaper for the class. Distances are symmetric: every step
//           costs the same both ways.
//           A distance is kept in whole quanta, rounded down: the costs of two cells from one
//           landmark differ by more than (|a - b| - 1) quanta.
// Threads:  any number of readers.
// Cost:     16 bytes a cell; a look-up is one load.
// Source:   Goldberg, Harrelson: "Computing the shortest path: A* search meets graph theory" (SODA
//           2005); Sturtevant and others: "Memory-based heuristics for explicit state spaces"
//           (IJCAI 2009).

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "outrider/model/cell.hpp"
#include "outrider/model/cost.hpp"

namespace outrider::map {

class Landmarks {
  public:
    // One vector register of 16-bit lanes, a quarter of a cache line.
    static constexpr std::size_t kCount = 8;
    // No path from the landmark to this cell.
    static constexpr std::uint16_t kUnknown = 0xFFFF;

    // 128 x 128 cells. On smaller maps a search takes a few microseconds without landmarks, and
    // gains too little to be worth a version of the map when they become ready.
    static constexpr std::size_t kMapCellsMin = 1 << 14;

    struct alignas(16) Quanta {
        std::array<std::uint16_t, kCount> lanes;
    };
    static_assert(sizeof(Quanta) == 16);

    // `cells`: storage_cells(width, height) entries, that of cell (x, y) at index_of(x, y).
    Landmarks(std::int32_t width, std::int32_t height, model::Cost quantum,
              std::unique_ptr<Quanta[]> cells)
        : across_(blocks(width)),
          bytes_(storage_cells(width, height) * sizeof(Quanta)),
          quantum_(quantum),
          cells_(std::move(cells)) {}

    // Needs a cell inside the map.
    [[nodiscard]] const Quanta& at(std::int32_t x, std::int32_t y) const {
        return cells_[index_of(across_, x, y)];
    }
    // What one quantum costs: a multiple of the unit in which a class of one weight counts.
    [[nodiscard]] model::Cost quantum() const { return quantum_; }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

    [[nodiscard]] static std::size_t storage_cells(std::int32_t width, std::int32_t height) {
        return static_cast<std::size_t>(blocks(width)) * static_cast<std::size_t>(blocks(height)) *
               kBlockCells;
    }
    // Blocks of 8 x 8 cells lie together, so that neighbours in any direction share a page.
    [[nodiscard]] static std::size_t index_of(std::int32_t across, std::int32_t x, std::int32_t y) {
        const auto block = static_cast<std::size_t>(y >> 3) * static_cast<std::size_t>(across) +
                           static_cast<std::size_t>(x >> 3);
        return block * kBlockCells + static_cast<std::size_t>((y & 7) * 8 + (x & 7));
    }
    [[nodiscard]] static std::int32_t blocks(std::int32_t side) { return (side + 7) >> 3; }

  private:
    static constexpr std::size_t kBlockCells = 64;

    std::int32_t across_;
    std::size_t bytes_;
    model::Cost quantum_;
    std::unique_ptr<Quanta[]> cells_;
};

}  // namespace outrider::map
