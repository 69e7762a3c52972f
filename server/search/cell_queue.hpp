#pragma once
// What:     the open list of the terrain kernel: buckets of f, in each the last in is the first
//           out. An entry is a place alone; what waits there is for its node to say.
//
//             current bucket | ring of later buckets | what lies beyond goes to the ring's last
//
// Contract: order: smaller bucket of f, then the later push. A push below the current bucket goes
//           to the current one. Entries of a bucket never have an f below floor() of it, bar those.
// Cost:     push and pop are constant: a word in a block of 31, blocks of one pool. Allocates only
//           while it outgrows its past.

#include <array>
#include <cstdint>
#include <vector>

#include "outrider/base/limits.hpp"
#include "outrider/model/cost.hpp"

namespace outrider::search {

class CellQueue {
  public:
    // The entry of a cell plus that of an offset is the entry of the cell there.
    using Entry = std::uint32_t;
    static constexpr unsigned kYShift = 16;
    // How far ahead of the current bucket an entry keeps its own; see TerrainKernel::bucket_shift.
    static constexpr std::uint32_t kBuckets = 4096;
    // A bit that no place has, for the caller's use.
    static constexpr Entry kMarked = 1U << 31U;
    static_assert(base::limits::kMapSideMax <= 1 << (31 - kYShift));

    [[nodiscard]] static constexpr Entry entry_of(std::int32_t x, std::int32_t y) {
        return (static_cast<Entry>(y) << kYShift) + static_cast<Entry>(x);
    }
    [[nodiscard]] static std::int32_t x_of(Entry entry) {
        return static_cast<std::int32_t>(entry & ((1U << kYShift) - 1));
    }
    [[nodiscard]] static std::int32_t y_of(Entry entry) {
        return static_cast<std::int32_t>(entry >> kYShift);
    }

    // `f` is that of the first push; a bucket is 2^shift wide.
    void reset(model::Cost f, unsigned shift);
    [[nodiscard]] std::size_t bytes() const { return words_.capacity() * sizeof(std::uint32_t); }
    // Of the current bucket.
    [[nodiscard]] model::Cost floor() const { return floor_; }

    // Only the low half of `f` is looked at: it lies within 2^31 of floor().
    void push(std::uint32_t f, Entry entry) {
        const std::uint32_t above = f - static_cast<std::uint32_t>(floor_);
        std::uint32_t ahead = above >> shift_;
        if (ahead >= kBuckets) [[unlikely]] {
            ahead = static_cast<std::int32_t>(above) < 0 ? 0 : kBuckets - 1;
        }
        const std::uint32_t slot = (slot_ + ahead) % kBuckets;
        std::uint32_t top = tops_[slot];
        if ((top & kBlockMask) == kBlockMask) [[unlikely]] {
            top = take_block(slot, top);
        }
        words_[++top] = entry;
        tops_[slot] = top;
    }

    // False when there is none left. Goes on to the next filled bucket where the current is empty.
    [[nodiscard]] bool settle() { return tops_[slot_] != kEmpty || advance(); }
    // Needs settle().
    [[nodiscard]] Entry pop() {
        const std::uint32_t top = tops_[slot_];
        const Entry entry = words_[top];
        tops_[slot_] = top - 1;
        if (((top - 1) & kBlockMask) == 0) [[unlikely]] {
            give_block(slot_, top - 1);
        }
        return entry;
    }
    // One of the entries that pop() will give soon: four below the top, so that memory has the time
    // of four expansions to bring what belongs to it. Cell (0, 0) where the bucket has none (block
    // 0 stays zero).
    [[nodiscard]] Entry soon() const {
        constexpr std::uint32_t kAhead = 4;
        const std::uint32_t top = tops_[slot_];
        const std::uint32_t in_block = top & kBlockMask;
        const std::uint32_t below = words_[top - in_block] + in_block;
        return words_[(in_block > kAhead ? top : below) - kAhead] & ~kMarked;
    }

  private:
    // The first word of a block is the top of the bucket below it.
    static constexpr std::uint32_t kBlockWords = 32;
    static constexpr std::uint32_t kBlockMask = kBlockWords - 1;
    // Block 0 is never used, so that an empty bucket looks like one with a full block.
    static constexpr std::uint32_t kEmpty = kBlockMask;

    [[nodiscard]] std::uint32_t take_block(std::uint32_t slot, std::uint32_t top);
    void give_block(std::uint32_t slot, std::uint32_t block);
    [[nodiscard]] bool advance();

    model::Cost floor_{0};   // of the current bucket
    std::uint32_t slot_{0};  // where it is kept: its number modulo kBuckets
    unsigned shift_{0};
    std::uint32_t free_{0};  // a list of blocks; 0 ends it
    std::vector<std::uint32_t> words_;
    std::array<std::uint64_t, kBuckets / 64> filled_{};
    std::array<std::uint32_t, kBuckets> tops_{};
};

}  // namespace outrider::search
