#pragma once
// What: straight lines over a grid, the plainest way: each cell of the map is asked whether the
//       line meets it, in fractions. Shares no code with the search.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "support/oracle.hpp"
#include "support/weight_grid.hpp"

namespace outrider::test {

// In any unit, the same for points and squares.
struct Spot {
    std::int64_t x{};
    std::int64_t y{};
};

struct Fraction {
    std::int64_t above{};
    std::int64_t below{1};  // > 0
    friend bool operator<(Fraction a, Fraction b) { return a.above * b.below < b.above * a.below; }
};

// The part of the line that lies inside the open square, as parameters 0 .. 1; first >= second when
// there is none.
[[nodiscard]] inline std::pair<Fraction, Fraction> part_inside(Spot from, Spot to, Spot centre,
                                                               std::int64_t half) {
    std::pair<Fraction, Fraction> part{{0, 1}, {1, 1}};
    const auto clip = [&](std::int64_t start, std::int64_t end, std::int64_t middle) {
        const std::int64_t run = end - start;
        if (run == 0) {
            if (std::abs(start - middle) >= half) {
                part.second = part.first;
            }
            return;
        }
        const std::int64_t sign = run > 0 ? 1 : -1;
        const Fraction enters{(middle - sign * half - start) * sign, run * sign};
        const Fraction leaves{(middle + sign * half - start) * sign, run * sign};
        part.first = part.first < enters ? enters : part.first;
        part.second = leaves < part.second ? leaves : part.second;
    };
    clip(from.x, to.x, centre.x);
    clip(from.y, to.y, centre.y);
    return part;
}

[[nodiscard]] inline bool meets(Spot from, Spot to, Spot centre, std::int64_t half) {
    if (from.x == to.x && from.y == to.y) {
        return std::abs(from.x - centre.x) < half && std::abs(from.y - centre.y) < half;
    }
    const auto [first, second] = part_inside(from, to, centre, half);
    return first < second;
}

// No square of half side `half` around a blocked cell, nor around one beside the map, meets the
// line. `side`: units along the side of a cell, even.
[[nodiscard]] inline bool passes(const WeightGrid& grid, Spot from, Spot to, std::int64_t side,
                                 std::int64_t half) {
    const auto ring = static_cast<std::int32_t>(half / side + 1);
    for (std::int32_t y = -ring; y < grid.height + ring; ++y) {
        for (std::int32_t x = -ring; x < grid.width + ring; ++x) {
            const Spot centre{x * side + side / 2, y * side + side / 2};
            if (!grid.open({x, y}) && meets(from, to, centre, half)) {
                return false;
            }
        }
    }
    return true;
}

// Line of sight for a class: open cells alone, and at each corner that the line runs through a
// diagonal step that the class may make.
[[nodiscard]] inline bool oracle_sight(const WeightGrid& grid, const Mover& mover, model::Cell from,
                                       model::Cell to) {
    const auto spot = [](model::Cell cell) { return Spot{cell.x * 2 + 1, cell.y * 2 + 1}; };
    if (!passes(grid, spot(from), spot(to), 2, 1)) {
        return false;
    }
    const model::CornerRule rule = mover.directions == model::Directions::kFour
                                       ? model::CornerRule::kBothOpen
                                       : mover.corner_rule;
    const std::int32_t sx = to.x > from.x ? 1 : -1;
    const std::int32_t sy = to.y > from.y ? 1 : -1;
    for (std::int32_t i = 0; i < std::abs(to.x - from.x); ++i) {
        for (std::int32_t j = 0; j < std::abs(to.y - from.y); ++j) {
            const bool on_line =
                (2 * i + 1) * std::abs(to.y - from.y) == (2 * j + 1) * std::abs(to.x - from.x);
            const model::Cell before{from.x + i * sx, from.y + j * sy};
            if (on_line && !legal_step(grid, model::Directions::kEight, rule, before,
                                       {before.x + sx, before.y + sy})) {
                return false;
            }
        }
    }
    return true;
}

// The true cost of a straight walk between points in units of `side` a cell, but for the roundings
// of floating point. Blocked cells weigh `blocked`.
[[nodiscard]] inline long double oracle_walk_cost(const WeightGrid& grid, Spot from, Spot to,
                                                  std::int64_t side, std::uint8_t blocked) {
    const long double length = std::hypot(static_cast<long double>(to.x - from.x),
                                          static_cast<long double>(to.y - from.y));
    if (length == 0) {
        return 0;
    }
    long double sum = 0;
    for (model::Cell at{0, 0}; at.y < grid.height; ++at.y) {
        for (at.x = 0; at.x < grid.width; ++at.x) {
            const Spot centre{at.x * side + side / 2, at.y * side + side / 2};
            const auto [first, second] = part_inside(from, to, centre, side / 2);
            if (first < second) {
                const auto value = [](Fraction f) {
                    return static_cast<long double>(f.above) / static_cast<long double>(f.below);
                };
                sum += (value(second) - value(first)) * (grid.open(at) ? grid.at(at) : blocked);
            }
        }
    }
    return sum * length / static_cast<long double>(side) * 2 * model::kStraight;
}

}  // namespace outrider::test
