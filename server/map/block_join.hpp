#pragma once
// What:     the components of one block of chunks: chunk labels joined inside the block.
// Contract: numbers are 0 .. component_count() - 1. same_border(): nobody outside the block can
//           tell the two apart.
// Threads:  immutable.
// Cost:     to make: the contacts of at most 64 chunks.

#include <array>
#include <cstdint>
#include <vector>

#include "outrider/map/chunk_grid.hpp"

namespace outrider::map {

class BlockJoin {
  public:
    // All blocked.
    BlockJoin() = default;
    BlockJoin(const ChunkGrid& grid, ChunkPlace block);

    [[nodiscard]] std::uint32_t component_count() const { return component_count_; }
    // `slot`: ChunkPlace::slot() of the chunk.
    [[nodiscard]] std::uint32_t component(std::size_t slot, Label label) const {
        return components_[first_[slot] + label];
    }
    [[nodiscard]] bool same_border(const BlockJoin& other) const {
        return component_count_ == other.component_count_ && border_ == other.border_;
    }

  private:
    class Maker;

    std::uint32_t component_count_{0};
    // Component of label l of chunk s: components_[first_[s] + l].
    std::array<std::uint32_t, kBlockSide * kBlockSide> first_{};
    std::vector<std::uint32_t> components_;
    // A walk along the border: open cells of each chunk's edge, then the component of each run.
    std::vector<std::uint32_t> border_;
};

}  // namespace outrider::map
