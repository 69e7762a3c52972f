#pragma once
// What:     one batch on its way into the map. Read by the room's own sources.
// Contract: terrain is copied at the first edit that touches it. Unless the batch is kept, the
//           obstacles are in the end what they were. The batch has been checked.
// Threads:  the writer's turn.

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "outrider/map/layer_writer.hpp"
#include "outrider/map/obstacles.hpp"
#include "outrider/map/snapshot.hpp"
#include "outrider/map/terrain_changes.hpp"
#include "outrider/model/edit.hpp"

namespace outrider::map {

[[nodiscard]] World world_of(const Snapshot::Parts& parts, const Obstacles& obstacles);

class BatchWriter {
  public:
    BatchWriter(const Snapshot& parent, Obstacles& obstacles, const model::EditBatch& batch);
    ~BatchWriter();
    BatchWriter(const BatchWriter&) = delete;
    BatchWriter& operator=(const BatchWriter&) = delete;

    // All of the batch. What the next snapshot is made of.
    [[nodiscard]] Snapshot::Parts write();
    // The batch is in force; `changed` is what write() said.
    void keep(std::span<const model::Rect> changed) noexcept;
    // Obstacles that were to be removed and are not there.
    [[nodiscard]] std::vector<model::ObstacleId> take_unknown() { return std::move(unknown_); }

  private:
    void apply(const model::TerrainEdit& edit);
    void apply(const model::PlaceObstacle& place);
    void apply(const model::RemoveObstacle& remove);
    void drop_landmarks();
    void note(model::ObstacleId id, Obstacles::Node before);
    void mark(const model::Rect& footprint);

    Snapshot::Parts parts_;
    Obstacles& obstacles_;
    const model::EditBatch& batch_;
    std::shared_ptr<Snapshot::TerrainTiles> terrain_;
    std::unique_ptr<TerrainChanges> changes_;
    std::vector<model::Rect> dirty_;
    std::vector<model::ObstacleId> unknown_;
    std::vector<std::pair<model::ObstacleId, Obstacles::Node>> undo_;
    bool is_kept_{false};
};

}  // namespace outrider::map
