#include "outrider/map/layer_writer.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "outrider/map/anchor_sweep.hpp"
#include "outrider/map/bits.hpp"

namespace outrider::map {
namespace {

Connectivity connectivity_of(const model::MovementClass& movement_class) {
    return movement_class.directions == model::Directions::kEight &&
                   movement_class.corner_rule == model::CornerRule::kNoneOpen
               ? Connectivity::kEight
               : Connectivity::kFour;
}

std::size_t words_of(std::int32_t cells) {
    return static_cast<std::size_t>((cells + 63) / 64);
}

Layer::BitBands make_bits(std::int32_t lines, std::int32_t cells,
                          std::vector<std::uint64_t> outside) {
    return Layer::BitBands({lines, words_of(cells) + 2, 1, std::move(outside)});
}

// The anchors whose footprint meets a changed cell.
model::Rect anchors_over(const model::Rect& dirty, std::int32_t footprint, const World& world) {
    const std::int32_t more = footprint - 1;
    return model::intersect(
        {dirty.x - more, dirty.y - more, dirty.width + more, dirty.height + more},
        {0, 0, world.width, world.height});
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
        const std::uint64_t none = 0;
        const std::uint64_t all = ~none;
        const bool stops = layer_.has_stops_;
        using Planes = std::vector<std::uint64_t>;
        layer_.rows_ = make_bits(world.height, world.width,
                                 stops ? Planes{none, all, all, none} : Planes{none});
        layer_.columns_ =
            make_bits(world.width, world.height, stops ? Planes{none, all, all} : Planes{none});
        if (!layer_.uniform_) {
            // 8 bytes before x = 0 and at least one after x = width - 1, lines 8-byte aligned.
            const std::size_t stride = (static_cast<std::size_t>(world.width) / 8 + 2) * 8;
            layer_.weights_ = Layer::ByteBands({world.height, stride, 8, {0}});
        }
        layer_.regions_ = Regions(world.width, world.height, connectivity_of(movement_class));
        prepare();
    }

    LayerWriter(const Layer& parent, const World& world) : layer_(parent), world_(world) {
        prepare();
    }

    void refresh(std::span<const model::Rect> dirty) {
        AnchorSweep sweep(world_, *layer_.class_);
        for (const model::Rect& rect : dirty) {
            const model::Rect anchors = anchors_over(rect, layer_.class_->footprint, world_);
            if (!anchors.empty() && write_passable(anchors, sweep)) {
                write_columns(anchors);
                if (layer_.has_stops_) {
                    write_stops(anchors);
                }
            }
        }
        relabel();
    }

    [[nodiscard]] bool changed() const { return changed_; }
    [[nodiscard]] std::shared_ptr<const Layer> take() {
        return std::make_shared<const Layer>(std::move(layer_));
    }

