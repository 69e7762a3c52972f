#pragma once
// What:     which cells of its rectangle an obstacle covers: one bit a cell in row-major order, the
//           least significant bit of a byte first. An empty mask covers them all.
//
//               "##."
//               "#.."        bits 1 1 0 1 0 0: one byte, 0x0B
//
// Contract: a mask that is not empty has mask_bytes(rect) bytes; bits beyond the last cell mean
//           nothing.
// Cost:     linear in the cells visited.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "outrider/model/cell.hpp"
#include "outrider/model/edit.hpp"

namespace outrider::model {

// Needs a rectangle that is not empty, of sides below 2^31.
[[nodiscard]] std::size_t mask_bytes(const Rect& rect);
// Rows of equal length from the top, `#` where the obstacle stands.
[[nodiscard]] std::vector<std::uint8_t> mask_of(std::span<const std::string_view> rows);
[[nodiscard]] bool covers(const PlaceObstacle& obstacle, Cell cell);

// Calls visit(Rect) for parts that do not overlap and together are what the obstacle covers inside
// `within`: one rectangle without a mask, else the runs of each row.
template <class Visit>
void for_each_part(const PlaceObstacle& obstacle, const Rect& within, Visit visit);

namespace detail {
[[nodiscard]] inline bool mask_bit(const PlaceObstacle& obstacle, std::int32_t x, std::int32_t y) {
    const auto bit = static_cast<std::size_t>(y - obstacle.footprint.y) *
                         static_cast<std::size_t>(obstacle.footprint.width) +
                     static_cast<std::size_t>(x - obstacle.footprint.x);
    return ((obstacle.mask[bit / 8] >> (bit % 8)) & 1U) != 0;
}
}  // namespace detail

template <class Visit>
void for_each_part(const PlaceObstacle& obstacle, const Rect& within, Visit visit) {
    const Rect inside = intersect(obstacle.footprint, within);
    if (inside.empty()) {
        return;
    }
    if (obstacle.mask.empty()) {
        visit(inside);
        return;
    }
    for (std::int32_t y = inside.y; y < inside.end_y(); ++y) {
        std::int32_t begin = inside.x;
        for (std::int32_t x = inside.x; x < inside.end_x(); ++x) {
            if (!detail::mask_bit(obstacle, x, y)) {
                if (begin < x) {
                    visit(Rect{begin, y, x - begin, 1});
                }
                begin = x + 1;
            }
        }
        if (begin < inside.end_x()) {
            visit(Rect{begin, y, static_cast<std::int32_t>(inside.end_x() - begin), 1});
        }
    }
}

}  // namespace outrider::model
