#pragma once
// What: disjoint sets of numbers; the smallest member stands for its set. Read by the room's own
//       sources.

#include <cstdint>
#include <numeric>
#include <vector>

namespace outrider::map {

class UnionFind {
  public:
    explicit UnionFind(std::uint32_t count) : parents_(count) {
        std::iota(parents_.begin(), parents_.end(), std::uint32_t{0});
    }
    void join(std::uint32_t a, std::uint32_t b) {
        a = root(a);
        b = root(b);
        if (a < b) {
            parents_[b] = a;
        } else {
            parents_[a] = b;
        }
    }
    // The smallest member of each number's set.
    [[nodiscard]] std::vector<std::uint32_t> take_roots() {
        // A parent is never above its child: one pass makes every entry a root.
        for (std::uint32_t& entry : parents_) {
            entry = parents_[entry];
        }
        return std::move(parents_);
    }

  private:
    [[nodiscard]] std::uint32_t root(std::uint32_t node) {
        while (parents_[node] != node) {
            parents_[node] = parents_[parents_[node]];
            node = parents_[node];
        }
        return node;
    }

    std::vector<std::uint32_t> parents_;
};

}  // namespace outrider::map
