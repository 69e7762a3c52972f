#pragma once
// What:     some cells, sorted into a few boxes: those that stand together share one.
// Contract: boxes depend on the set of cells alone; a box holds at least one cell and is no larger
//           than its cells need. At most kMost boxes; one where more would cover much the same.
// Cost:     a few passes over the cells.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "outrider/model/cell.hpp"

namespace outrider::search {

class CellBoxes {
  public:
    // A search asks each box for each node that it opens.
    static constexpr std::size_t kMost = 8;
    // Boxes of fewer cells a side are not split further.
    static constexpr std::int32_t kSideSplit = 16;

    // At least one cell.
    void sort(std::span<const model::Cell> cells);
    [[nodiscard]] std::size_t count() const { return count_; }
    [[nodiscard]] const model::Rect& rect(std::size_t box) const { return boxes_[box].rect; }
    // Indices of cells.
    [[nodiscard]] std::span<const std::uint32_t> cells_of(std::size_t box) const {
        return std::span(order_).subspan(boxes_[box].first, boxes_[box].count);
    }
    [[nodiscard]] std::size_t bytes() const { return order_.capacity() * sizeof(std::uint32_t); }

  private:
    struct Box {
        model::Rect rect;
        std::size_t first;  // of order_
        std::size_t count;
    };
    [[nodiscard]] Box box_of(std::span<const model::Cell> cells, std::size_t first,
                             std::size_t count) const;
    void split(std::span<const model::Cell> cells, Box& box);

    std::vector<std::uint32_t> order_;
    std::array<Box, kMost> boxes_{};
    std::size_t count_{0};
};

}  // namespace outrider::search
