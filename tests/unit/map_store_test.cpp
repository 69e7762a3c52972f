// The store: versions, limits, refusals, and the public faults K4 that concern edits.

#include "outrider/map/store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "outrider/base/limits.hpp"
#include "outrider/map/content_hash.hpp"
#include "support/weight_grid.hpp"

namespace outrider::map {
namespace {

namespace limits = base::limits;
using model::EditBatch;
using model::PlaceObstacle;
using model::RemoveObstacle;
using model::TerrainEdit;
using testing::HasSubstr;

Grid open_grid(std::int32_t width, std::int32_t height) {
    return {width, height,
            std::vector<model::Terrain>(
                static_cast<std::size_t>(width) * static_cast<std::size_t>(height), '.')};
}

std::unique_ptr<Store> open_store(std::int32_t width, std::int32_t height) {
    return Store::create(open_grid(width, height), {model::ground_class()}).value();
}

bool open(const Store& store, model::Cell cell) {
    return store.snapshot()->layer({0})->open(cell);
}

model::RefusalCode code_of(const std::expected<model::EditReceipt, model::Refusal>& result) {
    return result ? model::RefusalCode::kInternal : result.error().code;
}

// If this failed, who follows edits would look at the wrong cells: past the map's edge, at none of
// what a removed building left, or at the last batch's when a class was added.
TEST(Store, ASnapshotKnowsWhatItsBatchTouched) {
    const auto store = open_store(8, 8);
    EXPECT_TRUE(store->snapshot()->changed().empty());
    ASSERT_TRUE(store->apply({{PlaceObstacle{{7}, {6, 6, 5, 5}}}}).has_value());
    EXPECT_THAT(store->snapshot()->changed(), testing::ElementsAre(model::Rect{6, 6, 2, 2}));
    ASSERT_TRUE(store->apply({{PlaceObstacle{{7}, {0, 0, 1, 1}}}}).has_value());
    EXPECT_THAT(store->snapshot()->changed(),
                testing::ElementsAre(model::Rect{6, 6, 2, 2}, model::Rect{0, 0, 1, 1}));
    model::MovementClass wide = model::ground_class();
    wide.name = "wide";
    ASSERT_TRUE(store->add_class(wide).has_value());
    EXPECT_TRUE(store->snapshot()->changed().empty());
    ASSERT_TRUE(store->apply({{RemoveObstacle{{7}}}}).has_value());
    EXPECT_THAT(store->snapshot()->changed(), testing::ElementsAre(model::Rect{0, 0, 1, 1}));
}

// If this failed, a reply could not say which state of the map it was computed on.
TEST(Store, EachBatchMakesTheNextVersion) {
    const auto store = open_store(8, 8);
    EXPECT_EQ(store->snapshot()->version(), 1U);
    EXPECT_EQ(store->apply({{PlaceObstacle{{7}, {1, 1, 2, 2}}}})->version, 2U);
    EXPECT_EQ(store->snapshot()->version(), 2U);
    EXPECT_EQ(store->apply({{RemoveObstacle{{7}}}})->version, 3U);
}

// Kind K4#38. If this failed, one kind of edit would never be noticed by searches.
TEST(Store, EveryKindOfEditIsSeen) {
    const auto store = open_store(8, 8);
    ASSERT_TRUE(store->apply({{TerrainEdit{{2, 2, 1, 1}, {'@'}}}}).has_value());
    EXPECT_FALSE(open(*store, {2, 2}));
    ASSERT_TRUE(store->apply({{TerrainEdit{{2, 2, 2, 1}, {'.', '@'}}}}).has_value());
    EXPECT_TRUE(open(*store, {2, 2}));
    EXPECT_FALSE(open(*store, {3, 2}));
    ASSERT_TRUE(store->apply({{PlaceObstacle{{1}, {5, 5, 1, 1}}}}).has_value());
    EXPECT_FALSE(open(*store, {5, 5}));
    ASSERT_TRUE(store->apply({{PlaceObstacle{{1}, {6, 6, 1, 1}}}}).has_value());
    EXPECT_TRUE(open(*store, {5, 5}));
    EXPECT_FALSE(open(*store, {6, 6}));
    ASSERT_TRUE(store->apply({{RemoveObstacle{{1}}}}).has_value());
    EXPECT_TRUE(open(*store, {6, 6}));
}

// If this failed, pulling down one of two overlapping buildings would open ground that the other
// still stands on.
TEST(Store, OverlappingObstaclesAreCounted) {
    const auto store = open_store(8, 8);
    ASSERT_TRUE(store->apply({{PlaceObstacle{{1}, {1, 1, 3, 3}}, PlaceObstacle{{2}, {2, 2, 3, 3}}}})
                    .has_value());
    ASSERT_TRUE(store->apply({{RemoveObstacle{{1}}}}).has_value());
    EXPECT_TRUE(open(*store, {1, 1}));
    EXPECT_FALSE(open(*store, {2, 2}));
    ASSERT_TRUE(store->apply({{RemoveObstacle{{2}}}}).has_value());
    EXPECT_TRUE(open(*store, {2, 2}));
}

// Kind K3#36. If this failed, a gate would let an enemy through, or keep its owner out.
TEST(Store, GatesLetTheirTeamsThrough) {
    model::MovementClass owner = model::ground_class();
    owner.name = "owner";
    owner.team = 3;
    model::MovementClass enemy = owner;
    enemy.name = "enemy";
    enemy.team = 63;
    const auto store =
        Store::create(open_grid(8, 8), {model::ground_class(), owner, enemy}).value();
    const auto sees = [&](std::uint16_t id) {
        return store->snapshot()->layer({id})->open({4, 4});
    };
    ASSERT_TRUE(store->apply({{PlaceObstacle{{1}, {4, 4, 1, 1}, 1U << 3 | 1U}}}).has_value());
    EXPECT_FALSE(sees(0)) << "team 0 is no team, though bit 0 is set";
    EXPECT_TRUE(sees(1));
    EXPECT_FALSE(sees(2));
    ASSERT_TRUE(
        store->apply({{PlaceObstacle{{1}, {4, 4, 1, 1}, std::uint64_t{1} << 63}}}).has_value());
    EXPECT_FALSE(sees(1));
    EXPECT_TRUE(sees(2));
}

// Kinds K4#41 and K4#43. If this failed, a long batch would lose edits, or buildings that are gone
// would leave their footprint.
TEST(Store, OneLongBatchAndManyShortOnesMakeTheSameMap) {
    model::MovementClass wide = model::terrain_class();
    wide.footprint = 3;
    const std::vector classes{model::ground_class(), wide};
    const auto together = Store::create(open_grid(100, 90), classes).value();
    const auto apart = Store::create(open_grid(100, 90), classes).value();
    const std::uint64_t untouched = content_hash(*apart->snapshot());
    EditBatch places;
    EditBatch removes;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const auto x = static_cast<std::int32_t>(i * 37 % 104) - 2;
        const auto y = static_cast<std::int32_t>(i * 53 % 94) - 2;
        places.edits.emplace_back(PlaceObstacle{{i % 700}, {x, y, 3, 2}});
        removes.edits.emplace_back(RemoveObstacle{{i % 700}});
    }
    ASSERT_TRUE(together->apply(places).has_value());
    for (const auto& edit : places.edits) {
        ASSERT_TRUE(apart->apply({{edit}}).has_value());
    }
    EXPECT_EQ(content_hash(*together->snapshot()), content_hash(*apart->snapshot()));
    EXPECT_NE(content_hash(*together->snapshot()), untouched);

