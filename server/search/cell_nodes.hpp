#pragma once
// What:     one 8-byte node a cell for the terrain kernel, row after row.
// Contract: prepare() before each search starts a new generation; a node with another stamp reads
//           as untouched. When the 16-bit generation wraps, the nodes are taken anew.
// Cost:     zeroed pages come from the system on first touch; in huge pages where it lets them.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace outrider::search {

struct CellNode {
    std::uint32_t g;
    std::uint16_t stamp;
    // Bit m: reached at this g by move m.
    std::uint8_t arrivals;
    // Those of them whose moves have been made; all bits where every legal move has been.
    std::uint8_t done;
};
static_assert(sizeof(CellNode) == 8);

class CellNodes {
  public:
    // Makes room for a map and starts a new generation.
    void prepare(std::int32_t width, std::int32_t height);

    // The node of (x, y) is data()[y * stride() + x].
    [[nodiscard]] CellNode* data() { return nodes_; }
    [[nodiscard]] std::ptrdiff_t stride() const { return stride_; }

    [[nodiscard]] std::uint16_t generation() const { return generation_; }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    // For the wrap-around test: the next generations follow on `generation`.
    void set_generation(std::uint16_t generation) { generation_ = generation; }

  private:
    void take(std::size_t bytes);

    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };
    std::unique_ptr<void, Free> memory_;
    CellNode* nodes_{nullptr};  // in memory_, where a huge page may begin
    std::size_t bytes_{0};
    std::ptrdiff_t stride_{0};
    std::uint16_t generation_{0};
};

}  // namespace outrider::search
