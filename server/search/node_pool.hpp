#pragma once
// What:     one 16-byte node a cell, direct-mapped by cell index, shared by all kernels. A node
//           belongs to the running search when its stamp is the search's generation; all others
//           read as untouched, so that nothing is cleared between searches.
// Contract: prepare() before each search. When the 32-bit generation wraps, all stamps are wiped
//           once.
// Cost:     zeroed pages come from the system on first touch: a short search on a huge map pays for
//           the pages that it touches alone.

#include <cstdint>
#include <cstdlib>
#include <memory>

namespace outrider::search {

struct Node {
    // What the low and the high bits hold is the kernel's affair; g is part of it in each.
    std::uint64_t word;
    std::uint32_t stamp;
    std::uint32_t link;
};
static_assert(sizeof(Node) == 16);

class NodePool {
  public:
    // Makes room for `cells` nodes and starts a new generation.
    void prepare(std::size_t cells);

    [[nodiscard]] Node* data() { return nodes_.get(); }
    [[nodiscard]] std::uint32_t generation() const { return generation_; }
    [[nodiscard]] std::size_t capacity() const { return capacity_; }
    // For the wrap-around test: the next generations follow on `generation`.
    void set_generation(std::uint32_t generation) { generation_ = generation; }

  private:
    struct Free {
        void operator()(Node* nodes) const { std::free(nodes); }
    };
    std::unique_ptr<Node[], Free> nodes_;
    std::size_t capacity_{0};
    std::uint32_t generation_{0};
};

}  // namespace outrider::search
