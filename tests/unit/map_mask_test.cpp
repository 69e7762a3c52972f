#include <gtest/gtest.h>

#include <array>

#include "outrider/base/limits.hpp"
#include "outrider/map/content_hash.hpp"
#include "outrider/map/store.hpp"
#include "outrider/model/obstacle_mask.hpp"

namespace outrider::map {
namespace {

namespace limits = base::limits;
using model::PlaceObstacle;
using model::Rect;
using model::RemoveObstacle;
using Rows = std::vector<std::string_view>;

std::unique_ptr<Store> open_store(std::int32_t width, std::int32_t height,
                                  std::vector<model::MovementClass> classes = {
                                      model::ground_class()}) {
    Grid grid{width, height, {}};
    grid.terrain.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), '.');
    return Store::create(std::move(grid), std::move(classes)).value();
}

PlaceObstacle drawn(std::uint64_t id, model::Cell at, const Rows& rows, std::uint64_t teams = 0) {
    return {{id},
            {at.x, at.y, static_cast<std::int32_t>(rows.front().size()),
             static_cast<std::int32_t>(rows.size())},
            teams,
            model::mask_of(rows)};
}

// The map as a class sees it: `#` where it cannot stand.
std::vector<std::string> picture(const Store& store, std::uint16_t id = 0) {
    const auto snapshot = store.snapshot();
    std::vector<std::string> rows;
    for (std::int32_t y = 0; y < snapshot->height(); ++y) {
        rows.emplace_back();
        for (std::int32_t x = 0; x < snapshot->width(); ++x) {
            rows.back() += snapshot->layer({id})->open({x, y}) ? '.' : '#';
        }
    }
    return rows;
}

using Picture = std::vector<std::string>;

std::string field_of(Store& store, const PlaceObstacle& obstacle) {
    const auto receipt = store.apply({{obstacle}, {}});
    return receipt ? "applied" : receipt.error().field;
}

// If this failed, units would be kept out of the yard of a U-shaped building, or walk through it.
TEST(Mask, CoversOnlyItsCells) {
    const auto store = open_store(6, 4);
    ASSERT_EQ(field_of(*store, drawn(1, {1, 0}, {"#.#", "#.#", "###"})), "applied");
    EXPECT_EQ(picture(*store), (Picture{".#.#..", ".#.#..", ".###..", "......"}));
    ASSERT_EQ(field_of(*store, drawn(1, {3, 1}, {".#", "##"})), "applied")
        << "moved, another shape";
    EXPECT_EQ(picture(*store), (Picture{"......", "....#.", "...##.", "......"}));
    ASSERT_TRUE(store->apply({{RemoveObstacle{{1}}}, {}}).has_value());
    EXPECT_EQ(picture(*store), (Picture{"......", "......", "......", "......"}));
}

// If this failed, pulling one of two overlapping buildings down would open the other's cells, or
// leave some closed for ever.
TEST(Mask, OverlapsAreCountedCellByCell) {
    const auto store = open_store(5, 3);
    ASSERT_EQ(field_of(*store, drawn(1, {0, 0}, {"###", "#.."})), "applied");
    ASSERT_EQ(field_of(*store, drawn(2, {1, 0}, {".###", "###."})), "applied");
    ASSERT_EQ(field_of(*store, PlaceObstacle{{3}, {0, 0, 1, 3}}), "applied");
    EXPECT_EQ(picture(*store), (Picture{"#####", "####.", "#...."}));
    ASSERT_TRUE(store->apply({{RemoveObstacle{{1}}}, {}}).has_value());
    EXPECT_EQ(picture(*store), (Picture{"#.###", "####.", "#...."}));
    ASSERT_TRUE(store->apply({{RemoveObstacle{{3}}}, {}}).has_value());
    EXPECT_EQ(picture(*store), (Picture{"..###", ".###.", "....."}));
}

// If this failed, a building at the edge of the map would wrap around it, or bring the server down.
TEST(Mask, PartlyAndWhollyOutsideIsHarmless) {
    const auto store = open_store(4, 3);
    ASSERT_EQ(field_of(*store, drawn(1, {-1, -1}, {"###", "#.#", "###"})), "applied");
    EXPECT_EQ(picture(*store), (Picture{".#..", "##..", "...."}));
    ASSERT_EQ(field_of(*store, drawn(1, {3, 2}, {"#.", "##"})), "applied");
    EXPECT_EQ(picture(*store), (Picture{"....", "....", "...#"}));
    ASSERT_EQ(field_of(*store, drawn(1, {40, -20}, {"##"})), "applied");
    EXPECT_EQ(picture(*store), (Picture{"....", "....", "...."}));
}

