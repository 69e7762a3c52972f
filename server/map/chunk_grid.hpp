#pragma once
// What: the chunks of one layer as a table, and every contact between two of them.

#include <memory>

#include "outrider/map/chunk_pairs.hpp"
#include "outrider/map/shared_table.hpp"

namespace outrider::map {

// Chunks in blocks of 8 x 8 (512 x 512 cells): an edit joins one block anew in some ten
// microseconds, and the largest map has 256 blocks to join.
inline constexpr std::int32_t kBlockShift = 3;
inline constexpr std::int32_t kBlockSide = 1 << kBlockShift;

struct ChunkPlace {
    std::int32_t x{};
    std::int32_t y{};

    [[nodiscard]] ChunkPlace block() const { return {x >> kBlockShift, y >> kBlockShift}; }
    // Row-major number within the block.
    [[nodiscard]] std::size_t slot() const {
        constexpr std::int32_t kMask = kBlockSide - 1;
        return static_cast<std::size_t>(((y & kMask) << kBlockShift) | (x & kMask));
    }
    friend bool operator==(const ChunkPlace&, const ChunkPlace&) = default;
};

struct ChunkGrid {
    std::int32_t across{};
    std::int32_t down{};
    Connectivity connectivity{};
    SharedTable<std::shared_ptr<const ChunkRegions>> chunks;

    [[nodiscard]] std::size_t index_of(ChunkPlace place) const {
        return static_cast<std::size_t>(place.y) * static_cast<std::size_t>(across) +
               static_cast<std::size_t>(place.x);
    }
    [[nodiscard]] const ChunkRegions& at(ChunkPlace place) const {
        return *chunks[index_of(place)];
    }
    [[nodiscard]] bool contains(ChunkPlace place) const {
        return place.x >= 0 && place.y >= 0 && place.x < across && place.y < down;
    }

    // visit(other, label_here, label_there) for the contacts of a chunk with its neighbours to the
    // east and south for which wanted(other) holds.
    template <class Wanted, class Visit>
    void for_each_contact(ChunkPlace here, Wanted wanted, Visit visit) const;
};

template <class Wanted, class Visit>
void ChunkGrid::for_each_contact(ChunkPlace here, Wanted wanted, Visit visit) const {
    const auto neighbour = [&](std::int32_t dx, std::int32_t dy, auto look) {
        const ChunkPlace there{here.x + dx, here.y + dy};
        if (contains(there) && wanted(there)) {
            look(at(here), at(there), [&](Label a, Label b) { visit(there, a, b); });
        }
    };
    neighbour(1, 0, [&](const auto& a, const auto& b, auto pair) {
        for_each_east_pair(a, b, connectivity, pair);
    });
    neighbour(0, 1, [&](const auto& a, const auto& b, auto pair) {
        for_each_south_pair(a, b, connectivity, pair);
    });
    if (connectivity == Connectivity::kEight) {
        neighbour(1, 1, [](const auto& a, const auto& b, auto pair) {
            for_corner_pair(a, b, true, pair);
        });
        neighbour(-1, 1, [](const auto& a, const auto& b, auto pair) {
            for_corner_pair(a, b, false, pair);
        });
    }
}

}  // namespace outrider::map