  private:
    static std::pair<std::uint8_t, std::uint8_t> weight_range(const model::MovementClass& from) {
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

    void prepare() {
        chunks_across_ = static_cast<std::int32_t>(words_of(world_.width));
        stale_.assign(words_of(world_.width) * words_of(world_.height), false);
    }

    // True when a passable bit changed.
    bool write_passable(const model::Rect& anchors, AnchorSweep& sweep) {
        bool bits_changed = false;
        sweep.start(anchors);
        for (std::int32_t y = anchors.y; y < anchors.y + anchors.height; ++y) {
            const std::span<const std::uint8_t> shifted = sweep.next();
            bits_changed |= write_row_bits(anchors.x, y, shifted);
            if (!layer_.uniform_) {
                write_row_weights(anchors.x, y, shifted);
            }
        }
        changed_ |= bits_changed;
        return bits_changed;
    }

    bool write_row_bits(std::int32_t x, std::int32_t y, std::span<const std::uint8_t> shifted) {
        const auto end = x + static_cast<std::int32_t>(shifted.size());
        bool row_changed = false;
        for (std::int32_t start = x; start < end; start = (start | 63) + 1) {
            const std::int32_t stop = std::min(end, (start | 63) + 1);
            const std::int32_t word = start >> 6;
            const std::uint64_t mask = bits::mask(start & 63, stop - start);
            const std::uint64_t fresh =
                bits::pack_not_equal(shifted.subspan(static_cast<std::size_t>(start - x),
                                                     static_cast<std::size_t>(stop - start)),
                                     AnchorSweep::kBlocked)
                << (start & 63);
            const std::uint64_t old = layer_.row(y)[word];
            const std::uint64_t merged = (old & ~mask) | fresh;
            if (merged != old) {
                layer_.rows_.writable(y, Layer::kPassable)[word] = merged;
                mark_stale(word, y >> 6);
                row_changed = true;
            }
        }
        return row_changed;
    }

    void write_row_weights(std::int32_t x, std::int32_t y, std::span<const std::uint8_t> shifted) {
        scratch_.resize(shifted.size());
        std::ranges::transform(shifted, scratch_.begin(), [](std::uint8_t weight) {
            return static_cast<std::uint8_t>(weight + 1);
        });
        if (std::memcmp(layer_.weights_.line(y) + x, scratch_.data(), scratch_.size()) != 0) {
            std::ranges::copy(scratch_, layer_.weights_.writable(y) + x);
            changed_ = true;
        }
    }

    void mark_stale(std::int32_t chunk_x, std::int32_t chunk_y) {
        const auto index = static_cast<std::size_t>(chunk_y * chunks_across_ + chunk_x);
        if (!stale_[index]) {
            stale_[index] = true;
            stale_chunks_.push_back({chunk_x, chunk_y});
        }
    }

    void write_columns(const model::Rect& anchors) {
        const std::int32_t end_x = anchors.x + anchors.width;
        const std::int32_t end_y = anchors.y + anchors.height;
        for (std::int32_t cy = anchors.y >> 6; cy <= (end_y - 1) >> 6; ++cy) {
            for (std::int32_t cx = anchors.x >> 6; cx <= (end_x - 1) >> 6; ++cx) {
                write_column_block({cx, cy}, model::intersect(anchors, {cx * 64, cy * 64, 64, 64}));
            }
        }
    }

    void write_column_block(model::Cell chunk, const model::Rect& part) {
        bits::Block block{};
        for (std::int32_t y = part.y; y < part.y + part.height; ++y) {
            block[static_cast<std::size_t>(y & 63)] = layer_.row(y)[chunk.x];
        }
        bits::transpose(block);
        const std::uint64_t mask = bits::mask(part.y & 63, part.height);
        for (std::int32_t x = part.x; x < part.x + part.width; ++x) {
            const std::uint64_t old = layer_.column(x)[chunk.y];
            const std::uint64_t merged = (old & ~mask) | block[static_cast<std::size_t>(x & 63)];
            if (merged != old) {
                layer_.columns_.writable(x, Layer::kPassable)[chunk.y] = merged;
            }
        }
    }

    // A word of a stop plane or of free2x2 depends on cells one further on each side.
    void write_stops(const model::Rect& anchors) {
        const model::Rect grown =
            model::intersect({anchors.x - 1, anchors.y - 1, anchors.width + 2, anchors.height + 2},
                             {0, 0, world_.width, world_.height});
        const std::int32_t end_x = grown.x + grown.width;
        const std::int32_t end_y = grown.y + grown.height;
        for (std::int32_t y = grown.y; y < end_y; ++y) {
            for (std::int32_t word = grown.x >> 6; word <= (end_x - 1) >> 6; ++word) {
                write_stop_words(layer_.rows_, y, word);
                put(layer_.rows_, {word, y}, Layer::kFree2x2,
                    bits::free2x2(layer_.row(y) + word, layer_.row(y + 1) + word));
            }
        }
        for (std::int32_t x = grown.x; x < end_x; ++x) {
            for (std::int32_t word = grown.y >> 6; word <= (end_y - 1) >> 6; ++word) {
                write_stop_words(layer_.columns_, x, word);
            }
        }
    }

    static void write_stop_words(Layer::BitBands& bands, std::int32_t line, std::int32_t word) {
        const bits::Stops stops = bits::stops(bands.line(line - 1) + word, bands.line(line) + word,
                                              bands.line(line + 1) + word);
        put(bands, {word, line}, Layer::kStopsForward, stops.forward);
        put(bands, {word, line}, Layer::kStopsBackward, stops.backward);
    }

    // `at.x` is the word, `at.y` the line.
    static void put(Layer::BitBands& bands, model::Cell at, std::size_t plane,
                    std::uint64_t fresh) {
        if (bands.line(at.y, plane)[at.x] != fresh) {
            bands.writable(at.y, plane)[at.x] = fresh;
        }
    }

    void relabel() {
        for (const model::Cell chunk : stale_chunks_) {
            ChunkRegions::Rows rows{};
            const std::int32_t top = chunk.y * kChunkSide;
            for (std::int32_t y = top; y < std::min(top + kChunkSide, world_.height); ++y) {
                rows[static_cast<std::size_t>(y - top)] = layer_.row(y)[chunk.x];
            }
            layer_.regions_.set_chunk({chunk.x, chunk.y}, rows);
        }
        layer_.regions_.join_blocks();
    }

    Layer layer_;
    const World& world_;
    bool changed_{false};
    std::int32_t chunks_across_{};
    std::vector<bool> stale_;
    std::vector<model::Cell> stale_chunks_;
    std::vector<std::uint8_t> scratch_;
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

}  // namespace outrider::map
