#include "support/layer_check.hpp"

#include <functional>
#include <map>
#include <vector>

#include "support/reference_map.hpp"

namespace outrider::test {
namespace {

using model::Cell;

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

// Cells of whole chunks, with the ring of guard chunks.
model::Rect with_guards(const WeightGrid& grid) {
    constexpr std::int32_t kSide = map::kChunkSide;
    return {-kSide, -kSide, (map::chunks_over(grid.width) + 2) * kSide,
            (map::chunks_over(grid.height) + 2) * kSide};
}

template <class Expected>
testing::AssertionResult plane_equals(const map::Layer& layer, const WeightGrid& grid,
                                      map::Plane plane, Expected expected) {
    const bool by_column = plane == map::Plane::kColumns || plane == map::Plane::kStopsSouth ||
                           plane == map::Plane::kStopsNorth;
    const model::Rect all = with_guards(grid);
    for (std::int32_t y = all.y; y < all.end_y(); ++y) {
        for (std::int32_t x = all.x; x < all.end_x(); ++x) {
            const std::uint64_t* words =
                map::plane_of(layer.bits().at(map::ChunkPlace::of({x, y})), plane);
            const std::uint64_t word = words[(by_column ? x : y) & 63];
            if (((word >> ((by_column ? y : x) & 63)) & 1) != (expected({x, y}) ? 1U : 0U)) {
                return differs("a bit", {x, y}) << " in plane " << static_cast<int>(plane);
            }
        }
    }
    return testing::AssertionSuccess();
}

testing::AssertionResult planes_equal(const map::Layer& layer, const WeightGrid& grid) {
    using map::Plane;
    const auto open = [&](Cell cell) { return grid.open(cell); };
    const auto stop = [&](Cell step) {
        return [&grid, step](Cell cell) { return is_stop(grid, cell, step); };
    };
    const auto check = [&](Plane plane, const std::function<bool(Cell)>& expected) {
        return plane_equals(layer, grid, plane, expected);
    };
    std::vector<testing::AssertionResult> results{check(Plane::kRows, open),
                                                  check(Plane::kColumns, open)};
    if (layer.has_stops()) {
        results.push_back(check(Plane::kStopsEast, stop({1, 0})));
        results.push_back(check(Plane::kStopsWest, stop({-1, 0})));
        results.push_back(check(Plane::kStopsSouth, stop({0, 1})));
        results.push_back(check(Plane::kStopsNorth, stop({0, -1})));
        results.push_back(
            check(Plane::kFree2x2, [&](Cell cell) { return is_free2x2(grid, cell); }));
    }
    for (const auto& result : results) {
        if (!result) {
            return result;
        }
    }
    return testing::AssertionSuccess();
}

// Each tile of weights with its halo, on the map and on its ring of guards.
testing::AssertionResult weights_equal(const map::Layer& layer, const WeightGrid& grid) {
    const model::Rect all = with_guards(grid);
    for (std::int32_t y = all.y; y < all.end_y(); y += map::kChunkSide) {
        for (std::int32_t x = all.x; x < all.end_x(); x += map::kChunkSide) {
            const map::ChunkPlace place = map::ChunkPlace::of({x, y});
            if (!layer.weights().contains(place)) {
                continue;
            }
            const std::uint8_t* tile = layer.weights().at(place);
            for (std::int32_t dy = -1; dy <= map::kChunkSide; ++dy) {
                for (std::int32_t dx = -1; dx <= map::kChunkSide; ++dx) {
                    if (tile[map::Layer::weight_index(dx, dy)] != grid.at({x + dx, y + dy})) {
                        return differs("a tile's weight", {x + dx, y + dy});
                    }
                }
            }
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
        for (std::int32_t x = -1; x <= grid.width; ++x) {
            if (layer.open({x, y}) != grid.open({x, y})) {
                return differs("open()", {x, y});
            }
            if (layer.weight({x, y}) != grid.at({x, y})) {
                return differs("weight", {x, y});
            }
        }
    }
    if (auto result = planes_equal(layer, grid); !result || layer.uniform()) {
        return result;
    }
    return weights_equal(layer, grid);
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
