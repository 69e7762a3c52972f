#pragma once
// What:     how dear it is to get from a cell, or from the nearest of many, to every other cell of
//           a layer: bucket Dijkstra with canonical pruning, for every class.
// Contract: exact, and the same whatever the order of work: a bucket is no wider than the cheapest
//           step, so that a cell's distance is final before its bucket is worked on, and what is
//           kept of equally cheap ways is their set. Costs are symmetric, so that the same field
//           tells the way from a cell to the nearest source.
//           begin(), then step() until it returns false, or until settled() is as far as wanted.
//           The layer outlives the field's use.
// Threads:  one at a time.
// Cost:     8 bytes a cell of the largest layer met, touched pages only, and 8 bytes an entry of
//           the widest wave front. A step allocates only while the front outgrows its past.
// Source:   Dial: "Algorithm 360: shortest-path forest with topological ordering" (CACM 1969);
//           Dinitz 1978 (buckets as wide as the least edge); search/canonical.hpp.

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include "outrider/map/layer.hpp"
#include "outrider/model/cell.hpp"
#include "outrider/model/cost.hpp"
#include "outrider/search/canonical.hpp"

namespace outrider::search {

class Field {
  public:
    static constexpr model::Cost kUnreached = ~model::Cost{0};

    // Sources: open cells inside the map.
    void begin(const map::Layer& layer, std::span<const model::Cell> sources);
    // Without any yet; add them before the first step.
    void begin(const map::Layer& layer);
    void add_source(model::Cell open);
    // One whose neighbours are all sources or blocked: the wave need not start from it.
    void add_inner(model::Cell open);
    // A blocked cell of the map that a unit walks off: it weighs as the class's cheapest terrain.
    void add_blocked(model::Cell blocked);

    // Until the next begin(): appends each cell that is settled, bucket after bucket, those of one
    // bucket in no order and when all of it is settled. Null: no more.
    void record(std::vector<model::Cell>* settled) { record_ = settled; }

    // Settles up to `cells_max` cells, at least one, but stops where the distances up to `until`
    // are final. False when nothing is left.
    bool step(std::uint64_t cells_max, model::Cost until = kUnreached);

    // Every distance below this is final, in units of unit(): what is still to be settled lies in
    // this bucket or beyond, and no step leads from a bucket into itself.
    [[nodiscard]] model::Cost settled() const {
        return waiting_ == 0 ? kUnreached : (bucket_ + 1) << shift_;
    }
    // Cells settled so far.
    [[nodiscard]] std::uint64_t expansions() const { return expansions_; }
    // The last step ended within a bucket: some cells of it are settled, others not.
    [[nodiscard]] bool mid_bucket() const { return place_ != 0; }
    // Cells that had to be settled before this distance was final. Needs one that is.
    [[nodiscard]] std::uint64_t expansions_for(model::Cost distance) const;
    // What settled() was, or would have been, when the first `cells` were settled; kUnreached
    // where it has not come so far.
    [[nodiscard]] model::Cost settled_after(std::uint64_t cells) const;
    // What one unit of distance costs: 1, or 2 * weight_min on a layer of one weight.
    [[nodiscard]] model::Cost unit() const { return unit_; }
    // kUnreached where no way is known; final once it is below settled() or step() returned false.
    [[nodiscard]] model::Cost distance(model::Cell cell) const {
        const std::uint64_t word = words_[index_of(cell.x, cell.y)];
        return word < current_ ? kUnreached : distance_in(word);
    }
    // The largest distance, as far as is settled, below which lie no more than that many cells.
    [[nodiscard]] model::Cost reach_of(std::uint64_t cells) const;
    // The moves that reached the cell at its distance and that no other way makes needless; all of
    // them at a source. Final when the distance is. Needs a cell that was reached.
    [[nodiscard]] Arrivals arrivals(model::Cell cell) const {
        return static_cast<Arrivals>(words_[index_of(cell.x, cell.y)] & kArrivalMask);
    }
    [[nodiscard]] std::size_t bytes() const;

  private:
    friend class FieldWalk;

