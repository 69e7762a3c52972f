// Regions after every single edit, against a flood fill: per class, footprint and team.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <string>

#include "outrider/map/store.hpp"
#include "support/random.hpp"
#include "support/random_maps.hpp"
#include "support/weight_grid.hpp"

namespace outrider::map {
namespace {

using model::Cell;
using model::Rect;
using test::Random;

// What stands on the map, and what a class can stand on, from the meaning of edits alone. Written
// for a million floods: the reference map of the other tests takes a hundred times as long.
class Ground {
  public:
    explicit Ground(const Grid& grid) : terrain_(grid) {}

    void apply(const model::TerrainEdit& edit) {
        for_each_inside(edit.rect,
                        [&](std::size_t cell) { terrain_.terrain[cell] = edit.terrain.front(); });
    }
    void apply(const model::PlaceObstacle& place) { obstacles_[place.id] = place; }
    void apply(const model::RemoveObstacle& remove) { obstacles_.erase(remove.id); }

    // 10 where the class can stand with its anchor, 0 elsewhere: regions know no costs.
    [[nodiscard]] test::WeightGrid standable(const model::MovementClass& who) const {
        std::vector<std::uint8_t> open(terrain_.terrain.size());
        std::ranges::transform(terrain_.terrain, open.begin(), [&](model::Terrain terrain) {
            return static_cast<std::uint8_t>(who.weights[terrain] != 0 ? 10 : 0);
        });
        for (const auto& [id, obstacle] : obstacles_) {
            const bool passes = who.team != 0 && ((obstacle.passing_teams >> who.team) & 1U) != 0;
            if (!passes) {
                cover(obstacle, open);
            }
        }
        test::WeightGrid anchors{terrain_.width, terrain_.height, open};
        const std::int32_t side = who.footprint;
        for (Cell at{0, 0}; side > 1 && at.y < terrain_.height; ++at.y) {
            for (at.x = 0; at.x < terrain_.width; ++at.x) {
                anchors.weights[index_of(at)] = fits(open, at, side) ? 10 : 0;
            }
        }
        return anchors;
    }

  private:
    [[nodiscard]] std::size_t index_of(Cell cell) const {
        return static_cast<std::size_t>(cell.y) * static_cast<std::size_t>(terrain_.width) +
               static_cast<std::size_t>(cell.x);
    }
    void cover(const model::PlaceObstacle& obstacle, std::vector<std::uint8_t>& open) const {
        const Rect& rect = obstacle.footprint;
        for (std::int32_t y = std::max(rect.y, 0);
             y < std::min<std::int64_t>(rect.end_y(), terrain_.height); ++y) {
            for (std::int32_t x = std::max(rect.x, 0);
                 x < std::min<std::int64_t>(rect.end_x(), terrain_.width); ++x) {
                const auto bit = static_cast<std::size_t>((y - rect.y) * rect.width + x - rect.x);
                if (obstacle.mask.empty() || ((obstacle.mask[bit / 8] >> (bit % 8)) & 1U) != 0) {
                    open[index_of({x, y})] = 0;
                }
            }
        }
    }
    [[nodiscard]] bool fits(const std::vector<std::uint8_t>& open, Cell at,
                            std::int32_t side) const {
        if (at.x + side > terrain_.width || at.y + side > terrain_.height) {
            return false;
        }
        for (std::int32_t y = at.y; y < at.y + side; ++y) {
            for (std::int32_t x = at.x; x < at.x + side; ++x) {
                if (open[index_of({x, y})] == 0) {
                    return false;
                }
            }
        }
        return true;
    }
    template <class Visit>
    void for_each_inside(const Rect& rect, Visit visit) const {
        const Rect inside = model::intersect(rect, {0, 0, terrain_.width, terrain_.height});
        for (std::int32_t y = inside.y; y < inside.end_y(); ++y) {
            for (std::int32_t x = inside.x; x < inside.end_x(); ++x) {
                visit(index_of({x, y}));
            }
        }
    }

    Grid terrain_;
    std::map<model::ObstacleId, model::PlaceObstacle> obstacles_;
};

// Floods cell by cell and holds each flood against the component of its first cell.
class Flood {
  public:
    // What differs, or an empty text.
    std::string compare(const Layer& layer, const test::WeightGrid& grid) {
        seen_.assign(grid.weights.size(), false);
        components_.clear();
        for (Cell at{0, 0}; at.y < grid.height; ++at.y) {
            for (at.x = 0; at.x < grid.width; ++at.x) {
                const bool blocked = !grid.open(at);
                const Component component = layer.regions().component(at);
                if (blocked != (component == kNoComponent)) {
                    return "open in one of the two alone: " + text_of(at);
                }
                if (!blocked && !seen(grid, at) && !fill(layer, grid, at, component)) {
                    return "two components within one flood from " + text_of(at);
                }
            }
        }
        std::ranges::sort(components_);
        return std::ranges::adjacent_find(components_) == components_.end()
                   ? ""
                   : "one component for two floods";
    }

