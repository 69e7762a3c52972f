#pragma once
// What:     who stands where. Units of N x N cells, anchored at their top left cell.
// Contract: a cell is held by at most one unit.
// Cost:     4 bytes a cell of the map; N x N reads a question.

#include <cstdint>
#include <limits>
#include <vector>

#include "outrider/model/cell.hpp"

namespace outrider::units {

using UnitIndex = std::uint32_t;
inline constexpr UnitIndex kNobody = std::numeric_limits<UnitIndex>::max();

class Ground {
  public:
    Ground(std::int32_t width, std::int32_t height);

    // Someone other than `unit` who holds a cell of the square; kNobody when all are free.
    [[nodiscard]] UnitIndex other_than(UnitIndex unit, model::Cell anchor, std::int32_t side) const;
    [[nodiscard]] bool free_for(UnitIndex unit, model::Cell anchor, std::int32_t side) const {
        return other_than(unit, anchor, side) == kNobody;
    }
    // The square must lie inside the map and be free for the unit.
    void hold(UnitIndex unit, model::Cell anchor, std::int32_t side);
    void leave(model::Cell anchor, std::int32_t side);
    // kNobody outside the map.
    [[nodiscard]] UnitIndex holder(model::Cell cell) const;

    // A second plane of marks, for who clears a way.
    void forget_marks() { ++mark_; }
    void mark(model::Cell anchor, std::int32_t side);
    [[nodiscard]] bool any_marked(model::Cell anchor, std::int32_t side) const;

  private:
    [[nodiscard]] bool contains(model::Cell cell) const {
        return cell.x >= 0 && cell.y >= 0 && cell.x < width_ && cell.y < height_;
    }
    [[nodiscard]] std::size_t index_of(model::Cell cell) const {
        return static_cast<std::size_t>(cell.y) * static_cast<std::size_t>(width_) +
               static_cast<std::size_t>(cell.x);
    }

    std::int32_t width_;
    std::int32_t height_;
    std::vector<UnitIndex> holders_;
    // 64 bits, so that a long run never wraps.
    std::uint64_t mark_{1};
    std::vector<std::uint64_t> marks_;
};

[[nodiscard]] constexpr bool overlap(model::Cell a, std::int32_t side_a, model::Cell b,
                                     std::int32_t side_b) {
    return a.x < b.x + side_b && b.x < a.x + side_a && a.y < b.y + side_b && b.y < a.y + side_a;
}

}  // namespace outrider::units
