#pragma once
// What: places on a map. x grows east, y grows south, (0, 0) is the top left cell.

#include <algorithm>
#include <compare>
#include <cstdint>
#include <cstdlib>
#include <span>

namespace outrider::model {

struct Cell {
    std::int32_t x{};
    std::int32_t y{};

    friend constexpr auto operator<=>(const Cell&, const Cell&) = default;
};

// Row-major number of a cell: y * width + x. Fits 26 bits on the largest map.
using CellIndex = std::uint32_t;

// Half-open: covers x .. x + width - 1, y .. y + height - 1. Empty when a side is not positive.
struct Rect {
    std::int32_t x{};
    std::int32_t y{};
    std::int32_t width{1};
    std::int32_t height{1};

    friend constexpr auto operator<=>(const Rect&, const Rect&) = default;

    // 64-bit ends, so that a rectangle from the wire cannot overflow.
    [[nodiscard]] constexpr std::int64_t end_x() const { return std::int64_t{x} + width; }
    [[nodiscard]] constexpr std::int64_t end_y() const { return std::int64_t{y} + height; }
    [[nodiscard]] constexpr bool empty() const { return width <= 0 || height <= 0; }
    [[nodiscard]] constexpr std::int64_t area() const {
        return empty() ? 0 : std::int64_t{width} * height;
    }
    [[nodiscard]] constexpr bool contains(Cell cell) const {
        return cell.x >= x && cell.y >= y && cell.x < end_x() && cell.y < end_y();
    }
};

[[nodiscard]] constexpr Rect intersect(const Rect& a, const Rect& b) {
    const std::int64_t x0 = std::max(a.x, b.x);
    const std::int64_t y0 = std::max(a.y, b.y);
    const std::int64_t x1 = std::min(a.end_x(), b.end_x());
    const std::int64_t y1 = std::min(a.end_y(), b.end_y());
    if (x1 <= x0 || y1 <= y0) {
        return {static_cast<std::int32_t>(x0), static_cast<std::int32_t>(y0), 0, 0};
    }
    return {static_cast<std::int32_t>(x0), static_cast<std::int32_t>(y0),
            static_cast<std::int32_t>(x1 - x0), static_cast<std::int32_t>(y1 - y0)};
}

// The smallest rectangle around all of them that are not empty. Needs sides that fit 31 bits.
[[nodiscard]] constexpr Rect box_of(std::span<const Rect> rects) {
    Rect box{0, 0, 0, 0};
    for (const Rect& rect : rects) {
        if (rect.empty()) {
            continue;
        }
        if (box.empty()) {
            box = rect;
            continue;
        }
        const std::int32_t x = std::min(box.x, rect.x);
        const std::int32_t y = std::min(box.y, rect.y);
        box = {x, y, static_cast<std::int32_t>(std::max(box.end_x(), rect.end_x()) - x),
               static_cast<std::int32_t>(std::max(box.end_y(), rect.end_y()) - y)};
    }
    return box;
}

}  // namespace outrider::model