    // A cell's word, the larger the better: generation | distance, complemented | arrivals. What an
    // older generation left compares as worse than anything of this one, and zeroed memory too.
    static constexpr unsigned kArrivalBits = 8;
    // The dearest path on the largest map stays below 2^45.
    static constexpr unsigned kDistanceBits = 46;
    static constexpr unsigned kGenerationShift = kArrivalBits + kDistanceBits;
    static constexpr std::uint64_t kGenerationsMax =
        (std::uint64_t{1} << (64 - kGenerationShift)) - 1;
    static constexpr std::uint64_t kDistanceMask = (std::uint64_t{1} << kDistanceBits) - 1;
    static constexpr std::uint64_t kArrivalMask = (std::uint64_t{1} << kArrivalBits) - 1;

    struct Entry {
        std::uint32_t index;
        std::uint16_t x;
        std::uint16_t y;
    };
    struct Bucket {
        std::vector<Entry> entries;
        std::size_t count{0};
    };
    // Cells settled up to and with a bucket that was not empty.
    struct Settled {
        std::uint64_t bucket;
        std::uint64_t cells;
    };

    [[nodiscard]] static model::Cost distance_in(std::uint64_t word) {
        return ~(word >> kArrivalBits) & kDistanceMask;
    }
    static constexpr std::uint32_t kBlockCells = 64;
    // Blocks of 8 x 8 cells lie together: a wave front that runs north or south then stays on its
    // pages and in its cache lines.
    [[nodiscard]] std::uint32_t index_of(std::int32_t x, std::int32_t y) const {
        const auto row = static_cast<std::uint32_t>(y);
        const auto column = static_cast<std::uint32_t>(x);
        return (row >> 3U) * row_stride_ + (column >> 3U) * kBlockCells + (row & 7U) * 8 +
               (column & 7U);
    }
    [[nodiscard]] Entry entry_of(model::Cell cell) const {
        return {index_of(cell.x, cell.y), static_cast<std::uint16_t>(cell.x),
                static_cast<std::uint16_t>(cell.y)};
    }
    void record_bucket(const Bucket& bucket);
    [[nodiscard]] Entry neighbour(Entry at, unsigned move) const {
        return {at.index + offsets_[move][at.index % kBlockCells],
                static_cast<std::uint16_t>(at.x + kMoveX[move]),
                static_cast<std::uint16_t>(at.y + kMoveY[move])};
    }

    void prepare(std::size_t words);
    void shape_words();
    void shape_buckets();
    // Of the bucket's entries up to `entries_max`, stale ones included.
    template <bool kUniform>
    void settle_entries(std::uint64_t entries_max);
    void end_bucket();
    template <bool kUniform>
    void settle(Entry at, std::uint64_t word);
    void reach(Entry at, std::uint64_t candidate, Arrivals arrival);

    struct Free {
        void operator()(std::uint64_t* words) const { std::free(words); }
    };
    std::unique_ptr<std::uint64_t[], Free> words_;
    std::size_t capacity_{0};

    const map::Layer* layer_{nullptr};
    const CanonicalMoves* canonical_{nullptr};
    const MoveTable* legal_{nullptr};
    model::Cost unit_{1};
    std::uint32_t row_stride_{0};
    // From a cell's index to its neighbour's, modulo 2^32, by move and place in the block.
    std::array<std::array<std::uint32_t, kBlockCells>, kMoveCount> offsets_{};

    std::uint64_t generation_{0};
    std::uint64_t current_{0};  // the least word of this generation

    std::vector<Bucket> ring_;
    std::uint64_t ring_mask_{0};
    unsigned shift_{0};
    model::Cost bucket_{0};          // the next to be settled
    std::size_t place_{0};           // entries of it that are done
    std::uint64_t bucket_began_{0};  // expansions_ when it was begun
    std::size_t waiting_{0};  // entries in the ring, stale ones and the bucket's own included
    std::uint64_t expansions_{0};
    std::vector<Settled> history_;
    std::vector<model::Cell>* record_{nullptr};
};

}  // namespace outrider::search
