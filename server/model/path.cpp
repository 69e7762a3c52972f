#include "outrider/model/path.hpp"

#include <array>
#include <bit>
#include <cstddef>

#include "outrider/base/check.hpp"
#include "outrider/base/hash.hpp"
#include "outrider/model/point_bytes.hpp"

namespace outrider::model {
namespace {

std::int32_t sign(std::int64_t value) {
    return value > 0 ? 1 : (value < 0 ? -1 : 0);
}

Cell direction(Cell from, Cell to) {
    return {sign(std::int64_t{to.x} - from.x), sign(std::int64_t{to.y} - from.y)};
}

std::int64_t leg_length(Cell from, Cell to) {
    const std::int64_t dx = std::abs(std::int64_t{to.x} - from.x);
    const std::int64_t dy = std::abs(std::int64_t{to.y} - from.y);
    return std::max(dx, dy);
}

}  // namespace

std::vector<Cell> cells_of(std::span<const Cell> turning_points) {
    std::vector<Cell> cells;
    cells.reserve(cell_count_of(turning_points));
    for (std::size_t i = 0; i < turning_points.size(); ++i) {
        if (i == 0) {
            cells.push_back(turning_points[0]);
            continue;
        }
        const Cell step = direction(turning_points[i - 1], turning_points[i]);
        while (cells.back() != turning_points[i]) {
            cells.push_back({cells.back().x + step.x, cells.back().y + step.y});
        }
    }
    return cells;
}

std::vector<Cell> turning_points_of(std::span<const Cell> cells) {
    std::vector<Cell> points;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const bool inner = i > 0 && i + 1 < cells.size();
        if (!inner || direction(cells[i - 1], cells[i]) != direction(cells[i], cells[i + 1])) {
            points.push_back(cells[i]);
        }
    }
    return points;
}

std::uint64_t cell_count_of(std::span<const Cell> turning_points) {
    std::uint64_t count = turning_points.empty() ? 0 : 1;
    for (std::size_t i = 1; i < turning_points.size(); ++i) {
        count += static_cast<std::uint64_t>(leg_length(turning_points[i - 1], turning_points[i]));
    }
    return count;
}

bool are_turning_points(std::span<const Cell> points) {
    for (std::size_t i = 1; i < points.size(); ++i) {
        const std::int64_t dx = std::abs(std::int64_t{points[i].x} - points[i - 1].x);
        const std::int64_t dy = std::abs(std::int64_t{points[i].y} - points[i - 1].y);
        if ((dx == 0 && dy == 0) || (dx != 0 && dy != 0 && dx != dy)) {
            return false;
        }
    }
    return true;
}

std::uint64_t path_hash(std::span<const Cell> turning_points) {
    if (turning_points.empty()) {
        return 0;
    }
    if constexpr (std::endian::native == std::endian::little) {
        static_assert(sizeof(Cell) == 8);
        return base::hash64(std::as_bytes(turning_points));  // they lie in memory just so
    }
    return base::hash64(bytes_of(turning_points));
}

}  // namespace outrider::model
