#pragma once
// What: how a path is to be made straight, and what comes of it: points in sub-cells, joined by
//       straight lines of any angle. What is promised of them: search/smoothing.hpp.

#include <compare>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "outrider/model/cell.hpp"
#include "outrider/model/cost.hpp"

namespace outrider::model {

// Sub-cells along the side of a cell: a power of two, so that its half is whole, and fine enough
// that nobody sees a unit jump from one to the next.
inline constexpr std::int32_t kCellSide = 256;
// In sub-cells. Less than one would let the centre itself run along a wall.
inline constexpr std::int32_t kClearanceMin = 1;
inline constexpr std::int32_t kClearanceMax = kCellSide / 2;

// A place in sub-cells; cell (0, 0) covers 0 .. 255.
struct Point {
    std::int32_t x{};
    std::int32_t y{};

    friend constexpr auto operator<=>(const Point&, const Point&) = default;
};

[[nodiscard]] constexpr Point centre_of(Cell cell) {
    return {cell.x * kCellSide + kCellSide / 2, cell.y * kCellSide + kCellSide / 2};
}
[[nodiscard]] constexpr Cell cell_of(Point point) {
    return {point.x >> 8, point.y >> 8};
}

enum class Grade : std::uint8_t {
    kNone,
    // Cells of the path, each in sight of the next.
    kWaypoints,
    // Where a taut string would bend around the corners of obstacles.
    kCorners,
};

struct Smoothing {
    Grade grade{Grade::kNone};
    // How far the unit's middle keeps off walls; kCorners alone. By default the whole footprint
    // passes.
    std::int32_t clearance{kClearanceMax};

    friend bool operator==(const Smoothing&, const Smoothing&) = default;
};

struct SmoothPath {
    // Where the centre of the unit goes; no line between two of them is empty.
    std::vector<Point> points;
    // In sub-cells, rounded up.
    std::uint64_t length{};
    // Of the lines, each rounded up; at most what the path costs.
    Cost cost{};
    std::uint64_t hash{};

    friend bool operator==(const SmoothPath&, const SmoothPath&) = default;
};

// XXH64, seed 0, over the points as little-endian int32 x, y. 0 for none.
[[nodiscard]] std::uint64_t hash_of(std::span<const Point> points);

// Upper-case words as in the protocol.
[[nodiscard]] std::string_view name_of(Grade grade);

}  // namespace outrider::model
