#include "outrider/map/layer_writer.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "outrider/map/anchor_sweep.hpp"
#include "outrider/map/bits.hpp"
#include "outrider/map/plane_maker.hpp"

namespace outrider::map {
namespace {

Connectivity connectivity_of(const model::MovementClass& movement_class) {
    return movement_class.directions == model::Directions::kEight &&
                   movement_class.corner_rule == model::CornerRule::kNoneOpen
               ? Connectivity::kEight
               : Connectivity::kFour;
}

// The anchors whose footprint meets a changed cell.
model::Rect anchors_over(const model::Rect& dirty, std::int32_t footprint, const World& world) {
    const std::int32_t more = footprint - 1;
    return model::intersect(
        {dirty.x - more, dirty.y - more, dirty.width + more, dirty.height + more},
        {0, 0, world.width, world.height});
}

std::pair<std::uint8_t, std::uint8_t> weight_range(const model::MovementClass& from) {
    std::uint8_t least = 255;
    std::uint8_t most = 1;
    for (const std::uint8_t weight : from.weights) {
        if (weight != 0) {
            least = std::min(least, weight);
            most = std::max(most, weight);
        }
    }
    return {least, most};
}

// A tile beyond the edge: nothing passable, all cells stops.
std::vector<std::uint64_t> outside_bits(bool jumps) {
    std::vector<std::uint64_t> tile(jumps ? kJumpTileWords : kPlainPlanes * kChunkSide);
    if (jumps) {
        make_jump_planes({}, {}, {}, tile.data());
    }
    return tile;
}

// Chunks to look at again, each once and in order, with a box around the cells in question.
class ChunkList {
  public:
    struct Entry {
        ChunkPlace place;
        model::Rect box;  // cells of the chunk
    };
    void add(ChunkPlace place, const model::Rect& box) { entries_.push_back({place, box}); }
    void add(ChunkPlace place) { add(place, place.cells()); }
    [[nodiscard]] const std::vector<Entry>& settle() {
        std::ranges::stable_sort(entries_, {}, &Entry::place);
        std::size_t count = 0;
        for (const Entry& entry : entries_) {
            if (count > 0 && entries_[count - 1].place == entry.place) {
                const model::Rect both[] = {entries_[count - 1].box, entry.box};
                entries_[count - 1].box = model::box_of(both);
            } else {
                entries_[count++] = entry;
            }
        }
        entries_.resize(count);
        return entries_;
    }

    // After settle().
    [[nodiscard]] bool contains(ChunkPlace place) const {
        return std::ranges::binary_search(entries_, place, {}, &Entry::place);
    }

  private:
    std::vector<Entry> entries_;
};

LineRange rows_of(const model::Rect& box) {
    const std::int32_t first = box.y & (kChunkSide - 1);
    return LineRange::around(first, first + box.height);
}

LineRange columns_of(const model::Rect& box) {
    const std::int32_t first = box.x & (kChunkSide - 1);
    return LineRange::around(first, first + box.width);
}

}  // namespace

class LayerWriter {
  public:
    // A layer on which everything is blocked.
    LayerWriter(const model::MovementClass& movement_class, const World& world) : world_(world) {
        const auto [least, most] = weight_range(movement_class);
        layer_.width_ = world.width;
        layer_.height_ = world.height;
        layer_.class_ = std::make_shared<const model::MovementClass>(movement_class);
        layer_.uniform_ = least == most;
        layer_.weight_min_ = least;
        layer_.has_stops_ = layer_.uniform_ &&
                            movement_class.directions == model::Directions::kEight &&
                            movement_class.corner_rule == model::CornerRule::kBothOpen;
        const std::int32_t across = chunks_over(world.width);
        const std::int32_t down = chunks_over(world.height);
        layer_.bits_ = {across, down, outside_bits(layer_.has_stops_)};
        if (!layer_.uniform_) {
            const std::array<std::uint8_t, Layer::kWeightTileBytes> outside{};
            layer_.weights_ = {across, down, outside};
        }
        layer_.regions_ = Regions(world.width, world.height, connectivity_of(movement_class));
        layer_.portals_ = Portals(across, down);
        find_alike();
    }

    LayerWriter(const Layer& parent, const World& world) : layer_(parent), world_(world) {
        find_alike();
    }

    void refresh(std::span<const model::Rect> dirty) {
        AnchorSweep sweep(world_, *layer_.class_);
        for (const model::Rect& rect : dirty) {
            const model::Rect anchors = anchors_over(rect, layer_.class_->footprint, world_);
            if (!anchors.empty()) {
                for_each_chunk(anchors, [&](ChunkPlace place) {
                    write_part(place, model::intersect(anchors, place.cells()), sweep);
                });
            }
        }
        for (const auto& [place, box] : passable_changed_.settle()) {
            write_columns(place, box);
            relabel(place);
        }
        layer_.regions_.join_blocks(alike_);
        for (const auto& [place, box] : planes_stale_.settle()) {
            write_jump_planes(place, box, passable_changed_.contains(place));
        }
        for (const auto& [place, box] : halo_stale_.settle()) {
            write_halo(place);
        }
        for (const auto& [place, box] : portals_stale_.settle()) {
            layer_.portals_.drop(place);
        }
    }

