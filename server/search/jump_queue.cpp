#include "outrider/search/jump_queue.hpp"

namespace outrider::search {

void JumpQueue::reset(model::Cost f) {
    count_ = 0;
    current_ = f >> kBucketShift;
    far_nearest_ = kNoBucket;
    heap_.clear();
    far_.clear();
    links_.clear();
    free_ = kNone;
    filled_.fill(0);
}

std::size_t JumpQueue::bytes() const {
    return (heap_.capacity() + far_.capacity()) * sizeof(OpenJump) +
           links_.capacity() * sizeof(Link);
}

void JumpQueue::push_heap(const OpenJump& entry) {
    heap_.push_back(entry);
    std::size_t hole = heap_.size() - 1;
    while (hole > 0) {
        const std::size_t parent = (hole - 1) / 2;
        if (!before(entry, heap_[parent])) {
            break;
        }
        heap_[hole] = heap_[parent];
        hole = parent;
    }
    heap_[hole] = entry;
}

OpenJump JumpQueue::pop_heap() {
    const OpenJump top = heap_.front();
    const OpenJump last = heap_.back();
    heap_.pop_back();
    const std::size_t count = heap_.size();
    if (count == 0) {
        return top;
    }
    std::size_t hole = 0;
    for (std::size_t child = 1; child < count; child = 2 * hole + 1) {
        if (child + 1 < count && before(heap_[child + 1], heap_[child])) {
            ++child;
        }
        if (!before(heap_[child], last)) {
            break;
        }
        heap_[hole] = heap_[child];
        hole = child;
    }
    heap_[hole] = last;
    return top;
}

void JumpQueue::advance() {
    // The ring's window moves on with the current bucket, so that what lies in far may by now come
    // before what lies in the ring.
    const std::uint64_t next = next_in_ring();
    if (far_nearest_ <= next) {
        bring_in_far();
        return;
    }
    current_ = next;
    move_to_heap(next);
}

std::uint64_t JumpQueue::next_in_ring() const {
    constexpr std::uint64_t kWords = kBuckets / 64;
    const std::uint64_t first = current_ + 1;
    for (std::uint64_t i = 0; i <= kWords; ++i) {
        const std::uint64_t base = (first / 64 + i) * 64;
        std::uint64_t bits = filled_[(first / 64 + i) % kWords];
        if (i == 0) {
            bits &= ~std::uint64_t{0} << (first % 64);
        }
        if (bits != 0) {
            return base + static_cast<std::uint64_t>(std::countr_zero(bits));
        }
    }
    return kNoBucket;
}

void JumpQueue::bring_in_far() {
    current_ = far_nearest_;
    far_nearest_ = kNoBucket;
    std::size_t kept = 0;
    for (const OpenJump& entry : far_) {
        const std::uint64_t bucket = entry.f() >> kBucketShift;
        if (bucket == current_) {
            push_heap(entry);
        } else if (bucket - current_ < kBuckets) {
            link(bucket, entry);
        } else {
            far_nearest_ = std::min(far_nearest_, bucket);
            far_[kept++] = entry;
        }
    }
    far_.resize(kept);
    move_to_heap(current_);
}

void JumpQueue::move_to_heap(std::uint64_t bucket) {
    const std::uint64_t slot = bucket % kBuckets;
    std::uint64_t& bits = filled_[slot / 64];
    const std::uint64_t bit = std::uint64_t{1} << (slot % 64);
    if ((bits & bit) == 0) {
        return;
    }
    bits &= ~bit;
    std::uint32_t at = heads_[slot];
    while (at != kNone) {
        Link& from = links_[at];
        push_heap(from.entry);
        const std::uint32_t next = from.next;
        from.next = free_;
        free_ = at;
        at = next;
    }
}

}  // namespace outrider::search
