// One writer and many readers at once, a bounded number of edits: for the thread sanitizer.

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "support/engine_world.hpp"

namespace outrider::engine {
namespace {

using test::EngineWorld;
using test::make_sink;

constexpr int kEdits = 1000;
constexpr int kReaders = 8;

// The terrain of row 0 and column 0 never changes: what is asked from there has an answer.
model::EditBatch storm_edit(int i) {
    const model::ObstacleId id{static_cast<std::uint64_t>(i % 40 + 1)};
    const model::Rect rect{i * 7 % 180 + 1, i * 13 % 180 + 1, 5, 5};
    switch (i % 4) {
        case 0: return {{model::TerrainEdit{rect, {'@'}}}, {}};
        case 1: return {{model::TerrainEdit{rect, {'.'}}}, {}};
        case 2: return {{model::PlaceObstacle{id, rect, 0, {}}}, {}};
        default: return {{model::RemoveObstacle{id}}, {}};
    }
}

// Searches of every kind, among them those whose portals and landmarks are built meanwhile.
void ask_until(const EngineWorld& world, const std::atomic<bool>& done,
               const std::atomic<model::Version>& acknowledged, int reader) {
    const auto sink = make_sink();
    const model::ClientId client = world.connect(sink);
    constexpr model::Algorithm kAlgorithms[] = {model::Algorithm::kAuto, model::Algorithm::kFast,
                                                model::Algorithm::kTerrain};
    for (std::uint64_t id = 1; id <= 20 || !done; ++id) {
        const auto i = static_cast<std::int32_t>(id);
        model::PathRequest request =
            world.request(id, {0, (i * 5 + reader) % 190}, {(i * 11 + reader) % 190, 0});
        request.query.algorithm = kAlgorithms[id % std::size(kAlgorithms)];
        request.unit = {id % 4 + 1};
        if (id % 5 == 0) {
            request.follow = model::FollowOptions{.improve = id % 10 == 0, .repair_percent = 110};
        }
        const model::Version floor = acknowledged;
        world.engine->submit(client, request);
        ASSERT_TRUE(sink->wait_for(id));
        const model::PathReply reply = sink->reply_to(id);
        ASSERT_TRUE(reply.body.has_value());
        ASSERT_GE(reply.body->version, floor);
        ASSERT_EQ(reply.body->result->outcome, model::Outcome::kComplete);
    }
    world.engine->disconnect(client);
}

// Reads whole snapshots while their tiles are replaced in newer ones.
void look_until(const EngineWorld& world, const std::atomic<bool>& done) {
    model::Version last = 0;
    for (int looks = 0; looks < 20 || !done; ++looks) {
        const auto snapshot = world.engine->snapshot(world.map);
        ASSERT_GE(snapshot->version(), last);
        last = snapshot->version();
        const map::Layer& layer = *snapshot->layer({0});
        std::size_t open = 0;
        for (std::int32_t y = 0; y < layer.height(); ++y) {
            for (std::int32_t x = 0; x < layer.width(); ++x) {
                open += layer.open({x, y}) ? 1 : 0;
            }
        }
        ASSERT_GT(open, 0U);
        ASSERT_EQ(layer.regions().component({0, 0}), layer.regions().component({190, 0}));
    }
}

// If this failed, a search or a snapshot would read tiles, portals or landmarks that a writer frees
// or is still making (K8#83, #85). A thousand edits, as fast as they go: more than a match makes in
// a second.
TEST(Storm, K8_83_85_AThousandEditsBesideEightSearchersAndEightLookers) {
    Config config = EngineWorld::with_workers(2);
    config.snapshots_per_map_max = 8;
    config.landmark_cells_min = 1;
    config.landmark_calm = std::chrono::milliseconds(1);
    const EngineWorld world(config, test::open_grid(192, 192));
    std::atomic<bool> done{false};
    std::atomic<model::Version> acknowledged{1};
    std::vector<std::thread> readers;
    for (int reader = 0; reader < kReaders; ++reader) {
        readers.emplace_back([&, reader] { ask_until(world, done, acknowledged, reader); });
        readers.emplace_back([&] { look_until(world, done); });
    }
    model::Version last = 1;
    for (int i = 0; i < kEdits; ++i) {
        const auto receipt = world.engine->edit(world.map, storm_edit(i));
        EXPECT_TRUE(receipt.has_value() && receipt->version > last);
        last = receipt->version;
        acknowledged = last;
    }
    done = true;
    for (std::thread& reader : readers) {
        reader.join();
    }
    EXPECT_EQ(world.engine->stats().edits, static_cast<std::uint64_t>(kEdits));
    EXPECT_EQ(world.engine->stats().refused, 0U);
}

}  // namespace
}  // namespace outrider::engine