    const auto receipt = together->apply(removes);
    ASSERT_TRUE(receipt.has_value());
    EXPECT_EQ(receipt->unknown_obstacles.size(), 300U) << "each id goes once";
    EXPECT_EQ(content_hash(*together->snapshot()), untouched);
}

// Kind K11#116. If this failed, an obstacle at the edge would block wrong cells or crash.
TEST(Store, WhatLiesOutsideTheMapIsHarmless) {
    const auto store = open_store(5, 3);
    const std::uint64_t untouched = content_hash(*store->snapshot());
    constexpr std::int32_t kFar = 2'147'483'647;
    ASSERT_TRUE(store
                    ->apply({{PlaceObstacle{{1}, {-4, -4, 4, 4}}, PlaceObstacle{{2}, {5, 0, 9, 9}},
                              PlaceObstacle{{3}, {kFar, kFar, kFar, kFar}},
                              TerrainEdit{{-kFar, 0, kFar, 1}, {'@'}}}})
                    .has_value());
    EXPECT_EQ(content_hash(*store->snapshot()), untouched);
    ASSERT_TRUE(store
                    ->apply({{PlaceObstacle{{4}, {-kFar, -kFar, kFar, kFar}},
                              PlaceObstacle{{5}, {4, 2, 100, 100}}}})
                    .has_value());
    EXPECT_FALSE(open(*store, {4, 2}));
    EXPECT_TRUE(open(*store, {0, 0}));
    for (const model::Cell cell :
         {model::Cell{-1, 0}, {0, -1}, {5, 0}, {0, 3}, {kFar, kFar}, {-kFar - 1, 0}}) {
        EXPECT_FALSE(open(*store, cell));
        EXPECT_EQ(store->snapshot()->layer({0})->weight(cell), 0);
        EXPECT_EQ(store->snapshot()->layer({0})->regions().component(cell), kNoComponent);
    }
}

// If this failed, half of a refused batch would stay in the map.
TEST(Store, ARefusedBatchLeavesNoTrace) {
    const auto store = open_store(8, 8);
    const auto before = store->snapshot();
    const auto result = store->apply(
        {{PlaceObstacle{{1}, {1, 1, 2, 2}}, TerrainEdit{{0, 0, 2, 2}, {'@', '@', '@'}}}});
    ASSERT_EQ(code_of(result), model::RefusalCode::kInvalidArgument);
    EXPECT_EQ(result.error().field, "edit.edits[1].terrain.terrain");
    EXPECT_THAT(result.error().message, HasSubstr("4"));
    EXPECT_EQ(store->snapshot(), before);
    EXPECT_TRUE(store->state().obstacles.empty());
}

// If this failed, a client would not learn which part of its batch to mend.
TEST(Store, RefusalsNameTheField) {
    const auto store = open_store(8, 8);
    const auto field = [&](EditBatch batch) {
        const auto result = store->apply(std::move(batch));
        return result ? "applied" : result.error().field;
    };
    const PlaceObstacle fine{{1}, {1, 1, 1, 1}};
    EXPECT_EQ(field({}), "edit.edits");
    EXPECT_EQ(field({{fine, PlaceObstacle{{2}, {1, 1, 0, 1}}}}), "edit.edits[1].place.footprint");
    EXPECT_EQ(field({{PlaceObstacle{{2}, {1, 1, 1, -3}}}}), "edit.edits[0].place.footprint");
    EXPECT_EQ(field({{TerrainEdit{{1, 1, 0, 0}, {'.'}}}}), "edit.edits[0].terrain.rect");
    EXPECT_EQ(field({{TerrainEdit{{1, 1, 2, 2}, {}}}}), "edit.edits[0].terrain.terrain");
    EXPECT_EQ(field({{TerrainEdit{{1, 1, 2, 2}, {1, 2, 3, 4, 5}}}}),
              "edit.edits[0].terrain.terrain");
}

// If this failed, one batch could hold up the writer for long, or a legal one would be refused.
TEST(Store, BatchesEndAtTheirLimits) {
    const auto store = open_store(2100, 2000);
    const auto many = [](std::size_t count) {
        EditBatch batch;
        while (batch.edits.size() < count) {
            batch.edits.emplace_back(RemoveObstacle{{1}});
        }
        return batch;
    };
    EXPECT_TRUE(store->apply(many(limits::kEditsPerBatchMax - 1)).has_value());
    EXPECT_TRUE(store->apply(many(limits::kEditsPerBatchMax)).has_value());
    EXPECT_EQ(code_of(store->apply(many(limits::kEditsPerBatchMax + 1))),
              model::RefusalCode::kInvalidArgument);

    // 2048 x 2000 cells leave room for 98,304.
    constexpr std::int32_t kRest =
        static_cast<std::int32_t>(limits::kCellsPerBatchMax - 2048 * 2000);
    static_assert(kRest == 52 * 1890 + 24);
    const auto area = [&](std::int32_t extra) {
        return store->apply(
            {{PlaceObstacle{{1}, {0, 0, 2048, 2000}}, PlaceObstacle{{2}, {2048, 0, 52, 1890}},
              PlaceObstacle{{3}, {2048, 1900, extra, 1}}}});
    };
    EXPECT_TRUE(area(23).has_value());
    EXPECT_TRUE(area(24).has_value()) << "the same again: moved in one batch";
    const auto refused = area(25);
    ASSERT_EQ(code_of(refused), model::RefusalCode::kInvalidArgument);
    EXPECT_EQ(refused.error().field, "edit.edits[2].place.footprint");
    EXPECT_TRUE(store->apply({{RemoveObstacle{{1}}, RemoveObstacle{{2}}, RemoveObstacle{{3}}}})
                    .has_value());
}

// If this failed, an edit that lies beside the map could be announced in a message too large to
// send.
TEST(Store, TerrainBesideTheMapCountsAgainstTheBatch) {
    const auto store = open_store(8, 8);
    const auto beside = [&](std::int32_t cells) {
        const std::vector<model::Terrain> terrain(static_cast<std::size_t>(cells), '@');
        return store->apply({{TerrainEdit{{0, -1, cells / 2, 2}, terrain}}});
    };
    constexpr auto kMost = static_cast<std::int32_t>(limits::kCellsPerBatchMax);
    EXPECT_TRUE(beside(kMost - 2).has_value());
    EXPECT_TRUE(beside(kMost).has_value());
    const auto refused = beside(kMost + 2);
    ASSERT_EQ(code_of(refused), model::RefusalCode::kInvalidArgument);
    EXPECT_EQ(refused.error().field, "edit.edits[0].terrain.rect");
    EXPECT_TRUE(store->apply({{TerrainEdit{{-kMost, 0, 2 * kMost, 1}, {'.'}}}}).has_value())
        << "one value for all takes no room";
}

// If this failed, obstacles could eat the memory of the server.
TEST(Store, ObstaclesEndAtTheirLimit) {
    State state{1, open_grid(4, 4), {}, {model::ground_class()}};
    for (std::uint64_t id = 0; id + 1 < limits::kObstaclesPerMapMax; ++id) {
        state.obstacles.push_back({{id}, {1, 1, 1, 1}});
    }
    const auto store = Store::restore(std::move(state)).value();
    const model::ObstacleId last{limits::kObstaclesPerMapMax};
    const model::ObstacleId beyond{limits::kObstaclesPerMapMax + 1};
    EXPECT_TRUE(store->apply({{PlaceObstacle{last, {0, 0, 1, 1}}}}).has_value());
    const auto refused = store->apply({{PlaceObstacle{beyond, {0, 0, 1, 1}}}});
    ASSERT_EQ(code_of(refused), model::RefusalCode::kInvalidArgument);
    EXPECT_EQ(refused.error().field, "edit.edits[0].place.obstacle_id");
    EXPECT_TRUE(store->apply({{PlaceObstacle{last, {2, 2, 1, 1}}}}).has_value()) << "a move";
    EXPECT_TRUE(
        store->apply({{RemoveObstacle{last}, PlaceObstacle{beyond, {0, 0, 1, 1}}}}).has_value());
    EXPECT_FALSE(open(*store, {1, 1})) << "a million obstacles on one cell are counted";
}

// If this failed, a watcher's copy of the map would miss a batch, or apply one twice.
TEST(Store, ListenersHearEveryBatchAfterTheState) {
    const auto store = open_store(8, 8);
    ASSERT_TRUE(store->apply({{PlaceObstacle{{1}, {1, 1, 1, 1}}}}).has_value());
    std::vector<model::Version> heard;
    store->listen([&](const auto& next, const auto& batch, const auto& publish) {
        EXPECT_EQ(store->snapshot()->version() + 1, next->version()) << "not the newest yet";
        publish();
        EXPECT_EQ(store->snapshot(), next);
        heard.push_back(next->version());
        EXPECT_EQ(batch->edits.size(), 1U);
    });
    const State state = store->state();
    EXPECT_EQ(state.version, 2U);
    EXPECT_EQ(state.obstacles.size(), 1U);
    ASSERT_TRUE(store->apply({{RemoveObstacle{{1}}}}).has_value());
    EXPECT_FALSE(store->apply({}).has_value());
    ASSERT_TRUE(store->apply({{RemoveObstacle{{1}}}}).has_value());
    EXPECT_EQ(heard, (std::vector<model::Version>{3, 4}));
    store->listen(nullptr);
    ASSERT_TRUE(store->apply({{RemoveObstacle{{1}}}}).has_value());
    EXPECT_EQ(heard.size(), 2U);
}

// If this failed, a mirror would miss the version that a new movement class makes, and stop there.
TEST(Store, AMirrorReplaysBatchesAndNewClasses) {
    const auto store = open_store(8, 8);
    const std::unique_ptr<Store> mirror = Store::restore(store->state()).value();
    store->listen([&](const auto& next, const auto& batch, const auto& publish) {
        publish();
        EXPECT_EQ(mirror->replay(*batch).value(), next->version());
    });
    model::MovementClass wide = model::ground_class();
    wide.name = "wide";
    wide.footprint = 2;
    ASSERT_TRUE(store->apply({{PlaceObstacle{{1}, {1, 1, 1, 1}}}}).has_value());
    ASSERT_TRUE(store->add_class(wide).has_value());
    ASSERT_TRUE(store->add_class(wide).has_value()) << "known: no version, nothing to hear";
    ASSERT_TRUE(store->apply({{RemoveObstacle{{1}}}}).has_value());
    EXPECT_EQ(mirror->snapshot()->version(), 4U);
    EXPECT_EQ(content_hash(*mirror->snapshot()), content_hash(*store->snapshot()));
    EXPECT_EQ(store->apply({{}, wide}).error().field, "edit.added_class");
    EXPECT_EQ(store->apply({{}, {}, model::ClassId{0}}).error().field, "edit.landmarks_of");
}

// If this failed, an edit would cost as much as the map is large.
TEST(Store, AnEditCopiesOnlyTheChunksItTouches) {
    const auto store = open_store(1024, 1024);
    const auto before = store->snapshot();
    ASSERT_TRUE(store->apply({{PlaceObstacle{{1}, {505, 266, 5, 5}}}}).has_value());
    const auto after = store->snapshot();
    const Layer& a = *before->layer({0});
    const Layer& b = *after->layer({0});
    int copied = 0;
    int rows_copied = 0;
    for (std::int32_t y = -1; y <= 16; ++y) {
        rows_copied += a.bits().row(y) != b.bits().row(y) ? 1 : 0;
        for (std::int32_t x = -1; x <= 16; ++x) {
            copied += a.bits().at({x, y}) != b.bits().at({x, y}) ? 1 : 0;
        }
    }
    EXPECT_EQ(copied, 1) << "columns 505 .. 509 and rows 266 .. 270 lie in chunk (7, 4)";
    EXPECT_EQ(rows_copied, 1);
    EXPECT_EQ(before->parts().terrain, after->parts().terrain);
    int relabelled = 0;
    for (std::int32_t y = 0; y < 16; ++y) {
        for (std::int32_t x = 0; x < 16; ++x) {
            relabelled += a.regions().chunk({x, y}) != b.regions().chunk({x, y}) ? 1 : 0;
        }
    }
    EXPECT_EQ(relabelled, 1);
    EXPECT_TRUE(a.regions().shares_join_with(b.regions())) << "no border of a chunk changed";
}

// If this failed, an edit that a class cannot see would still cost a copy of its planes.
TEST(Store, AClassThatSeesNoChangeKeepsItsLayer) {
    const auto store = open_store(64, 64);
    const auto before = store->snapshot();
    ASSERT_TRUE(store->apply({{TerrainEdit{{3, 3, 4, 4}, {'G'}}}}).has_value());
    EXPECT_EQ(store->snapshot()->layer({0}), before->layer({0}));
    EXPECT_EQ(store->snapshot()->terrain({3, 3}), 'G');
}

}  // namespace
}  // namespace outrider::map
