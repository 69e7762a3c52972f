#include "support/layer_check.hpp"

#include <array>
#include <functional>
#include <map>
#include <optional>
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
    }
    for (const auto& result : results) {
        if (!result) {
            return result;
        }
    }
    return testing::AssertionSuccess();
}

// The first stop after `from` on its way to the edge of its chunk; nothing when there is none.
std::optional<Cell> first_stop_in_chunk(const WeightGrid& grid, Cell from, Cell step) {
    const model::Rect chunk = map::ChunkPlace::of(from).cells();
    for (Cell at{from.x + step.x, from.y + step.y}; chunk.contains(at);
         at = {at.x + step.x, at.y + step.y}) {
        if (is_stop(grid, at, step)) {
            return at;
        }
    }
    return std::nullopt;
}

struct HeadingCase {
    map::Heading heading;
    Cell step;
    map::Plane falling;
    map::Plane rising;
};

constexpr std::array<HeadingCase, 4> kHeadings{{
    {map::Heading::kEast, {1, 0}, map::Plane::kFindsEastFalling, map::Plane::kFindsEastRising},
    {map::Heading::kWest, {-1, 0}, map::Plane::kFindsWestFalling, map::Plane::kFindsWestRising},
    {map::Heading::kSouth, {0, 1}, map::Plane::kFindsSouthFalling, map::Plane::kFindsSouthRising},
    {map::Heading::kNorth, {0, -1}, map::Plane::kFindsNorthFalling, map::Plane::kFindsNorthRising},
}};

bool diagonal_bit(const std::uint64_t* tile, map::Plane plane, Cell in, bool falling, bool by_x) {
    using map::Diagonal;
    const std::int32_t word = !falling ? Diagonal::rising(in.x, in.y)
                              : by_x   ? Diagonal::falling_by_x(in.x, in.y)
                                       : Diagonal::falling_by_y(in.x, in.y);
    return ((map::plane_of(tile, plane)[word] >> (by_x ? in.x : in.y)) & 1) != 0;
}

// One cell in the planes by diagonals.
testing::AssertionResult diagonals_equal(const std::uint64_t* tile, const WeightGrid& grid,
                                         Cell cell) {
    const Cell in{cell.x & 63, cell.y & 63};
    const bool falls = is_free2x2(grid, cell);
    const bool rises = is_free2x2(grid, {cell.x, cell.y - 1});
    if (diagonal_bit(tile, map::Plane::kStepsFalling, in, true, false) != falls ||
        diagonal_bit(tile, map::Plane::kStepsRising, in, false, false) != rises) {
        return differs("a diagonal step", cell);
    }
    for (const HeadingCase& way : kHeadings) {
        const auto stop = first_stop_in_chunk(grid, cell, way.step);
        const bool may_find = !stop || grid.open(*stop);
        const bool by_x = way.step.x == 0;
        if (diagonal_bit(tile, way.falling, in, true, by_x) != may_find ||
            diagonal_bit(tile, way.rising, in, false, by_x) != may_find) {
            return differs("a jump's hint", cell) << ", step " << way.step.x << ", " << way.step.y;
        }
    }
    return testing::AssertionSuccess();
}

// What the 64 lines of a chunk say of themselves.
testing::AssertionResult summaries_equal(const std::uint64_t* tile, const WeightGrid& grid,
                                         map::ChunkPlace place) {
    const model::Rect chunk = place.cells();
    for (const HeadingCase& way : kHeadings) {
        const map::LineSummary summary = map::summary_of(tile, way.heading);
        const auto* last =
            reinterpret_cast<const std::int8_t*>(tile + map::last_stops_at(way.heading));
        for (std::int32_t line = 0; line < map::kChunkSide; ++line) {
            // The first cell of the line, and the places of its stops in the order of a jump.
            const bool row = way.step.y == 0;
            const std::int32_t begin = way.step.x + way.step.y > 0 ? 0 : map::kChunkSide - 1;
            Cell at =
                row ? Cell{chunk.x + begin, chunk.y + line} : Cell{chunk.x + line, chunk.y + begin};
            std::vector<Cell> stops;
            for (; chunk.contains(at); at = {at.x + way.step.x, at.y + way.step.y}) {
                if (is_stop(grid, at, way.step)) {
                    stops.push_back(at);
                }
            }
            const int last_stop = stops.empty() ? map::no_stop(way.heading)
                                                : (row ? stops.back().x : stops.back().y) & 63;
            if (((summary.clear >> line) & 1) != (stops.empty() ? 1U : 0U) ||
                ((summary.first_open >> line) & 1) !=
                    (!stops.empty() && grid.open(stops.front()) ? 1U : 0U) ||
                last[line] != last_stop) {
                return differs("a line's summary", {chunk.x, chunk.y}) << ", line " << line;
            }
        }
    }
    return testing::AssertionSuccess();
}

testing::AssertionResult jump_tiles_equal(const map::Layer& layer, const WeightGrid& grid) {
    const model::Rect all = with_guards(grid);
    for (std::int32_t y = all.y; y < all.end_y(); ++y) {
        for (std::int32_t x = all.x; x < all.end_x(); ++x) {
            const map::ChunkPlace place = map::ChunkPlace::of({x, y});
            const std::uint64_t* tile = layer.bits().at(place);
            if (auto result = diagonals_equal(tile, grid, {x, y}); !result) {
                return result;
            }
            if ((x & 63) == 0 && (y & 63) == 0) {
                if (auto result = summaries_equal(tile, grid, place); !result) {
                    return result;
                }
            }
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
    if (auto result = planes_equal(layer, grid); !result) {
        return result;
    }
    if (layer.has_stops()) {
        return jump_tiles_equal(layer, grid);
    }
    return layer.uniform() ? testing::AssertionSuccess() : weights_equal(layer, grid);
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
