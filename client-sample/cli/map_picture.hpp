#pragma once
// What: a snapshot as a picture: the ground by its terrain, what a movement class cannot cross, and
//       buildings where an obstacle and not the terrain is in the way.

#include "cli/picture.hpp"
#include "outrider/map/snapshot.hpp"

namespace outrider::cli {

// Needs a class that the snapshot knows.
[[nodiscard]] Picture picture_of(const map::Snapshot& snapshot, model::ClassId movement_class);

}  // namespace outrider::cli
