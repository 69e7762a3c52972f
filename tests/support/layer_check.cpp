#include "support/layer_check.hpp"

#include <map>

#include "support/reference_map.hpp"

namespace outrider::test {
namespace {

using model::Cell;

bool bit(const std::uint64_t* line, std::int32_t position) {
    return ((line[position >> 6] >> (position & 63)) & 1) != 0;
}

testing::AssertionResult differs(const char* what, Cell cell) {
    return testing::AssertionFailure()
           << what << " is wrong at (" << cell.x << ", " << cell.y << ")";
}

// The text of Layer::stops_east, for a step (dx, dy) that is straight.
bool is_stop(const WeightGrid& grid, Cell cell, Cell step) {
    const auto forced = [&](std::int32_t side) {
        const Cell beside{cell.x + side * step.y, cell.y + side * step.x};
        return grid.open(beside) && !grid.open({beside.x - step.x, beside.y - step.y});
    };
    return !grid.open(cell) || forced(1) || forced(-1);
}

bool is_free2x2(const WeightGrid& grid, Cell cell) {
    return grid.open(cell) && grid.open({cell.x + 1, cell.y}) && grid.open({cell.x, cell.y + 1}) &&
           grid.open({cell.x + 1, cell.y + 1});
}

// One line of one plane with its guard words, against `expected(position)` inside the map and
// `outside` beyond.
template <class Expected>
bool line_equals(const std::uint64_t* line, std::int32_t length, bool outside, Expected expected) {
    const std::int32_t words = (length + 63) / 64;
    for (std::int32_t position = -64; position < (words + 1) * 64; ++position) {
        const bool inside = position >= 0 && position < length;
        if (bit(line, position) != (inside ? expected(position) : outside)) {
            return false;
        }
    }
    return true;
}

testing::AssertionResult rows_equal(const map::Layer& layer, const WeightGrid& grid) {
    for (std::int32_t y = -1; y <= grid.height; ++y) {
        const bool guard = y < 0 || y == grid.height;
        const auto passable = [&](std::int32_t x) { return grid.open({x, y}); };
        if (!line_equals(layer.row(y), grid.width, false, passable)) {
            return differs("row", {0, y});
        }
        if (!layer.has_stops()) {
            continue;
        }
        const auto free2x2 = [&](std::int32_t x) { return !guard && is_free2x2(grid, {x, y}); };
        const auto east = [&](std::int32_t x) { return guard || is_stop(grid, {x, y}, {1, 0}); };
        const auto west = [&](std::int32_t x) { return guard || is_stop(grid, {x, y}, {-1, 0}); };
        if (!line_equals(layer.free2x2(y), grid.width, false, free2x2) ||
            !line_equals(layer.stops_east(y), grid.width, true, east) ||
            !line_equals(layer.stops_west(y), grid.width, true, west)) {
            return differs("a jump plane by row", {0, y});
        }
    }
    return testing::AssertionSuccess();
}

testing::AssertionResult columns_equal(const map::Layer& layer, const WeightGrid& grid) {
    for (std::int32_t x = -1; x <= grid.width; ++x) {
        const bool guard = x < 0 || x == grid.width;
        const auto passable = [&](std::int32_t y) { return grid.open({x, y}); };
        if (!line_equals(layer.column(x), grid.height, false, passable)) {
            return differs("column", {x, 0});
        }
        if (!layer.has_stops()) {
            continue;
        }
        const auto south = [&](std::int32_t y) { return guard || is_stop(grid, {x, y}, {0, 1}); };
        const auto north = [&](std::int32_t y) { return guard || is_stop(grid, {x, y}, {0, -1}); };
        if (!line_equals(layer.stops_south(x), grid.height, true, south) ||
            !line_equals(layer.stops_north(x), grid.height, true, north)) {
            return differs("a stop plane by column", {x, 0});
        }
    }
    return testing::AssertionSuccess();
}

}  // namespace

testing::AssertionResult layer_equals(const map::Layer& layer, const WeightGrid& grid) {
    if (layer.width() != grid.width || layer.height() != grid.height) {
        return testing::AssertionFailure() << "the sizes differ";
    }
    for (std::int32_t y = -1; y <= grid.height; ++y) {
        const std::uint8_t* weights = layer.weights(y);
        if ((weights == nullptr) != layer.uniform()) {
            return testing::AssertionFailure() << "weights() is null for the wrong classes";
        }
        for (std::int32_t x = -1; x <= grid.width; ++x) {
            if (layer.open({x, y}) != grid.open({x, y})) {
                return differs("open()", {x, y});
            }
            if (layer.weight({x, y}) != grid.at({x, y}) ||
                (weights != nullptr && weights[x] != grid.at({x, y}))) {
                return differs("weight", {x, y});
            }
        }
    }
    if (auto result = rows_equal(layer, grid); !result) {
        return result;
    }
    return columns_equal(layer, grid);
}

testing::AssertionResult regions_equal(const map::Layer& layer, const WeightGrid& grid) {
    const std::vector<std::int32_t> expected = flood_fill(grid, layer.movement_class());
    std::map<std::int32_t, map::Component> forward;
    std::map<map::Component, std::int32_t> backward;
    std::size_t index = 0;
    for (std::int32_t y = 0; y < grid.height; ++y) {
        for (std::int32_t x = 0; x < grid.width; ++x, ++index) {
            const map::Component component = layer.regions().component({x, y});
            if (expected[index] < 0) {
                if (component != map::kNoComponent) {
                    return differs("component of a blocked cell", {x, y});
                }
                continue;
            }
            if (component == map::kNoComponent ||
                forward.try_emplace(expected[index], component).first->second != component ||
                backward.try_emplace(component, expected[index]).first->second != expected[index]) {
                return differs("component", {x, y});
            }
        }
    }
    return testing::AssertionSuccess();
}

}  // namespace outrider::test