    [[nodiscard]] bool changed() const { return changed_; }
    [[nodiscard]] std::shared_ptr<const Layer> take() {
        return std::make_shared<const Layer>(std::move(layer_));
    }

  private:
    void find_alike() {
        for (const auto& other : world_.others) {
            if (other->regions().connectivity() == layer_.regions_.connectivity()) {
                alike_.push_back(&other->regions());
            }
        }
    }

    // `part`: cells of the chunk.
    void write_part(ChunkPlace place, const model::Rect& part, AnchorSweep& sweep) {
        ChunkRegions::Rows rows;
        std::copy_n(plane_of(layer_.bits_.at(place), Plane::kRows), kChunkSide, rows.data());
        bool bits_changed = false;
        bool weights_changed = false;
        sweep.start(part);
        for (std::int32_t y = part.y; y < part.y + part.height; ++y) {
            const std::span<const std::uint8_t> shifted = sweep.next();
            std::uint64_t& row = rows[static_cast<std::size_t>(y & (kChunkSide - 1))];
            bits_changed |= merge_row(row, part.x & (kChunkSide - 1), shifted);
            weights_changed |= !layer_.uniform_ && write_row_weights(place, {part.x, y}, shifted);
        }
        if (bits_changed) {
            // What else depends on the part follows before anybody reads it.
            std::ranges::copy(rows, plane_of(layer_.bits_.writable(place), Plane::kRows));
            passable_changed_.add(place, part);
        }
        if (bits_changed && layer_.has_stops_) {
            // Lines read those beside them, and the cells before and after these.
            for_each_chunk(grown(part), [&](ChunkPlace there) {
                planes_stale_.add(there, model::intersect(grown(part), there.cells()));
            });
        }
        if (weights_changed) {
            portals_stale_.add(place);
            for_each_neighbour(place, part, [&](ChunkPlace there) { halo_stale_.add(there); });
        }
        changed_ |= bits_changed || weights_changed;
    }

    // By one cell on each side, on the map.
    [[nodiscard]] model::Rect grown(const model::Rect& part) const {
        return model::intersect({part.x - 1, part.y - 1, part.width + 2, part.height + 2},
                                {0, 0, world_.width, world_.height});
    }

    // The chunks on the map that cells of `part` border on: their planes and halos read them.
    template <class Visit>
    void for_each_neighbour(ChunkPlace place, const model::Rect& part, Visit visit) {
        for_each_chunk(grown(part), [&](ChunkPlace there) {
            if (there != place) {
                visit(there);
            }
        });
    }

    // True when a bit of the row changed; the first of `shifted` is bit `first`.
    static bool merge_row(std::uint64_t& row, std::int32_t first,
                          std::span<const std::uint8_t> shifted) {
        const std::uint64_t mask = bits::mask(first, static_cast<std::int32_t>(shifted.size()));
        const std::uint64_t fresh = bits::pack_not_equal(shifted, AnchorSweep::kBlocked) << first;
        const std::uint64_t merged = (row & ~mask) | fresh;
        const bool changed = merged != row;
        row = merged;
        return changed;
    }

    bool write_row_weights(ChunkPlace place, model::Cell first,
                           std::span<const std::uint8_t> shifted) {
        std::array<std::uint8_t, kChunkSide> weights;
        std::ranges::transform(shifted, weights.begin(), [](std::uint8_t weight) {
            return static_cast<std::uint8_t>(weight + 1);
        });
        if (std::memcmp(layer_.weight_at(first), weights.data(), shifted.size()) == 0) {
            return false;
        }
        std::copy_n(
            weights.data(), shifted.size(),
            layer_.weights_.writable(place) +
                Layer::weight_index(first.x & (kChunkSide - 1), first.y & (kChunkSide - 1)));
        return true;
    }

    void write_columns(ChunkPlace place, const model::Rect& box) {
        std::uint64_t* tile = layer_.bits_.writable(place);
        make_columns(plane_of(tile, Plane::kRows), rows_of(box), plane_of(tile, Plane::kColumns));
    }

    void relabel(ChunkPlace place) {
        ChunkRegions::Rows rows;
        std::copy_n(plane_of(layer_.bits_.at(place), Plane::kRows), kChunkSide, rows.data());
        portals_stale_.add(place);
        if (layer_.regions_.set_chunk(place, rows, alike_)) {
            // Portals are made of both chunks that they join.
            for_each_neighbour(place, place.cells(),
                               [&](ChunkPlace there) { portals_stale_.add(there); });
        }
    }

