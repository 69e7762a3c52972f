// Orders and edits where memory runs out amid them.

#include <gtest/gtest.h>

#include <new>
#include <utility>

#include "outrider/map/content_hash.hpp"
#include "support/counting_sink.hpp"
#include "support/engine_world.hpp"
#include "support/failing_memory.hpp"

namespace outrider::engine {
namespace {

using test::CountingSink;
using test::EngineWorld;

// Whether `step` found the memory that it needs, where its n-th allocation fails; false also when
// nothing failed, which ends the loop.
template <class Step>
bool throws_at(std::int64_t n, bool& failed, const Step& step) {
    test::fails_in = n;
    try {
        step();
        failed = test::fails_in.exchange(0) == 0;
        return false;
    } catch (const std::bad_alloc&) {
        failed = true;
        return true;
    }
}

struct Ordered : EngineWorld {
    Ordered() {
        engine->submit(other, long_request(1, 1));
        slice();  // begun
        engine->submit(other, long_request(2, 2));
        engine->submit(client, of_unit(3, 3));
    }
    [[nodiscard]] model::PathRequest of_unit(std::uint64_t id, int variant) const {
        model::PathRequest asked = long_request(id, variant);
        asked.unit = {7};
        return asked;
    }
    [[nodiscard]] model::PathRequest order(int kind) const {
        model::PathRequest asked = of_unit(9, kind == 0 ? 2 : 4);  // 2: joins
        if (kind >= 2) {
            asked.follow.emplace();
            asked.deadline = clock.now() + std::chrono::hours(1);
        }
        return asked;
    }
    // Everybody but `client` has what it asked for, and nothing is left.
    void expect_all_well(std::int64_t n) {
        run_all();
        EXPECT_EQ(others->replies[1], 1) << "at allocation " << n;
        EXPECT_EQ(others->replies[2], 1) << "at allocation " << n;
        engine->submit(other, long_request(10, 2));
        engine->submit(other, long_request(11, 4));
        run_all();
        EXPECT_EQ(others->replies[10], 1) << "at allocation " << n;
        EXPECT_EQ(others->replies[11], 1) << "at allocation " << n;
        engine->disconnect(client);
        engine->disconnect(other);
        EXPECT_TRUE(engine->drained()) << "at allocation " << n;
        const Stats stats = engine->stats();
        EXPECT_EQ(stats.follows, 0U) << "at allocation " << n;
        EXPECT_EQ(stats.survey_bytes, 0U) << "at allocation " << n;
        EXPECT_EQ(stats.clients, 0U) << "at allocation " << n;
    }

    std::shared_ptr<CountingSink> sink = std::make_shared<CountingSink>();
    std::shared_ptr<CountingSink> others = std::make_shared<CountingSink>();
    model::ClientId client = engine->connect(sink).value();
    model::ClientId other = engine->connect(others).value();
};

// Fault kind: want of memory. If this failed, an order that comes in a moment without memory would
// end the process later, when its half-made record is met, or another client's with it.
TEST(OrderFailure, EachAllocationOfAnOrderMayFail) {
    for (const int kind : {0, 1, 2}) {
        bool failed = true;
        std::int64_t n = 0;
        while (failed && !HasFailure()) {
            ++n;
            Ordered world;
            model::PathRequest asked = world.order(kind);
            if (throws_at(n, failed, [&] { world.engine->submit(world.client, asked); })) {
                // Whoever links the engine may go on with this client.
                EXPECT_LE(world.sink->replies[9], 1) << "at allocation " << n;
            }
            world.expect_all_well(n);
        }
        EXPECT_GT(n, 5) << "so many it takes";
    }
}

// If this failed, a survey that comes in a moment without memory would keep its bytes for ever, or
// its half-made record would end the process.
TEST(OrderFailure, EachAllocationOfASurveyMayFail) {
    bool failed = true;
    std::int64_t n = 0;
    while (failed && !HasFailure()) {
        ++n;
        Ordered world;
        model::SurveyRequest survey;
        survey.id = {8};
        survey.map = world.map;
        survey.survey.query =
            model::ReachQuery{.starts = {{0, 0}}, .cost_max = 1'000'000, .costs = true};
        (void)throws_at(n, failed, [&] { world.engine->submit(world.client, survey); });
        world.expect_all_well(n);
    }
    EXPECT_GT(n, 5) << "so many it takes";
}

// A followed unit, a watcher, cached answers, obstacles of all kinds.
struct Battle : EngineWorld {
    Battle() : EngineWorld(pumped(), test::open_grid(100, 80)) {
        (void)engine->add_class(map, team_class());
        (void)engine->edit(map, {{model::PlaceObstacle{{1}, {70, 70, 2, 2}, 0, {}},
                                  model::PlaceObstacle{{2}, {60, 10, 10, 2}, 2, {}},
                                  model::PlaceObstacle{{3}, {63, 63, 2, 2}, 0, {}}}});
        EXPECT_TRUE(engine->watch(client, map).has_value());
        model::PathRequest asked = request(1, {0, 20}, {90, 20});
        asked.follow.emplace();
        engine->submit(client, asked);
        engine->submit(client, across(2));
        run_all();
    }
    static model::MovementClass team_class() {
        model::MovementClass red = model::ground_class();
        red.name = "red";
        red.team = 1;
        return red;
    }
    [[nodiscard]] model::PathRequest across(std::uint64_t id) const {
        return request(id, {0, 40}, {90, 40});
    }
    // Closes both ways, moves, removes, and opens.
    static model::EditBatch batch() {
        return {{model::PlaceObstacle{{4}, {40, 15, 3, 40}, 0, {}},
                 model::PlaceObstacle{{1}, {10, 70, 2, 2}, 0, {0x9}}, model::RemoveObstacle{{3}},
                 model::PlaceObstacle{{2}, {61, 10, 10, 2}, 0, {}},
                 model::PlaceObstacle{{5}, {20, 70, 2, 2}, 2, {}}, model::RemoveObstacle{{77}},
                 model::TerrainEdit{{5, 5, 3, 3}, {'@'}}}};
    }
    [[nodiscard]] map::State state() const { return engine->watch(client, map).value(); }

