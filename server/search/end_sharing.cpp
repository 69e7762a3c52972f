#include "outrider/search/end_sharing.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "outrider/base/check.hpp"

namespace outrider::search {
namespace {

using model::Cell;

struct Way {
    std::int64_t x{};
    std::int64_t y{};

    [[nodiscard]] std::int64_t along(Cell cell) const { return cell.x * x + cell.y * y; }
    [[nodiscard]] std::int64_t across(Cell cell) const { return cell.x * y - cell.y * x; }
};

// From the middle of the ones to that of the others, as many times as long as they are many: below
// 2^27 each way, so that products stay in 64 bits.
Way way_between(std::span<const Cell> units, std::span<const Cell> ends) {
    Way way;
    for (std::size_t i = 0; i < units.size(); ++i) {
        way.x += ends[i].x - units[i].x;
        way.y += ends[i].y - units[i].y;
    }
    return way.x == 0 && way.y == 0 ? Way{1, 0} : way;
}

// Column after column, in each from the back to the front.
std::vector<std::uint32_t> in_columns(std::span<const Cell> cells, Way way,
                                      std::size_t per_column) {
    std::vector<std::uint32_t> order(cells.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [&](std::uint32_t i) {
        return std::tuple(way.across(cells[i]), way.along(cells[i]), i);
    });
    for (std::size_t first = 0; first < order.size(); first += per_column) {
        const std::size_t last = std::min(order.size(), first + per_column);
        std::ranges::sort(std::span(order).subspan(first, last - first), {}, [&](std::uint32_t i) {
            return std::tuple(way.along(cells[i]), way.across(cells[i]), i);
        });
    }
    return order;
}

}  // namespace

std::vector<std::uint32_t> share_out(std::span<const Cell> units, std::span<const Cell> ends) {
    OUTRIDER_CHECK(units.size() == ends.size());
    const Way way = way_between(units, ends);
    // About as many columns as each is deep.
    std::size_t depth = 1;
    while (depth * depth < units.size()) {
        ++depth;
    }
    const std::vector<std::uint32_t> from = in_columns(units, way, depth);
    const std::vector<std::uint32_t> to = in_columns(ends, way, depth);
    std::vector<std::uint32_t> shared(units.size());
    for (std::size_t i = 0; i < units.size(); ++i) {
        shared[from[i]] = to[i];
    }
    return shared;
}

}  // namespace outrider::search
