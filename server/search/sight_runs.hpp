#pragma once
// What:     the cells that a square meets while it slides along a line, as one run of cells for
//           each row, or for each column where those are fewer. And what the bit planes know of
//           such runs.
//
//               a a a . . . .      from left to right: row a meets 3 cells, then b 4 more, then
//               . . b b b b .      c; the ends of the runs are two straight lines, so that going
//               . . . . . c c      from row to row takes an addition each and no division
//
// Cost:     three divisions a line.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "outrider/map/layer.hpp"
#include "outrider/search/sight.hpp"

namespace outrider::search {

// Cells first .. last of a row, or of a column.
struct Run {
    std::int32_t line{};
    std::int32_t first{};
    std::int32_t last{};
};

// 64 passable cells of a row, or of a column.
template <bool kRows>
[[nodiscard]] std::uint64_t word_of(const map::Layer& layer, std::int32_t word, std::int32_t line) {
    if constexpr (kRows) {
        return layer.row_word(word, line);
    } else {
        return layer.column_word(word, line);
    }
}

// The bits of `word` that belong to first .. last, which need to meet it.
[[nodiscard]] constexpr std::uint64_t run_mask(std::int32_t word, std::int32_t first,
                                               std::int32_t last) {
    const std::int32_t from = std::max(first - word * 64, 0);
    const std::int32_t to = std::min(last - word * 64, 63);
    return (~std::uint64_t{0} << from) & (~std::uint64_t{0} >> (63 - to));
}

template <bool kRows>
[[nodiscard]] bool all_open(const map::Layer& layer, const Run& run) {
    const std::int32_t end = run.last >> 6;
    for (std::int32_t word = run.first >> 6; word <= end; ++word) {
        if ((~word_of<kRows>(layer, word, run.line) & run_mask(word, run.first, run.last)) != 0) {
            return false;
        }
    }
    return true;
}

// The first and the last blocked cell of a run; first > last where there is none.
template <bool kRows>
[[nodiscard]] std::pair<std::int32_t, std::int32_t> blocked_ends(const map::Layer& layer,
                                                                 const Run& run) {
    std::pair<std::int32_t, std::int32_t> ends{run.last + 1, run.last};
    const auto blocked = [&](std::int32_t word) {
        return ~word_of<kRows>(layer, word, run.line) & run_mask(word, run.first, run.last);
    };
    const std::int32_t end = run.last >> 6;
    std::int32_t word = run.first >> 6;
    while (word <= end && blocked(word) == 0) {
        ++word;
    }
    if (word > end) {
        return ends;
    }
    ends.first = word * 64 + std::countr_zero(blocked(word));
    word = end;
    while (blocked(word) == 0) {
        --word;
    }
    ends.second = word * 64 + 63 - std::countl_zero(blocked(word));
    return ends;
}

[[nodiscard]] constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) {
    return a / b - ((a % b != 0) && ((a < 0) != (b < 0)) ? 1 : 0);
}

// floor((start + n * step) / divisor) for n = 0, 1, 2 ...; needs step >= 0 and divisor > 0.
class Ramp {
  public:
    Ramp(std::int64_t start, std::int64_t step, std::int64_t divisor)
        : whole_(floor_div(start, divisor)),
          rest_(start - whole_ * divisor),
          step_whole_(step / divisor),
          step_rest_(step % divisor),
          divisor_(divisor) {}

    [[nodiscard]] std::int32_t value() const { return static_cast<std::int32_t>(whole_); }
    void next() {
        whole_ += step_whole_;
        rest_ += step_rest_;
        if (rest_ >= divisor_) {
            rest_ -= divisor_;
            ++whole_;
        }
    }

  private:
    std::int64_t whole_;
    std::int64_t rest_;
    std::int64_t step_whole_;
    std::int64_t step_rest_;
    std::int64_t divisor_;
};

[[nodiscard]] constexpr Point flipped(Point point) {
    return {point.y, point.x};
}
// Lines along the longer side of the way: few of them, with long runs.
[[nodiscard]] inline bool goes_by_rows(Point from, Point to) {
    return std::abs(to.x - from.x) >= std::abs(to.y - from.y);
}

// The square's half side is `reach` less half a cell, so that it meets a cell when its centre comes
// nearer to that of the cell than `reach` on both axes. With kTouch also when it comes as near.
enum class Meet : std::uint8_t { kOverlap, kTouch };

// visit(Run) -> bool for each line in turn until it says no; then false, else true. Points as
// goes_by_rows() would have them: x is the place along a line, y goes from line to line.
template <class Visit>
bool every_run(Point a, Point b, std::int32_t reach, Meet meet, Visit visit) {
    constexpr std::int32_t kHalf = kCellSide / 2;
    if (a.y > b.y) {
        std::swap(a, b);
    }
    const bool mirrored = a.x > b.x;
    if (mirrored) {
        a.x = -a.x;
        b.x = -b.x;
    }
    const std::int64_t along = b.x - a.x;
    const std::int64_t across = b.y - a.y;
    const std::int32_t line_first = ((a.y - reach - kHalf) >> 8) + 1;
    const std::int32_t line_last = (b.y + reach - kHalf - 1) >> 8;
    const std::int32_t first_min = ((a.x - reach - kHalf) >> 8) + 1;
    const std::int32_t last_max = (b.x + reach - kHalf - 1) >> 8;
    // While the square's centre is within reach of line n, its place along the line goes from
    // where it came into reach to where it leaves: two ramps over the lines.
    const std::int64_t divisor = across == 0 ? 1 : across * kCellSide;
    const std::int64_t centre = std::int64_t{line_first} * kCellSide + kHalf;
    const std::int64_t touch = meet == Meet::kTouch ? 1 : 0;
    const auto ramp = [&](std::int32_t side, std::int64_t bias) {
        return across == 0
                   ? Ramp(side < 0 ? first_min - 1 : last_max, 0, 1)
                   : Ramp((a.x - kHalf + side) * across + (centre + side - a.y) * along - bias,
                          along * kCellSide, divisor);
    };
    Ramp first = ramp(-reach, touch);
    Ramp last = ramp(reach, 1 - touch);
    for (std::int32_t line = line_first; line <= line_last; ++line) {
        const std::int32_t from = std::max(first.value() + 1, first_min);
        const std::int32_t to = std::min(last.value(), last_max);
        // A mirrored cell i is cell -1 - i.
        if (!visit(mirrored ? Run{line, ~to, ~from} : Run{line, from, to})) {
            return false;
        }
        first.next();
        last.next();
    }
    return true;
}

}  // namespace outrider::search
