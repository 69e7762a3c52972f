// Maps that come and go while the engine serves.

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "outrider/base/limits.hpp"
#include "outrider/engine/engine.hpp"
#include "outrider/model/per_map.hpp"
#include "support/follow_world.hpp"
#include "support/random.hpp"

namespace outrider::engine {
namespace {

using base::limits::kMapsMax;
using model::MapId;
using model::Outcome;
using model::RefusalCode;
using test::EngineWorld;
using test::make_sink;
using test::open_grid;

struct MapsWorld : EngineWorld {
    explicit MapsWorld(const Config& config = pumped(), map::Grid grid = open_grid(64, 64))
        : EngineWorld(config, std::move(grid)) {}

    [[nodiscard]] std::expected<LoadedMap, model::Refusal> load(const std::string& name,
                                                                bool replace = false,
                                                                std::int32_t side = 8) const {
        return engine->load_map({name, open_grid(side, side), {model::ground_class()}, replace});
    }
    void drop() const { ASSERT_TRUE(engine->drop_map(map).has_value()); }
    void ask(const model::PathRequest& asked) const { engine->submit(client, asked); }
    [[nodiscard]] std::size_t map_bytes() const {
        return engine->memory().bytes(MemoryPart::kMaps);
    }

    std::shared_ptr<test::RecordingSink> sink = make_sink();
    model::ClientId client = connect(sink);
};

// If this failed, orders to a map that is taken away would never be answered, or twice.
TEST(Maps, WhatWaitsOrRunsOnADroppedMapIsRefusedOnce) {
    MapsWorld world;
    const MapId other = world.add_map("other", open_grid(64, 64));
    world.ask(world.long_request(1));
    world.slice();  // begun and suspended
    world.ask(world.long_request(2, 1));
    world.ask(world.long_request(3, 1));  // joins the one before
    model::PathRequest elsewhere = world.long_request(4, 2);
    elsewhere.map = other;
    world.ask(elsewhere);
    world.drop();
    for (const std::uint64_t id : {1U, 2U, 3U}) {
        EXPECT_EQ(world.sink->refusal_of(id), RefusalCode::kUnknownMap);
    }
    world.run_all();
    EXPECT_EQ(world.sink->count(), 4U);
    EXPECT_EQ(world.sink->outcome_of(4), Outcome::kComplete) << "another map's";
    const Stats stats = world.engine->stats();
    EXPECT_EQ(stats.submitted, stats.answered + stats.refused);
    EXPECT_EQ(stats.queued + stats.suspended + stats.running, 0U);
    EXPECT_TRUE(world.engine->drained());
}

// If this failed, a stale id would be served by a map that is gone, or crash the server.
TEST(Maps, ADroppedMapIsUnknownToEverything) {
    MapsWorld world;
    world.drop();
    EXPECT_EQ(world.engine->find_map("map"), std::nullopt);
    EXPECT_TRUE(world.engine->maps().empty());
    EXPECT_TRUE(world.engine->metrics().maps.empty());
    EXPECT_EQ(world.engine->snapshot(world.map), nullptr);
    EXPECT_EQ(world.engine->map_info(world.map).error().code, RefusalCode::kUnknownMap);
    EXPECT_EQ(world.engine->map_state(world.map).error().code, RefusalCode::kUnknownMap);
    EXPECT_EQ(world.engine->watch(world.client, world.map).error().code, RefusalCode::kUnknownMap);
    EXPECT_EQ(world.engine->edit(world.map, {{model::RemoveObstacle{{1}}}}).error().code,
              RefusalCode::kUnknownMap);
    EXPECT_EQ(world.engine->add_class(world.map, model::terrain_class()).error().code,
              RefusalCode::kUnknownMap);
    EXPECT_EQ(world.engine->drop_map(world.map).error().code, RefusalCode::kUnknownMap);
    EXPECT_EQ(world.engine->drop_map({0}).error().code, RefusalCode::kUnknownMap);
    world.engine->unwatch(world.client, world.map);
    world.ask(world.request(1, {0, 0}, {5, 5}));
    EXPECT_EQ(world.sink->refusal_of(1), RefusalCode::kUnknownMap);
}

// If this failed, units that are followed on a map that goes would wait for pushes for ever.
TEST(Maps, FollowsOnADroppedMapEndWithOnePush) {
    const test::FollowWorld world({".......", ".......", "......."});
    world.follow(1, {0, 0}, {6, 0});
    world.follow(2, {0, 2}, {6, 2});
    world.engine->submit(world.client, world.order(3, {0, 1}, {6, 2}));  // still to begin
    world.place(1, {3, 0});  // the first one's replan waits
    ASSERT_TRUE(world.engine->drop_map(world.map).has_value());
    world.run_all();
    const auto pushes = world.sink->pushes();
    ASSERT_EQ(pushes.size(), 2U);
    std::set<std::uint64_t> ended;
    for (const model::PathPush& push : pushes) {
        EXPECT_EQ(push.reason, model::PushReason::kEnded);
        ASSERT_FALSE(push.body.has_value());
        EXPECT_EQ(push.body.error().code, RefusalCode::kUnknownMap);
        ended.insert(push.id.value);
    }
    EXPECT_EQ(ended, (std::set<std::uint64_t>{1, 2}));
    EXPECT_EQ(world.sink->refusal_of(3), RefusalCode::kUnknownMap) << "it never began";
    EXPECT_EQ(world.engine->stats().follows, 0U);
    EXPECT_EQ(world.engine->stats().follow_bytes, 0U);
    EXPECT_FALSE(world.report(1, {1, 0})) << "there is no such follow any more";
}

// If this failed, a group whose first paths were sent would be left without its end.
TEST(Maps, AGroupThatHasSentAPartEndsWithARefusal) {
    MapsWorld world;
    model::GroupQuery query;
    for (std::int32_t i = 0; i < 256; ++i) {
        query.starts.push_back({i % 16 * 4, i / 16 * 4});
    }
    query.goal.rect = {32, 32, 1, 1};
    model::SurveyRequest asked;
    asked.id = {1};
    asked.map = world.map;
    asked.survey.query = std::move(query);
    world.engine->submit(world.client, asked);
    while (world.sink->surveys().empty()) {
        world.slice();
    }
    world.drop();
    world.run_all();
    const auto replies = world.sink->surveys();
    ASSERT_FALSE(replies.back().body.has_value());
    EXPECT_EQ(replies.back().body.error().code, RefusalCode::kUnknownMap);
    for (std::size_t i = 0; i < replies.size(); ++i) {
        EXPECT_EQ(replies[i].last, i + 1 == replies.size());
    }
    world.sink->forget_surveys();
    EXPECT_EQ(world.engine->stats().survey_bytes, 0U);
    EXPECT_EQ(world.map_bytes(), 0U);
}

// If this failed, a spectator would look at a map that is gone and believe it to be quiet.
TEST(Maps, WatchersHearOfADropOnceAndAfterTheEdits) {
    MapsWorld world;
    const auto gone = make_sink();
    const model::ClientId unwatched = world.connect(gone);
    ASSERT_TRUE(world.engine->watch(world.client, world.map).has_value());
    ASSERT_TRUE(world.engine->watch(unwatched, world.map).has_value());
    world.engine->unwatch(unwatched, world.map);
    (void)world.edit({1, 1, 1, 1}, '@');
    world.drop();
    ASSERT_EQ(world.sink->dropped().size(), 1U);
    EXPECT_EQ(world.sink->dropped().front(), std::pair(world.map, MapId{}));
    EXPECT_EQ(world.sink->edits_before_drop().front(), 1U);
    EXPECT_TRUE(gone->dropped().empty());
}

// If this failed, a game could not change its map under players, or some would stay on the old one.
TEST(Maps, AReplacementHasTheNameAtOnceAndTheOldOnesClientsHearOfIt) {
    MapsWorld world;
    ASSERT_TRUE(world.engine->watch(world.client, world.map).has_value());
    world.ask(world.long_request(1));
    const auto refused = world.load("map");
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, RefusalCode::kInvalidArgument);
    EXPECT_EQ(refused.error().field, "name");
    EXPECT_EQ(world.engine->find_map("map"), world.map) << "a refusal changes nothing";
    const std::uint64_t changes = world.engine->map_changes();
    const auto loaded = world.load("map", true, 16);
    ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
    EXPECT_EQ(loaded->replaced, world.map);
    EXPECT_NE(loaded->id, world.map);
    EXPECT_GT(world.engine->map_changes(), changes);
    EXPECT_EQ(world.engine->find_map("map"), loaded->id);
    EXPECT_EQ(world.engine->map_info(loaded->id)->width, 16);
    ASSERT_EQ(world.sink->dropped().size(), 1U);
    EXPECT_EQ(world.sink->dropped().front(), std::pair(world.map, loaded->id));
    const model::PathReply old = world.sink->reply_to(1);
    ASSERT_FALSE(old.body.has_value());
    EXPECT_NE(old.body.error().message.find(std::to_string(loaded->id.value)), std::string::npos)
        << "it names the new map: " << old.body.error().message;
    EXPECT_EQ(world.load("fresh", true)->replaced, MapId{}) << "nothing was there to replace";
}

// If this failed, an old id would lead into a later map, or hours of loading would fill the memory.
TEST(Maps, HundredsOfLoadsAndDropsTakeNoMoreThanTheFirst) {
    MapsWorld world;
    std::set<MapId> ids{world.map};
    std::size_t after_first = 0;
    for (int round = 0; round < 200; ++round) {
        const auto loaded = world.load("again", false, 32);
        ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
        EXPECT_TRUE(ids.insert(loaded->id).second) << "id " << loaded->id.value << " a second time";
        EXPECT_EQ(model::place_of(loaded->id), 1U) << "one place does for all";
        model::PathRequest asked = world.request(1, {0, 0}, {31, 31});
        asked.map = loaded->id;
        world.ask(asked);
        world.run_all();
        ASSERT_EQ(world.engine->drop_map(loaded->id).has_value(), true);
        after_first = round == 0 ? world.engine->memory().sum() : after_first;
        EXPECT_EQ(world.engine->memory().sum(), after_first) << "in round " << round;
        EXPECT_EQ(world.engine->stats().cache_bytes, 0U);
    }
    EXPECT_EQ(world.sink->count(), 200U);
    for (const MapId id : ids) {
        EXPECT_EQ(world.engine->map_info(id).has_value(), id == world.map);
    }
}

// If this failed, the 65th map would take another one's place, or a full server could change none.
TEST(Maps, AsManyMapsAsAreAllowedAndNoneMore) {
    MapsWorld world;
    for (std::size_t i = 1; i < kMapsMax; ++i) {
        EXPECT_FALSE(world.engine->refusal_of_load("next", false));
        ASSERT_TRUE(world.load(std::to_string(i)).has_value()) << i;
    }
    const std::size_t bytes = world.map_bytes();
    EXPECT_EQ(world.engine->refusal_of_load("next", false)->code, RefusalCode::kOverloaded);
    const auto refused = world.load("next");
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, RefusalCode::kOverloaded);
    EXPECT_EQ(world.map_bytes(), bytes) << "a map that was refused takes nothing";
    EXPECT_EQ(world.load("next", true).error().code, RefusalCode::kOverloaded);
    ASSERT_TRUE(world.load("5", true).has_value()) << "one for one";
    EXPECT_EQ(world.engine->maps().size(), kMapsMax);
    ASSERT_TRUE(world.engine->drop_map(*world.engine->find_map("7")).has_value());
    ASSERT_TRUE(world.load("next").has_value());
    EXPECT_EQ(world.engine->maps().size(), kMapsMax);
    EXPECT_EQ(world.engine->refusal_of_load("", false)->field, "name");
}

