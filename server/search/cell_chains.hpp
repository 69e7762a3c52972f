#pragma once
// What:     which items lie on a cell: a chain of small numbers for each cell that has any.
// Contract: items are numbered from 0 in the order of adding, at most as many as reserve() was
//           told. Chains run from the newest item to the oldest.
// Cost:     constant; a hash table of 16 bytes an item, cleared by reserve().

#include <bit>
#include <cstdint>
#include <vector>

#include "outrider/model/cell.hpp"

namespace outrider::search {

class CellChains {
  public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    // Forgets all.
    void reserve(std::size_t items_max) {
        const std::size_t slots = std::bit_ceil(2 * items_max + 2);
        shift_ = 64 - static_cast<unsigned>(std::countr_zero(slots));
        slots_.assign(slots, Slot{});
        next_.clear();
        next_.reserve(items_max);
    }
    void add(model::CellIndex cell) {
        Slot& slot = slots_[place_of(cell)];
        next_.push_back(slot.first);
        slot = {cell, static_cast<std::uint32_t>(next_.size() - 1)};
    }
    // The newest item on the cell, or kNone.
    [[nodiscard]] std::uint32_t first(model::CellIndex cell) const {
        return slots_[place_of(cell)].first;
    }
    [[nodiscard]] std::uint32_t next(std::uint32_t item) const { return next_[item]; }
    [[nodiscard]] std::size_t bytes() const {
        return slots_.capacity() * sizeof(Slot) + next_.capacity() * sizeof(std::uint32_t);
    }

  private:
    struct Slot {
        model::CellIndex cell{0};
        std::uint32_t first{kNone};
    };

    // The cell's slot, or the free one where it would be put.
    [[nodiscard]] std::size_t place_of(model::CellIndex cell) const {
        // Fibonacci hashing (Knuth): the high bits of the product are well mixed.
        std::size_t place = (cell * std::uint64_t{0x9E3779B97F4A7C15}) >> shift_;
        while (slots_[place].first != kNone && slots_[place].cell != cell) {
            place = (place + 1) & (slots_.size() - 1);
        }
        return place;
    }

    unsigned shift_{63};
    std::vector<Slot> slots_;
    std::vector<std::uint32_t> next_;
};

}  // namespace outrider::search
