#pragma once
// What: a rectangle of terrain, row by row in the tiles that hold it. Private to the map room.

#include "outrider/map/snapshot.hpp"

namespace outrider::map {

// fill(first cell, its place in the tile, count) for each row of each chunk's part of `rect`.
template <class Fill>
void for_each_row_part(Snapshot::TerrainTiles& tiles, const model::Rect& rect, Fill fill) {
    for_each_chunk(rect, [&](ChunkPlace place) {
        const model::Rect part = model::intersect(rect, place.cells());
        model::Terrain* tile = tiles.writable(place);
        for (std::int32_t y = part.y; y < part.y + part.height; ++y) {
            fill(model::Cell{part.x, y}, tile + index_in_chunk({part.x, y}), part.width);
        }
    });
}

}  // namespace outrider::map
