#pragma once
// What:     a snapshot as one movement class sees it: bit planes for the kernels, weights, regions.
// Contract: immutable. Cells outside the map read as blocked. Rows and columns are packed 64 cells
// a
//           word, bit (x & 63) of word (x >> 6), with a guard word on each side (word -1 and word
//           `words`) and guard lines beyond each edge (line -1 and line `height` or `width`), so
//           that a kernel may look one beyond every edge without a test.
// Threads:  any number of readers.
// Cost:     a read is a table load, a word load and a shift. Memory: server/DESIGN.md, "Memory".

#include <cstdint>

#include "outrider/map/regions.hpp"
#include "outrider/model/cell.hpp"
#include "outrider/model/movement_class.hpp"

namespace outrider::map {

class Layer {
  public:
    [[nodiscard]] const model::MovementClass& movement_class() const;
    [[nodiscard]] std::int32_t width() const;
    [[nodiscard]] std::int32_t height() const;
    [[nodiscard]] bool contains(model::Cell cell) const;

    // The unit may stand with its anchor here. False outside the map.
    [[nodiscard]] bool open(model::Cell cell) const;
    // Tenths; 0 where blocked or outside. With a footprint: the dearest covered cell.
    [[nodiscard]] std::uint8_t weight(model::Cell cell) const;

    // The class has one weight for all terrain that it can cross. Depends on the class alone, never
    // on the cells of the map, so that an edit cannot change which kernel answers.
    [[nodiscard]] bool uniform() const;
    // Cheapest weight of the class, at least 1: the factor of every heuristic.
    [[nodiscard]] std::uint8_t weight_min() const;

    // Passable, by row and transposed. Guards are 0.
    [[nodiscard]] const std::uint64_t* row(std::int32_t y) const;
    [[nodiscard]] const std::uint64_t* column(std::int32_t x) const;
    // Weights of row y for x in [-1, width]; null for uniform classes.
    [[nodiscard]] const std::uint8_t* weights(std::int32_t y) const;

    // The planes of jump point search: only where has_stops() is true, which is for uniform classes
    // of 8 directions under CornerRule::kBothOpen.
    [[nodiscard]] bool has_stops() const;
    // Bit x of free2x2(y): (x, y), (x + 1, y), (x, y + 1) and (x + 1, y + 1) are all open, so that
    // every diagonal step inside that square is legal. Guards are 0.
    [[nodiscard]] const std::uint64_t* free2x2(std::int32_t y) const;
    // A straight jump ends at the first stop bit: a blocked cell, or a cell with a forced neighbour
    // for that direction. Going east along row y, x is a stop when (x, y) is blocked, or when
    // (x - 1, y - 1) is blocked and (x, y - 1) is open, or the same below. West is the mirror
    // image; south and north are the same on columns. Guards are all ones.
    [[nodiscard]] const std::uint64_t* stops_east(std::int32_t y) const;
    [[nodiscard]] const std::uint64_t* stops_west(std::int32_t y) const;
    [[nodiscard]] const std::uint64_t* stops_south(std::int32_t x) const;
    [[nodiscard]] const std::uint64_t* stops_north(std::int32_t x) const;

    [[nodiscard]] const Regions& regions() const;
};

}  // namespace outrider::map
