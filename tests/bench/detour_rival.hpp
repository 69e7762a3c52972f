#pragma once
// What:     Recast and Detour (the navigation mesh of most engines) on a grid of ours: nearest
//           polygon of both ends, findPath, findStraightPath.
// Contract: one mesh for the whole map, one cell of the grid a voxel, no erosion, regions by
//           watershed, contours within 1.3 cells, polygons of up to 6 corners: the defaults of
//           Recast's own sample. A path counts when its last polygon is the goal's and it ends
//           within 2 cells of the goal.
// Source:   github.com/recastnavigation/recastnavigation; Debian's librecast-dev.

#include <memory>

#include "bench/contest.hpp"
#include "outrider/map/layer.hpp"

namespace outrider::bench {

class DetourRival {
  public:
    explicit DetourRival(const map::Layer& layer);
    ~DetourRival();
    DetourRival(const DetourRival&) = delete;
    DetourRival& operator=(const DetourRival&) = delete;

    // `expansions`: polygons of the corridor. `cost`: the length in our integers, any angle.
    [[nodiscard]] Reply ask(const model::PathQuery& query);
    [[nodiscard]] int polygons() const;

  private:
    struct Mesh;
    std::unique_ptr<Mesh> mesh_;
};

}  // namespace outrider::bench
