#include <gtest/gtest.h>

#include "outrider/map/store.hpp"

namespace outrider::map {
namespace {

std::unique_ptr<Store> store_of(std::int32_t side) {
    const auto cells = static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
    Grid grid{side, side, std::vector<model::Terrain>(cells, 'F')};
    model::MovementClass flyer = model::terrain_class();
    flyer.name = "flyer";
    flyer.weights.fill(10);
    return Store::create(std::move(grid), {model::terrain_class(), flyer}).value();
}

// What is in them plays no part here.
std::shared_ptr<const Landmarks> some(const Store& store) {
    const auto snapshot = store.snapshot();
    return std::make_shared<const Landmarks>(
        snapshot->width(), snapshot->height(), 1,
        std::make_unique<Landmarks::Quanta[]>(
            Landmarks::storage_cells(snapshot->width(), snapshot->height())));
}

bool has(const Store& store, std::uint16_t id) {
    return store.snapshot()->layer({id})->landmarks() != nullptr;
}

void write(Store& store, model::Terrain terrain) {
    ASSERT_TRUE(store.apply({{model::TerrainEdit{{3, 3, 2, 2}, {terrain}}}}).has_value());
}

// If this failed, a new road or a fallen wall would leave bounds that are too large, and paths that
// are called optimal and are not.
TEST(StoreLandmarks, CheaperTerrainDropsThoseOfTheClassesThatSeeIt) {
    const auto store = store_of(16);
    ASSERT_EQ(store->adopt_landmarks({0}, 1, some(*store)), 2U);
    ASSERT_EQ(store->adopt_landmarks({1}, 2, some(*store)), 3U);
    write(*store, 'C');
    EXPECT_TRUE(has(*store, 0)) << "dearer";
    write(*store, '@');
    EXPECT_TRUE(has(*store, 0)) << "blocked is dearer still";
    write(*store, 'C');
    EXPECT_FALSE(has(*store, 0)) << "opened again";
    EXPECT_TRUE(has(*store, 1)) << "the flyer sees no difference";
    EXPECT_EQ(store->snapshot()->cheapened({0}), 6U);
    EXPECT_EQ(store->snapshot()->cheapened({1}), 0U);
}

// If this failed, landmarks would be built anew for every building that somebody places.
TEST(StoreLandmarks, ObstaclesLeaveThemInPlace) {
    const auto store = store_of(16);
    ASSERT_TRUE(store->adopt_landmarks({0}, 1, some(*store)));
    ASSERT_TRUE(store->apply({{model::PlaceObstacle{{1}, {4, 4, 3, 3}}}}).has_value());
    ASSERT_TRUE(store->apply({{model::RemoveObstacle{{1}}}}).has_value());
    EXPECT_TRUE(has(*store, 0));
}

// If this failed, landmarks of a wall that fell while they were measured would come into use.
TEST(StoreLandmarks, ThoseThatAnEditOvertookAreNotAdopted) {
    const auto store = store_of(16);
    write(*store, 'C');
    write(*store, 'H');
    ASSERT_EQ(store->snapshot()->version(), 3U);
    EXPECT_EQ(store->adopt_landmarks({0}, 2, some(*store)), std::nullopt);
    EXPECT_EQ(store->snapshot()->version(), 3U);
    EXPECT_EQ(store->adopt_landmarks({0}, 3, some(*store)), 4U);
    write(*store, 'C');
    EXPECT_EQ(store->adopt_landmarks({0}, 3, some(*store)), 6U) << "dearer since";
}

// If this failed, a batch that writes one cell twice would hide that it opened another.
TEST(StoreLandmarks, ABatchOfSeveralRectanglesIsLookedAtWhole) {
    const auto store = store_of(16);
    ASSERT_TRUE(store->adopt_landmarks({0}, 1, some(*store)));
    const model::TerrainEdit dearer{{0, 0, 4, 4}, {'C'}};
    const model::TerrainEdit mixed{{8, 8, 2, 1}, {'C', 'H'}};
    ASSERT_TRUE(store->apply({{dearer, mixed}}).has_value());
    EXPECT_FALSE(has(*store, 0));
}

// If this failed, a client's mirror would stop at the version that landmarks make.
TEST(StoreLandmarks, AMirrorReplaysTheirVersion) {
    const auto store = store_of(16);
    const std::unique_ptr<Store> mirror = Store::restore(store->state()).value();
    std::size_t heard = 0;
    store->listen([&](const auto& next, const auto& batch, const auto& publish) {
        publish();
        ++heard;
        EXPECT_EQ(mirror->replay(*batch).value(), next->version());
    });
    ASSERT_TRUE(store->adopt_landmarks({0}, 1, some(*store)));
    EXPECT_TRUE(store->snapshot()->changed().empty());
    write(*store, 'C');
    EXPECT_EQ(heard, 2U);
    EXPECT_EQ(mirror->snapshot()->version(), 3U);
}

}  // namespace
}  // namespace outrider::map
