#include "outrider/map/batch_writer.hpp"

#include <variant>

#include "outrider/map/row_parts.hpp"

namespace outrider::map {

World world_of(const Snapshot::Parts& parts, const Obstacles& obstacles) {
    return {*parts.terrain, obstacles, parts.width, parts.height, parts.layers};
}

BatchWriter::BatchWriter(const Snapshot& parent, Obstacles& obstacles,
                         const model::EditBatch& batch)
    : parts_(parent.parts()), obstacles_(obstacles), batch_(batch) {
    ++parts_.version;
    undo_.reserve(batch.edits.size());
}

BatchWriter::~BatchWriter() {
    if (is_kept_) {
        return;
    }
    while (!undo_.empty()) {
        obstacles_.undo(undo_.back().first, std::move(undo_.back().second));
        undo_.pop_back();
    }
    for (const model::Edit& edit : batch_.edits) {
        if (const auto* place = std::get_if<model::PlaceObstacle>(&edit)) {
            obstacles_.let_go(obstacles_.clip(place->footprint));
        }
    }
}

Snapshot::Parts BatchWriter::write() {
    for (const model::Edit& edit : batch_.edits) {
        std::visit([this](const auto& kind) { apply(kind); }, edit);
    }
    if (terrain_) {
        parts_.terrain = std::move(terrain_);
    }
    World world = world_of(parts_, obstacles_);
    warm_tables(parts_.layers, world, dirty_);
    for (std::size_t i = 0; i < parts_.layers.size(); ++i) {
        auto& layer = parts_.layers[i];
        world.others = std::span(parts_.layers).first(i);
        warm_contents(parts_.layers, i, world, dirty_);
        layer = refresh_layer(layer, world, dirty_);
    }
    drop_landmarks();
    parts_.changed = std::move(dirty_);
    return std::move(parts_);
}

void BatchWriter::keep(std::span<const model::Rect> changed) noexcept {
    is_kept_ = true;
    for (const model::Rect& rect : changed) {
        obstacles_.let_go(rect);
    }
}

void BatchWriter::apply(const model::TerrainEdit& edit) {
    const model::Rect inside = obstacles_.clip(edit.rect);
    if (inside.empty()) {
        return;
    }
    if (!terrain_) {
        terrain_ = std::make_shared<Snapshot::TerrainTiles>(*parts_.terrain);
        changes_ = std::make_unique<TerrainChanges>();
    }
    const bool same = edit.terrain.size() == 1;
    const auto fill = [&](model::Cell from, model::Terrain* to, std::int32_t count) {
        const std::int64_t first = same ? 0
                                        : (std::int64_t{from.y} - edit.rect.y) * edit.rect.width +
                                              (std::int64_t{from.x} - edit.rect.x);
        for (std::int32_t i = 0; i < count; ++i) {
            const model::Terrain fresh =
                edit.terrain[static_cast<std::size_t>(same ? 0 : first + i)];
            changes_->note(to[i], fresh);
            to[i] = fresh;
        }
    };
    for_each_row_part(*terrain_, inside, fill);
    dirty_.push_back(inside);
}

void BatchWriter::apply(const model::PlaceObstacle& place) {
    note(place.id, obstacles_.place(place));
    mark(place.footprint);
}

void BatchWriter::apply(const model::RemoveObstacle& remove) {
    if (obstacles_.find(remove.id) == nullptr) {
        unknown_.push_back(remove.id);
    } else {
        note(remove.id, obstacles_.remove(remove.id));
    }
}

// Their bounds hold as long as no cell becomes cheaper.
void BatchWriter::drop_landmarks() {
    for (std::size_t i = 0; changes_ && i < parts_.layers.size(); ++i) {
        auto& layer = parts_.layers[i];
        if (changes_->cheaper_for(layer->movement_class())) {
            parts_.cheapened[i] = parts_.version;
            if (layer->landmarks() != nullptr) {
                layer = layer->with_landmarks(nullptr);
            }
        }
    }
}

void BatchWriter::note(model::ObstacleId id, Obstacles::Node before) {
    undo_.emplace_back(id, std::move(before));
    if (const Obstacles::Node& known = undo_.back().second; !known.empty()) {
        mark(known.mapped().footprint);
    }
}

void BatchWriter::mark(const model::Rect& footprint) {
    if (const model::Rect rect = obstacles_.clip(footprint); !rect.empty()) {
        dirty_.push_back(rect);
    }
}

}  // namespace outrider::map
