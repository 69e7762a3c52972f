#pragma once
// What:     the planes of a chunk that follow from its passable rows and columns, and from the
//           cells around it. Read by the room's own sources.
// Contract: a function of those cells alone. Only what depends on the lines that an edit can have
//           changed is made anew; the tile holds the rest as it was before the edit.
// Cost:     a whole chunk takes some 20,000 instructions, a building's lines a third of that.

#include <cstddef>
#include <cstdint>

#include "outrider/map/layer.hpp"

namespace outrider::map {

// The passable cells around a chunk: rows -1 and 64, columns -1 and 64, and the corners (0 or 1).
struct Surroundings {
    std::uint64_t north;
    std::uint64_t south;
    std::uint64_t west;
    std::uint64_t east;
    std::uint64_t north_west;
    std::uint64_t north_east;
    std::uint64_t south_west;
    std::uint64_t south_east;

    friend bool operator==(const Surroundings&, const Surroundings&) = default;
};

// Needs rows and columns of the tiles around `place`. Reads one word of each.
[[nodiscard]] Surroundings surroundings_of(const Layer::BitTiles& tiles, ChunkPlace place);

// Lines first .. last - 1 of a chunk, in eights, so that they are turned eight at a time; or all.
struct LineRange {
    std::size_t first{0};
    std::size_t last{kChunkSide};

    [[nodiscard]] bool all() const { return last - first == kChunkSide; }
    // Holds at least the lines [first, last), 0 .. 64.
    [[nodiscard]] static LineRange around(std::int32_t first, std::int32_t last);
};

// Of a tile of kJumpTileWords, which holds its rows and columns, what else depends on those lines.
// A row depends on the rows beside it, and on the cells before and after them: the ranges hold
// those of all cells that an edit changed, grown by one.
void make_jump_planes(const Surroundings& around, LineRange rows_changed, LineRange columns_changed,
                      std::uint64_t* tile);
// The columns of a chunk by its rows, of which only those in the range have changed.
void make_columns(const std::uint64_t* rows, LineRange rows_changed, std::uint64_t* columns);

}  // namespace outrider::map
