// Edits from the engine's door while it is busy.

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "outrider/engine/engine.hpp"
#include "outrider/map/content_hash.hpp"
#include "support/engine_world.hpp"

namespace outrider::engine {
namespace {

using test::EngineWorld;

// If this failed, buildings that were pulled down while every search buffer was taken would leave
// their footprints on the map for ever.
TEST(EngineEdits, K4_41_EditsWhileAllPoolsAreFullLeaveNoTrace) {
    Config config = EngineWorld::pumped();
    config.suspended_max = 1;
    config.snapshots_per_map_max = 2;
    config.requests_max = 4;
    EngineWorld world(config);
    const auto sink = test::make_sink();
    const model::ClientId client = world.connect(sink);
    const std::uint64_t before = map::content_hash(*world.engine->snapshot(world.map));
    for (std::uint64_t id = 1; id <= 6; ++id) {
        world.engine->submit(client, world.long_request(id, static_cast<int>(id)));
        world.slice();
    }
    EXPECT_EQ(sink->refusal_of(5), model::RefusalCode::kOverloaded);
    for (const bool place : {true, false}) {
        for (std::uint64_t id = 1; id <= 40; ++id) {
            const auto at = static_cast<std::int32_t>(id);
            const model::Edit edit =
                place ? model::Edit{model::PlaceObstacle{{id}, {at, at, 7, 3}, 0, {}}}
                      : model::Edit{model::RemoveObstacle{{id}}};
            ASSERT_TRUE(world.engine->edit(world.map, {{edit}, {}}).has_value());
            world.slice();
        }
    }
    EXPECT_EQ(map::content_hash(*world.engine->snapshot(world.map)), before);
    world.run_all();
    EXPECT_EQ(sink->count(), 6U);
}

// If this failed, some kind of edit would be applied and never noticed by a path that was asked for
// before: the cached answer would go through the wall, or around the gap.
TEST(EngineEdits, K4_38_EveryKindOfEditIsNoticedByAQuestionAskedBefore) {
    EngineWorld world(EngineWorld::pumped(), test::grid_of({"......", "@@@.@@", "......"}));
    const auto sink = test::make_sink();
    const model::ClientId client = world.connect(sink);
    std::uint64_t id = 0;
    const auto cost = [&] {
        world.engine->submit(client, world.request(++id, {0, 0}, {0, 2}));
        world.run_all();
        return sink->result_of(id).cost;
    };
    const auto edit = [&](model::Edit one) {
        EXPECT_TRUE(world.engine->edit(world.map, {{std::move(one)}, {}}).has_value());
    };
    const model::Cost around = cost();
    EXPECT_GT(around, 0U);
    edit(model::TerrainEdit{{3, 1, 1, 1}, {'@'}});
    EXPECT_EQ(cost(), 0U) << "shut";
    edit(model::TerrainEdit{{2, 1, 2, 1}, {'@', '.'}});
    EXPECT_EQ(cost(), around) << "open again";
    edit(model::TerrainEdit{{1, 1, 1, 1}, {'.'}});
    const model::Cost nearer = cost();
    EXPECT_LT(nearer, around);
    edit(model::PlaceObstacle{{1}, {1, 1, 1, 1}, 0, {}});
    EXPECT_EQ(cost(), around);
    edit(model::PlaceObstacle{{1}, {1, 1, 1, 1}, 2, {}});
    EXPECT_EQ(cost(), around) << "a gate, but not for this class";
    edit(model::PlaceObstacle{{1}, {1, 1, 2, 1}, 0, {2}});
    EXPECT_EQ(cost(), nearer) << "its mask leaves the gap free";
    edit(model::PlaceObstacle{{1}, {3, 1, 1, 1}, 0, {}});
    EXPECT_EQ(cost(), nearer) << "moved";
    edit(model::PlaceObstacle{{2}, {0, 1, 9, 1}, 0, {}});
    EXPECT_EQ(cost(), 0U);
    edit(model::RemoveObstacle{{2}});
    EXPECT_EQ(cost(), nearer);
}

// If this failed, whoever watches a map would hear of nothing as long as edits come faster than
// those before it are told, and what waits for it would grow without bound.
TEST(EngineEdits, EveryWatcherHasItsTurnWhileEditsKeepComing) {
    const EngineWorld world;
    std::vector<std::pair<int, model::Version>> heard;
    std::vector<std::shared_ptr<test::RecordingSink>> sinks;
    for (int number = 0; number < 3; ++number) {
        sinks.push_back(test::make_sink());
        sinks.back()->then_edit = [&heard, &world, number](model::Version version) {
            heard.emplace_back(number, version);
            if (number == 0 && version < 6) {
                world.edit({0, 0, 1, 1}, version % 2 == 0 ? '@' : '.');
            }
        };
        EXPECT_TRUE(world.engine->watch(world.connect(sinks.back()), world.map).has_value());
    }
    world.edit({1, 1, 1, 1}, '@');
    ASSERT_EQ(heard.size(), 3U * 5U);
    const auto place = [&](int number, model::Version version) {
        return std::ranges::find(heard, std::pair{number, version}) - heard.begin();
    };
    EXPECT_LT(place(2, 2), place(0, 4)) << "the last watcher before the first one's next";
}

}  // namespace
}  // namespace outrider::engine
