#pragma once
// What:     a binary min-heap of numbers whose order and places live elsewhere, so that any member
//           can be found, moved and removed.
// Contract: Order has before(a, b), a strict total order, and place(id), a reference to where the
//           heap notes the member's index. kNowhere stands for "not in the heap".
// Cost:     push, erase and update are O(log n); no allocation once the vector has grown.

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace outrider::engine {

inline constexpr std::uint32_t kNowhere = 0xFFFFFFFF;

template <class Order>
class IndexedHeap {
  public:
    [[nodiscard]] bool empty() const { return members_.empty(); }
    [[nodiscard]] std::size_t size() const { return members_.size(); }
    [[nodiscard]] std::uint32_t top() const { return members_.front(); }
    // In no order.
    [[nodiscard]] std::span<const std::uint32_t> members() const { return members_; }

    // So that the next push() needs no memory.
    void make_room() {
        if (members_.size() == members_.capacity()) {
            members_.reserve(2 * members_.size() + 1);
        }
    }
    void push(std::uint32_t id, Order order) {
        members_.push_back(id);
        order.place(id) = static_cast<std::uint32_t>(members_.size() - 1);
        rise(members_.size() - 1, order);
    }

    void erase(std::uint32_t id, Order order) {
        const std::size_t index = order.place(id);
        order.place(id) = kNowhere;
        const std::uint32_t last = members_.back();
        members_.pop_back();
        if (last == id) {
            return;
        }
        members_[index] = last;
        order.place(last) = static_cast<std::uint32_t>(index);
        update(last, order);
    }

    // After the member's rank has changed.
    void update(std::uint32_t id, Order order) {
        const std::size_t index = order.place(id);
        if (!rise(index, order)) {
            sink(index, order);
        }
    }

  private:
    bool rise(std::size_t index, Order& order) {
        const std::size_t origin = index;
        while (index > 0) {
            const std::size_t parent = (index - 1) / 2;
            if (!order.before(members_[index], members_[parent])) {
                break;
            }
            exchange(index, parent, order);
            index = parent;
        }
        return index != origin;
    }

    void sink(std::size_t index, Order& order) {
        for (;;) {
            std::size_t best = index;
            for (const std::size_t child : {2 * index + 1, 2 * index + 2}) {
                if (child < members_.size() && order.before(members_[child], members_[best])) {
                    best = child;
                }
            }
            if (best == index) {
                return;
            }
            exchange(index, best, order);
            index = best;
        }
    }

    void exchange(std::size_t a, std::size_t b, Order& order) {
        std::swap(members_[a], members_[b]);
        order.place(members_[a]) = static_cast<std::uint32_t>(a);
        order.place(members_[b]) = static_cast<std::uint32_t>(b);
    }

    std::vector<std::uint32_t> members_;
};

}  // namespace outrider::engine
