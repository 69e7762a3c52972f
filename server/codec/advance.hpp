#pragma once
// What: one step of a path as it travels, added up.

#include <cstdint>
#include <optional>

#include "outrider/base/limits.hpp"
#include "outrider/model/cell.hpp"
#include "outrider/model/smoothing.hpp"

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

// The same in sub-cells; nothing off every map.
[[nodiscard]] inline std::optional<model::Point> advanced(model::Point from, model::Cell step) {
    const std::int64_t x = std::int64_t{from.x} + step.x;
    const std::int64_t y = std::int64_t{from.y} + step.y;
    constexpr std::int64_t kEnd = std::int64_t{base::limits::kMapSideMax} * model::kCellSide;
    if (x < 0 || y < 0 || x >= kEnd || y >= kEnd) {
        return std::nullopt;
    }
    return model::Point{static_cast<std::int32_t>(x), static_cast<std::int32_t>(y)};
}

}  // namespace outrider::codec
