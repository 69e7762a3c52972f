#pragma once
// What: one step of a path as it travels, added up.

#include <cstdint>

#include "outrider/base/limits.hpp"
#include "outrider/model/cell.hpp"

namespace outrider::codec {

// False when the step leads off every map there can be.
[[nodiscard]] inline bool advance(model::Cell& cell, model::Cell step) {
    const std::int64_t x = std::int64_t{cell.x} + step.x;
    const std::int64_t y = std::int64_t{cell.y} + step.y;
    if (x < 0 || y < 0 || x >= base::limits::kMapSideMax || y >= base::limits::kMapSideMax) {
        return false;
    }
    cell = {static_cast<std::int32_t>(x), static_cast<std::int32_t>(y)};
    return true;
}

}  // namespace outrider::codec
