#pragma once
// What:     changes to a map. A batch is applied whole and makes one version.
// Contract: rectangles may lie partly or wholly outside the map: only the part inside counts.
//           Removing an unknown obstacle is harmless and reported. Placing a known id moves it.

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "outrider/model/cell.hpp"
#include "outrider/model/ids.hpp"
#include "outrider/model/movement_class.hpp"

namespace outrider::model {

// Overwrites the terrain of a rectangle: `terrain` holds one value for all cells, or one a cell in
// row-major order of the whole rectangle.
struct TerrainEdit {
    Rect rect;
    std::vector<Terrain> terrain;
    friend bool operator==(const TerrainEdit&, const TerrainEdit&) = default;
};

// A building, a unit that stands, a gate. Overlapping obstacles are counted.
struct PlaceObstacle {
    ObstacleId id;
    Rect footprint;
    // Bit t set: units of team t pass (a gate lets its owner through). 0: nobody passes.
    std::uint64_t passing_teams{0};
    // Which cells of the footprint it covers (model/obstacle_mask.hpp); empty: all.
    std::vector<std::uint8_t> mask{};
    friend bool operator==(const PlaceObstacle&, const PlaceObstacle&) = default;
};

struct RemoveObstacle {
    ObstacleId id;
    friend bool operator==(const RemoveObstacle&, const RemoveObstacle&) = default;
};

using Edit = std::variant<TerrainEdit, PlaceObstacle, RemoveObstacle>;

struct EditBatch {
    std::vector<Edit> edits;
    // Only in what a map announces: the version came of a movement class that somebody registered,
    // and no cell changed. Nobody can send one.
    std::optional<MovementClass> added_class{};
    // The same, of landmarks that this class got: its paths may be others of the same cost now.
    std::optional<ClassId> landmarks_of{};
    friend bool operator==(const EditBatch&, const EditBatch&) = default;
};

struct EditReceipt {
    Version version{};
    // Ids that a RemoveObstacle named and that no obstacle had.
    std::vector<ObstacleId> unknown_obstacles;
};

}  // namespace outrider::model
