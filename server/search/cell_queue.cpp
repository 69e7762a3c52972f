#include "outrider/search/cell_queue.hpp"

#include <bit>

namespace outrider::search {

void CellQueue::reset(model::Cost f, unsigned shift) {
    shift_ = shift;
    floor_ = f >> shift << shift;
    slot_ = static_cast<std::uint32_t>((f >> shift) % kBuckets);
    free_ = 0;
    words_.resize(kBlockWords);
    filled_.fill(0);
    tops_.fill(kEmpty);
}

std::uint32_t CellQueue::take_block(std::uint32_t slot, std::uint32_t top) {
    filled_[slot / 64] |= std::uint64_t{1} << (slot % 64);
    std::uint32_t block = free_;
    if (block != 0) {
        free_ = words_[block];
    } else {
        block = static_cast<std::uint32_t>(words_.size());
        words_.resize(words_.size() + kBlockWords);
    }
    words_[block] = top;
    return block;
}

void CellQueue::give_block(std::uint32_t slot, std::uint32_t block) {
    const std::uint32_t below = words_[block];
    words_[block] = free_;
    free_ = block;
    tops_[slot] = below;
    if (below == kEmpty) {
        filled_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
    }
}

bool CellQueue::advance() {
    constexpr std::uint32_t kWords = kBuckets / 64;
    const std::uint32_t first = slot_ + 1;
    for (std::uint32_t i = 0; i <= kWords; ++i) {
        const std::uint32_t word = (first / 64 + i) % kWords;
        std::uint64_t bits = filled_[word];
        if (i == 0) {
            bits &= ~std::uint64_t{0} << (first % 64);
        }
        if (bits != 0) {
            const std::uint32_t slot =
                word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits));
            floor_ += model::Cost{(slot - slot_) % kBuckets} << shift_;
            slot_ = slot;
            return true;
        }
    }
    return false;
}

}  // namespace outrider::search
