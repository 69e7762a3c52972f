// Edits that come while a followed unit's new path is being searched for, and edits that change
// what a path costs without opening a way. Both were found by the simulator.

#include <gtest/gtest.h>

#include <algorithm>

#include "outrider/engine/engine.hpp"
#include "support/follow_world.hpp"

namespace outrider::engine {
namespace {

using model::Outcome;
using model::PushReason;
using test::FollowWorld;

constexpr model::Cell kStart{0, 2};
constexpr model::Cell kGoal{10, 2};

constexpr model::Rect kSecondWay{1, 0, 9, 1};  // 14 steps, by row 0
constexpr model::Rect kThirdWay{1, 6, 9, 1};   // 18 steps, by row 6

// Three ways, on plain ground, and searches of one expansion a slice.
struct ThreeWays : FollowWorld {
    ThreeWays()
        : FollowWorld(test::grid_of({
                          "...........",
                          ".#########.",
                          "...........",
                          ".#########.",
                          ".#########.",
                          ".#########.",
                          "...........",
                      }),
                      stepped()) {
        rough = engine->add_class(map, model::terrain_class())->first;
    }
    static Config stepped() {
        Config config = pumped();
        config.expansions_per_slice = 1;
        return config;
    }
    [[nodiscard]] model::PathRequest rough_order(bool improve = false) const {
        model::PathRequest asked = order(1, kStart, kGoal, improve);
        asked.query.movement_class = rough;
        return asked;
    }
    // The newest push is the answer to the order asked afresh, by that way.
    void expect_last_push(const model::PathRequest& asked, PushReason reason,
                          const model::Rect& way) const {
        const auto pushes = sink->pushes();
        ASSERT_FALSE(pushes.empty());
        EXPECT_EQ(pushes.back().reason, reason);
        ASSERT_TRUE(pushes.back().body.has_value());
        // An edit elsewhere may have changed what a search looks at, and not what it finds.
        EXPECT_EQ(pushes.back().body->result->turning_points, fresh(asked, kStart).turning_points);
        EXPECT_EQ(pushes.back().body->result->cost, fresh(asked, kStart).cost);
        const auto cells = model::cells_of(pushes.back().body->result->turning_points);
        EXPECT_TRUE(
            std::ranges::any_of(cells, [&](model::Cell cell) { return way.contains(cell); }));
    }

    model::ClassId rough;
};

// Simulator seed 424435627. If this failed, a unit would wade on through the swamp that rose while
// its path was looked at, since the swamp went for what the path had cost before.
TEST(Overtaken, WhatBecameDearerSinceTheAnswersVersionIsLookedAtAgain) {
    const ThreeWays world;
    const model::PathRequest asked = world.rough_order();
    world.follow(asked);
    ASSERT_EQ(world.sink->outcome_of(1), Outcome::kComplete);
    world.edit({5, 2, 1, 1}, 'C');  // 12 steps' worth: still the best
    world.slice();
    world.slice();
    ASSERT_EQ(world.engine->stats().suspended, 1U) << "the look is under way";
    world.edit({6, 2, 2, 1}, 'C');  // 16 steps' worth
    world.run_all();
    ASSERT_EQ(world.sink->pushes().size(), 1U);
    world.expect_last_push(asked, PushReason::kDearer, kSecondWay);
}

// The same seed. If this failed, the new path of a unit would lead through a swamp that rose while
// it was searched for, and nobody would tell of the better way.
TEST(Overtaken, ANewPathThatAnEditOvertookIsLookedAtAgain) {
    const ThreeWays world;
    const model::PathRequest asked = world.rough_order();
    world.follow(asked);
    world.place(1, {5, 2});
    world.slice();
    world.slice();
    ASSERT_EQ(world.engine->stats().suspended, 1U) << "the new path is being searched for";
    world.edit({4, 0, 3, 1}, 'C');  // the second way: 20 steps' worth
    world.run_all();
    const auto pushes = world.sink->pushes();
    ASSERT_EQ(pushes.size(), 2U);
    EXPECT_EQ(pushes[0].reason, PushReason::kBroken);
    EXPECT_EQ(pushes[0].body->version + 1, pushes[1].body->version);
    world.expect_last_push(asked, PushReason::kDearer, kThirdWay);
}

// Where the edit under way does not concern the new path, it is pushed once.
TEST(Overtaken, AnEditElsewhereMeanwhileIsNoNews) {
    const ThreeWays world;
    const model::PathRequest asked = world.rough_order();
    world.follow(asked);
    world.place(1, {5, 2});
    world.slice();
    world.slice();
    world.edit({4, 6, 3, 1}, 'C');
    world.run_all();
    ASSERT_EQ(world.sink->pushes().size(), 1U);
    world.expect_last_push(asked, PushReason::kBroken, kSecondWay);
}

// Simulator seed 965631302, at scale 8. If this failed, a unit that waits for a better way would
// not hear of the one that opens when its own place is built on: it then stands on the cheapest
// ground, from which a long first step is better than a short one.
TEST(Overtaken, AStartThatIsBuiltOnMayOpenABetterWay) {
    for (const bool improve : {true, false}) {
        ThreeWays world;
        const model::MapId plain = world.add_map("plain", test::open_grid(6, 3));
        world.map = plain;
        world.rough = world.engine->add_class(plain, model::terrain_class())->first;
        world.edit({0, 0, 1, 1}, 'C');
        model::PathRequest asked = world.order(1, {0, 0}, {3, 1}, improve);
        asked.query.movement_class = world.rough;
        asked.query.leave_blocked_start = true;
        world.follow(asked);
        const auto first = world.sink->result_of(1);
        ASSERT_EQ(first.turning_points.at(1).y, 0) << "a straight step first";
        world.place(1, {0, 0});
        world.run_all();
        const auto pushes = world.sink->pushes();
        ASSERT_EQ(pushes.size(), improve ? 1U : 0U) << "who did not ask hears nothing";
        if (improve) {
            EXPECT_EQ(pushes[0].reason, PushReason::kImproved);
            EXPECT_EQ(*pushes[0].body->result, world.fresh(asked, {0, 0}));
            EXPECT_EQ(pushes[0].body->result->turning_points.at(1), (model::Cell{1, 1}));
        }
    }
}

// Simulator seed 249290306, in run 35,700. If this failed, a unit whose goal was built on and then
// cleared again, while its way beside it was searched for, would stop there for ever.
TEST(Overtaken, AGoalThatIsFreeAgainBeforeTheWayToItsNeighbourIsFound) {
    const ThreeWays world;
    model::PathRequest asked = world.rough_order();
    asked.query.allow_partial = true;
    world.follow(asked);
    ASSERT_EQ(world.sink->outcome_of(1), Outcome::kComplete);
    world.place(1, kGoal);
    world.place(2, {5, 2});
    world.slice();
    world.slice();
    ASSERT_EQ(world.engine->stats().suspended, 1U) << "the partial way is being searched for";
    world.remove(1);
    world.run_all();
    const auto pushes = world.sink->pushes();
    ASSERT_EQ(pushes.size(), 2U);
    EXPECT_EQ(pushes[0].body->result->outcome, Outcome::kPartial);
    EXPECT_EQ(pushes[1].reason, PushReason::kImproved);
    EXPECT_EQ(*pushes[1].body->result, world.fresh(asked, kStart));
}

}  // namespace
}  // namespace outrider::engine
