#include "support/random_maps.hpp"

#include <algorithm>
#include <array>

#include "outrider/model/obstacle_mask.hpp"

namespace outrider::test {
namespace {

using model::Cell;

constexpr std::array<model::Terrain, 4> kTerrain{'.', 'G', 'S', 'W'};

std::size_t index_of(const map::Grid& grid, Cell cell) {
    return static_cast<std::size_t>(cell.y) * static_cast<std::size_t>(grid.width) +
           static_cast<std::size_t>(cell.x);
}

std::int32_t number(Random& random, std::int64_t low, std::int64_t high) {
    return static_cast<std::int32_t>(random.between(low, high));
}

std::int32_t side(Random& random) {
    switch (random.between(0, 4)) {
        case 0: return number(random, 1, 6);
        case 1: return number(random, 62, 66);
        case 2: return number(random, 126, 130);
        default: return number(random, 7, 50);
    }
}

void paint(map::Grid& grid, const model::Rect& rect, model::Terrain terrain) {
    const model::Rect inside = model::intersect(rect, {0, 0, grid.width, grid.height});
    for (std::int32_t y = inside.y; y < inside.end_y(); ++y) {
        for (std::int32_t x = inside.x; x < inside.end_x(); ++x) {
            grid.terrain[index_of(grid, {x, y})] = terrain;
        }
    }
}

void add_noise(Random& random, map::Grid& grid, int percent) {
    for (model::Terrain& cell : grid.terrain) {
        if (random.chance(percent)) {
            cell = '@';
        }
    }
}

// Walls on a lattice, with a door in most of them: rooms for wide spacing, mazes for narrow.
void add_walls(Random& random, map::Grid& grid, std::int32_t spacing) {
    for (std::int32_t y = spacing; y < grid.height; y += spacing) {
        paint(grid, {0, y, grid.width, 1}, '@');
    }
    for (std::int32_t x = spacing; x < grid.width; x += spacing) {
        paint(grid, {x, 0, 1, grid.height}, '@');
    }
    for (std::int32_t y = 0; y < grid.height; y += spacing) {
        for (std::int32_t x = 0; x < grid.width; x += spacing) {
            if (random.chance(70)) {
                paint(grid, {x, y + 1 + number(random, 0, spacing - 1), 1, 1}, '.');
            }
            if (random.chance(70)) {
                paint(grid, {x + 1 + number(random, 0, spacing - 1), y, 1, 1}, '.');
            }
        }
    }
}

void add_terrain(Random& random, map::Grid& grid) {
    for (std::int64_t patches = random.between(0, 8); patches > 0; --patches) {
        const auto kind = static_cast<std::size_t>(random.between(0, kTerrain.size() - 1));
        paint(grid,
              {number(random, -2, grid.width), number(random, -2, grid.height),
               number(random, 1, 20), number(random, 1, 20)},
              kTerrain[kind]);
    }
}

map::Grid open_map(std::int32_t width, std::int32_t height) {
    return {width, height,
            std::vector<model::Terrain>(
                static_cast<std::size_t>(width) * static_cast<std::size_t>(height), '.')};
}

model::Rect random_rect(Random& random, std::int32_t width, std::int32_t height) {
    return {number(random, -1, width - 1), number(random, -1, height - 1), number(random, 1, 9),
            number(random, 1, 9)};
}

map::Grid filled(Random& random, map::Grid grid) {
    add_terrain(random, grid);
    switch (random.between(0, 3)) {
        case 0: add_noise(random, grid, number(random, 0, 15)); break;
        case 1: add_noise(random, grid, number(random, 20, 45)); break;
        case 2: add_walls(random, grid, number(random, 4, 12)); break;
        default: add_walls(random, grid, 2); break;
    }
    return grid;
}

}  // namespace

map::Grid random_map(Random& random) {
    // One after the other: compilers differ in which argument of a call they reckon first.
    const std::int32_t width = side(random);
    const std::int32_t height = side(random);
    return filled(random, open_map(width, height));
}

map::Grid wide_map(Random& random) {
    const std::int32_t width = number(random, 100, 330);
    const std::int32_t height = number(random, 65, 330);
    return filled(random, open_map(width, height));
}

map::Grid tiny_map(Random& random) {
    const std::int32_t width = number(random, 1, 12);
    const std::int32_t height = number(random, 1, 12);
    map::Grid grid = open_map(width, height);
    add_noise(random, grid, number(random, 0, 50));
    return grid;
}

model::MovementClass random_class(Random& random) {
    model::MovementClass who;
    who.name = "random";
    const bool uniform = random.chance(50);
    const auto one = static_cast<std::uint8_t>(random.between(1, 255));
    for (const model::Terrain terrain : kTerrain) {
        const bool open = terrain == '.' || random.chance(75);
        const auto weight = uniform ? one : static_cast<std::uint8_t>(random.between(1, 255));
        who.weights[terrain] = open ? weight : std::uint8_t{0};
    }
    // Half of the classes are those that jump point search takes.
    if (random.chance(50)) {
        who.directions = random.chance(30) ? model::Directions::kFour : model::Directions::kEight;
        who.corner_rule = static_cast<model::CornerRule>(random.between(0, 2));
    }
    who.footprint = static_cast<std::uint8_t>(random.chance(30) ? random.between(2, 4) : 1);
    who.team = static_cast<std::uint8_t>(random.between(0, 2));
    return who;
}

model::EditBatch random_batch(Random& random, const map::Grid& grid) {
    model::EditBatch batch;
    for (std::int64_t edits = random.between(1, 6); edits > 0; --edits) {
        const model::Rect rect = random_rect(random, grid.width, grid.height);
        const model::ObstacleId id{static_cast<std::uint64_t>(random.between(1, 12))};
        switch (random.between(0, 2)) {
            case 0: {
                const bool blocks = random.chance(40);
                const auto kind = static_cast<std::size_t>(random.between(0, kTerrain.size() - 1));
                batch.edits.emplace_back(
                    model::TerrainEdit{rect, {blocks ? model::Terrain{'@'} : kTerrain[kind]}});
                break;
            }
            case 1:
                batch.edits.emplace_back(model::PlaceObstacle{
                    id, rect, static_cast<std::uint64_t>(random.between(0, 7)) & ~1ULL,
                    random_mask(random, rect)});
                break;
            default: batch.edits.emplace_back(model::RemoveObstacle{id}); break;
        }
    }
    return batch;
}

model::PathQuery random_query(Random& random, const WeightGrid& grid) {
    model::PathQuery query;
    const auto place = [&] {
        Cell cell;
        // Mostly open cells: a few tries find one where there are any.
        for (int tries = 0; tries < 8; ++tries) {
            cell = {number(random, 0, grid.width - 1), number(random, 0, grid.height - 1)};
            if (grid.open(cell) || random.chance(10)) {
                break;
            }
        }
        return cell;
    };
    query.start = place();
    const Cell goal = place();
    query.goal.rect = {goal.x, goal.y, 1, 1};
    if (random.chance(30)) {
        query.goal.rect = {goal.x - number(random, 0, 3), goal.y - number(random, 0, 3),
                           number(random, 4, 9), number(random, 4, 9)};
    }
    if (random.chance(30)) {
        query.goal.range = static_cast<std::uint32_t>(random.between(1, 12));
    }
    query.allow_partial = random.chance(60);
    query.leave_blocked_start = random.chance(60);
    query.explain = random.chance(20);
    return query;
}

std::vector<std::uint8_t> random_mask(Random& random, const model::Rect& rect) {
    std::vector<std::uint8_t> mask(random.chance(50) ? model::mask_bytes(rect) : 0);
    for (std::uint8_t& byte : mask) {
        byte = static_cast<std::uint8_t>(random.bits() | random.bits());
    }
    return mask;
}

map::Grid painted(const map::State& state, const model::MovementClass& who) {
    map::Grid grid = state.grid;
    for (const model::PlaceObstacle& obstacle : state.obstacles) {
        const bool passes = who.team != 0 && ((obstacle.passing_teams >> who.team) & 1U) != 0;
        if (!passes) {
            model::for_each_part(obstacle, {0, 0, grid.width, grid.height},
                                 [&](const model::Rect& part) { paint(grid, part, '@'); });
        }
    }
    return grid;
}

}  // namespace outrider::test