  private:
    static std::string text_of(Cell cell) {
        return std::to_string(cell.x) + ", " + std::to_string(cell.y);
    }
    std::vector<bool>::reference seen(const test::WeightGrid& grid, Cell cell) {
        return seen_[static_cast<std::size_t>(cell.y * grid.width + cell.x)];
    }
    bool fill(const Layer& layer, const test::WeightGrid& grid, Cell from, Component component) {
        const model::MovementClass& who = layer.movement_class();
        components_.push_back(component);
        stack_.push_back(from);
        seen(grid, from) = true;
        bool same = true;
        while (!stack_.empty()) {
            const Cell at = stack_.back();
            stack_.pop_back();
            same = same && layer.regions().component(at) == component;
            for (std::int32_t i = 0; i < 9; ++i) {
                const Cell to{at.x + i % 3 - 1, at.y + i / 3 - 1};
                if (grid.open(to) && !seen(grid, to) &&
                    test::legal_step(grid, who.directions, who.corner_rule, at, to)) {
                    seen(grid, to) = true;
                    stack_.push_back(to);
                }
            }
        }
        return same;
    }

    std::vector<bool> seen_;
    std::vector<Cell> stack_;
    std::vector<Component> components_;
};

std::int32_t number(Random& random, std::int64_t low, std::int64_t high) {
    return static_cast<std::int32_t>(random.between(low, high));
}

// Around the borders of chunks (64 cells) and of the blocks they are joined in (512), and thin, so
// that one wall matters and a flood is short.
Grid random_grid(Random& random) {
    constexpr std::array<std::array<std::int32_t, 2>, 8> kSides{
        {{70, 5}, {5, 70}, {68, 9}, {9, 130}, {66, 66}, {30, 12}, {516, 2}, {2, 516}}};
    const auto [width, height] = kSides[static_cast<std::size_t>(random.between(0, 7))];
    Grid grid{width, height, {}};
    const auto blocked = static_cast<int>(random.between(0, 50));
    for (std::int32_t i = 0; i < width * height; ++i) {
        grid.terrain.push_back(random.chance(blocked) ? '@' : '.');
    }
    return grid;
}

// Every directions and corner rule, the footprints 1 to 8, three teams and none.
std::vector<model::MovementClass> random_classes(Random& random) {
    std::vector<model::MovementClass> classes;
    for (int i = 0; i < 4; ++i) {
        model::MovementClass who = model::ground_class();
        who.name = std::to_string(i);
        who.directions = random.chance(25) ? model::Directions::kFour : model::Directions::kEight;
        who.corner_rule = static_cast<model::CornerRule>(random.between(0, 2));
        who.footprint = static_cast<std::uint8_t>(random.chance(60) ? 1 : random.between(2, 8));
        who.team = static_cast<std::uint8_t>(random.between(0, 3));
        classes.push_back(who);
    }
    return classes;
}

model::Edit random_edit(Random& random, const Grid& grid) {
    const std::int32_t longest = random.chance(10) ? 40 : 4;
    const Rect rect{number(random, -3, grid.width), number(random, -3, grid.height),
                    number(random, 1, longest), number(random, 1, longest)};
    const model::ObstacleId id{static_cast<std::uint64_t>(random.between(1, 20))};
    switch (random.between(0, 3)) {
        case 0: {
            const model::Terrain terrain = random.chance(60) ? '.' : '@';
            return model::TerrainEdit{rect, {terrain}};
        }
        case 1: return model::RemoveObstacle{id};
        case 2: return model::PlaceObstacle{id, rect, 0, test::random_mask(random, rect)};
        default: return model::PlaceObstacle{id, rect, random.bits() & 0xEU, {}};
    }
}

// If this failed, the server would call a unit's goal unreachable that is not, or flood the map for
// one that is; and nothing after that edit would put it right.
TEST(RegionsProperty, EqualAFloodFillAfterEverySingleEdit) {
    Random random(31);
    Flood flood;
    constexpr std::uint64_t kEditsPerMap = 100;
    std::uint64_t edits = 0;
    for (std::uint64_t round = 0; round < test::rounds(50); ++round) {
        const Grid grid = random_grid(random);
        const auto store = Store::create(grid, random_classes(random)).value();
        Ground ground(grid);
        for (std::uint64_t i = 0; i < kEditsPerMap; ++i, ++edits) {
            const model::Edit edit = random_edit(random, grid);
            std::visit([&](const auto& kind) { ground.apply(kind); }, edit);
            ASSERT_TRUE(store->apply({{edit}, {}}).has_value());
            const auto snapshot = store->snapshot();
            for (std::uint16_t id = 0; id < snapshot->class_count(); ++id) {
                const Layer& layer = *snapshot->layer({id});
                ASSERT_EQ(flood.compare(layer, ground.standable(layer.movement_class())), "")
                    << grid.width << " x " << grid.height << ", class " << id << ", edit " << i
                    << " of round " << round;
            }
        }
    }
    // `./dev.sh million` adds these up.
    std::printf("checked %llu edits\n", static_cast<unsigned long long>(edits));
}

}  // namespace
}  // namespace outrider::map
