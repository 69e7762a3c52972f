// Regions: drawn cases of reachability, and of the public faults K2 and K4.

#include <gtest/gtest.h>

#include <thread>

#include "outrider/map/store.hpp"
#include "support/weight_grid.hpp"

namespace outrider::map {
namespace {

using model::Cell;

std::unique_ptr<Store> drawn(std::initializer_list<std::string_view> rows,
                             model::CornerRule rule = model::CornerRule::kBothOpen) {
    model::MovementClass movement_class = model::ground_class();
    movement_class.corner_rule = rule;
    Grid grid{static_cast<std::int32_t>(rows.begin()->size()),
              static_cast<std::int32_t>(rows.size()), test::terrain_of(rows)};
    return Store::create(std::move(grid), {movement_class}).value();
}

bool connected(const Store& store, Cell a, Cell b) {
    const auto snapshot = store.snapshot();
    const Regions& regions = snapshot->layer({0})->regions();
    return regions.component(a) != kNoComponent && regions.component(a) == regions.component(b);
}

// If this failed, "can it be reached" would not fit the corner rule, and a search would flood the
// map or miss a path.
TEST(Regions, SqueezeOnlyUnderTheRuleThatAllowsIt) {
    const auto cells = {std::string_view{".@"}, std::string_view{"@."}};
    EXPECT_FALSE(connected(*drawn(cells, model::CornerRule::kBothOpen), {0, 0}, {1, 1}));
    EXPECT_FALSE(connected(*drawn(cells, model::CornerRule::kOneOpen), {0, 0}, {1, 1}));
    EXPECT_TRUE(connected(*drawn(cells, model::CornerRule::kNoneOpen), {0, 0}, {1, 1}));
}

// Kind K4#50. If this failed, a way that leads through the shared corner of four chunks, or of four
// blocks of chunks, would be missed.
TEST(Regions, MeetAtTheCornerOfChunks) {
    for (const std::int32_t at : {64, 512}) {
        for (const bool rising : {true, false}) {
            const std::int32_t side = at + 5;
            Grid grid{side, side,
                      std::vector<model::Terrain>(static_cast<std::size_t>(side * side), '@')};
            const Cell a = rising ? Cell{at - 1, at} : Cell{at - 1, at - 1};
            const Cell b = rising ? Cell{at, at - 1} : Cell{at, at};
            for (const Cell cell : {a, b}) {
                grid.terrain[static_cast<std::size_t>(cell.y * side + cell.x)] = '.';
            }
            model::MovementClass squeezing = model::ground_class();
            squeezing.corner_rule = model::CornerRule::kNoneOpen;
            EXPECT_TRUE(connected(*Store::create(grid, {squeezing}).value(), a, b));
            squeezing.directions = model::Directions::kFour;
            EXPECT_FALSE(connected(*Store::create(grid, {squeezing}).value(), a, b));
        }
    }
}

// Kinds K2#10 and K4#40. If this failed, a closed gap would count as open or an opened one as
// closed.
TEST(Regions, FollowAWallThatClosesAndOpens) {
    Grid grid{512, 512, std::vector<model::Terrain>(512 * 512, '.')};
    for (std::size_t y = 0; y < 512; ++y) {
        grid.terrain[y * 512 + 300] = y == 77 ? '.' : '@';
    }
    const auto store = Store::create(std::move(grid), {model::ground_class()}).value();
    EXPECT_TRUE(connected(*store, {0, 0}, {511, 511}));
    ASSERT_TRUE(store->apply({{model::PlaceObstacle{{1}, {300, 77, 1, 1}}}}).has_value());
    EXPECT_FALSE(connected(*store, {0, 0}, {511, 511}));
    EXPECT_TRUE(connected(*store, {0, 0}, {299, 511}));
    ASSERT_TRUE(store->apply({{model::RemoveObstacle{{1}}}}).has_value());
    EXPECT_TRUE(connected(*store, {0, 0}, {511, 511}));
}

// If this failed, the join would be kept from the parent although the edit cut a chunk in two
// without touching its border, or rebuilt for every building.
TEST(Regions, KeepTheJoinOnlyWhileBordersSeeNoDifference) {
    Grid grid{192, 192, std::vector<model::Terrain>(192 * 192, '.')};
    const auto store = Store::create(std::move(grid), {model::ground_class()}).value();
    const auto shares = [&](const model::EditBatch& batch) {
        const auto before = store->snapshot();
        EXPECT_TRUE(store->apply(batch).has_value());
        return store->snapshot()->layer({0})->regions().shares_join_with(
            before->layer({0})->regions());
    };
    EXPECT_TRUE(shares({{model::PlaceObstacle{{1}, {90, 90, 5, 5}}}}));
    EXPECT_TRUE(shares({{model::PlaceObstacle{{2}, {64, 100, 64, 1}}}})) << "a way round is left";
    EXPECT_TRUE(connected(*store, {90, 66}, {90, 120}));
    EXPECT_FALSE(shares({{model::PlaceObstacle{{3}, {0, 100, 192, 1}}}})) << "cuts the map";
    EXPECT_FALSE(connected(*store, {90, 66}, {90, 120}));
    EXPECT_TRUE(connected(*store, {0, 101}, {191, 191}));
}

// Kind K3#30. If this failed, a unit would be sent to the far side of what it cannot reach.
TEST(Regions, NearestDistanceStopsAtTheWall) {
    const auto store = drawn({
        "..@..",
        "..@..",
        "..@..",
    });
    const auto snapshot = store->snapshot();
    const Regions& regions = snapshot->layer({0})->regions();
    const Component west = regions.component({0, 0});
    EXPECT_EQ(regions.nearest_distance(west, {4, 1, 1, 1}), 3 * model::kStraight);
    EXPECT_EQ(regions.nearest_distance(west, {1, 1, 3, 1}), model::Cost{0});
    EXPECT_EQ(regions.nearest_distance(west, {-3, -2, 1, 1}),
              2 * model::kDiagonal + model::kStraight);
    EXPECT_EQ(regions.nearest_distance(kNoComponent, {0, 0, 1, 1}), std::nullopt);
    EXPECT_EQ(regions.nearest_distance(west, {0, 0, 0, 1}), std::nullopt);
}

// Kind K8#83. If this failed, readers would see half an edit, or memory that is gone. Each edit
// opens one gap of a wall and closes the other, so that exactly one is open in every version.
TEST(Regions, ReadersAndOneWriterDoNotDisturbOneAnother) {
    Grid grid{200, 130, std::vector<model::Terrain>(200 * 130, '.')};
    for (std::size_t y = 0; y < 130; ++y) {
        grid.terrain[y * 200 + 100] = '@';
    }
    grid.terrain[50 * 200 + 100] = '.';
    const auto store = Store::create(std::move(grid), {model::ground_class()}).value();
    constexpr model::Version kLast = 300;
    constexpr model::Terrain kOpen = '.';
    constexpr model::Terrain kWall = '@';
    const auto read = [&](const std::stop_token& stop) {
        model::Version seen = 0;
        while (!stop.stop_requested()) {
            const auto snapshot = store->snapshot();
            const Layer& layer = *snapshot->layer({0});
            EXPECT_GE(snapshot->version(), seen);
            EXPECT_NE(layer.open({100, 50}), layer.open({100, 80}));
            EXPECT_EQ(layer.open({100, 50}), snapshot->version() % 2 == 1);
            EXPECT_EQ(layer.regions().component({0, 0}), layer.regions().component({199, 129}));
            seen = snapshot->version();
        }
    };
    std::vector<std::jthread> readers;
    for (int i = 0; i < 3; ++i) {
        readers.emplace_back(read);
    }
    for (model::Version version = 2; version <= kLast; ++version) {
        const bool upper = version % 2 == 1;
        const auto receipt =
            store->apply({{model::TerrainEdit{{100, 50, 1, 1}, {upper ? kOpen : kWall}},
                           model::TerrainEdit{{100, 80, 1, 1}, {upper ? kWall : kOpen}}}});
        ASSERT_TRUE(receipt.has_value());
    }
    readers.clear();
    EXPECT_EQ(store->snapshots_alive(), 1U);
}

}  // namespace
}  // namespace outrider::map
