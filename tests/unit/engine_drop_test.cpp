// What stands on a map that goes, ended turn by turn under the engine's lock.

#include <gtest/gtest.h>

#include <utility>

#include "outrider/engine/core.hpp"
#include "support/engine_world.hpp"

namespace outrider::engine {
namespace {

using model::RefusalCode;
using test::make_sink;
using test::open_grid;

constexpr std::int32_t kSide = 64;

struct DropTest : testing::Test {
    DropTest() { client = core.connect(sink).value(); }

    [[nodiscard]] MapPtr add_map(std::string name) {
        auto store = map::Store::create(open_grid(kSide, kSide), {model::ground_class()});
        return maps.add({std::move(name), *std::move(store)}, false).value().map;
    }
    [[nodiscard]] Submission submission(MapPtr map) {
        Submission made;
        made.client = client;
        const auto number = static_cast<std::int32_t>(++asked);
        made.request.id = {asked};
        made.request.map = map->id();
        // No two are the same, which would share a job.
        made.request.query.start = {number % kSide, number / kSide};
        made.map = std::move(map);
        return made;
    }
    void ask(const MapPtr& map, int times, bool follow = false) {
        for (int i = 0; i < times; ++i) {
            Submission made = submission(map);
            if (follow) {
                made.request.unit = {asked};
                made.request.follow.emplace();
                const model::Cell start = made.request.query.start;
                const model::Cell goal{start.x, kSide - 1};
                made.request.query.goal.rect = {goal.x, goal.y, 1, 1};
                model::PathResult path;
                path.outcome = path.reason = model::Outcome::kComplete;
                path.turning_points = {start, goal};
                made.early = std::make_shared<const model::PathResult>(std::move(path));
            }
            core.submit(std::move(made), effects);
        }
        carry_out();
    }
    void carry_out() {
        for (const auto& box : effects.boxes) {
            (void)box->deliver();
        }
        effects = {};
    }
    // One turn: how many letters it sent.
    [[nodiscard]] std::pair<bool, std::size_t> turn(MapDrop& drop) {
        const bool more = core.end_all_on(drop, effects);
        const std::size_t letters = effects.letters;
        carry_out();
        return {more, letters};
    }

