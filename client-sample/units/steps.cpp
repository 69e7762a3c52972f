#include "units/steps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace outrider::units {
namespace {

std::int32_t sign(std::int32_t value) {
    return (value > 0 ? 1 : 0) - (value < 0 ? 1 : 0);
}

// Rounded down. The largest leg's square fits 2^46, where the root of a double is off by less than
// one either way.
std::uint64_t root_of(std::uint64_t square) {
    auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(square)));
    while (root * root > square) {
        --root;
    }
    while ((root + 1) * (root + 1) <= square) {
        ++root;
    }
    return root;
}

void add_octile_leg(model::Cell from, model::Cell to, std::vector<Step>& steps) {
    while (from != to) {
        const model::Cell next{from.x + sign(to.x - from.x), from.y + sign(to.y - from.y)};
        steps.push_back(step_between(from, next));
        from = next;
    }
}

void add_leg(model::Cell from, model::Cell to, std::vector<Step>& steps) {
    const std::int64_t across = std::abs(to.x - from.x);
    const std::int64_t down = std::abs(to.y - from.y);
    if (across == 0 || down == 0 || across == down) {
        add_octile_leg(from, to, steps);
        return;
    }
    const std::size_t first = steps.size();
    // The line from centre to centre crosses the column edge after k columns at (2k + 1) / 2across
    // of its length, a row's edge likewise.
    std::int64_t columns = 0;
    std::int64_t rows = 0;
    while (columns < across || rows < down) {
        const std::int64_t column_edge = (2 * columns + 1) * down;
        const std::int64_t row_edge = (2 * rows + 1) * across;
        if (column_edge <= row_edge) {
            from.x += sign(to.x - from.x);
            ++columns;
        }
        if (row_edge <= column_edge) {
            from.y += sign(to.y - from.y);
            ++rows;
        }
        steps.push_back({from, 0});
    }
    const std::uint64_t length = root_of(static_cast<std::uint64_t>(across * across + down * down) *
                                         model::kStraight * model::kStraight);
    const std::uint64_t count = steps.size() - first;
    for (std::uint64_t index = 0; index < count; ++index) {
        steps[first + index].length =
            static_cast<std::uint32_t>(length * (index + 1) / count - length * index / count);
    }
}

}  // namespace

std::vector<Step> steps_of(std::span<const model::Cell> points) {
    std::vector<Step> steps;
    for (std::size_t index = 1; index < points.size(); ++index) {
        add_leg(points[index - 1], points[index], steps);
    }
    return steps;
}

Step step_between(model::Cell from, model::Cell to) {
    const bool diagonal = from.x != to.x && from.y != to.y;
    return {to, static_cast<std::uint32_t>(diagonal ? model::kDiagonal : model::kStraight)};
}

bool is_legal(const map::Layer& layer, model::Cell from, model::Cell to) {
    if (!layer.open(to)) {
        return false;
    }
    if (from.x == to.x || from.y == to.y) {
        return true;
    }
    const model::MovementClass& movement_class = layer.movement_class();
    if (movement_class.directions == model::Directions::kFour) {
        return false;
    }
    const int open_sides =
        (layer.open({to.x, from.y}) ? 1 : 0) + (layer.open({from.x, to.y}) ? 1 : 0);
    switch (movement_class.corner_rule) {
        case model::CornerRule::kBothOpen: return open_sides == 2;
        case model::CornerRule::kOneOpen: return open_sides >= 1;
        case model::CornerRule::kNoneOpen: return true;
    }
    return false;
}

model::Cost cost_of(const map::Layer& layer, model::Cell from, const Step& step) {
    const auto weight = [&](model::Cell cell) -> model::Cost {
        return layer.open(cell) ? layer.weight(cell) : layer.weight_min();
    };
    return (weight(from) + weight(step.to)) * step.length;
}

std::uint8_t heading_of(model::Cell from, model::Cell to) {
    static constexpr std::array<std::array<std::uint8_t, 3>, 3> kHeadings{
        {{7, 0, 1}, {6, 0, 2}, {5, 4, 3}}};
    return kHeadings[static_cast<std::size_t>(sign(to.y - from.y) + 1)]
                    [static_cast<std::size_t>(sign(to.x - from.x) + 1)];
}

std::uint8_t turn_between(std::uint8_t heading, std::uint8_t other) {
    const int turn = std::abs(int{heading} - int{other});
    return static_cast<std::uint8_t>(std::min(turn, 8 - turn));
}

}  // namespace outrider::units
