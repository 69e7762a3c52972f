#pragma once
// What:     one version of one map. Held by shared_ptr<const Snapshot>; what two snapshots have in
//           common they share by tiles.
// Contract: immutable; frees its tiles when the last holder lets go.
// Threads:  any number of readers.

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "outrider/map/layer.hpp"
#include "outrider/model/ids.hpp"

namespace outrider::map {

class Snapshot {
  public:
    // What the writer makes a snapshot of.
    using TerrainTiles = TileTable<model::Terrain>;
    struct Parts {
        model::Version version{};
        std::int32_t width{};
        std::int32_t height{};
        std::shared_ptr<const TerrainTiles> terrain;
        std::vector<std::shared_ptr<const Layer>> layers;  // index = ClassId
        std::shared_ptr<std::atomic<std::size_t>> alive;   // snapshots of this map
        // What the batch that made this version touched, inside the map; may overlap. No cell
        // outside differs from the version before.
        std::vector<model::Rect> changed{};
        // By class: the version that last made some cell's terrain cheaper for it; 0: none has.
        std::vector<model::Version> cheapened{};
        // Made by Store::snapshot_without(), for one request alone.
        bool view{false};
    };
    explicit Snapshot(Parts parts) : parts_(std::move(parts)) { ++*parts_.alive; }
    ~Snapshot() { --*parts_.alive; }
    Snapshot(const Snapshot&) = delete;
    Snapshot& operator=(const Snapshot&) = delete;

    [[nodiscard]] model::Version version() const { return parts_.version; }
    [[nodiscard]] std::int32_t width() const { return parts_.width; }
    [[nodiscard]] std::int32_t height() const { return parts_.height; }
    // Needs a cell inside the map.
    [[nodiscard]] model::Terrain terrain(model::Cell cell) const {
        return parts_.terrain->at(ChunkPlace::of(cell))[index_in_chunk(cell)];
    }

    [[nodiscard]] std::uint16_t class_count() const {
        return static_cast<std::uint16_t>(parts_.layers.size());
    }
    // Null when the snapshot does not know the class.
    [[nodiscard]] const Layer* layer(model::ClassId id) const {
        return id.value < parts_.layers.size() ? parts_.layers[id.value].get() : nullptr;
    }

    // Landmarks measured on an older version than this hold no longer. Needs a known class.
    [[nodiscard]] model::Version cheapened(model::ClassId id) const {
        return parts_.cheapened[id.value];
    }
    [[nodiscard]] const std::vector<model::Rect>& changed() const { return parts_.changed; }

    [[nodiscard]] bool is_view() const { return parts_.view; }

    [[nodiscard]] const Parts& parts() const { return parts_; }

  private:
    Parts parts_;
};

// Row-major, width times height.
[[nodiscard]] std::vector<model::Terrain> terrain_rows(const Snapshot& snapshot);

}  // namespace outrider::map