    Config config;
    ResultMeter results;
    MemoryLedger memory{0};
    Core core{config, results, memory};
    MapTable maps{[](model::MapId, const map::Change&) {}};
    std::shared_ptr<test::RecordingSink> sink = make_sink();
    model::ClientId client;
    Effects effects;
    std::uint64_t asked{0};
};

// If this failed, a map that goes with thousands of orders on it would hold up every other client
// until the last of them is ended.
TEST_F(DropTest, AMapsRequestsEndInTurns) {
    constexpr int kMost = Core::kEndsPerTurn;
    for (const int waiting : {kMost - 1, kMost, kMost + 1, 3 * kMost}) {
        MapDrop drop{add_map("map " + std::to_string(waiting))};
        ask(drop.map, waiting);
        drop.map->drop({});
        const std::size_t before = sink->count();
        for (int left = waiting; left > 0; left -= kMost) {
            const auto [more, ended] = turn(drop);
            EXPECT_EQ(ended, static_cast<std::size_t>(std::min(left, kMost)));
            EXPECT_TRUE(more || left <= kMost);
        }
        while (turn(drop).first) {
        }
        EXPECT_EQ(sink->count() - before, static_cast<std::size_t>(waiting));
        EXPECT_EQ(sink->refusal_of(asked), RefusalCode::kUnknownMap);
    }
}

// If this failed, the followed units of a map that goes would hold up everybody else at once.
TEST_F(DropTest, AMapsFollowedUnitsEndInTurns) {
    constexpr int kMost = Core::kEndsPerTurn;
    for (const int waiting : {kMost - 1, kMost, kMost + 1}) {
        MapDrop drop{add_map("map " + std::to_string(waiting))};
        ask(drop.map, waiting, true);
        drop.map->drop({});
        const std::size_t before = sink->pushes().size();
        const auto [more, ended] = turn(drop);
        EXPECT_EQ(ended, static_cast<std::size_t>(std::min(waiting, kMost)));
        EXPECT_TRUE(more || waiting <= kMost);
        while (turn(drop).first) {
        }
        EXPECT_EQ(sink->pushes().size() - before, static_cast<std::size_t>(waiting));
    }
}

// If this failed, a client that leaves thousands of orders and followed units behind would hold up
// every other client until the last of them is gone; or it would be told of one after it has left.
TEST_F(DropTest, AClientsOrdersAndFollowedUnitsGoInTurns) {
    constexpr int kMost = Core::kEndsPerTurn;
    const MapPtr map = add_map("map");
    for (const bool followed : {false, true}) {
        for (const int waiting : {kMost - 1, kMost, kMost + 1}) {
            client = core.connect(sink).value();
            ask(map, waiting, followed);
            const std::size_t told = sink->count();
            EXPECT_EQ(core.disconnect(client, effects), waiting > kMost);
            carry_out();
            EXPECT_EQ(core.sink_of(client), nullptr) << "gone from the first turn on";
            const bool some_are_left = waiting > kMost;
            EXPECT_EQ(core.any_follow_on(*map), some_are_left && followed);
            EXPECT_EQ(core.open_requests(), some_are_left ? 1U : 0U) << "a replan of the unit's";
            EXPECT_FALSE(core.disconnect(client, effects));
            carry_out();
            EXPECT_FALSE(core.disconnect(client, effects)) << "there is no such client any more";
            EXPECT_EQ(core.open_requests(), 0U);
            EXPECT_FALSE(core.any_follow_on(*map));
            EXPECT_EQ(sink->count(), told);
        }
    }
}

// If this failed, the orders of all other maps would be gone through in one go for the few of the
// one that goes.
TEST_F(DropTest, OtherMapsRequestsArePassedOverInTurns) {
    constexpr int kMost = MapDrop::kLooksPerTurn;
    const MapPtr other = add_map("other");
    ask(other, kMost - 2);
    for (const int others : {kMost - 2, kMost - 1, kMost}) {
        MapDrop drop{add_map("map " + std::to_string(others))};
        ask(drop.map, 1);
        drop.map->drop({});
        EXPECT_EQ(turn(drop).second, others < kMost ? 1U : 0U);
        while (turn(drop).first) {
        }
        EXPECT_EQ(sink->refusal_of(asked), RefusalCode::kUnknownMap);
        ask(other, 1);  // has its place, so that the next one stands behind one more
    }
}

// If this failed, a map that was dropped while a client hung up would be freed under the engine's
// lock, and everybody else wait for it.
TEST_F(DropTest, AMapWhoseLastHolderIsAClientThatIsGoneIsFreedOutsideTheLock) {
    EXPECT_FALSE(core.disconnect(client, effects));
    carry_out();
    const auto goes_with_the_effects = [&](auto made) {
        const std::weak_ptr<MapEntry> seen = made.map;
        maps.remove(made.map->id())->drop({});
        core.submit(std::move(made), effects);
        EXPECT_FALSE(seen.expired());
        carry_out();
        EXPECT_TRUE(seen.expired());
    };
    goes_with_the_effects(submission(add_map("path")));
    SurveySubmission survey;
    survey.client = client;
    survey.map = add_map("survey");
    goes_with_the_effects(std::move(survey));
}

// If this failed, an order that met the end of its map on the way would free it under the lock.
TEST_F(DropTest, AMapThatAnOrderFoundJustBeforeItsEndIsFreedOutsideTheLock) {
    Submission late = submission(add_map("map"));
    const std::weak_ptr<MapEntry> seen = late.map;
    maps.remove(late.map->id())->drop({});
    core.submit(std::move(late), effects);
    EXPECT_FALSE(seen.expired());
    carry_out();
    EXPECT_TRUE(seen.expired());
    EXPECT_EQ(sink->refusal_of(asked), RefusalCode::kUnknownMap);
}

}  // namespace
}  // namespace outrider::engine
