#pragma once
// What:     the planes of a chunk that follow from its passable rows and columns, and from those of
//           the chunks around it. Read by the room's own sources.
// Contract: a function of those rows and columns alone. Only what depends on the lines that an edit
//           can have changed is made anew; the tile holds the rest as it was before the edit.
// Cost:     a whole chunk takes some 20,000 instructions, a building's lines a third of that.

#include <array>
#include <cstdint>

#include "outrider/map/layer.hpp"

namespace outrider::map {

// Rows -1 .. 64 of a chunk, or its columns, and of each the bit before and after it.
struct ChunkLines {
    std::array<std::uint64_t, kChunkSide + 2> words;
    std::array<std::uint64_t, kChunkSide + 2> before;  // 0 or 1
    std::array<std::uint64_t, kChunkSide + 2> after;   // 0 or 1

    friend bool operator==(const ChunkLines&, const ChunkLines&) = default;
};

[[nodiscard]] ChunkLines rows_around(const Layer::BitTiles& tiles, ChunkPlace place);
[[nodiscard]] ChunkLines columns_around(const Layer::BitTiles& tiles, ChunkPlace place);

// Lines first .. last - 1 of a chunk, in eights, so that they are turned eight at a time; or all.
struct LineRange {
    std::size_t first{0};
    std::size_t last{kChunkSide};

    [[nodiscard]] bool all() const { return last - first == kChunkSide; }
    // Holds at least the lines [first, last), 0 .. 64.
    [[nodiscard]] static LineRange around(std::int32_t first, std::int32_t last);
};

// Of a tile of kJumpTileWords what depends on those rows and columns. A row depends on the rows
// beside it, and on the cells before and after them: the ranges hold those of all cells that an
// edit changed, grown by one.
void make_jump_planes(const ChunkLines& rows, const ChunkLines& columns, LineRange rows_changed,
                      LineRange columns_changed, std::uint64_t* tile);
// The columns of a chunk by its rows, of which only those in the range have changed.
void make_columns(const std::uint64_t* rows, LineRange rows_changed, std::uint64_t* columns);

}  // namespace outrider::map
