#include "outrider/search/cell_boxes.hpp"

#include <algorithm>
#include <numeric>

namespace outrider::search {

void CellBoxes::sort(std::span<const model::Cell> cells) {
    order_.resize(cells.size());
    std::iota(order_.begin(), order_.end(), 0U);
    const Box all = box_of(cells, 0, cells.size());
    boxes_[0] = all;
    count_ = 1;
    const auto side = [](const Box& box) { return std::max(box.rect.width, box.rect.height); };
    while (count_ < kMost) {
        const auto widest =
            std::ranges::max_element(boxes_.begin(), boxes_.begin() + count_, {}, side);
        if (side(*widest) < kSideSplit) {
            break;
        }
        split(cells, *widest);
    }
    std::int64_t area = 0;
    for (std::size_t box = 0; box < count_; ++box) {
        area += boxes_[box].rect.area();
    }
    // Cells that stand all over one box are found no sooner by many.
    if (2 * area > all.rect.area()) {
        boxes_[0] = all;
        count_ = 1;
    }
}

// Across the longer side, in the middle: as both ends of the box hold a cell, so do both halves.
void CellBoxes::split(std::span<const model::Cell> cells, Box& box) {
    const bool by_x = box.rect.width >= box.rect.height;
    const std::int32_t middle =
        by_x ? box.rect.x + box.rect.width / 2 : box.rect.y + box.rect.height / 2;
    const auto first = order_.begin() + static_cast<std::ptrdiff_t>(box.first);
    const auto second =
        std::partition(first, first + static_cast<std::ptrdiff_t>(box.count),
                       [&](auto cell) { return (by_x ? cells[cell].x : cells[cell].y) < middle; });
    const auto count = static_cast<std::size_t>(second - first);
    boxes_[count_++] = box_of(cells, box.first + count, box.count - count);
    box = box_of(cells, box.first, count);
}

CellBoxes::Box CellBoxes::box_of(std::span<const model::Cell> cells, std::size_t first,
                                 std::size_t count) const {
    model::Cell low = cells[order_[first]];
    model::Cell high = low;
    for (std::size_t i = first; i < first + count; ++i) {
        const model::Cell cell = cells[order_[i]];
        low = {std::min(low.x, cell.x), std::min(low.y, cell.y)};
        high = {std::max(high.x, cell.x), std::max(high.y, cell.y)};
    }
    return {{low.x, low.y, high.x - low.x + 1, high.y - low.y + 1}, first, count};
}

}  // namespace outrider::search
