#pragma once
// What: the chunks of one layer as a table, and every contact between two of them.

#include "outrider/map/chunk_pairs.hpp"
#include "outrider/map/shared_grid.hpp"

namespace outrider::map {

struct ChunkGrid {
    Connectivity connectivity{};
    SharedGrid<const ChunkRegions> chunks;

    [[nodiscard]] std::int32_t across() const { return chunks.across(); }
    [[nodiscard]] std::int32_t down() const { return chunks.down(); }
    [[nodiscard]] const ChunkRegions& at(ChunkPlace place) const { return *chunks.at(place); }
    [[nodiscard]] bool contains(ChunkPlace place) const { return chunks.contains(place); }

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
