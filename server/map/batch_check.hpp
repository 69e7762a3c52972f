#pragma once
// What: whether a batch may be applied, before anything is touched, so that a refusal leaves no
//       trace. Read by the room's own sources.

#include <expected>

#include "outrider/map/obstacles.hpp"
#include "outrider/model/edit.hpp"
#include "outrider/model/outcome.hpp"

namespace outrider::map {

// Whether a mask, if there is one, has the size of its rectangle. `field` names the obstacle.
[[nodiscard]] std::expected<void, model::Refusal> check_mask(const model::PlaceObstacle& obstacle,
                                                             const std::string& field);
[[nodiscard]] std::expected<void, model::Refusal> check_batch(const model::EditBatch& batch,
                                                              const Obstacles& obstacles);

}  // namespace outrider::map