// If this failed, a gate's owner would not pass it, or everybody would.
TEST(Mask, AGateLetsItsTeamThrough) {
    model::MovementClass owner = model::ground_class();
    owner.name = "owner";
    owner.team = 4;
    const auto store = open_store(3, 2, {model::ground_class(), owner});
    ASSERT_EQ(field_of(*store, drawn(1, {0, 0}, {"#.#", ".#."}, 1U << 4U)), "applied");
    EXPECT_EQ(picture(*store, 0), (Picture{"#.#", ".#."}));
    EXPECT_EQ(picture(*store, 1), (Picture{"...", "..."}));
}

// If this failed, a client's copy of the map would have other buildings than the server.
TEST(Mask, TravelsWithTheState) {
    const auto store = open_store(9, 9);
    ASSERT_EQ(field_of(*store, drawn(1, {2, 2}, {"#..#", "####", ".##."})), "applied");
    const auto mirror = Store::restore(store->state()).value();
    EXPECT_EQ(picture(*mirror), picture(*store));
    EXPECT_EQ(content_hash(*mirror->snapshot()), content_hash(*store->snapshot()));
    ASSERT_TRUE(mirror->apply({{RemoveObstacle{{1}}}, {}}).has_value());
    EXPECT_EQ(picture(*mirror), picture(*open_store(9, 9)));
}

// If this failed, a mask of the wrong size would be read beyond its end.
TEST(Mask, OfAnotherSizeThanItsFootprintIsRefused) {
    const auto store = open_store(20, 20);
    for (const std::size_t bytes : {1U, 2U, 3U, 4U}) {
        PlaceObstacle obstacle{{1}, {3, 3, 5, 4}};  // 20 cells: 3 bytes
        obstacle.mask.assign(bytes, 0xFF);
        EXPECT_EQ(field_of(*store, obstacle), bytes == 3 ? "applied" : "edit.edits[0].place.mask");
        State state{1,
                    {20, 20, std::vector<model::Terrain>(400, '.')},
                    {obstacle},
                    {model::ground_class()}};
        EXPECT_EQ(Store::restore(std::move(state)).has_value(), bytes == 3);
    }
}

// If this failed, masks could eat the memory of the server (law 5).
TEST(Mask, SizesEndAtTheirLimits) {
    const auto of_cells = [](std::uint64_t id, std::int32_t width) {
        PlaceObstacle obstacle{{id}, {1, 1, width, 256}};
        obstacle.mask.assign(model::mask_bytes(obstacle.footprint), 0xFF);
        return obstacle;
    };
    static_assert(limits::kMaskCellsMax == 256 * 256);
    const auto store = open_store(4, 4);
    EXPECT_EQ(field_of(*store, of_cells(1, 255)), "applied");
    EXPECT_EQ(field_of(*store, of_cells(1, 256)), "applied");
    EXPECT_EQ(field_of(*store, of_cells(1, 257)), "edit.edits[0].place.mask");

    constexpr std::uint64_t kLargest = limits::kMaskBytesPerMapMax / (256 * 256 / 8);
    State state{1, {4, 4, std::vector<model::Terrain>(16, '.')}, {}, {model::ground_class()}};
    for (std::uint64_t id = 1; id < kLargest; ++id) {
        state.obstacles.push_back(of_cells(id, 256));
    }
    const auto full = Store::restore(std::move(state)).value();
    EXPECT_EQ(field_of(*full, of_cells(kLargest, 255)), "applied") << "one below";
    EXPECT_EQ(field_of(*full, of_cells(kLargest, 256)), "applied") << "at, and in place of another";
    PlaceObstacle one_more{{kLargest + 1}, {0, 0, 1, 1}};
    one_more.mask = {1};
    EXPECT_EQ(field_of(*full, one_more), "edit.edits[0].place.mask");
    EXPECT_TRUE(full->apply({{RemoveObstacle{{7}}, one_more}, {}}).has_value());
}

// If this failed, masks of obstacles beside the map could make a batch that is too large to be
// announced, and the server would end with it.
TEST(Mask, BesideTheMapTheyCountAgainstTheBatch) {
    constexpr std::int64_t kBytes = limits::kMaskCellsMax / 8;
    constexpr auto kMost = static_cast<std::uint64_t>(limits::kCellsPerBatchMax / kBytes);
    const auto store = open_store(4, 4);
    const auto beside = [&](std::uint64_t count) {
        model::EditBatch batch;
        for (std::uint64_t id = 1; id <= count; ++id) {
            PlaceObstacle obstacle{{id}, {1000, 1000, 256, 256}};
            obstacle.mask.assign(kBytes, 0xFF);
            batch.edits.emplace_back(std::move(obstacle));
        }
        return store->apply(std::move(batch));
    };
    EXPECT_TRUE(beside(kMost - 1).has_value());
    EXPECT_TRUE(beside(kMost).has_value());
    const auto refused = beside(kMost + 1);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().field, "edit.edits[" + std::to_string(kMost) + "].place.footprint");
}

}  // namespace
}  // namespace outrider::map
