// Random edits on random maps, compared with the naive reference after every batch.

#include <gtest/gtest.h>

#include <algorithm>

#include "outrider/base/limits.hpp"
#include "outrider/map/content_hash.hpp"
#include "outrider/map/store.hpp"
#include "support/layer_check.hpp"
#include "support/random.hpp"
#include "support/random_maps.hpp"
#include "support/reference_map.hpp"

namespace outrider::map {
namespace {

using model::Rect;
using test::Random;
using test::ReferenceMap;

constexpr std::string_view kTerrain = ".@TGW";

// Sizes around the words' and the chunks' edges, where guards and carries go wrong.
std::int32_t random_side(Random& random) {
    static constexpr std::int32_t kSides[] = {1,  2,  3,  15, 16, 17,  31,  33,
                                              40, 63, 64, 65, 80, 127, 128, 130};
    return kSides[random.between(0, std::ssize(kSides) - 1)];
}

model::MovementClass random_class(Random& random, std::string name) {
    model::MovementClass movement_class;
    movement_class.name = std::move(name);
    const bool mixed = random.chance(50);
    for (const char terrain : kTerrain) {
        const auto weight = static_cast<std::uint8_t>(mixed ? random.between(1, 255) : 10);
        movement_class.weights[static_cast<unsigned char>(terrain)] =
            random.chance(30) ? std::uint8_t{0} : weight;
    }
    movement_class.weights['.'] = 10;
    movement_class.directions =
        random.chance(25) ? model::Directions::kFour : model::Directions::kEight;
    movement_class.corner_rule =
        static_cast<model::CornerRule>(random.chance(50) ? 0 : random.between(1, 2));
    movement_class.footprint =
        static_cast<std::uint8_t>(random.chance(50) ? 1 : random.between(2, 8));
    movement_class.team = static_cast<std::uint8_t>(random.chance(50) ? 0 : random.between(1, 63));
    return movement_class;
}

std::vector<model::MovementClass> random_classes(Random& random) {
    std::vector<model::MovementClass> classes;
    for (int i = 0; i < 3; ++i) {
        classes.push_back(random_class(random, "class " + std::to_string(i)));
    }
    return classes;
}

Grid random_grid(Random& random) {
    Grid grid{random_side(random), random_side(random), {}};
    const std::int64_t blocked = random.between(0, 60);
    for (std::int64_t i = 0; i < std::int64_t{grid.width} * grid.height; ++i) {
        grid.terrain.push_back(static_cast<model::Terrain>(
            random.between(0, 99) < blocked
                ? kTerrain[static_cast<std::size_t>(random.between(1, std::ssize(kTerrain) - 1))]
                : '.'));
    }
    return grid;
}

Rect random_rect(Random& random, const Grid& grid) {
    if (random.chance(3)) {
        return {-2'000'000'000, -5, 2'147'483'647, 2'147'483'647};
    }
    const std::int64_t side = random.chance(80) ? 6 : 70;
    return {static_cast<std::int32_t>(random.between(-4, grid.width + 3)),
            static_cast<std::int32_t>(random.between(-4, grid.height + 3)),
            static_cast<std::int32_t>(random.between(1, side)),
            static_cast<std::int32_t>(random.between(1, side))};
}

model::Edit random_edit(Random& random, const Grid& grid) {
    const auto terrain = [&] {
        return static_cast<model::Terrain>(
            kTerrain[static_cast<std::size_t>(random.between(0, std::ssize(kTerrain) - 1))]);
    };
    const model::ObstacleId id{static_cast<std::uint64_t>(random.between(0, 12))};
    const Rect rect = random_rect(random, grid);
    if (random.chance(30)) {
        model::TerrainEdit edit{rect, {terrain()}};
        if (rect.area() < 10'000 && random.chance(50)) {
            edit.terrain.resize(static_cast<std::size_t>(rect.area()));
            std::ranges::generate(edit.terrain, terrain);
        }
        return edit;
    }
    if (random.chance(60)) {
        const bool masked = rect.area() <= base::limits::kMaskCellsMax;
        return model::PlaceObstacle{
            id, rect, random.chance(50) ? 0 : random.bits(),
            masked ? test::random_mask(random, rect) : std::vector<std::uint8_t>{}};
    }
    return model::RemoveObstacle{id};
}

model::EditBatch any_batch(Random& random, const Grid& grid) {
    model::EditBatch batch;
    for (std::int64_t i = random.between(1, 4); i > 0; --i) {
        batch.edits.push_back(random_edit(random, grid));
    }
    return batch;
}

testing::AssertionResult equals(const Snapshot& snapshot, const ReferenceMap& reference) {
    for (std::int32_t y = 0; y < snapshot.height(); ++y) {
        for (std::int32_t x = 0; x < snapshot.width(); ++x) {
            if (snapshot.terrain({x, y}) !=
                reference.terrain()[static_cast<std::size_t>(y * snapshot.width() + x)]) {
                return testing::AssertionFailure() << "terrain differs at " << x << ", " << y;
            }
        }
    }
    for (std::uint16_t id = 0; id < snapshot.class_count(); ++id) {
        const Layer& layer = *snapshot.layer({id});
        const test::WeightGrid grid = reference.weights(layer.movement_class());
        if (auto result = test::layer_equals(layer, grid); !result) {
            return result << " in class " << id;
        }
        if (auto result = test::regions_equal(layer, grid); !result) {
            return result << " in class " << id;
        }
    }
    return testing::AssertionSuccess();
}

// If this failed, an edit would leave some bit, weight or region as it was, and a search on the
// edited map would walk through a wall, or around one that is gone.
TEST(MapProperty, EveryPlaneAfterEveryEditEqualsTheNaiveMap) {
    Random random(1);
    for (std::uint64_t round = 0; round < test::rounds(60); ++round) {
        const Grid grid = random_grid(random);
        ReferenceMap reference(grid.width, grid.height, grid.terrain);
        const auto store = Store::create(grid, random_classes(random)).value();
        ASSERT_TRUE(equals(*store->snapshot(), reference)) << "as loaded, round " << round;
        for (int edit = 0; edit < 8; ++edit) {
            const model::EditBatch batch = any_batch(random, grid);
            reference.apply(batch);
            ASSERT_TRUE(store->apply(batch).has_value());
            ASSERT_TRUE(equals(*store->snapshot(), reference))
                << grid.width << " x " << grid.height << ", round " << round << ", edit " << edit;
        }
    }
}

// If this failed, a wall across the blocks that chunks are joined in would count as open, or a gap
// in it as closed.
TEST(MapProperty, RegionsOfMapsWithSeveralBlocksEqualAFloodFill) {
    Random random(5);
    for (std::uint64_t round = 0; round < test::rounds(6); ++round) {
        const bool wide = random.chance(50);
        Grid grid{wide ? 1100 : 70, wide ? 70 : 1100, {}};
        const std::int64_t blocked = random.between(5, 55);
        for (std::int32_t i = 0; i < grid.width * grid.height; ++i) {
            grid.terrain.push_back(random.between(0, 99) < blocked ? '@' : '.');
        }
        model::MovementClass movement_class = model::ground_class();
        movement_class.corner_rule = static_cast<model::CornerRule>(random.between(0, 2));
        ReferenceMap reference(grid.width, grid.height, grid.terrain);
        const auto store = Store::create(grid, {movement_class}).value();
        for (int edit = 0; edit < 8; ++edit) {
            const std::int32_t at = random.chance(50) ? 512 : 1024;
            const auto off = static_cast<std::int32_t>(random.between(0, 60));
            const std::int32_t length = random.chance(50) ? 70 : 5;
            const Rect wall = wide ? Rect{at - 2, off, 5, length} : Rect{off, at - 2, length, 5};
            const model::EditBatch batch{{model::TerrainEdit{
                wall, {static_cast<model::Terrain>(random.chance(60) ? '.' : '@')}}}};
            reference.apply(batch);
            ASSERT_TRUE(store->apply(batch).has_value());
            const auto snapshot = store->snapshot();
            ASSERT_TRUE(
                test::regions_equal(*snapshot->layer({0}), reference.weights(movement_class)))
                << "round " << round << ", edit " << edit;
        }
    }
}

// If this failed, a search that began before an edit would see parts of it.
TEST(MapProperty, OldSnapshotsStayAsTheyWere) {
    Random random(2);
    for (std::uint64_t round = 0; round < test::rounds(15); ++round) {
        const Grid grid = random_grid(random);
        const auto store = Store::create(grid, random_classes(random)).value();
        std::vector<std::pair<std::shared_ptr<const Snapshot>, std::uint64_t>> held;
        for (int edit = 0; edit < 20; ++edit) {
            held.emplace_back(store->snapshot(), content_hash(*store->snapshot()));
            ASSERT_TRUE(store->apply(any_batch(random, grid)).has_value());
        }
        for (const auto& [snapshot, hash] : held) {
            ASSERT_EQ(content_hash(*snapshot), hash);
        }
        EXPECT_EQ(store->snapshots_alive(), held.size() + 1);
        held.clear();
        EXPECT_EQ(store->snapshots_alive(), 1U);
    }
}

// If this failed, a mirror made from a state, or a class added late, would see another map.
TEST(MapProperty, RestoredMapsAndLateClassesSeeTheSameMap) {
    Random random(3);
    for (std::uint64_t round = 0; round < test::rounds(20); ++round) {
        const Grid grid = random_grid(random);
        ReferenceMap reference(grid.width, grid.height, grid.terrain);
        const auto store = Store::create(grid, random_classes(random)).value();
        for (int edit = 0; edit < 6; ++edit) {
            const model::EditBatch batch = any_batch(random, grid);
            reference.apply(batch);
            ASSERT_TRUE(store->apply(batch).has_value());
        }
        ASSERT_TRUE(store->add_class(random_class(random, "late")).has_value());
        ASSERT_TRUE(equals(*store->snapshot(), reference));

        const auto mirror = Store::restore(store->state()).value();
        EXPECT_EQ(mirror->snapshot()->version(), store->snapshot()->version());
        const model::EditBatch batch = any_batch(random, grid);
        ASSERT_TRUE(store->apply(batch).has_value());
        ASSERT_TRUE(mirror->apply(batch).has_value());
        EXPECT_EQ(content_hash(*mirror->snapshot()), content_hash(*store->snapshot()));
        EXPECT_EQ(mirror->state().obstacles, store->state().obstacles);
    }
}

// If this failed, a unit whose goal is cut off would walk to a cell that is not the nearest it can
// reach, or think that no cell is.
TEST(MapProperty, NearestDistanceEqualsALookAtEveryCell) {
    Random random(4);
    for (std::uint64_t round = 0; round < test::rounds(60); ++round) {
        const Grid grid = random_grid(random);
        const auto store = Store::create(grid, random_classes(random)).value();
        const std::shared_ptr<const Snapshot> snapshot = store->snapshot();
        const Regions& regions = snapshot->layer({0})->regions();
        for (int query = 0; query < 20; ++query) {
            const model::Cell from{static_cast<std::int32_t>(random.between(0, grid.width - 1)),
                                   static_cast<std::int32_t>(random.between(0, grid.height - 1))};
            const Component component = regions.component(from);
            const Rect rect = random_rect(random, grid);
            std::optional<model::Cost> least;
            for (std::int32_t y = 0; component != kNoComponent && y < grid.height; ++y) {
                for (std::int32_t x = 0; x < grid.width; ++x) {
                    if (regions.component({x, y}) == component) {
                        const std::int64_t dx = std::max(
                            {std::int64_t{0}, std::int64_t{rect.x} - x, x - rect.end_x() + 1});
                        const std::int64_t dy = std::max(
                            {std::int64_t{0}, std::int64_t{rect.y} - y, y - rect.end_y() + 1});
                        const model::Cost cost = model::octile_distance(dx, dy);
                        least = std::min(least.value_or(cost), cost);
                    }
                }
            }
            ASSERT_EQ(regions.nearest_distance(component, rect), least);
        }
    }
}

}  // namespace
}  // namespace outrider::map
