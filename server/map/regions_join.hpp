#pragma once
// What: the union-find that joins the chunk labels of a Regions; read by the room's own sources.

#include "outrider/map/regions.hpp"

namespace outrider::map {

class Regions::Joiner {
  public:
    Joiner(const Regions& regions, Join& join) : regions_(regions), join_(join) {}
    void run();

  private:
    void join_east(std::size_t west, std::size_t east);
    void join_south(std::size_t north, std::size_t south);
    void join_corners(std::int32_t chunk_x, std::int32_t chunk_y);
    void join_labels(std::size_t chunk_a, Label a, std::size_t chunk_b, Label b);
    [[nodiscard]] Component root(Component node);
    [[nodiscard]] const ChunkRegions& chunk(std::size_t index) const {
        return *regions_.chunks_[index];
    }

    const Regions& regions_;
    Join& join_;
};

}  // namespace outrider::map
