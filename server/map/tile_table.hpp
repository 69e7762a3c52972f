#pragma once
// What:     a tile of numbers for each chunk, shared between snapshots: the bit planes of a chunk,
//           its weights, its terrain.
// Contract: as SharedGrid. A tile begins on a cache line.
// Threads:  as SharedGrid.
// Cost:     as SharedGrid; writable(): at most one tile is copied.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "outrider/map/shared_grid.hpp"
#include "outrider/map/tile_pool.hpp"

namespace outrider::map {

template <class Element>
class TileTable {
  public:
    TileTable() = default;
    // `outside`: what the guards and fresh tiles hold.
    TileTable(std::int32_t across, std::int32_t down, std::span<const Element> outside)
        : elements_(outside.size()), pool_(std::make_shared<TilePool>()) {
        auto tile = make_tile();
        std::ranges::copy(outside, tile.get());
        tiles_ = {across, down, std::move(tile)};
    }

    [[nodiscard]] std::size_t elements() const { return elements_; }
    [[nodiscard]] bool contains(ChunkPlace place) const { return tiles_.contains(place); }
    [[nodiscard]] const Element* const* row(std::int32_t y) const { return tiles_.row(y); }
    [[nodiscard]] const Element* at(ChunkPlace place) const { return tiles_.at(place); }
    // `place` on the map.
    [[nodiscard]] Element* writable(ChunkPlace place) {
        const Element* from = tiles_.at(place);
        Element* tile = to_overwrite(place);
        if (tile != from) {
            std::copy_n(from, elements_, tile);
        }
        return tile;
    }
    // A tile that is not shared: the one that was there if it was not, or one that holds anything.
    [[nodiscard]] Element* to_overwrite(ChunkPlace place) {
        if (!tiles_.owned(place)) {
            tiles_.replace(place, make_tile());
        }
        return tiles_.at(place);
    }
    // From now on both hold the other table's tile.
    void share(ChunkPlace place, const TileTable& other) {
        tiles_.replace(place, other.tiles_.entry(place));
    }
    // What writable() will read.
    void warm(ChunkPlace place, WarmStep step) const {
        tiles_.warm(place, step);
        if (step == WarmStep::kEntries) {
            warm_bytes(tiles_.at(place), elements_ * sizeof(Element));
        }
    }

  private:
    [[nodiscard]] std::shared_ptr<Element> make_tile() const {
        const auto block = std::allocate_shared_for_overwrite<Element[]>(
            TileAllocator<Element>(pool_), elements_ + kCacheLineBytes / sizeof(Element));
        void* first = block.get();
        std::size_t space = elements_ * sizeof(Element) + kCacheLineBytes;
        auto* tile = static_cast<Element*>(
            std::align(kCacheLineBytes, elements_ * sizeof(Element), first, space));
        return {block, tile};
    }

    std::size_t elements_{};
    std::shared_ptr<TilePool> pool_;
    SharedGrid<Element> tiles_;
};

}  // namespace outrider::map
