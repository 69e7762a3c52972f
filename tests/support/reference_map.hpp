#pragma once
// What:     the plainest live map there is: a vector of terrain and a list of obstacles. What a
//           class sees is worked out cell by cell on each call.
// Contract: the same meaning of edits, gates and footprints as map::Store, from the text of the
//           design alone: it shares no code with the map room.

#include <map>

#include "outrider/model/edit.hpp"
#include "support/weight_grid.hpp"

namespace outrider::test {

class ReferenceMap {
  public:
    ReferenceMap(std::int32_t width, std::int32_t height, std::vector<model::Terrain> terrain);

    void apply(const model::EditBatch& batch);
    // Weights of anchors: 0 where the class cannot stand.
    [[nodiscard]] WeightGrid weights(const model::MovementClass& movement_class) const;
    [[nodiscard]] const std::vector<model::Terrain>& terrain() const { return terrain_; }
    [[nodiscard]] std::int32_t width() const { return width_; }
    [[nodiscard]] std::int32_t height() const { return height_; }

  private:
    void apply(const model::TerrainEdit& edit);
    void apply(const model::PlaceObstacle& place) { obstacles_[place.id] = place; }
    void apply(const model::RemoveObstacle& remove) { obstacles_.erase(remove.id); }

    std::int32_t width_;
    std::int32_t height_;
    std::vector<model::Terrain> terrain_;
    std::map<model::ObstacleId, model::PlaceObstacle> obstacles_;
};

// Component numbers by flood fill over legal_step(); -1 where blocked. Row-major.
[[nodiscard]] std::vector<std::int32_t> flood_fill(const WeightGrid& grid,
                                                   const model::MovementClass& movement_class);

}  // namespace outrider::test
