#pragma once
// What:     exact costs from one cell to the cells of its chunk, over the chunk's own cells alone:
//           Dijkstra with buckets no wider than the cheapest step, so that a bucket's cells are
//           final when it comes up and need no order among themselves.
// Contract: begin(), then step() until done(). A cost is final for closed cells; once done, for all
//           wanted cells, and for all cells where nothing was wanted. Costs fit 32 bits: at most
//           4096 steps of at most 294,270.
// Threads:  one at a time.
// Cost:     some 30 ns a cell. Allocates only while its queue outgrows its past.
// Source:   Dial 1969 (buckets).

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "outrider/map/chunk_grid.hpp"
#include "outrider/map/moves.hpp"
#include "outrider/model/cell.hpp"
#include "outrider/model/cost.hpp"

namespace outrider::map {

class Layer;

class ChunkSearch {
  public:
    static constexpr std::uint32_t kNoWay = 0xFFFFFFFF;

    // `from`: an open cell of the map, in map coordinates.
    void begin(const Layer& layer, model::Cell from);
    // Stop as soon as this cell of the chunk, and all others wanted, are closed.
    void want(std::int32_t x, std::int32_t y);
    // Closes at most so many cells.
    void step(std::uint32_t cells_max);
    [[nodiscard]] bool done() const { return done_; }

    // Within the chunk: 0 .. 63.
    [[nodiscard]] std::uint32_t cost(std::int32_t x, std::int32_t y) const {
        return costs_[cell_of(x, y)];
    }

    // Beyond sizeof.
    [[nodiscard]] std::size_t queue_bytes() const { return links_.capacity() * sizeof(Link); }

  private:
    using InChunk = std::uint16_t;  // y * 64 + x
    static constexpr std::size_t kCells = std::size_t{kChunkSide} * kChunkSide;
    // The dearest step spans 577 buckets of half the cheapest one, at the widest range of weights.
    static constexpr std::uint32_t kBucketsMax = 1024;
    static constexpr std::uint16_t kNone = 0xFFFF;

    struct Link {
        InChunk cell;
        std::uint16_t next;
    };

    [[nodiscard]] static std::size_t cell_of(std::int32_t x, std::int32_t y) {
        return static_cast<std::size_t>(y) * kChunkSide + static_cast<std::size_t>(x);
    }
    [[nodiscard]] unsigned bits_around(const ChunkRegions::Rows& rows, InChunk cell) const;
    void load(const Layer& layer, ChunkPlace place);
    void push(InChunk cell, std::uint32_t cost);
    template <bool kUniform>
    void expand(InChunk cell);
    template <bool kUniform>
    void run(std::uint32_t cells_max);
    // False when all buckets are empty.
    bool next_bucket();

    bool uniform_{};
    bool done_{true};
    unsigned bucket_shift_{};
    std::uint32_t bucket_mask_{};
    std::uint32_t weight_{};  // of a uniform class
    const MoveTable* moves_{nullptr};
    std::uint32_t bucket_{};   // the current one, counted from cost 0
    std::uint32_t waiting_{};  // links in all buckets
    std::uint32_t wanted_count_{};
    std::uint16_t free_{kNone};
    std::vector<Link> links_;
    ChunkRegions::Rows open_{};
    ChunkRegions::Rows closed_{};
    ChunkRegions::Rows wanted_{};
    std::array<std::uint32_t, kCells> costs_{};
    std::array<std::uint8_t, kCells> weights_{};
    std::array<std::uint16_t, kBucketsMax> heads_{};
};

}  // namespace outrider::map
