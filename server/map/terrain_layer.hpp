#pragma once
// What:     a layer of a snapshot's terrain alone, as if no obstacle stood on it: what landmarks
//           are measured on.
// Threads:  any; a snapshot is immutable.
// Cost:     as loading the map for one class.

#include <memory>

#include "outrider/map/layer.hpp"
#include "outrider/map/snapshot.hpp"

namespace outrider::map {

// Needs a class that the snapshot knows.
[[nodiscard]] std::shared_ptr<const Layer> make_terrain_layer(const Snapshot& snapshot,
                                                              model::ClassId id);

}  // namespace outrider::map
