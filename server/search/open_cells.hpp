#pragma once
// What: visits open cells: of a row, of a goal region's rim, and those at one distance.

#include <algorithm>
#include <bit>
#include <cstdint>

#include "outrider/map/layer.hpp"
#include "outrider/model/query.hpp"
#include "outrider/search/goal_region.hpp"

namespace outrider::search {

[[nodiscard]] inline GoalRegion region_of(const map::Layer& layer, const model::Goal& goal) {
    return {model::intersect(goal.rect, {0, 0, layer.width(), layer.height()}),
            model::Cost{goal.range} * model::kStraight};
}

// The rows of the region that lie on the map.
[[nodiscard]] inline Span rows_on_map(const map::Layer& layer, const GoalRegion& region) {
    return {std::max(region.rows().first, 0), std::min(region.rows().last, layer.height() - 1)};
}

// Calls visit(x) from the left; the span may reach beyond the map.
template <class Visit>
void for_each_open_on(const map::Layer& layer, std::int32_t y, Span span, Visit visit) {
    span = {std::max(span.first, 0), std::min(span.last, layer.width() - 1)};
    if (span.empty()) {
        return;
    }
    for (std::int32_t word = span.first >> 6; word <= span.last >> 6; ++word) {
        std::uint64_t bits = layer.row_word(word, y);
        if (word == span.first >> 6) {
            bits &= ~std::uint64_t{0} << static_cast<unsigned>(span.first & 63);
        }
        if (word == span.last >> 6) {
            bits &= ~std::uint64_t{0} >> static_cast<unsigned>(63 - (span.last & 63));
        }
        for (; bits != 0; bits &= bits - 1) {
            visit(word * 64 + std::countr_zero(bits));
        }
    }
}

// The cells of row y all of whose eight neighbours are of the region.
[[nodiscard]] inline Span inner_on_row(const GoalRegion& region, std::int32_t y) {
    const Span own = region.on_row(y);
    const Span above = region.on_row(y - 1);
    const Span below = region.on_row(y + 1);
    if (own.empty() || above.empty() || below.empty()) {
        return {};
    }
    return {std::max({own.first, above.first, below.first}) + 1,
            std::min({own.last, above.last, below.last}) - 1};
}

// Open cells of row y that belong to the region and are not inner ones: every way into the region
// comes by one of them.
template <class Visit>
void for_each_rim_on(const map::Layer& layer, const GoalRegion& region, std::int32_t y,
                     Visit visit) {
    const Span own = region.on_row(y);
    const Span inner = inner_on_row(region, y);
    if (inner.empty()) {
        for_each_open_on(layer, y, own, visit);
        return;
    }
    for_each_open_on(layer, y, {own.first, inner.first - 1}, visit);
    for_each_open_on(layer, y, {inner.last + 1, own.last}, visit);
}

// Open cells whose distance from the region's rectangle is just its range, which is above 0.
template <class Visit>
void for_each_at_range_on(const map::Layer& layer, const GoalRegion& region, std::int32_t y,
                          Visit visit) {
    const Span own = region.on_row(y);
    if (own.empty()) {
        return;
    }
    const auto exact = [&](std::int32_t x) {
        if (region.distance(x, y) == region.range()) {
            visit(x);
        }
    };
    if (region.distance(region.rect().x, y) == region.range()) {
        for_each_open_on(layer, y, own, exact);
        return;
    }
    for_each_open_on(layer, y, {own.first, own.first}, exact);
    if (own.last != own.first) {
        for_each_open_on(layer, y, {own.last, own.last}, exact);
    }
}

}  // namespace outrider::search
