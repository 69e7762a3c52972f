#pragma once
// What:     a snapshot as one movement class sees it: bit planes for the kernels, weights, regions.
// Contract: immutable. Cells outside the map read as blocked. Everything is kept in tiles, one for
//           each chunk of 64 x 64 cells. A bit tile holds plane after plane, 64 words each, bit
//           (x & 63) of word (y & 63), or for the planes by column bit (y & 63) of word (x & 63).
//           A ring of guard tiles around the map lets a kernel look beyond every edge untested: on
//           them nothing is passable and every cell is a stop, as on the cells of the last chunks
//           that lie outside the map.
// Threads:  any number of readers.
// Cost:     a read is two table loads, a word load and a shift. Memory: server/DESIGN.md, "Memory".
// Source:   decisions/0012-planes-are-tiled-by-chunk.md

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

#include "outrider/map/chunk_portals.hpp"
#include "outrider/map/landmarks.hpp"
#include "outrider/map/regions.hpp"
#include "outrider/map/tile_table.hpp"
#include "outrider/model/cell.hpp"
#include "outrider/model/movement_class.hpp"

namespace outrider::map {

enum class Plane : std::uint8_t {
    // Passable cells, by row and transposed. All that classes without stops have.
    kRows,
    kColumns,
    // A straight jump ends at the first stop bit: a blocked cell, or a cell with a forced neighbour
    // for that direction. Going east along row y, x is a stop when (x, y) is blocked, or when
    // (x - 1, y - 1) is blocked and (x, y - 1) is open, or the same below. West is the mirror
    // image; south and north are the same by column.
    kStopsEast,
    kStopsWest,
    kStopsSouth,
    kStopsNorth,
    // What a diagonal run asks, laid out along the diagonals of a chunk, so that a run through it
    // reads one word a plane; see Diagonal below. Falling diagonals run south-east, rising ones
    // north-east.
    // A step along the diagonal is legal: from (x, y) to (x + 1, y + 1), or to (x + 1, y - 1).
    kStepsFalling,
    kStepsRising,
    // A straight jump from (x, y), going east and so on, may find something: within the chunk its
    // first stop is open, or it has none.
    kFindsEastFalling,
    kFindsEastRising,
    kFindsWestFalling,
    kFindsWestRising,
    kFindsSouthFalling,
    kFindsSouthRising,
    kFindsNorthFalling,
    kFindsNorthRising,
};

inline constexpr std::size_t kPlainPlanes = 2;
inline constexpr std::size_t kJumpPlanes = 16;

// After the planes of jumps, for each heading: what straight jumps along the 64 lines of a chunk
// meet in it. 64 jumps that leave a chunk are so followed through the next one at once.
enum class Heading : std::uint8_t { kEast, kWest, kSouth, kNorth };

// A bit a line.
struct LineSummary {
    std::uint64_t clear;       // no stop at all
    std::uint64_t first_open;  // the first stop from where jumps enter is open
};
// The place of each line's last stop: no jump from there, or from beyond, stops in the chunk.
// Where a line has none: no_stop(), which lies before every place.
using LastStops = std::array<std::int8_t, kChunkSide>;
[[nodiscard]] constexpr std::int8_t no_stop(Heading heading) {
    return heading == Heading::kEast || heading == Heading::kSouth ? -128 : 127;
}

inline constexpr std::size_t kSummaryWords = sizeof(LineSummary) / sizeof(std::uint64_t);
inline constexpr std::size_t kLastStopsWords = sizeof(LastStops) / sizeof(std::uint64_t);
inline constexpr std::size_t kSummaries = kJumpPlanes * static_cast<std::size_t>(kChunkSide);
inline constexpr std::size_t kLastStops = kSummaries + 4 * kSummaryWords;
inline constexpr std::size_t kJumpTileWords = kLastStops + 4 * kLastStopsWords;

[[nodiscard]] constexpr std::size_t summary_at(Heading heading) {
    return kSummaries + static_cast<std::size_t>(heading) * kSummaryWords;
}
[[nodiscard]] constexpr std::size_t last_stops_at(Heading heading) {
    return kLastStops + static_cast<std::size_t>(heading) * kLastStopsWords;
}
[[nodiscard]] inline LineSummary summary_of(const std::uint64_t* tile, Heading heading) {
    return {tile[summary_at(heading)], tile[summary_at(heading) + 1]};
}

// Where a cell (x, y) of a chunk, 0 .. 63 each, lies in a plane by diagonals. Each word holds the
// two diagonals of the chunk that have the same number modulo 64. In planes of jumps along columns
// (south, north) the bit is x, in all others y.
struct Diagonal {
    [[nodiscard]] static constexpr std::int32_t falling_by_y(std::int32_t x, std::int32_t y) {
        return (x - y) & (kChunkSide - 1);
    }
    [[nodiscard]] static constexpr std::int32_t falling_by_x(std::int32_t x, std::int32_t y) {
        return (y - x) & (kChunkSide - 1);
    }
    [[nodiscard]] static constexpr std::int32_t rising(std::int32_t x, std::int32_t y) {
        return (x + y) & (kChunkSide - 1);
    }
};

// The 64 words of a plane within a tile.
[[nodiscard]] constexpr const std::uint64_t* plane_of(const std::uint64_t* tile, Plane plane) {
    return tile + static_cast<std::size_t>(plane) * kChunkSide;
}
[[nodiscard]] constexpr std::uint64_t* plane_of(std::uint64_t* tile, Plane plane) {
    return tile + static_cast<std::size_t>(plane) * kChunkSide;
}

class Layer {
  public:
    using BitTiles = TileTable<std::uint64_t>;
    using WeightTiles = TileTable<std::uint8_t>;

