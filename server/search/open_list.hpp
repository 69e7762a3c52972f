#pragma once
// What:     the textbook's open list: a binary heap of cells that knows where each cell stands, so
//           that a cheaper way to a cell moves its one entry up (decrease-key).
// Contract: order: smaller f, then larger g, then smaller cell. The place of a cell is kept in the
//           low kPlaceBits of its node's link; kClosed there means "popped".
// Cost:     push, pop and decrease are logarithmic; allocates only while it outgrows its past.

#include <cstdint>
#include <vector>

#include "outrider/model/cell.hpp"
#include "outrider/search/node_pool.hpp"

namespace outrider::search {

struct OpenCell {
    std::uint64_t f;
    std::uint64_t g;
    model::CellIndex cell;
    // Coordinates, to spare a division by the width at each pop: sides are below 2^16.
    std::uint16_t x;
    std::uint16_t y;
};

[[nodiscard]] inline bool before(const OpenCell& a, const OpenCell& b) {
    if (a.f != b.f) {
        return a.f < b.f;
    }
    return a.g != b.g ? a.g > b.g : a.cell < b.cell;
}

class OpenList {
  public:
    static constexpr unsigned kPlaceBits = 28;
    static constexpr std::uint32_t kPlaceMask = (1U << kPlaceBits) - 1;
    static constexpr std::uint32_t kClosed = kPlaceMask;

    void reset(Node* nodes) {
        nodes_ = nodes;
        cells_.clear();
    }
    [[nodiscard]] bool empty() const { return cells_.empty(); }
    [[nodiscard]] std::size_t capacity() const { return cells_.capacity(); }
    [[nodiscard]] const OpenCell& at(std::uint32_t place) const { return cells_[place]; }

    void push(const OpenCell& entry) {
        cells_.push_back(entry);
        sift_up(cells_.size() - 1, entry);
    }
    // `entry` is the cell at `place` with a smaller f.
    void decrease(std::uint32_t place, const OpenCell& entry) { sift_up(place, entry); }

    OpenCell pop() {
        const OpenCell top = cells_.front();
        set_place(top.cell, kClosed);
        const OpenCell last = cells_.back();
        cells_.pop_back();
        if (!cells_.empty()) {
            sift_down(last);
        }
        return top;
    }

  private:
    void set_place(model::CellIndex cell, std::uint32_t place) {
        std::uint32_t& link = nodes_[cell].link;
        link = (link & ~kPlaceMask) | place;
    }
    void put(std::size_t place, const OpenCell& entry) {
        cells_[place] = entry;
        set_place(entry.cell, static_cast<std::uint32_t>(place));
    }
    void sift_up(std::size_t hole, const OpenCell& entry) {
        while (hole > 0) {
            const std::size_t parent = (hole - 1) / 2;
            if (!before(entry, cells_[parent])) {
                break;
            }
            put(hole, cells_[parent]);
            hole = parent;
        }
        put(hole, entry);
    }
    void sift_down(const OpenCell& entry) {
        const std::size_t count = cells_.size();
        std::size_t hole = 0;
        for (std::size_t child = 1; child < count; child = 2 * hole + 1) {
            if (child + 1 < count && before(cells_[child + 1], cells_[child])) {
                ++child;
            }
            if (!before(cells_[child], entry)) {
                break;
            }
            put(hole, cells_[child]);
            hole = child;
        }
        put(hole, entry);
    }

    std::vector<OpenCell> cells_;
    Node* nodes_{nullptr};
};

}  // namespace outrider::search
