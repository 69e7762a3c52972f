#pragma once
// What:     a snapshot as one movement class sees it: bit planes for the kernels, weights, regions.
// Contract: immutable. Cells outside the map read as blocked. Rows and columns are packed 64 cells
//           a word, bit (x & 63) of word (x >> 6), with a guard word on each side (word -1 and word
//           `words`) and guard lines beyond each edge (line -1 and line `height` or `width`), so
//           that a kernel may look one beyond every edge without a test.
// Threads:  any number of readers.
// Cost:     a read is a table load, a word load and a shift. Memory: server/DESIGN.md, "Memory".

#include <cstdint>
#include <memory>
#include <utility>

#include "outrider/map/band_table.hpp"
#include "outrider/map/landmarks.hpp"
#include "outrider/map/regions.hpp"
#include "outrider/model/cell.hpp"
#include "outrider/model/movement_class.hpp"

namespace outrider::map {

class Layer {
  public:
    // 16 lines: an edit copies tens of kilobytes at most, and the tables stay a few kilobytes.
    using BitBands = BandTable<std::uint64_t, 4>;
    // 8 lines: the copy of a band on the widest map stays below malloc's threshold for mmap.
    using ByteBands = BandTable<std::uint8_t, 3>;

    [[nodiscard]] const model::MovementClass& movement_class() const { return *class_; }
    [[nodiscard]] std::int32_t width() const { return width_; }
    [[nodiscard]] std::int32_t height() const { return height_; }
    [[nodiscard]] bool contains(model::Cell cell) const {
        return static_cast<std::uint32_t>(cell.x) < static_cast<std::uint32_t>(width_) &&
               static_cast<std::uint32_t>(cell.y) < static_cast<std::uint32_t>(height_);
    }

    // The unit may stand with its anchor here. False outside the map.
    [[nodiscard]] bool open(model::Cell cell) const {
        return contains(cell) && ((row(cell.y)[cell.x >> 6] >> (cell.x & 63)) & 1) != 0;
    }
    // Tenths; 0 where blocked or outside. With a footprint: the dearest covered cell.
    [[nodiscard]] std::uint8_t weight(model::Cell cell) const {
        if (uniform_) {
            return open(cell) ? weight_min_ : std::uint8_t{0};
        }
        return contains(cell) ? weights(cell.y)[cell.x] : std::uint8_t{0};
    }

    // The class has one weight for all terrain that it can cross. Depends on the class alone, never
    // on the cells of the map, so that an edit cannot change which kernel answers.
    [[nodiscard]] bool uniform() const { return uniform_; }
    // Cheapest weight of the class, at least 1: the factor of every heuristic.
    [[nodiscard]] std::uint8_t weight_min() const { return weight_min_; }

    // Passable, by row and transposed. Guards are 0.
    [[nodiscard]] const std::uint64_t* row(std::int32_t y) const {
        return rows_.line(y, kPassable);
    }
    [[nodiscard]] const std::uint64_t* column(std::int32_t x) const {
        return columns_.line(x, kPassable);
    }
    // Weights of row y for x in [-1, width]; null for uniform classes.
    [[nodiscard]] const std::uint8_t* weights(std::int32_t y) const {
        return uniform_ ? nullptr : weights_.line(y);
    }

    // The planes of jump point search: only where has_stops() is true, which is for uniform classes
    // of 8 directions under CornerRule::kBothOpen.
    [[nodiscard]] bool has_stops() const { return has_stops_; }
    // Bit x of free2x2(y): (x, y), (x + 1, y), (x, y + 1) and (x + 1, y + 1) are all open, so that
    // every diagonal step inside that square is legal. Guards are 0.
    [[nodiscard]] const std::uint64_t* free2x2(std::int32_t y) const {
        return rows_.line(y, kFree2x2);
    }
    // A straight jump ends at the first stop bit: a blocked cell, or a cell with a forced neighbour
    // for that direction. Going east along row y, x is a stop when (x, y) is blocked, or when
    // (x - 1, y - 1) is blocked and (x, y - 1) is open, or the same below. West is the mirror
    // image; south and north are the same on columns. Guards are all ones.
    [[nodiscard]] const std::uint64_t* stops_east(std::int32_t y) const {
        return rows_.line(y, kStopsForward);
    }
    [[nodiscard]] const std::uint64_t* stops_west(std::int32_t y) const {
        return rows_.line(y, kStopsBackward);
    }
    [[nodiscard]] const std::uint64_t* stops_south(std::int32_t x) const {
        return columns_.line(x, kStopsForward);
    }
    [[nodiscard]] const std::uint64_t* stops_north(std::int32_t x) const {
        return columns_.line(x, kStopsBackward);
    }

    [[nodiscard]] const Regions& regions() const { return regions_; }

    // Lower bounds of the cost between cells; null where there are none (yet).
    [[nodiscard]] const Landmarks* landmarks() const { return landmarks_.get(); }
    // The same layer with other landmarks, or with none (null).
    [[nodiscard]] std::shared_ptr<const Layer> with_landmarks(
        std::shared_ptr<const Landmarks> landmarks) const {
        auto copy = std::make_shared<Layer>(*this);
        copy->landmarks_ = std::move(landmarks);
        return copy;
    }

    // The bands themselves, for tests and tools that ask what two layers share.
    [[nodiscard]] const BitBands& row_bands() const { return rows_; }
    [[nodiscard]] const BitBands& column_bands() const { return columns_; }
    [[nodiscard]] const ByteBands& weight_bands() const { return weights_; }

  private:
    friend class LayerWriter;

    // Planes of a band. free2x2 is kept by row only.
    static constexpr std::size_t kPassable = 0;
    static constexpr std::size_t kStopsForward = 1;
    static constexpr std::size_t kStopsBackward = 2;
    static constexpr std::size_t kFree2x2 = 3;

    std::int32_t width_{};
    std::int32_t height_{};
    bool uniform_{};
    bool has_stops_{};
    std::uint8_t weight_min_{1};
    BitBands rows_;
    BitBands columns_;
    ByteBands weights_;
    Regions regions_;
    std::shared_ptr<const Landmarks> landmarks_;
    std::shared_ptr<const model::MovementClass> class_;
};

}  // namespace outrider::map
