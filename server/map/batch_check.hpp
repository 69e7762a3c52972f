#pragma once
// What: whether a batch may be applied, before anything is touched, so that a refusal leaves no
//       trace. Read by the room's own sources.

#include <expected>

#include "outrider/map/obstacles.hpp"
#include "outrider/model/edit.hpp"
#include "outrider/model/outcome.hpp"

namespace outrider::map {

[[nodiscard]] std::expected<void, model::Refusal> check_batch(const model::EditBatch& batch,
                                                              const Obstacles& obstacles);

}  // namespace outrider::map