    [[nodiscard]] const model::MovementClass& movement_class() const { return *class_; }
    [[nodiscard]] std::int32_t width() const { return width_; }
    [[nodiscard]] std::int32_t height() const { return height_; }
    [[nodiscard]] bool contains(model::Cell cell) const {
        return static_cast<std::uint32_t>(cell.x) < static_cast<std::uint32_t>(width_) &&
               static_cast<std::uint32_t>(cell.y) < static_cast<std::uint32_t>(height_);
    }

    // The unit may stand with its anchor here. False outside the map.
    [[nodiscard]] bool open(model::Cell cell) const {
        return contains(cell) && ((row_word(cell.x >> 6, cell.y) >> (cell.x & 63)) & 1) != 0;
    }
    // Tenths; 0 where blocked or outside. With a footprint: the dearest covered cell.
    [[nodiscard]] std::uint8_t weight(model::Cell cell) const {
        if (uniform_) {
            return open(cell) ? weight_min_ : std::uint8_t{0};
        }
        return contains(cell) ? *weight_at(cell) : std::uint8_t{0};
    }

    // The class has one weight for all terrain that it can cross. Depends on the class alone, never
    // on the cells of the map, so that an edit cannot change which kernel answers.
    [[nodiscard]] bool uniform() const { return uniform_; }
    // Cheapest weight of the class, at least 1: the factor of every heuristic.
    [[nodiscard]] std::uint8_t weight_min() const { return weight_min_; }
    // There are planes for jump point search: for uniform classes of 8 directions under
    // CornerRule::kBothOpen.
    [[nodiscard]] bool has_stops() const { return has_stops_; }

    // 64 passable cells of row y from x = 64 * word on; of column x from y = 64 * word on. Words
    // and lines one beyond the map are readable.
    [[nodiscard]] std::uint64_t row_word(std::int32_t word, std::int32_t y) const {
        return plane_of(bits_.at({word, y >> 6}), Plane::kRows)[y & 63];
    }
    [[nodiscard]] std::uint64_t column_word(std::int32_t word, std::int32_t x) const {
        return plane_of(bits_.at({x >> 6, word}), Plane::kColumns)[x & 63];
    }
    [[nodiscard]] const BitTiles& bits() const { return bits_; }

    // For classes of many weights. A tile of weights repeats the cells around it (its halo), so
    // that from the pointer to any cell of the map the eight neighbours are at +-1 and
    // +-kWeightStride.
    static constexpr std::int32_t kWeightStride = 72;
    [[nodiscard]] const std::uint8_t* weight_at(model::Cell cell) const {
        return weights_.at(ChunkPlace::of(cell)) + weight_index(cell.x & 63, cell.y & 63);
    }
    // x and y within the chunk, -1 .. 64.
    [[nodiscard]] static constexpr std::int32_t weight_index(std::int32_t x, std::int32_t y) {
        return (y + 1) * kWeightStride + kWeightLead + x;
    }
    // Empty for uniform classes.
    [[nodiscard]] const WeightTiles& weights() const { return weights_; }

    [[nodiscard]] const Regions& regions() const { return regions_; }
    // Made when first asked for.
    [[nodiscard]] const ChunkPortals& portals(ChunkPlace place) const {
        return portals_.at(regions_.chunks(), place);
    }
    // For tests: what two layers share.
    [[nodiscard]] const Portals& portal_table() const { return portals_; }

    // Lower bounds of the cost between cells; null where there are none (yet).
    [[nodiscard]] const Landmarks* landmarks() const { return landmarks_.get(); }
    // The same layer with other landmarks, or with none (null).
    [[nodiscard]] std::shared_ptr<const Layer> with_landmarks(
        std::shared_ptr<const Landmarks> landmarks) const {
        auto copy = std::make_shared<Layer>(*this);
        copy->landmarks_ = std::move(landmarks);
        return copy;
    }
    // For the writer: asks for what a change of the chunk will read.
    void warm(ChunkPlace place, WarmStep step) const {
        bits_.warm(place, step);
        if (!uniform_) {
            weights_.warm(place, step);
        }
        regions_.warm(place, step);
        portals_.warm(place, step);
    }

  private:
    friend class LayerWriter;

    // A row begins with the west halo; from column 0 on it is 8-byte aligned.
    static constexpr std::int32_t kWeightLead = 8;
    // The last row has its east halo, and no cell of lead follows it.
    static constexpr std::size_t kWeightTileBytes = 66 * kWeightStride + kWeightLead;

    std::int32_t width_{};
    std::int32_t height_{};
    bool uniform_{};
    bool has_stops_{};
    std::uint8_t weight_min_{1};
    BitTiles bits_;
    WeightTiles weights_;
    Regions regions_;
    Portals portals_;
    std::shared_ptr<const Landmarks> landmarks_;
    std::shared_ptr<const model::MovementClass> class_;
};

}  // namespace outrider::map