    std::shared_ptr<CountingSink> sink = std::make_shared<CountingSink>();
    model::ClientId client = engine->connect(sink).value();
};

void expect_equal(const map::State& a, const map::State& b, std::int64_t n) {
    EXPECT_EQ(a.version, b.version) << "at allocation " << n;
    EXPECT_EQ(a.grid.terrain, b.grid.terrain) << "at allocation " << n;
    EXPECT_EQ(a.obstacles, b.obstacles) << "at allocation " << n;
}

// Fault kind: want of memory. If this failed, an edit in a moment without memory would be in force
// by half: a building that blocks and is not there, answers from before it that count as optimal, a
// watcher with a gap in its versions, a unit that walks into the new wall.
TEST(EditFailure, EachAllocationOfAnEditMayFail) {
    const Battle calm;
    const map::State before = calm.state();
    (void)calm.engine->edit(calm.map, Battle::batch());
    const map::State after = calm.state();
    const std::uint64_t wanted = map::content_hash(*calm.engine->snapshot(calm.map));
    bool failed = true;
    std::int64_t n = 0;
    int refused = 0;
    while (failed && !testing::Test::HasFailure()) {
        ++n;
        Battle world;
        model::EditBatch batch = Battle::batch();
        const auto edit = [&] { EXPECT_TRUE(world.engine->edit(world.map, std::move(batch))); };
        if (throws_at(n, failed, edit)) {
            ++refused;
            expect_equal(world.state(), before, n);
            // The counts of what blocks too: what is built afterwards is the same map.
            (void)world.engine->edit(world.map, Battle::batch());
        }
        EXPECT_EQ(map::content_hash(*world.engine->snapshot(world.map)), wanted)
            << "at allocation " << n;
        expect_equal(world.state(), after, n);
        world.engine->submit(world.client, world.across(3));
        world.run_all();
        const model::PathAnswer& fresh = *world.sink->last[3].body;
        EXPECT_EQ(fresh.version, after.version) << "at allocation " << n;
        EXPECT_GT(fresh.result->cost, world.sink->last[2].body->result->cost)
            << "straight through the wall, at allocation " << n;
        EXPECT_EQ(world.sink->edits, 1) << "at allocation " << n;
        EXPECT_EQ(world.sink->edited, after.version) << "at allocation " << n;
        EXPECT_EQ(world.sink->pushes, 1) << "at allocation " << n;
    }
    EXPECT_GT(refused, 20) << "so many it takes";
    EXPECT_GT(n, refused + 10) << "and so many what follows from it";
}

// If this failed, a server without memory would end, or never build landmarks again, for want of
// what answers do not need.
TEST(LandmarkFailure, EachAllocationOfABuildMayFail) {
    Config config = EngineWorld::pumped();
    config.landmark_cells_min = 1;
    bool failed = true;
    std::int64_t n = 0;
    while (failed && !testing::Test::HasFailure()) {
        ++n;
        EngineWorld world(config);
        const auto idle = [&] { (void)world.engine->run_for(std::chrono::milliseconds(1)); };
        EXPECT_FALSE(throws_at(n, failed, idle)) << "at allocation " << n;
        for (int i = 0; i < 1000 && world.engine->stats().landmark_bytes == 0; ++i) {
            idle();
        }
        EXPECT_GT(world.engine->stats().landmark_bytes, 0U) << "at allocation " << n;
    }
    EXPECT_GT(n, 10) << "so many it takes";
}

}  // namespace
}  // namespace outrider::engine