// If this failed, a map too large for the memory would end the process, or cost the old one.
TEST(Maps, AReplacementThatFindsNoMemoryLeavesTheOldMap) {
    Config config = MapsWorld::pumped();
    config.memory_max = 500'000;
    MapsWorld world(config);
    const std::size_t bytes = world.map_bytes();
    const auto refused = world.load("map", true, 1024);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, RefusalCode::kOverloaded);
    EXPECT_EQ(world.engine->find_map("map"), world.map);
    EXPECT_EQ(world.map_bytes(), bytes);
    world.ask(world.request(1, {0, 0}, {5, 5}));
    world.run_all();
    EXPECT_EQ(world.sink->outcome_of(1), Outcome::kComplete);
}

// If this failed, landmarks of a map that is gone would be built on, or kept.
TEST(Maps, LandmarksGoWithTheirMap) {
    Config config = MapsWorld::pumped();
    config.landmark_cells_min = 1;
    MapsWorld world(config, open_grid(256, 256));
    const auto idle = [&] { (void)world.engine->run_for(std::chrono::microseconds{1000}); };
    // A slice or two of a build, which takes dozens, for each turn.
    world.clock.set_step(std::chrono::microseconds{400});
    idle();
    ASSERT_EQ(world.engine->map_info(world.map)->landmarks.front(), LandmarkState::kPending);
    world.drop();
    idle();
    world.clock.set_step({});
    idle();
    EXPECT_EQ(world.engine->stats().landmark_bytes, 0U) << "nothing came of that build";

    const auto ready = world.load("ready", false, 64);
    idle();
    ASSERT_EQ(world.engine->map_info(ready->id)->landmarks.front(), LandmarkState::kReady);
    EXPECT_GT(world.engine->stats().landmark_bytes, 0U);
    EXPECT_EQ(world.engine->memory().bytes(MemoryPart::kLandmarks),
              world.engine->stats().landmark_bytes);
    (void)world.engine->drop_map(ready->id);
    EXPECT_EQ(world.engine->stats().landmark_bytes, 0U);
    EXPECT_EQ(world.engine->memory().bytes(MemoryPart::kLandmarks), 0U);
    EXPECT_EQ(world.map_bytes(), 0U);
}

