#include <gtest/gtest.h>

#include "outrider/base/limits.hpp"
#include "outrider/map/content_hash.hpp"
#include "outrider/map/store.hpp"

namespace outrider::map {
namespace {

namespace limits = base::limits;
using model::PlaceObstacle;
using Picture = std::vector<std::string>;

constexpr model::ClassId kClass{0};
constexpr std::uint64_t kTeamTwo = 1U << 2U;

std::unique_ptr<Store> open_store(std::int32_t width, std::int32_t height, std::uint8_t team = 0) {
    Grid grid{width, height, {}};
    grid.terrain.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), '.');
    model::MovementClass who = model::ground_class();
    who.team = team;
    return Store::create(std::move(grid), {who}).value();
}

void place(Store& store, const PlaceObstacle& obstacle) {
    ASSERT_TRUE(store.apply({{obstacle}, {}}).has_value());
}

// Without the obstacle; the refusal's field where there is one.
Picture without(Store& store, std::uint64_t id) {
    const auto view = store.snapshot_without(kClass, {id});
    if (!view) {
        return {view.error().field};
    }
    Picture rows;
    for (std::int32_t y = 0; y < (*view)->height(); ++y) {
        rows.emplace_back();
        for (std::int32_t x = 0; x < (*view)->width(); ++x) {
            rows.back() += (*view)->layer(kClass)->open({x, y}) ? '.' : '#';
        }
    }
    return rows;
}

// If this failed, a unit could not move out of its own place, or could move into another's.
TEST(View, LacksOneObstacleAndKeepsWhatElseStandsThere) {
    const auto store = open_store(6, 2);
    place(*store, {{1}, {0, 0, 3, 1}, 0, {}});
    place(*store, {{2}, {2, 0, 2, 2}, 0, {}});
    EXPECT_EQ(without(*store, 1), (Picture{"..##..", "..##.."}));
    EXPECT_EQ(without(*store, 2), (Picture{"###...", "......"}));
}

// If this failed, asking would change the map for everybody, or wake those who watch it.
TEST(View, ChangesNothingAndMakesNoVersion) {
    const auto store = open_store(6, 2);
    place(*store, {{1}, {0, 0, 3, 1}, 0, {}});
    int told = 0;
    store->listen([&](const auto&, const auto&, const auto& publish) {
        publish();
        ++told;
    });
    const std::uint64_t before = content_hash(*store->snapshot());
    const auto view = store->snapshot_without(kClass, {1});
    ASSERT_TRUE(view.has_value());
    EXPECT_EQ((*view)->version(), 2U);
    EXPECT_EQ(store->snapshot()->version(), 2U);
    EXPECT_EQ(content_hash(*store->snapshot()), before);
    EXPECT_EQ(store->state().obstacles.size(), 1U);
    EXPECT_EQ(store->snapshots_alive(), 1U);
    EXPECT_EQ(store->views_alive(), 1U);
    EXPECT_EQ(told, 0);
    store->listen(nullptr);
}

// If this failed, an order that comes after its unit's obstacle is gone would fail.
TEST(View, WithoutAnUnknownObstacleIsTheMapItself) {
    const auto store = open_store(4, 2);
    place(*store, {{1}, {9, 9, 3, 1}, 0, {}});
    EXPECT_EQ(*store->snapshot_without(kClass, {7}), store->snapshot());
    EXPECT_EQ(*store->snapshot_without(kClass, {1}), store->snapshot()) << "wholly outside";
    EXPECT_EQ(store->views_alive(), 0U);
}

// If this failed, a unit that looks past itself would walk through the enemy's gate, or not through
// its own.
TEST(View, RespectsTheTeamsOfGates) {
    const auto own = open_store(5, 1, 2);
    const auto foreign = open_store(5, 1, 1);
    for (Store* store : {own.get(), foreign.get()}) {
        place(*store, {{1}, {1, 0, 1, 1}, kTeamTwo, {}});
        place(*store, {{2}, {1, 0, 3, 1}, 0, {}});
        // The unit's own obstacle is a gate itself.
        place(*store, {{3}, {4, 0, 1, 1}, kTeamTwo, {}});
    }
    EXPECT_EQ(without(*own, 2), (Picture{"....."}));
    EXPECT_EQ(without(*foreign, 2), (Picture{".#..#"}));
    EXPECT_EQ(without(*own, 3), (Picture{".###."}));
    EXPECT_EQ(without(*foreign, 3), (Picture{".###."}));
}

// If this failed, one question could hold up every edit of the map for as long as loading it takes.
TEST(View, OfALargeObstacleIsRefused) {
    const auto side = static_cast<std::int32_t>(limits::kIgnoredCellsMax / 64);
    ASSERT_EQ(side * 64, limits::kIgnoredCellsMax);
    const auto store = open_store(70, side + 4);
    const auto fits = [&](const model::Rect& rect) {
        place(*store, {{1}, rect, 0, {}});
        return store->snapshot_without(kClass, {1}).has_value();
    };
    EXPECT_TRUE(fits({1, 1, 64, side - 1}));
    EXPECT_TRUE(fits({1, 1, 64, side}));
    EXPECT_FALSE(fits({1, 1, 64, side + 1}));
    EXPECT_EQ(without(*store, 1), Picture{"path.ignore_obstacle_id"});
    EXPECT_TRUE(fits({-1000, 1, 1064, side})) << "only what lies on the map counts";
}

}  // namespace
}  // namespace outrider::map
