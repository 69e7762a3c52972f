#pragma once
// What:     the goal of a search: every cell whose octile distance from a rectangle is at most
//           `range` (octile units). The region is an octagon, so its part on one row or column is
//           an interval known without a loop.
// Contract: the rectangle lies inside the map. Whether a cell of the region is open is for the
//           caller to know.

#include <algorithm>
#include <cstdint>

#include "outrider/model/cell.hpp"
#include "outrider/model/cost.hpp"

namespace outrider::search {

// first .. last, both included; empty when last < first.
struct Span {
    std::int32_t first{0};
    std::int32_t last{-1};
    [[nodiscard]] bool empty() const { return last < first; }
};

class GoalRegion {
  public:
    GoalRegion() = default;
    GoalRegion(const model::Rect& rect, model::Cost range)
        : rect_(rect),
          range_(range),
          columns_{rect.x, static_cast<std::int32_t>(rect.end_x() - 1)},
          rows_{rect.y, static_cast<std::int32_t>(rect.end_y() - 1)},
          reach_(static_cast<std::int32_t>(range / model::kStraight)),
          touched_columns_{columns_.first - reach_, columns_.last + reach_},
          touched_rows_{rows_.first - reach_, rows_.last + reach_} {}

    [[nodiscard]] const model::Rect& rect() const { return rect_; }
    [[nodiscard]] model::Cost range() const { return range_; }

    // Octile distance to the rectangle; the region's own range is not taken off.
    [[nodiscard]] model::Cost distance(std::int32_t x, std::int32_t y) const {
        return model::octile_of_sides(static_cast<std::uint32_t>(outside(columns_, x)),
                                      static_cast<std::uint32_t>(outside(rows_, y)));
    }
    [[nodiscard]] model::Cost manhattan(std::int32_t x, std::int32_t y) const {
        return model::manhattan_distance(outside(columns_, x), outside(rows_, y));
    }
    [[nodiscard]] bool contains(std::int32_t x, std::int32_t y) const {
        return touches_row(y) && touches_column(x) && distance(x, y) <= range_;
    }

    // One unsigned comparison each, since a jump asks at every line that it looks along.
    [[nodiscard]] bool touches_row(std::int32_t y) const { return holds(touched_rows_, y); }
    [[nodiscard]] bool touches_column(std::int32_t x) const { return holds(touched_columns_, x); }
    // The region's cells on row y, or on column x.
    [[nodiscard]] Span on_row(std::int32_t y) const { return widened(columns_, outside(rows_, y)); }
    [[nodiscard]] Span on_column(std::int32_t x) const {
        return widened(rows_, outside(columns_, x));
    }
    // All rows and columns that the region touches, whether on the map or not.
    [[nodiscard]] const Span& rows() const { return touched_rows_; }
    [[nodiscard]] const Span& columns() const { return touched_columns_; }

  private:
    static bool holds(const Span& span, std::int32_t at) {
        return static_cast<std::uint32_t>(at) - static_cast<std::uint32_t>(span.first) <=
               static_cast<std::uint32_t>(span.last) - static_cast<std::uint32_t>(span.first);
    }
    static std::int32_t outside(const Span& span, std::int32_t at) {
        return std::max(std::max(span.first - at, at - span.last), 0);
    }
    [[nodiscard]] Span widened(const Span& span, std::int32_t away) const {
        if (away > reach_) {
            return {};
        }
        const auto across = static_cast<model::Cost>(away);
        constexpr model::Cost kBend = model::kDiagonal - model::kStraight;
        // The farthest d with octile(d, across) <= range: d is the longer side of the two, or not.
        const bool longer = across * model::kDiagonal <= range_;
        const model::Cost d = longer ? (range_ - across * kBend) / model::kStraight
                                     : (range_ - across * model::kStraight) / kBend;
        const auto by = static_cast<std::int32_t>(d);
        return {span.first - by, span.last + by};
    }

    model::Rect rect_;
    model::Cost range_{0};
    Span columns_{0, 0};
    Span rows_{0, 0};
    std::int32_t reach_{0};
    Span touched_columns_{0, 0};
    Span touched_rows_{0, 0};
};

}  // namespace outrider::search
