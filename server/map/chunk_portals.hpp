#pragma once
// What:     the portals of one chunk: the few steps over its border that long routes are planned
//           by, and the exact costs between them inside the chunk.
// Contract: portals are a function of the borders of the two chunks that they join, so that both
//           chunks have the same in the same order: portal k of a side is portal k of the other
//           chunk's opposite side. Of each pair of components that touch across a border at least
//           one portal is there, up to kPortalsPerSideMax a side. Costs are a function of the
//           chunk's cells. Both come lazily, by whoever asks first, and are the same for all.
// Threads:  any number of readers; a row is published once.
// Cost:     portals: a microsecond. A row: one search of the chunk (chunk_search.hpp), then one
//           load. Memory: 12 bytes and 8 a portal, and 4 for each pair of a row that was asked for.
// Source:   Botea, Mueller, Schaeffer: "Near optimal hierarchical path-finding" (2004).

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "outrider/map/chunk_grid.hpp"
#include "outrider/map/chunk_search.hpp"
#include "outrider/map/moves.hpp"
#include "outrider/map/shared_grid.hpp"

namespace outrider::map {

// The neighbours of a chunk are named by the move that leads there.
using Side = Move;
inline constexpr std::uint32_t kSides = kMoveCount;
[[nodiscard]] constexpr Side opposite(Side side) {
    return static_cast<Side>(side ^ 2U);
}

// Four are spread along a side; what connectivity needs beyond comes on top. More than 16 pairs of
// components at one border is a drawing, not a map; a route that needs them is searched whole.
inline constexpr std::uint32_t kPortalsPerSideMax = 16;

struct Portal {
    // Within the chunk: the cell that one leaves from and arrives at.
    std::uint8_t x;
    std::uint8_t y;
    Side side;
    Move step;  // over the border: `side`, or a diagonal where nothing straight joins the two
    Label label;

    friend bool operator==(const Portal&, const Portal&) = default;
};

class ChunkPortals {
  public:
    ChunkPortals(const ChunkGrid& chunks, ChunkPlace place);
    ~ChunkPortals();
    ChunkPortals(const ChunkPortals&) = delete;
    ChunkPortals& operator=(const ChunkPortals&) = delete;

    [[nodiscard]] std::uint32_t count() const { return first_[kSides]; }
    [[nodiscard]] const Portal& operator[](std::uint32_t index) const { return portals_[index]; }
    [[nodiscard]] std::uint32_t index_of(Side side, std::uint32_t k) const {
        return first_[side] + k;
    }
    [[nodiscard]] std::uint32_t rank_of(std::uint32_t index) const {
        return index - first_[portals_[index].side];
    }
    // ChunkSearch::kNoWay or the cost, for each portal of the chunk. `scratch` is used if this is
    // the first call for `index`.
    [[nodiscard]] const std::uint32_t* row(const Layer& layer, ChunkPlace place,
                                           std::uint32_t index, ChunkSearch& scratch) const {
        const std::uint32_t* known = rows_[index].load(std::memory_order_acquire);
        return known != nullptr ? known : make_row(layer, place, index, scratch);
    }
    [[nodiscard]] std::size_t bytes() const;

  private:
    using Row = std::atomic<const std::uint32_t*>;

    void add_side(const ChunkGrid& chunks, ChunkPlace place, Side side);
    const std::uint32_t* make_row(const Layer& layer, ChunkPlace place, std::uint32_t index,
                                  ChunkSearch& scratch) const;

    std::array<std::uint16_t, kSides + 1> first_{};
    std::vector<Portal> portals_;
    std::unique_ptr<Row[]> rows_;
};

// All chunks of a layer. A slot is shared by the snapshots that share what its portals are made of.
class Portals {
  public:
    Portals() = default;
    Portals(std::int32_t across, std::int32_t down);

    [[nodiscard]] const ChunkPortals& at(const ChunkGrid& chunks, ChunkPlace place) const {
        const Slot& slot = *slots_.at(place);
        const ChunkPortals* known = slot.portals.load(std::memory_order_acquire);
        return known != nullptr ? *known : make(slot, chunks, place);
    }

    // For the writer, before anybody reads.
    void drop(ChunkPlace place) { slots_.replace(place, std::make_shared<const Slot>()); }
    void warm(ChunkPlace place, WarmStep step) const { slots_.warm(place, step); }
    // For tests: what two snapshots share.
    [[nodiscard]] bool shares(const Portals& other, ChunkPlace place) const {
        return slots_.at(place) == other.slots_.at(place);
    }

  private:
    struct Slot {
        Slot() = default;
        ~Slot() { delete portals.load(std::memory_order_relaxed); }
        Slot(const Slot&) = delete;
        Slot& operator=(const Slot&) = delete;
        mutable std::atomic<const ChunkPortals*> portals{nullptr};
    };

    static const ChunkPortals& make(const Slot& slot, const ChunkGrid& chunks, ChunkPlace place);

    SharedGrid<const Slot> slots_;
};

}  // namespace outrider::map
