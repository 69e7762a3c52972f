#include "outrider/search/sight.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "outrider/base/check.hpp"
#include "outrider/search/sight_runs.hpp"

namespace outrider::search {
namespace {

using model::Cell;

// Products of a cost, a length and an area: 113 bits on the largest map.
__extension__ using Wide = unsigned __int128;

constexpr std::int32_t sign(std::int32_t value) {
    return value > 0 ? 1 : (value < 0 ? -1 : 0);
}

template <bool kRows>
bool runs_are_open(const map::Layer& layer, Point from, Point to, std::int32_t reach, Meet meet) {
    return every_run(from, to, reach, meet,
                     [&layer](const Run& run) { return all_open<kRows>(layer, run); });
}

bool meets_open_cells_only(const map::Layer& layer, Point from, Point to, std::int32_t reach,
                           Meet meet) {
    return goes_by_rows(from, to)
               ? runs_are_open<true>(layer, from, to, reach, meet)
               : runs_are_open<false>(layer, flipped(from), flipped(to), reach, meet);
}

// With dx and dy over their common divisor g both odd, the line runs through g corners, an odd
// number of half cells from the start each; else through none.
bool one_side_open_at_corners(const map::Layer& layer, Cell from, Cell to) {
    const std::int32_t count = std::gcd(to.x - from.x, to.y - from.y);
    if (count == 0) {
        return true;
    }
    const std::int32_t dx = std::abs(to.x - from.x) / count;
    const std::int32_t dy = std::abs(to.y - from.y) / count;
    if (dx % 2 == 0 || dy % 2 == 0) {
        return true;
    }
    const Cell step{sign(to.x - from.x), sign(to.y - from.y)};
    for (std::int32_t i = 0; i < count; ++i) {
        const Cell before{from.x + step.x * (dx / 2 + i * dx), from.y + step.y * (dy / 2 + i * dy)};
        if (!layer.open({before.x + step.x, before.y}) &&
            !layer.open({before.x, before.y + step.y})) {
            return false;
        }
    }
    return true;
}

// The smallest root with root * root >= square.
std::uint64_t root_up(std::uint64_t square) {
    if (square == 0) {
        return 0;
    }
    // Newton's steps fall from a start above the root.
    std::uint64_t root = std::uint64_t{1} << ((std::bit_width(square) + 1) / 2);
    for (std::uint64_t next = (root + square / root) / 2; next < root;
         next = (root + square / root) / 2) {
        root = next;
    }
    return root * root < square ? root + 1 : root;
}

// A line that starts in some cell and leaves it at a place along it. Places are counted so that all
// borders of cells lie at whole ones: the line has dx * dy of them.
class Crossing {
  public:
    Crossing(Point from, Point to)
        : places_(factor(to.x - from.x) * factor(to.y - from.y)),
          cell_(cell_of(from)),
          step_{sign(to.x - from.x), sign(to.y - from.y)},
          x_(axis(from.x, step_.x, factor(to.y - from.y))),
          y_(axis(from.y, step_.y, factor(to.x - from.x))) {}

    [[nodiscard]] std::int64_t places() const { return places_; }
    [[nodiscard]] Cell cell() const { return cell_; }
    [[nodiscard]] std::int64_t leaves_at() const { return std::min({x_.next, y_.next, places_}); }
    void enter_next() {
        const std::int64_t at = leaves_at();
        if (x_.next == at) {
            cell_.x += step_.x;
            x_.next += x_.step;
        }
        if (y_.next == at) {
            cell_.y += step_.y;
            y_.next += y_.step;
        }
    }

  private:
    struct Axis {
        std::int64_t next;  // border
        std::int64_t step;
    };
    static std::int64_t factor(std::int32_t difference) {
        return std::max(std::abs(std::int64_t{difference}), std::int64_t{1});
    }
    static Axis axis(std::int32_t from, std::int32_t step, std::int64_t scale) {
        if (step == 0) {
            return {std::numeric_limits<std::int64_t>::max(), 0};
        }
        const std::int64_t inside = from & (kCellSide - 1);
        return {(step > 0 ? kCellSide - inside : inside) * scale, kCellSide * scale};
    }

    std::int64_t places_;
    Cell cell_;
    Cell step_;
    Axis x_;
    Axis y_;
};

}  // namespace

bool in_sight(const map::Layer& layer, Cell from, Cell to) {
    if (!layer.contains(from) || !layer.contains(to)) {
        return false;
    }
    const model::MovementClass& who = layer.movement_class();
    const bool both = who.directions == model::Directions::kFour ||
                      who.corner_rule == model::CornerRule::kBothOpen;
    // The line is met by those cells that come within half a cell of it. To touch one is to run
    // through its corner.
    return meets_open_cells_only(layer, centre_of(from), centre_of(to), kCellSide / 2,
                                 both ? Meet::kTouch : Meet::kOverlap) &&
           (both || who.corner_rule == model::CornerRule::kNoneOpen ||
            one_side_open_at_corners(layer, from, to));
}

bool is_clear(const map::Layer& layer, Point from, Point to, std::int32_t clearance) {
    OUTRIDER_DCHECK(clearance >= kClearanceMin && clearance <= kClearanceMax);
    return layer.contains(cell_of(from)) && layer.contains(cell_of(to)) &&
           meets_open_cells_only(layer, from, to, kCellSide / 2 + clearance, Meet::kOverlap);
}

model::Cost walk_cost(const map::Layer& layer, Point from, Point to) {
    constexpr Wide kCostFactor = 2 * model::kStraight;
    constexpr Wide kPartsPerCell = kLengthParts * std::uint64_t{kCellSide};
    Wide weights = layer.weight_min();
    Wide places = 1;
    if (!layer.uniform()) {
        std::uint64_t sum = 0;
        std::int64_t at = 0;
        Crossing crossing(from, to);
        for (;; crossing.enter_next()) {
            const std::uint8_t weight = *layer.weight_at(crossing.cell());
            const std::int64_t end = crossing.leaves_at();
            sum +=
                static_cast<std::uint64_t>(end - at) * (weight == 0 ? layer.weight_min() : weight);
            at = end;
            if (end == crossing.places()) {
                break;
            }
        }
        weights = sum;
        places = static_cast<Wide>(crossing.places());
    }
    const Wide divisor = places * kPartsPerCell;
    return static_cast<model::Cost>((kCostFactor * weights * line_length(from, to) + divisor - 1) /
                                    divisor);
}

std::uint64_t line_length(Point from, Point to) {
    const std::int64_t dx = std::int64_t{to.x} - from.x;
    const std::int64_t dy = std::int64_t{to.y} - from.y;
    // 43 bits on the largest map, and 20 more for the parts.
    return root_up(static_cast<std::uint64_t>(dx * dx + dy * dy) * (kLengthParts * kLengthParts));
}

}  // namespace outrider::search
