#include "outrider/map/snapshot.hpp"

#include <algorithm>

namespace outrider::map {

std::vector<model::Terrain> terrain_rows(const Snapshot& snapshot) {
    const auto width = static_cast<std::size_t>(snapshot.width());
    std::vector<model::Terrain> rows(width * static_cast<std::size_t>(snapshot.height()));
    model::Terrain* to = rows.data();
    for (std::int32_t y = 0; y < snapshot.height(); ++y) {
        for (std::int32_t x = 0; x < snapshot.width(); x += kChunkSide) {
            const std::int32_t count = std::min(kChunkSide, snapshot.width() - x);
            const model::Terrain* tile = snapshot.parts().terrain->at(ChunkPlace::of({x, y}));
            to = std::copy_n(tile + index_in_chunk({x, y}), count, to);
        }
    }
    return rows;
}

}  // namespace outrider::map
