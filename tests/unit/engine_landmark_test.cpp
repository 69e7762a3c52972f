#include <gtest/gtest.h>

#include <chrono>

#include "support/engine_world.hpp"
#include "support/eventually.hpp"

namespace outrider::engine {
namespace {

using namespace std::chrono_literals;
using test::EngineWorld;

// Pillars, and a wall with one gap: the straight way looks good and is not.
map::Grid walled(std::int32_t side) {
    map::Grid grid = test::open_grid(side, side);
    for (std::int32_t y = 1; y < side; ++y) {
        for (std::int32_t x = 1; x < side; ++x) {
            if (x == side / 2 || (x % 4 == 0 && y % 3 == 0)) {
                grid.terrain[static_cast<std::size_t>(y * side + x)] = '@';
            }
        }
    }
    return grid;
}

Config small_maps_too(unsigned workers = 0) {
    Config config = EngineWorld::with_workers(workers);
    config.landmark_cells_min = 1;
    return config;
}

struct World : EngineWorld {
    explicit World(const Config& config = small_maps_too()) : EngineWorld(config, walled(64)) {
        client = connect(sink);
    }
    [[nodiscard]] LandmarkState state() const {
        return engine->map_info(map).value().landmarks.front();
    }
    [[nodiscard]] model::Version version() const { return engine->snapshot(map)->version(); }
    // What is left of a frame, for the landmarks.
    void idle() const { (void)engine->run_for(1ms); }
    // Along the wall and through the gap.
    model::PathResult ask(std::uint64_t id) const {
        engine->submit(client, request(id, {1, 62}, {62, 62}));
        slice();
        run_to(id);
        return sink->result_of(id);
    }
    void run_to(std::uint64_t id) const {
        while (sink->replies_to(id) == 0) {
            slice();
        }
    }

    std::shared_ptr<test::RecordingSink> sink = test::make_sink();
    model::ClientId client;
};

// If this failed, a server would answer nothing, or something else, until its landmarks are there.
TEST(EngineLandmarks, QueriesAreAnsweredBeforeAndCostTheSameAfter) {
    const World world;
    ASSERT_EQ(world.state(), LandmarkState::kPending);
    const model::PathResult before = world.ask(1);
    EXPECT_EQ(world.version(), 1U) << "nothing is built while there is no time left for it";
    world.idle();
    ASSERT_EQ(world.state(), LandmarkState::kReady);
    EXPECT_EQ(world.version(), 2U);
    const model::PathResult after = world.ask(2);
    EXPECT_EQ(before.outcome, model::Outcome::kComplete);
    EXPECT_EQ(after.cost, before.cost);
    EXPECT_LT(after.expansions, before.expansions);
    EXPECT_GT(world.engine->stats().landmark_bytes, 0U);
}

// If this failed, a watcher would miss a version, or take it for a lost batch.
TEST(EngineLandmarks, WatchersHearOfAVersionWithoutEdits) {
    const World world;
    ASSERT_TRUE(world.engine->watch(world.client, world.map).has_value());
    world.idle();
    const auto edits = world.sink->edits();
    ASSERT_EQ(edits.size(), 1U);
    EXPECT_EQ(edits[0].first, 2U);
    EXPECT_TRUE(edits[0].second->edits.empty());
    EXPECT_FALSE(edits[0].second->added_class);
    EXPECT_EQ(edits[0].second->landmarks_of, model::ClassId{0}) << "and for which class";
    EXPECT_EQ(world.engine->map_state(world.map)->landmarks, std::vector<bool>{true});
}

// If this failed, a map that is edited all the time would be measured all the time.
TEST(EngineLandmarks, AreBuiltAnewOnceTheMapIsCalm) {
    World world;
    world.idle();
    world.edit({10, 10, 2, 2}, '@');
    ASSERT_EQ(world.state(), LandmarkState::kReady) << "dearer";
    world.edit({10, 10, 2, 2}, '.');
    ASSERT_EQ(world.state(), LandmarkState::kPending) << "cheaper";
    const model::Version dropped = world.version();
    world.idle();
    world.clock.advance(999ms);
    world.idle();
    EXPECT_EQ(world.version(), dropped);
    world.edit({10, 10, 1, 1}, '@');
    world.edit({10, 10, 1, 1}, '.');
    world.idle();
    world.clock.advance(999ms);
    world.idle();
    EXPECT_EQ(world.state(), LandmarkState::kPending) << "the calm begins anew";
    world.clock.advance(1ms);
    world.idle();
    EXPECT_EQ(world.state(), LandmarkState::kReady);
    EXPECT_EQ(world.version(), dropped + 3);
}

// If this failed, classes without limit would take memory without limit.
TEST(EngineLandmarks, StopAtTheBoundOnMemory) {
    Config config = small_maps_too();
    constexpr std::size_t kOneClass = 16 * 64 * 64;
    for (const std::size_t bound : {2 * kOneClass - 1, 2 * kOneClass, std::size_t{0}}) {
        config.landmark_bytes_max = bound;
        World world(config);
        model::MovementClass second = model::ground_class();
        second.name = "second";
        second.directions = model::Directions::kFour;
        ASSERT_TRUE(world.engine->add_class(world.map, second).has_value());
        world.idle();
        const auto states = world.engine->map_info(world.map).value().landmarks;
        ASSERT_EQ(states.size(), 2U);
        EXPECT_EQ(states[0], bound == 0 ? LandmarkState::kNone : LandmarkState::kReady);
        EXPECT_EQ(states[1], bound < 2 * kOneClass ? LandmarkState::kNone : LandmarkState::kReady);
        EXPECT_LE(world.engine->stats().landmark_bytes, bound);
    }
}

// If this failed, each small map would make a version that nobody gains by.
TEST(EngineLandmarks, SmallMapsHaveNone) {
    Config config = EngineWorld::pumped();
    for (const std::size_t least : {64U * 64U, 64U * 64U + 1}) {
        config.landmark_cells_min = least;
        const World world(config);
        world.idle();
        EXPECT_EQ(world.version(), least == 64U * 64U ? 2U : 1U);
    }
}

// If this failed, a map on which nothing is open would be measured again and again.
TEST(EngineLandmarks, ABlockedMapWaitsForAnOpenCell) {
    const EngineWorld world(small_maps_too(), {8, 8, std::vector<model::Terrain>(64, '@')});
    (void)world.engine->run_for(1ms);
    EXPECT_EQ(world.engine->snapshot(world.map)->version(), 1U);
}

// If this failed, a server would hang on its way out, or threads would race on a map.
TEST(EngineLandmarks, AThreadBuildsThemBesideEditsAndQueriesAndEndsWithTheEngine) {
    Config config = small_maps_too(2);
    config.landmark_calm = 1ms;
    for (int round = 0; round < 20; ++round) {
        World world(config);
        for (std::uint64_t id = 1; id <= 20; ++id) {
            world.engine->submit(world.client, world.request(id, {1, 62}, {62, 62}));
            world.edit({static_cast<std::int32_t>(id), 5, 1, 1}, id % 2 == 0 ? '.' : '@');
        }
        ASSERT_TRUE(world.sink->wait_for(20));
        if (round % 2 == 0) {
            continue;  // ends wherever the thread is
        }
        world.clock.advance(1s);
        world.edit({30, 30, 1, 1}, '@');
        world.clock.advance(100s);
        EXPECT_TRUE(test::eventually([&] { return world.state() == LandmarkState::kReady; }));
    }
}

}  // namespace
}  // namespace outrider::engine
