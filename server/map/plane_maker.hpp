#pragma once
// What:     the planes of a chunk that follow from its passable rows and columns, and from those of
//           the chunks around it. Read by the room's own sources.
// Contract: a function of those rows and columns alone. All of a chunk is made anew: that costs
//           less than finding out which words an edit can have changed.
// Cost:     about a microsecond a chunk.

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

// All of a tile of kJumpTileWords.
void make_jump_planes(const ChunkLines& rows, const ChunkLines& columns, std::uint64_t* tile);

}  // namespace outrider::map
