#pragma once
// What:     the weights of anchors within a chunk, row by row: the dearest cell under the
//           footprint, blocked when one of them is.
// Contract: next() gives the rows of `anchors` from the top. Weights are shifted down by one, so
//           that blocked (0) becomes 255 and the maximum does both jobs.
// Cost:     a few vector operations a cell and doubling of the window; allocates nothing.

#include <array>
#include <cstdint>
#include <span>

#include "outrider/base/limits.hpp"
#include "outrider/map/layer_writer.hpp"

namespace outrider::map {

class AnchorSweep {
  public:
    static constexpr std::uint8_t kBlocked = 255;

    AnchorSweep(const World& world, const model::MovementClass& movement_class);
    // `anchors` inside the map and inside one chunk.
    void start(const model::Rect& anchors);
    // Shifted weights of the next row, anchors.width of them; valid until the next call.
    [[nodiscard]] std::span<const std::uint8_t> next();

  private:
    static constexpr std::size_t kRowCells = kChunkSide + base::limits::kFootprintMax;

    [[nodiscard]] std::uint8_t* ring_row(std::int32_t y) {
        return ring_.data() + static_cast<std::size_t>(y % footprint_) * kRowCells;
    }
    void load(std::int32_t y);
    void load_terrain(model::Cell first, std::span<std::uint8_t> row) const;

    const World& world_;
    std::int32_t footprint_;
    std::uint8_t team_;
    std::array<std::uint8_t, 256> shifted_{};  // by terrain
    model::Rect anchors_{};
    std::int32_t y_{};
    // The last `footprint` rows, already maxima along x.
    std::array<std::uint8_t, kRowCells * base::limits::kFootprintMax> ring_;
    std::array<std::uint8_t, kChunkSide> out_;
};

}  // namespace outrider::map
