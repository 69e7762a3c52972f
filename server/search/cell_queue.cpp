#include "outrider/search/cell_queue.hpp"

#include <bit>

namespace outrider::search {

void CellQueue::reset(model::Cost f, unsigned shift) {
    shift_ = shift;
    current_ = f >> shift;
    free_ = 0;
    words_.resize(kBlockWords);
    filled_.fill(0);
    tops_.fill(kEmpty);
}

std::uint32_t CellQueue::take_block(std::uint64_t slot, std::uint32_t top) {
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

void CellQueue::give_block(std::uint64_t slot, std::uint32_t block) {
    const std::uint32_t below = words_[block];
    words_[block] = free_;
    free_ = block;
    tops_[slot] = below;
    if (below == kEmpty) {
        filled_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
    }
}

bool CellQueue::advance() {
    constexpr std::uint64_t kWords = kBuckets / 64;
    const std::uint64_t first = current_ + 1;
    for (std::uint64_t i = 0; i <= kWords; ++i) {
        std::uint64_t bits = filled_[(first / 64 + i) % kWords];
        if (i == 0) {
            bits &= ~std::uint64_t{0} << (first % 64);
        }
        if (bits != 0) {
            current_ = (first / 64 + i) * 64 + static_cast<std::uint64_t>(std::countr_zero(bits));
            return true;
        }
    }
    return false;
}

}  // namespace outrider::search
