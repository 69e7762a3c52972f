#pragma once
// What: whether a map can have these movement classes, for callers that want to hear it before they
//       have a map. Each is checked by check_class (store.hpp).

#include <vector>

#include "outrider/base/result.hpp"
#include "outrider/model/movement_class.hpp"

namespace outrider::map {

// What Store::create() checks of its classes: their number, that each is sound, and their names.
[[nodiscard]] base::Result<void> check_classes(const std::vector<model::MovementClass>& classes);

}  // namespace outrider::map
