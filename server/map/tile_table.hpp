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

#include "outrider/map/shared_grid.hpp"

namespace outrider::map {

template <class Element>
class TileTable {
  public:
    TileTable() = default;
    // `outside`: what the guards and fresh tiles hold.
    TileTable(std::int32_t across, std::int32_t down, std::span<const Element> outside)
        : elements_(outside.size()), tiles_(across, down, make_tile(outside.data())) {}

    [[nodiscard]] std::size_t elements() const { return elements_; }
    [[nodiscard]] bool contains(ChunkPlace place) const { return tiles_.contains(place); }
    [[nodiscard]] const Element* const* row(std::int32_t y) const { return tiles_.row(y); }
    [[nodiscard]] const Element* at(ChunkPlace place) const { return tiles_.at(place); }
    // `place` on the map.
    [[nodiscard]] Element* writable(ChunkPlace place) {
        if (!tiles_.owned(place)) {
            tiles_.replace(place, make_tile(tiles_.at(place)));
        }
        return tiles_.at(place);
    }

  private:
    static constexpr std::size_t kLineBytes = 64;

    [[nodiscard]] std::shared_ptr<Element> make_tile(const Element* from) const {
        const auto block =
            std::make_shared_for_overwrite<Element[]>(elements_ + kLineBytes / sizeof(Element));
        void* first = block.get();
        std::size_t space = elements_ * sizeof(Element) + kLineBytes;
        auto* tile = static_cast<Element*>(
            std::align(kLineBytes, elements_ * sizeof(Element), first, space));
        std::copy_n(from, elements_, tile);
        return {block, tile};
    }

    std::size_t elements_{};
    SharedGrid<Element> tiles_;
};

}  // namespace outrider::map
