#pragma once
// What:     records with small dense numbers that are used again; a record never moves.
// Contract: where take() finds no memory, nothing has changed.
// Cost:     take and give are constant; memory is that of the largest number in use at once.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace outrider::engine {

template <class T>
class SlotPool {
  public:
    [[nodiscard]] std::uint32_t take() {
        if (!free_.empty()) {
            const std::uint32_t index = free_.back();
            free_.pop_back();
            return index;
        }
        if (free_.capacity() == slots_.size()) {
            free_.reserve(2 * slots_.size() + 1);  // so that give() never allocates
        }
        slots_.emplace_back();
        return static_cast<std::uint32_t>(slots_.size() - 1);
    }
    // The caller has emptied the record.
    void give(std::uint32_t index) { free_.push_back(index); }

    [[nodiscard]] T& operator[](std::uint32_t index) { return slots_[index]; }
    [[nodiscard]] const T& operator[](std::uint32_t index) const { return slots_[index]; }
    [[nodiscard]] std::size_t capacity() const { return slots_.size(); }
    [[nodiscard]] std::size_t in_use() const { return slots_.size() - free_.size(); }

  private:
    std::deque<T> slots_;
    std::vector<std::uint32_t> free_;
};

}  // namespace outrider::engine
