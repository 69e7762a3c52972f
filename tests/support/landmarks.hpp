#pragma once
// What: landmarks at once, where a test wants them and no engine builds them.

#include <memory>

#include "outrider/map/store.hpp"
#include "outrider/map/terrain_layer.hpp"
#include "outrider/search/landmark_builder.hpp"

namespace outrider::test {

[[nodiscard]] inline std::shared_ptr<const map::Landmarks> landmarks_of(
    const map::Snapshot& snapshot, model::ClassId id) {
    search::LandmarkBuilder builder(map::make_terrain_layer(snapshot, id));
    while (builder.step(~std::uint64_t{0})) {
    }
    return builder.take();
}

[[nodiscard]] inline std::shared_ptr<const map::Landmarks> copy_of(const map::Landmarks& from,
                                                                   std::int32_t width,
                                                                   std::int32_t height) {
    using map::Landmarks;
    auto cells = std::make_unique<Landmarks::Quanta[]>(Landmarks::storage_cells(width, height));
    for (std::int32_t y = 0; y < height; ++y) {
        for (std::int32_t x = 0; x < width; ++x) {
            cells[Landmarks::index_of(Landmarks::blocks(width), x, y)] = from.at(x, y);
        }
    }
    return std::make_shared<const Landmarks>(width, height, from.quantum(), std::move(cells));
}

// Gives the store's newest version landmarks for the class; without effect on a map that is blocked
// throughout.
inline void add_landmarks(map::Store& store, model::ClassId id) {
    const std::shared_ptr<const map::Snapshot> snapshot = store.snapshot();
    if (auto landmarks = landmarks_of(*snapshot, id)) {
        (void)store.adopt_landmarks(id, snapshot->version(), std::move(landmarks));
    }
}

}  // namespace outrider::test
