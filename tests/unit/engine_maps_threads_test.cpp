// Maps that come and go under load, with threads.

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <memory>
#include <set>
#include <thread>

#include "outrider/engine/engine.hpp"
#include "support/engine_world.hpp"
#include "support/eventually.hpp"
#include "support/random.hpp"

namespace outrider::engine {
namespace {

using model::MapId;
using model::RefusalCode;
using test::EngineWorld;
using test::make_sink;
using test::open_grid;

// If this failed, whoever drops a map would wait for the longest search on it, or pull the ground
// from under it.
TEST(MapsThreads, ADropDoesNotWaitForASliceAndTheSliceKeepsItsGround) {
    std::latch running(1);
    std::latch may_go_on(1);
    std::atomic<bool> first{true};
    Config config = EngineWorld::with_workers(1);
    config.before_slice = [&](const model::PathQuery&) {
        if (first.exchange(false)) {
            running.count_down();
            may_go_on.wait();
        }
    };
    EngineWorld world(config);
    const auto sink = make_sink();
    const model::ClientId client = world.connect(sink);
    world.engine->submit(client, world.long_request(1));
    running.wait();
    const std::weak_ptr<const map::Snapshot> ground = world.engine->snapshot(world.map);
    ASSERT_TRUE(world.engine->drop_map(world.map).has_value());
    EXPECT_EQ(sink->refusal_of(1), RefusalCode::kUnknownMap) << "at once";
    EXPECT_FALSE(ground.expired()) << "a worker stands on it";
    EXPECT_GT(world.engine->memory().bytes(MemoryPart::kMaps), 0U) << "and it counts until then";
    may_go_on.count_down();
    EXPECT_TRUE(test::eventually(
        [&] { return ground.expired() && world.engine->memory().bytes(MemoryPart::kMaps) == 0; }));
    EXPECT_EQ(sink->count(), 1U);
}

// A client that asks, follows and edits whatever map has the name, or had it.
class Player {
  public:
    Player(const EngineWorld& world, std::uint64_t stream)
        : world_(world), random_(stream), client_(world.connect(sink_)) {}

    void play(int turns) {
        MapId map = world_.map;
        for (int turn = 0; turn < turns; ++turn) {
            map = random_.chance(80) ? world_.engine->find_map("map").value_or(map) : map;
            model::PathRequest asked = world_.long_request(++asked_, turn % 50);
            asked.map = map;
            asked.unit = {random_.chance(30) ? 0U : static_cast<std::uint64_t>(turn % 5 + 1)};
            if (random_.chance(30)) {
                asked.follow.emplace();
            }
            world_.engine->submit(client_, asked);
            if (random_.chance(30)) {
                const auto edited = world_.engine->edit(
                    map, {{model::TerrainEdit{
                             {turn % 60, 3, 1, 1},
                             {static_cast<model::Terrain>(random_.chance(50) ? '@' : '.')}}}});
                EXPECT_TRUE(edited || edited.error().code == RefusalCode::kUnknownMap);
            }
            if (random_.chance(20)) {
                (void)world_.engine->watch(client_, map);
            }
        }
    }
    void check() {
        ASSERT_TRUE(sink_->wait_for(asked_));
        std::set<std::uint64_t> follows;
        for (std::uint64_t id = 1; id <= asked_; ++id) {
            const model::PathReply reply = sink_->reply_to(id);  // one, and no second
            const bool known = reply.body || reply.body.error().code == RefusalCode::kUnknownMap;
            EXPECT_TRUE(known) << reply.body.error().message;
        }
        for (const model::PathPush& push : sink_->pushes()) {
            if (push.reason == model::PushReason::kEnded) {
                EXPECT_TRUE(follows.insert(push.id.value).second) << "a second end";
            } else {
                EXPECT_FALSE(follows.contains(push.id.value)) << "a push after the end";
            }
        }
        const auto dropped = sink_->dropped();
        EXPECT_EQ(std::set(dropped.begin(), dropped.end()).size(), dropped.size())
            << "told twice of one map";
    }

  private:
    const EngineWorld& world_;
    test::Random random_;
    std::shared_ptr<test::RecordingSink> sink_ = make_sink();
    model::ClientId client_;
    std::uint64_t asked_{0};
};

// If this failed, orders would be lost, answered twice or answered by the wrong map while a game
// changes its maps under its players.
TEST(MapsThreads, FourClientsLoseNothingWhileTheirMapIsReplacedAgainAndAgain) {
    test::Random random(40);
    Config config = EngineWorld::with_workers(2);
    config.landmark_cells_min = 1;
    EngineWorld world(config);
    std::vector<std::unique_ptr<Player>> players;
    for (int i = 0; i < 4; ++i) {
        players.push_back(std::make_unique<Player>(world, random.bits() % 1000));
    }
    {
        std::vector<std::jthread> threads;
        for (const auto& player : players) {
            threads.emplace_back([&player] { player->play(200); });
        }
        for (int swap = 0; swap < 40; ++swap) {
            ASSERT_TRUE(
                world.engine->load_map({"map", open_grid(64, 64), {model::ground_class()}, true})
                    .has_value());
            const auto extra =
                world.engine->add_map("extra", open_grid(32, 32), {model::ground_class()});
            ASSERT_TRUE(extra.has_value());
            ASSERT_TRUE(world.engine->drop_map(*extra).has_value());
        }
    }
    const auto last = world.engine->find_map("map");
    ASSERT_TRUE(last.has_value());
    ASSERT_TRUE(world.engine->drop_map(*last).has_value());
    for (const auto& player : players) {
        player->check();
    }
    EXPECT_TRUE(test::eventually([&] {
        return world.engine->memory().bytes(MemoryPart::kMaps) == 0 &&
               world.engine->stats().landmark_bytes == 0;
    })) << "somebody holds a map that is gone";
    EXPECT_EQ(world.engine->stats().follows, 0U);
}

}  // namespace
}  // namespace outrider::engine
