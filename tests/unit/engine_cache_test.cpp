// Cached answers while the map changes, from the engine's door.

#include <gtest/gtest.h>

#include <algorithm>

#include "outrider/engine/engine.hpp"
#include "outrider/model/path.hpp"
#include "support/engine_world.hpp"

namespace outrider::engine {
namespace {

using model::Outcome;
using test::EngineWorld;
using test::grid_of;
using test::make_sink;

// A world whose one client asks again and again.
struct Asking : EngineWorld {
    explicit Asking(map::Grid grid) : EngineWorld(pumped(), std::move(grid)) {}

    const model::PathReply& ask(model::Cell start, model::Cell goal, bool partial = false) {
        model::PathRequest asked = request(++id, start, goal);
        asked.query.allow_partial = partial;
        engine->submit(client, asked);
        run_all();
        reply = sink->reply_to(id);
        return reply;
    }
    [[nodiscard]] std::uint64_t carried() const { return engine->stats().cache_carried; }

    std::shared_ptr<test::RecordingSink> sink = make_sink();
    model::ClientId client = connect(sink);
    std::uint64_t id{0};
    model::PathReply reply;
};

// If this failed, fifty edits a second would make the cache useless, or its answers would name a
// version that is long gone (law 2).
TEST(EngineCache, AnEditElsewhereKeepsTheAnswerUnderTheNewVersion) {
    Asking world(test::open_grid(64, 64));
    const auto first = world.ask({1, 1}, {12, 4}).body->result;
    const model::Version version = world.edit({50, 50, 3, 3}, '@');
    const model::PathReply second = world.ask({1, 1}, {12, 4});
    EXPECT_EQ(second.body->version, version);
    EXPECT_EQ(second.body->result, first) << "the same object: no search";
    EXPECT_FALSE(second.searched);
    EXPECT_TRUE(world.ask({1, 1}, {12, 5}).searched);
    EXPECT_EQ(world.carried(), 1U);
}

// If this failed, a unit would walk into a building, or around one that is gone.
TEST(EngineCache, BlockedAndOpenedAgain) {
    Asking world(grid_of({
        "....@....",
        ".........",
        "....@....",
        "....@....",
        "....@....",
        ".........",
    }));
    const model::Cost direct = world.ask({0, 1}, {8, 1}).body->result->cost;
    world.edit({4, 1, 1, 1}, '@');
    EXPECT_GT(world.ask({0, 1}, {8, 1}).body->result->cost, direct);
    world.edit({4, 1, 1, 1}, '.');
    EXPECT_EQ(world.ask({0, 1}, {8, 1}).body->result->cost, direct);
    EXPECT_EQ(world.carried(), 0U);
    EXPECT_EQ(world.engine->stats().cache_fallen, 2U);
}

// If this failed, a unit would wait at a wall long after a gate has opened at its other end: no
// cell near the path or the goal has changed, yet the goal can be reached.
TEST(EngineCache, ADoorFarAwayEndsAPartialAnswer) {
    map::Grid grid = test::open_grid(64, 200);
    for (std::int32_t y = 0; y < grid.height; ++y) {
        grid.terrain[static_cast<std::size_t>(y * 64 + 30)] = '@';
    }
    Asking world(std::move(grid));
    EXPECT_EQ(world.ask({20, 5}, {40, 5}, true).body->result->outcome, Outcome::kPartial);
    world.edit({60, 100, 2, 2}, '@');
    EXPECT_EQ(world.ask({20, 5}, {40, 5}, true).body->result->outcome, Outcome::kPartial);
    EXPECT_EQ(world.carried(), 1U) << "a partial answer, too, outlives an edit elsewhere";
    world.edit({30, 199, 1, 1}, '.');
    EXPECT_EQ(world.ask({20, 5}, {40, 5}, true).body->result->outcome, Outcome::kComplete);
}

// If this failed, a crowd of walled-in units that asks every tick would stop the game.
TEST(EngineCache, WalledInUnitsThatAskEachTickCostOneSearchEach) {
    map::Grid grid = test::open_grid(64, 64);
    for (std::int32_t i = 9; i <= 20; ++i) {
        for (const model::Cell cell : {model::Cell{9, i}, {20, i}, {i, 9}, {i, 20}}) {
            grid.terrain[static_cast<std::size_t>(cell.y * 64 + cell.x)] = '@';
        }
    }
    Asking world(std::move(grid));
    constexpr std::int32_t kUnits = 20;
    for (int tick = 0; tick < 100; ++tick) {
        for (std::int32_t unit = 0; unit < kUnits; ++unit) {
            const model::Cell at{10 + unit % 10, 10 + unit / 10};
            EXPECT_EQ(world.ask(at, {60, 60}).body->result->outcome, Outcome::kUnreachable);
            EXPECT_EQ(world.ask(at, {60, 60}, true).body->result->outcome, Outcome::kPartial);
        }
        world.edit({40, 1 + tick % 50, 2, 2}, tick % 2 == 0 ? '@' : '.');
    }
    EXPECT_LE(world.engine->stats().slices, std::uint64_t{kUnits}) << "negatives need no search";
    EXPECT_EQ(world.engine->stats().cache_hits, std::uint64_t{kUnits} * 99);
}

// If this failed, a unit would walk a smooth line through a building that stands beside every cell
// of the path.
TEST(EngineCache, ABlockOnTheSmoothLineEndsTheAnswer) {
    Asking world(test::open_grid(64, 64));
    model::PathRequest asked = world.request(100, {1, 1}, {41, 11});
    asked.query.smoothing.grade = model::Grade::kWaypoints;
    const auto ask = [&] {
        asked.id = {asked.id.value + 1};
        world.engine->submit(world.client, asked);
        world.run_all();
        return world.sink->reply_to(asked.id.value);
    };
    const model::PathResult first = *ask().body->result;
    ASSERT_EQ(first.smooth.points.size(), 2U) << "open ground";
    EXPECT_FALSE(ask().searched);
    asked.query.smoothing = {};
    EXPECT_TRUE(ask().searched) << "another question";
    asked.query.smoothing.grade = model::Grade::kWaypoints;
    std::vector<model::Cell> on_line;
    const std::vector<model::Cell> cells = model::cells_of(first.turning_points);
    for (std::int32_t x = 4; x < 40; ++x) {
        const model::Cell cell{x, 1 + (x - 1) / 4};
        if (std::ranges::find(cells, cell) == cells.end()) {
            on_line.push_back(cell);
        }
    }
    ASSERT_FALSE(on_line.empty());
    world.edit({on_line.front().x, on_line.front().y, 1, 1}, '@');
    const model::PathReply after = ask();
    EXPECT_TRUE(after.searched);
    EXPECT_GT(after.body->result->smooth.points.size(), 2U);
}

// If this failed, a class that somebody registers would cost all others their cached paths.
TEST(EngineCache, ANewClassKeepsTheAnswersOfTheOthers) {
    Asking world(test::open_grid(64, 64));
    (void)world.ask({1, 1}, {12, 4});
    model::MovementClass wide = model::ground_class();
    wide.name = "wide";
    wide.footprint = 2;
    const auto added = world.engine->add_class(world.map, wide);
    ASSERT_TRUE(added.has_value());
    EXPECT_EQ(world.ask({1, 1}, {12, 4}).body->version, added->second);
    EXPECT_EQ(world.carried(), 1U);
}

}  // namespace
}  // namespace outrider::engine
