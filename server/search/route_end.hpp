#pragma once
// What:     the costs between one end of a route and the portals of its chunk.
// Contract: where the ground of the chunk is smooth, they are the octile distance times how much
//           dearer the ground is (a portal's own costs tell); the leg from there is searched
//           exactly anyway. Where it is rough, as in a maze, the chunk is searched. A portal has a
//           cost exactly where the end can reach it inside the chunk.
// Cost:     smooth: the portals alone. Rough: one search of the chunk, in steps.

#include <cstdint>

#include "outrider/map/chunk_portals.hpp"
#include "outrider/map/layer.hpp"
#include "outrider/search/meter.hpp"

namespace outrider::search {

// 2 * weight * distance, octile or straight by the class: the least cost on the cheapest terrain.
[[nodiscard]] model::Cost least_cost(const map::Layer& layer, model::Cell a, model::Cell b);

class RouteEnd {
  public:
    // An open cell.
    void begin(const map::Layer& layer, model::Cell cell, map::ChunkSearch& scratch);
    // True when done; false when the meter has run out.
    bool step(Meter& meter);

    // ChunkSearch::kNoWay where there is none.
    [[nodiscard]] std::uint32_t cost(const map::Portal& portal) const;
    // How much dearer than its octile distance a way over this ground is, in 256ths.
    [[nodiscard]] model::Cost roughness() const { return roughness_; }
    [[nodiscard]] map::ChunkPlace place() const { return place_; }

  private:
    // A quarter dearer than open ground: noise of a third of the cells, and far from a maze.
    static constexpr model::Cost kSmooth = 256 + 64;
    static constexpr std::uint32_t kCellsPerExpansion = 16;

    [[nodiscard]] model::Cell cell_of(const map::Portal& portal) const;
    void measure(const map::ChunkPortals& portals, map::ChunkSearch& scratch);

    const map::Layer* layer_{nullptr};
    map::ChunkSearch* search_{nullptr};
    model::Cell cell_;
    map::ChunkPlace place_;
    map::Label label_{};
    model::Cost roughness_{256};
};

}  // namespace outrider::search
