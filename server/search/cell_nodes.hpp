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

// One word, so that a node is read and written at once:
//
//   bits  0 .. 31 g
//        32 .. 47 stamp
//        48 .. 55 arrivals: bit m: reached at this g by move m
//        56 .. 63 done: those of them whose moves have been made; all bits where every legal move
//                 has been
class CellNode {
  public:
    constexpr CellNode() = default;
    // Nothing done.
    constexpr CellNode(std::uint32_t g, std::uint16_t stamp, std::uint8_t arrivals)
        : word_(std::uint64_t{g} | std::uint64_t{stamp} << 32U | std::uint64_t{arrivals} << 48U) {}

    [[nodiscard]] std::uint32_t g() const { return static_cast<std::uint32_t>(word_); }
    [[nodiscard]] std::uint16_t stamp() const { return static_cast<std::uint16_t>(word_ >> 32U); }
    [[nodiscard]] std::uint8_t arrivals() const { return static_cast<std::uint8_t>(word_ >> 48U); }
    [[nodiscard]] std::uint8_t done() const { return static_cast<std::uint8_t>(word_ >> 56U); }
    // An arrival whose moves have not been made.
    [[nodiscard]] bool waits() const { return (word_ >> 48U & ~(word_ >> 56U) & 0xFFU) != 0; }

    // How much cheaper it becomes at this g; 1 where it is untouched. Two costs of one cell differ
    // by far less than 2^31, so that the low halves tell.
    [[nodiscard]] std::int32_t gain_of(std::uint32_t at, std::uint16_t generation) const {
        return static_cast<std::int32_t>(stamp() == generation ? g() - at : 1U);
    }
    // This node, whose g is 0, with another g.
    [[nodiscard]] CellNode with(std::uint32_t other) const {
        CellNode node = *this;
        node.word_ |= other;
        return node;
    }

    void arrive(std::uint8_t arrivals) { word_ |= std::uint64_t{arrivals} << 48U; }
    void set_done(std::uint8_t arrivals) {
        word_ = (word_ & ~(std::uint64_t{0xFF} << 56U)) | std::uint64_t{arrivals} << 56U;
    }

  private:
    std::uint64_t word_{0};
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
