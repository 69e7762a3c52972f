#pragma once
// What: makes the open cells of a goal region the sources of a field, row by row.

#include "outrider/search/field.hpp"
#include "outrider/search/open_cells.hpp"

namespace outrider::search {

class GoalSeeds {
  public:
    void begin(const map::Layer& layer, const GoalRegion& region) {
        layer_ = &layer;
        region_ = region;
        rows_ = rows_on_map(layer, region);
        row_ = rows_.first;
    }
    [[nodiscard]] bool done() const { return row_ > rows_.last; }
    // The next one.
    [[nodiscard]] std::int32_t row() const { return row_; }
    // One row. Returns about how many cells it looked at.
    std::uint64_t step(Field& field) {
        std::uint64_t cells = 1;
        for_each_rim_on(*layer_, region_, row_, [&](std::int32_t x) {
            field.add_source({x, row_});
            ++cells;
        });
        for_each_open_on(*layer_, row_, inner_on_row(region_, row_), [&](std::int32_t x) {
            field.add_inner({x, row_});
            ++cells;
        });
        ++row_;
        return cells;
    }

  private:
    const map::Layer* layer_{nullptr};
    GoalRegion region_;
    Span rows_;
    std::int32_t row_{0};
};

}  // namespace outrider::search
