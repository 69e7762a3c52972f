#pragma once
// What:     makes a layer from terrain and obstacles, and the next layer from its parent and the
//           rectangles that changed. Read by the room's own sources.
// Contract: the parent stays alive meanwhile. A plane's word is a function of terrain and obstacles
//           as they are now, so that rectangles may overlap and come in any order.
// Cost:     refresh: the rectangles grown by the footprint, and the chunks they touch.

#include <memory>
#include <span>
#include <vector>

#include "outrider/map/layer.hpp"
#include "outrider/map/obstacles.hpp"
#include "outrider/map/snapshot.hpp"

namespace outrider::map {

struct World {
    const Snapshot::TerrainTiles& terrain;
    const Obstacles& obstacles;
    std::int32_t width;
    std::int32_t height;
    // Layers of other classes that show the world as it is now. What would come out equal is shared
    // with them: many classes of a map differ by a gate or not at all in what they may cross.
    std::span<const std::shared_ptr<const Layer>> others;
};

// Needs obstacles.watch_team() called for the class's team.
[[nodiscard]] std::shared_ptr<const Layer> build_layer(const model::MovementClass& movement_class,
                                                       const World& world);
// `dirty`: inside the map. The parent itself when the class sees no difference.
[[nodiscard]] std::shared_ptr<const Layer> refresh_layer(const std::shared_ptr<const Layer>& parent,
                                                         const World& world,
                                                         std::span<const model::Rect> dirty);
// What refresh_layer() will read of the first few chunks of `dirty` (warm.hpp): the tables of all
// layers before the first of them; the chunks of layer `next` + 1 before layer `next`, so that
// memory works meanwhile.
void warm_tables(std::span<const std::shared_ptr<const Layer>> layers, const World& world,
                 std::span<const model::Rect> dirty);
void warm_contents(std::span<const std::shared_ptr<const Layer>> layers, std::size_t next,
                   const World& world, std::span<const model::Rect> dirty);

}  // namespace outrider::map
