#pragma once
// What:     cells that a search wants to hear of when a jump passes over them, as bits: laid out as
//           the planes of a layer are, by row, by column and along both diagonals of a chunk, so
//           that one word tells which targets a line of 64 cells holds.
// Contract: begin(), then add() and remove(). A chunk without targets reads as zeros. All chunks on
//           the map are readable.
// Cost:     begin(): what the last search had used. Memory: 2 KB for each chunk that holds a
//           target, 24 bytes for every other.

#include <array>
#include <cstdint>
#include <vector>

#include "outrider/map/layer.hpp"

namespace outrider::search {

class TargetBits {
  public:
    struct Tile {
        std::array<std::uint64_t, 64> rows;
        std::array<std::uint64_t, 64> columns;
        // As map::Diagonal: by number of the diagonal, bit y.
        std::array<std::uint64_t, 64> falling;
        std::array<std::uint64_t, 64> rising;
    };
    // Which rows and which columns of the chunk hold targets.
    struct Lines {
        std::uint64_t rows{0};
        std::uint64_t columns{0};
        std::uint32_t tile{0};
    };

    void begin(const map::Layer& layer);
    // Was not there.
    void add(model::Cell cell);
    void remove(model::Cell cell);

    [[nodiscard]] bool has(model::Cell cell) const {
        const std::uint64_t row =
            tile(map::ChunkPlace::of(cell)).rows[static_cast<std::size_t>(cell.y & 63)];
        return ((row >> (cell.x & 63)) & 1) != 0;
    }
    [[nodiscard]] const Lines& lines(map::ChunkPlace place) const { return lines_[index(place)]; }
    [[nodiscard]] const Tile& tile(map::ChunkPlace place) const {
        return tiles_[lines_[index(place)].tile];
    }
    // The chunks that ever held a target lie between these, both included.
    [[nodiscard]] const map::ChunkPlace& first() const { return first_; }
    [[nodiscard]] const map::ChunkPlace& last() const { return last_; }
    [[nodiscard]] std::size_t bytes() const;

  private:
    [[nodiscard]] std::size_t index(map::ChunkPlace place) const {
        return static_cast<std::size_t>(place.y) * across_ + static_cast<std::size_t>(place.x);
    }

    std::size_t across_{0};
    map::ChunkPlace first_;
    map::ChunkPlace last_;
    std::vector<Lines> lines_;
    std::vector<std::size_t> used_;  // of lines_
    // The first is empty and stands for all chunks without targets.
    std::vector<Tile> tiles_;
};

}  // namespace outrider::search