// If this failed, what one map has counted would be another one's.
TEST(Maps, AMapThatComesIntoAPlaceBeginsWithNothing) {
    MapsWorld world;
    world.ask(world.request(1, {0, 0}, {40, 5}));
    world.run_all();
    (void)world.edit({1, 1, 1, 1}, '@');
    EXPECT_EQ(world.engine->metrics().maps.front().edits, 1U);
    ASSERT_TRUE(world.load("map", true, 64).has_value());
    const MapMetrics fresh = world.engine->metrics().maps.front();
    EXPECT_EQ(fresh.requests, 0U);
    EXPECT_EQ(fresh.edits, 0U);
    EXPECT_EQ(fresh.version, 1U);
    EXPECT_EQ(world.engine->stats().edits, 1U) << "the engine's own counts go on";
}

// If this failed, values of a dropped map would be taken for those of the next in its place.
TEST(Maps, AValueForEachMapIsNobodyElses) {
    model::PerMap<int> values;
    const MapId first{3};
    const MapId later{3 + kMapsMax};
    EXPECT_EQ(model::place_of(first), model::place_of(later));
    EXPECT_EQ(values.of({0}), nullptr);
    EXPECT_EQ(values.find(first), nullptr);
    *values.of(first) = 7;
    EXPECT_EQ(*values.find(first), 7);
    EXPECT_EQ(values.find(later), nullptr);
    EXPECT_EQ(*values.of(later), 0);
    EXPECT_EQ(values.of(first), nullptr) << "a late word of the old one is nobody's";
    EXPECT_EQ(values.find(first), nullptr);
    *values.of(later) = 9;
    values.clear(first);
    EXPECT_EQ(*values.find(later), 9);
    values.clear(later);
    EXPECT_EQ(*values.find(later), 0);
    *values.of({kMapsMax}) = 1;
    EXPECT_EQ(*values.find(later), 0) << "the last place is its own";
}

}  // namespace
}  // namespace outrider::engine
