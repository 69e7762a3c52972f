#pragma once
// What:     the open list of jump point search: a binary heap without decrease-key. A cell that is
//           reached cheaper is pushed again, and its old entry is passed over when it comes up.
// Contract: order: smaller f, then larger g (which at equal f is smaller h), then smaller cell. f
//           and h share one word: f stays below 2^41 octile units, h below 2^23.
// Cost:     push and pop are logarithmic; allocates only while it outgrows its past.

#include <cstdint>
#include <vector>

#include "outrider/model/cell.hpp"
#include "outrider/model/cost.hpp"

namespace outrider::search {

struct OpenJump {
    static constexpr unsigned kEstimateBits = 23;

    std::uint64_t key;  // f << kEstimateBits | h
    model::CellIndex cell;
    std::uint16_t x;
    std::uint16_t y;

    [[nodiscard]] model::Cost h() const { return key & ((1U << kEstimateBits) - 1); }
    [[nodiscard]] model::Cost g() const { return (key >> kEstimateBits) - h(); }
};

[[nodiscard]] inline bool before(const OpenJump& a, const OpenJump& b) {
    return a.key != b.key ? a.key < b.key : a.cell < b.cell;
}

class JumpHeap {
  public:
    void reset() { entries_.clear(); }
    [[nodiscard]] bool empty() const { return entries_.empty(); }
    [[nodiscard]] std::size_t capacity() const { return entries_.capacity(); }

    void push(const OpenJump& entry) {
        entries_.push_back(entry);
        std::size_t hole = entries_.size() - 1;
        while (hole > 0) {
            const std::size_t parent = (hole - 1) / 2;
            if (!before(entry, entries_[parent])) {
                break;
            }
            entries_[hole] = entries_[parent];
            hole = parent;
        }
        entries_[hole] = entry;
    }

    OpenJump pop() {
        const OpenJump top = entries_.front();
        const OpenJump last = entries_.back();
        entries_.pop_back();
        const std::size_t count = entries_.size();
        if (count == 0) {
            return top;
        }
        std::size_t hole = 0;
        for (std::size_t child = 1; child < count; child = 2 * hole + 1) {
            if (child + 1 < count && before(entries_[child + 1], entries_[child])) {
                ++child;
            }
            if (!before(entries_[child], last)) {
                break;
            }
            entries_[hole] = entries_[child];
            hole = child;
        }
        entries_[hole] = last;
        return top;
    }

  private:
    std::vector<OpenJump> entries_;
};

}  // namespace outrider::search
