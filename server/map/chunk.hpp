#pragma once
// What: the unit of sharing and of locality: a chunk of 64 x 64 cells, and its place on the map.

#include <cstddef>
#include <cstdint>

#include "outrider/model/cell.hpp"

namespace outrider::map {

// 64 cells are one word of a bit plane.
inline constexpr std::int32_t kChunkShift = 6;
inline constexpr std::int32_t kChunkSide = 1 << kChunkShift;

// Chunks in blocks of 8 x 8 (512 x 512 cells): an edit joins one block anew in some ten
// microseconds, and the largest map has 256 blocks to join.
inline constexpr std::int32_t kBlockShift = 3;
inline constexpr std::int32_t kBlockSide = 1 << kBlockShift;

[[nodiscard]] constexpr std::int32_t chunks_over(std::int32_t cells) {
    return (cells + kChunkSide - 1) >> kChunkShift;
}

struct ChunkPlace {
    std::int32_t x{};
    std::int32_t y{};

    // Also for cells outside the map.
    [[nodiscard]] static constexpr ChunkPlace of(model::Cell cell) {
        return {cell.x >> kChunkShift, cell.y >> kChunkShift};
    }
    [[nodiscard]] constexpr model::Rect cells() const {
        return {x * kChunkSide, y * kChunkSide, kChunkSide, kChunkSide};
    }
    [[nodiscard]] ChunkPlace block() const { return {x >> kBlockShift, y >> kBlockShift}; }
    // Row-major number within the block.
    [[nodiscard]] std::size_t slot() const {
        constexpr std::int32_t kMask = kBlockSide - 1;
        return static_cast<std::size_t>(((y & kMask) << kBlockShift) | (x & kMask));
    }
    // By row, then by column.
    friend constexpr auto operator<=>(const ChunkPlace& a, const ChunkPlace& b) {
        return a.y != b.y ? a.y <=> b.y : a.x <=> b.x;
    }
    friend bool operator==(const ChunkPlace&, const ChunkPlace&) = default;
};

// Row-major number of a cell within its chunk.
[[nodiscard]] constexpr std::size_t index_in_chunk(model::Cell cell) {
    constexpr std::int32_t kMask = kChunkSide - 1;
    return static_cast<std::size_t>(((cell.y & kMask) << kChunkShift) | (cell.x & kMask));
}

// visit(ChunkPlace) for each chunk that a rectangle on the map meets.
template <class Visit>
void for_each_chunk(const model::Rect& rect, Visit visit) {
    const ChunkPlace first = ChunkPlace::of({rect.x, rect.y});
    const ChunkPlace last = ChunkPlace::of({rect.x + rect.width - 1, rect.y + rect.height - 1});
    for (std::int32_t y = first.y; y <= last.y; ++y) {
        for (std::int32_t x = first.x; x <= last.x; ++x) {
            visit(ChunkPlace{x, y});
        }
    }
}

}  // namespace outrider::map