    // True when another layer has the same cells in the chunk and around it, and so the same tile.
    bool share_twin(ChunkPlace place, const Surroundings& around) {
        const std::uint64_t* rows = plane_of(layer_.bits_.at(place), Plane::kRows);
        for (const auto& other : world_.others) {
            if (other->has_stops() &&
                std::equal(rows, rows + kChunkSide,
                           plane_of(other->bits().at(place), Plane::kRows)) &&
                surroundings_of(other->bits(), place) == around) {
                layer_.bits_.share(place, other->bits());
                return true;
            }
        }
        return false;
    }

    // A neighbour's planes change seldom: then its tile need not be copied.
    void write_jump_planes(ChunkPlace place, const model::Rect& box, bool passable_changed) {
        const Surroundings around = surroundings_of(layer_.bits_, place);
        if (share_twin(place, around)) {
            return;
        }
        if (passable_changed) {
            make_jump_planes(around, rows_of(box), columns_of(box), layer_.bits_.writable(place));
            return;
        }
        std::array<std::uint64_t, kJumpTileWords> fresh;
        std::copy_n(layer_.bits_.at(place), fresh.size(), fresh.data());
        make_jump_planes(around, rows_of(box), columns_of(box), fresh.data());
        if (!std::ranges::equal(fresh, std::span(layer_.bits_.at(place), fresh.size()))) {
            std::ranges::copy(fresh, layer_.bits_.to_overwrite(place));
        }
    }

    // The ring around a tile's cells, from the chunks around it. What lies beyond the map is 0.
    void write_halo(ChunkPlace place) {
        const model::Rect cells = place.cells();
        const std::uint8_t* tile = layer_.weights_.at(place);
        std::uint8_t* to = nullptr;
        const auto put = [&](std::int32_t x, std::int32_t y) {
            const std::uint8_t weight = layer_.weight({cells.x + x, cells.y + y});
            const std::int32_t index = Layer::weight_index(x, y);
            if (tile[index] != weight) {
                to = to != nullptr ? to : layer_.weights_.writable(place);
                to[index] = weight;
            }
        };
        for (std::int32_t at = -1; at <= kChunkSide; ++at) {
            put(at, -1);
            put(at, kChunkSide);
            put(-1, at);
            put(kChunkSide, at);
        }
    }

    Layer layer_;
    const World& world_;
    bool changed_{false};
    std::vector<const Regions*> alike_;  // of the other layers, with the same connectivity
    ChunkList passable_changed_;
    ChunkList planes_stale_;
    ChunkList halo_stale_;
    ChunkList portals_stale_;
};

std::shared_ptr<const Layer> build_layer(const model::MovementClass& movement_class,
                                         const World& world) {
    LayerWriter writer(movement_class, world);
    const model::Rect all{0, 0, world.width, world.height};
    writer.refresh({&all, 1});
    return writer.take();
}

std::shared_ptr<const Layer> refresh_layer(const std::shared_ptr<const Layer>& parent,
                                           const World& world, std::span<const model::Rect> dirty) {
    LayerWriter writer(*parent, world);
    writer.refresh(dirty);
    return writer.changed() ? writer.take() : parent;
}

namespace {

void warm_layer(const Layer& layer, const World& world, std::span<const model::Rect> dirty,
                WarmStep step) {
    // A building that moves meets two to eight. More would push each other out of the caches.
    int chunks_left = 8;
    for (const model::Rect& rect : dirty) {
        const model::Rect anchors = anchors_over(rect, layer.movement_class().footprint, world);
        if (anchors.empty()) {
            continue;
        }
        for_each_chunk(anchors, [&](ChunkPlace place) {
            if (chunks_left > 0) {
                --chunks_left;
                layer.warm(place, step);
            }
        });
    }
}

}  // namespace

void warm_tables(std::span<const std::shared_ptr<const Layer>> layers, const World& world,
                 std::span<const model::Rect> dirty) {
    using enum WarmStep;
    for (const WarmStep step : {kRow, kTables, kGroups}) {
        for (const auto& layer : layers) {
            warm_layer(*layer, world, dirty, step);
        }
    }
    warm_layer(*layers.front(), world, dirty, kEntries);
}

void warm_contents(std::span<const std::shared_ptr<const Layer>> layers, std::size_t next,
                   const World& world, std::span<const model::Rect> dirty) {
    warm_layer(*layers[next], world, dirty, WarmStep::kLabels);
    if (next + 1 < layers.size()) {
        warm_layer(*layers[next + 1], world, dirty, WarmStep::kEntries);
    }
}

}  // namespace outrider::map
