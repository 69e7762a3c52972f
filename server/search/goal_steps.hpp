#pragma once
// What:     at which steps of a diagonal run the goal region touches the row or the column that the
//           run is on. Only there need a straight jump beside the run ask for the goal.
// Contract: step s of the run is origin + s * (dx, dy); dx and dy are 1 or -1.

#include <algorithm>
#include <cstdint>

#include "outrider/search/goal_region.hpp"

namespace outrider::search {

class GoalSteps {
  public:
    GoalSteps(const GoalRegion& goal, std::int32_t x, std::int32_t y, std::int32_t dx,
              std::int32_t dy)
        : rows_(steps_to(goal.rows(), y, dy)), columns_(steps_to(goal.columns(), x, dx)) {}

    [[nodiscard]] bool touches(std::int32_t first, std::int32_t count) const {
        return overlaps(rows_, first, count) || overlaps(columns_, first, count);
    }
    // Steps first .. first + count - 1 on a touched row or column.
    [[nodiscard]] Span on_rows(std::int32_t first, std::int32_t count) const {
        return {std::max(rows_.first, first), std::min(rows_.last, first + count - 1)};
    }
    [[nodiscard]] Span on_columns(std::int32_t first, std::int32_t count) const {
        return {std::max(columns_.first, first), std::min(columns_.last, first + count - 1)};
    }

  private:
    static Span steps_to(const Span& lines, std::int32_t from, std::int32_t by) {
        return by > 0 ? Span{lines.first - from, lines.last - from}
                      : Span{from - lines.last, from - lines.first};
    }
    static bool overlaps(const Span& span, std::int32_t first, std::int32_t count) {
        return span.first < first + count && span.last >= first;
    }

    Span rows_;
    Span columns_;
};

}  // namespace outrider::search
