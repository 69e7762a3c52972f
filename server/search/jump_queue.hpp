#pragma once
// What:     the open list of jump point search: buckets by f, and a small heap for the bucket that
//           is being emptied. A cell that is reached cheaper is pushed again, and its old entry is
//           passed over when it comes up.
//
//             heap of the current bucket | ring of later buckets, unsorted | far: beyond the ring
//
// Contract: order: smaller f, then larger g (which at equal f is smaller h), then smaller cell. An
//           f below the current bucket, which an estimate that is not quite consistent brings now
//           and then, joins the heap and comes up at once. f and h share one word: f stays below
//           2^36 octile units (the longest path on the largest map), h below 2^28.
// Cost:     push is constant but for the current bucket; pop is logarithmic in one bucket.
//           Allocates only while it outgrows its past.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "outrider/model/cell.hpp"
#include "outrider/model/cost.hpp"

namespace outrider::search {

struct OpenJump {
    static constexpr unsigned kEstimateBits = 28;
    static constexpr model::Cost kEstimateMax = (model::Cost{1} << kEstimateBits) - 1;

    std::uint64_t key;  // f << kEstimateBits | h
    model::CellIndex cell;
    std::uint16_t x;
    std::uint16_t y;

    [[nodiscard]] model::Cost f() const { return key >> kEstimateBits; }
    [[nodiscard]] model::Cost h() const { return key & ((1U << kEstimateBits) - 1); }
    [[nodiscard]] model::Cost g() const { return f() - h(); }
};

[[nodiscard]] inline bool before(const OpenJump& a, const OpenJump& b) {
    return a.key != b.key ? a.key < b.key : a.cell < b.cell;
}

class JumpQueue {
  public:
    // `f` is that of the first push: the bucket to begin with.
    void reset(model::Cost f);
    [[nodiscard]] bool empty() const { return count_ == 0; }
    [[nodiscard]] std::size_t bytes() const;

    void push(const OpenJump& entry) {
        ++count_;
        const std::uint64_t bucket = entry.f() >> kBucketShift;
        if (bucket <= current_) {
            push_heap(entry);
        } else if (bucket - current_ < kBuckets) {
            link(bucket, entry);
        } else {
            far_.push_back(entry);
            far_nearest_ = std::min(far_nearest_, bucket);
        }
    }

    // Needs a queue that is not empty.
    OpenJump pop() {
        if (heap_.empty()) {
            advance();
        }
        --count_;
        return pop_heap();
    }

  private:
    // A thirteenth of a straight step: on cluttered maps a bucket then holds a handful of entries.
    static constexpr unsigned kBucketShift = 5;
    // 320 cells ahead of the current f.
    static constexpr std::uint64_t kBuckets = 4096;
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
    static constexpr std::uint64_t kNoBucket = ~std::uint64_t{0};

    struct Link {
        OpenJump entry;
        std::uint32_t next;
    };

    void link(std::uint64_t bucket, const OpenJump& entry) {
        const std::uint64_t slot = bucket % kBuckets;
        std::uint64_t& bits = filled_[slot / 64];
        const std::uint64_t bit = std::uint64_t{1} << (slot % 64);
        const std::uint32_t next = (bits & bit) != 0 ? heads_[slot] : kNone;
        bits |= bit;
        if (free_ == kNone) {
            heads_[slot] = static_cast<std::uint32_t>(links_.size());
            links_.push_back({entry, next});
            return;
        }
        heads_[slot] = free_;
        free_ = links_[free_].next;
        links_[heads_[slot]] = {entry, next};
    }

    void push_heap(const OpenJump& entry);
    OpenJump pop_heap();
    // Makes the next filled bucket the current one and moves its entries to the heap.
    void advance();
    // The next filled slot of the ring after the current one, as a bucket, or kNoBucket.
    [[nodiscard]] std::uint64_t next_in_ring() const;
    void bring_in_far();
    void move_to_heap(std::uint64_t bucket);

    std::size_t count_{0};
    std::uint64_t current_{0};
    std::vector<OpenJump> heap_;
    std::vector<OpenJump> far_;
    std::uint64_t far_nearest_{kNoBucket};
    std::vector<Link> links_;
    std::uint32_t free_{kNone};
    std::array<std::uint64_t, kBuckets / 64> filled_{};
    std::array<std::uint32_t, kBuckets> heads_{};
};

}  // namespace outrider::search
