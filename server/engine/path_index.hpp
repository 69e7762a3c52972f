#pragma once
// What:     which followed paths cross which square of 16 x 16 cells of one map. Private to the
//           engine room.
// Contract: visit() meets every path that has a cell in one of the rectangle's squares; a path may
//           come more than once. A chain is a path's entries, kNowhere for none.
// Threads:  under the engine's lock.
// Cost:     insert is linear in the path's cells, erase in the squares that it crosses; visit in
//           the paths found. Memory: 4 bytes a square of the map, 20 an entry.

#include <cstdint>
#include <span>
#include <vector>

#include "outrider/engine/follow_changes.hpp"
#include "outrider/engine/indexed_heap.hpp"
#include "outrider/model/cell.hpp"

namespace outrider::engine {

class PathIndex {
  public:
    struct Entry {
        std::uint32_t follow{};
        std::uint32_t block{};
        std::uint32_t previous{kNowhere};  // of the same square
        std::uint32_t next{kNowhere};
        std::uint32_t chain{kNowhere};  // of the same path
    };

    PathIndex(std::int32_t width, std::int32_t height);

    // The chain of a path of these turning points.
    [[nodiscard]] std::uint32_t insert(std::uint32_t follow, std::span<const model::Cell> points);
    void erase(std::uint32_t chain);

    template <class Visit>
    void visit(const model::Rect& rect, const Visit& visit) const {
        const model::Rect blocks = blocks_of(rect);
        for (std::int32_t y = blocks.y; y < blocks.y + blocks.height; ++y) {
            for (std::int32_t x = blocks.x; x < blocks.x + blocks.width; ++x) {
                for (std::uint32_t at = heads_[block_at(x, y)]; at != kNowhere;
                     at = entries_[at].next) {
                    visit(entries_[at].follow);
                }
            }
        }
    }
    [[nodiscard]] std::size_t entry_count() const { return entry_count_; }

  private:
    [[nodiscard]] model::Rect blocks_of(const model::Rect& rect) const;
    [[nodiscard]] std::size_t block_at(std::int32_t x, std::int32_t y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(across_) +
               static_cast<std::size_t>(x);
    }
    [[nodiscard]] std::size_t block_of(model::Cell cell) const {
        return block_at(cell.x >> kFollowBlockShift, cell.y >> kFollowBlockShift);
    }
    [[nodiscard]] std::uint32_t add(std::uint32_t follow, std::size_t block, std::uint32_t chain);

    std::int32_t across_;
    std::int32_t down_;
    std::vector<std::uint32_t> heads_;  // by square
    std::vector<Entry> entries_;
    std::uint32_t free_{kNowhere};  // the first of a chain
    std::size_t entry_count_{0};    // without the free ones
};

}  // namespace outrider::engine
