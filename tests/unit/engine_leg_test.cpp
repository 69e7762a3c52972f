#include <gtest/gtest.h>

#include "outrider/engine/engine.hpp"
#include "support/follow_world.hpp"

namespace outrider::engine {
namespace {

using model::Outcome;
using std::chrono::milliseconds;
using test::make_sink;

constexpr std::int32_t kSide = 320;

// A wide open map, on which Dijkstra takes long and the first leg is soon found.
struct LegWorld : test::FollowWorld {
    explicit LegWorld(const Config& config = small_slices())
        : FollowWorld(test::open_grid(kSide, kSide), config) {}

    static Config small_slices() {
        Config config = pumped();
        config.first_leg_after = 100;
        config.cache_bytes_max = 0;
        return config;
    }
    [[nodiscard]] model::PathRequest far(std::uint64_t id,
                                         model::Algorithm algorithm = model::Algorithm::kDijkstra,
                                         std::int32_t row = 0) const {
        model::PathRequest asked = request(id, {0, row}, {kSide - 1, kSide - 1});
        asked.query.algorithm = algorithm;
        asked.first_leg = true;
        return asked;
    }
    void ask(const model::PathRequest& asked) const { engine->submit(client, asked); }
    // Until the leg is there.
    void run_to_leg(std::size_t count = 1) const {
        for (int slices = 0; sink->legs().size() < count && slices < 1000; ++slices) {
            slice();
        }
        ASSERT_EQ(sink->legs().size(), count);
    }
};

bool begins_with(const std::vector<model::Cell>& path, const std::vector<model::Cell>& leg) {
    const auto cells = model::cells_of(path);
    const auto first = model::cells_of(leg);
    return first.size() <= cells.size() && std::equal(first.begin(), first.end(), cells.begin());
}

// If this failed, a unit whose path takes long would stand about until all of it is known.
TEST(FirstLegs, ALongSearchTellsWhereItsPathMayBegin) {
    const LegWorld world;
    world.ask(world.far(1));
    ASSERT_NO_FATAL_FAILURE(world.run_to_leg());
    EXPECT_EQ(world.sink->count(), 0U);
    world.run_all();
    const model::LegPush push = world.sink->legs().at(0);
    EXPECT_EQ(push.id.value, 1U);
    EXPECT_EQ(push.version, world.sink->reply_to(1).body->version);
    EXPECT_EQ(push.leg->turning_points.front(), (model::Cell{0, 0}));
    EXPECT_GT(push.leg->cost, 0U);
    EXPECT_FALSE(push.leg->binding);
    EXPECT_GT(push.leg->expansions, 100U);
    model::PathRequest alone = world.far(2);
    EXPECT_EQ(world.sink->result_of(1), world.fresh(alone, {0, 0})) << "the leg changed the reply";
    EXPECT_EQ(world.engine->stats().first_legs, 1U);
    EXPECT_EQ(world.sink->legs().size(), 1U);
}

// If this failed, a unit that trusts a binding leg would have to turn back.
TEST(FirstLegs, TheFirstLegOfFastIsTheBeginningOfItsPath) {
    const LegWorld world;
    world.ask(world.far(1, model::Algorithm::kFast));
    world.run_all();
    ASSERT_EQ(world.sink->legs().size(), 1U);
    const auto leg = world.sink->legs()[0].leg;
    EXPECT_TRUE(leg->binding);
    EXPECT_EQ(leg->expansions, 0U);
    EXPECT_TRUE(begins_with(world.sink->result_of(1).turning_points, leg->turning_points));
}

// If this failed, clients that know nothing of first legs would get messages that they did not ask
// for, or short searches would be held up.
TEST(FirstLegs, NobodyGetsOneWhoDidNotAskOrNeedsNone) {
    const LegWorld world;
    model::PathRequest unasked = world.far(1);
    unasked.first_leg = false;
    world.ask(unasked);
    model::PathRequest near = world.request(2, {0, 0}, {90, 90});  // long, but less than two chunks
    near.query.algorithm = model::Algorithm::kDijkstra;
    near.first_leg = true;
    world.ask(near);
    world.ask(world.far(3, model::Algorithm::kAuto));  // short
    model::PathRequest same = world.request(4, {5, 5}, {5, 5});
    same.first_leg = true;
    world.ask(same);
    world.run_all();
    EXPECT_EQ(world.sink->count(), 4U);
    EXPECT_TRUE(world.sink->legs().empty());
}

// If this failed, whether a leg comes would hang on something else than the stated count.
TEST(FirstLegs, TheCountOfExpansionsDecidesAtBelowAndAbove) {
    for (const auto algorithm : {model::Algorithm::kDijkstra, model::Algorithm::kFast}) {
        const LegWorld reference;
        const std::uint64_t total = reference.fresh(reference.far(1, algorithm), {0, 0}).expansions;
        for (const auto& [after, legs] :
             {std::pair(total - 1, 1U), std::pair(total, 0U), std::pair(total + 1, 0U)}) {
            Config config = LegWorld::small_slices();
            config.first_leg_after = after;
            config.expansions_per_slice = 5000;
            const LegWorld world(config);
            world.ask(world.far(1, algorithm));
            world.run_all();
            EXPECT_EQ(world.sink->legs().size(), legs) << total << " after " << after;
            EXPECT_EQ(world.sink->result_of(1).expansions, total);
        }
    }
}

// What the search for a leg takes, besides the 100 after which it begins.
void find_leg_work(std::uint64_t& taken) {
    const LegWorld reference;
    reference.ask(reference.far(1));
    ASSERT_NO_FATAL_FAILURE(reference.run_to_leg());
    taken = reference.sink->legs()[0].leg->expansions - 100;
}

// If this failed, a map like a maze would make the server look for first legs for ever.
TEST(FirstLegs, TheSearchForOneIsBounded) {
    std::uint64_t taken = 0;
    ASSERT_NO_FATAL_FAILURE(find_leg_work(taken));
    for (const auto& [most, legs] :
         {std::pair(taken - 1, 0U), std::pair(taken, 1U), std::pair(taken + 1, 1U)}) {
        Config config = LegWorld::small_slices();
        config.first_leg_expansions_max = most;
        const LegWorld world(config);
        world.ask(world.far(1));
        world.run_all();
        EXPECT_EQ(world.sink->legs().size(), legs) << taken << " of " << most;
        EXPECT_EQ(world.sink->outcome_of(1), Outcome::kComplete);
    }
}

// If this failed, who asks for little work could have much done that nobody pays for.
TEST(FirstLegs, TheSearchForOneKeepsToTheBudgetOfItsRequest) {
    std::uint64_t taken = 0;
    ASSERT_NO_FATAL_FAILURE(find_leg_work(taken));
    for (const auto& [most, legs] :
         {std::pair(taken - 1, 0U), std::pair(taken, 1U), std::pair(taken + 1, 1U)}) {
        const LegWorld world;
        model::PathRequest request = world.far(1);
        request.query.expansions_max = most;
        world.ask(request);
        world.run_all();
        EXPECT_EQ(world.sink->legs().size(), legs) << taken << " of " << most;
        EXPECT_EQ(world.sink->count(), 1U);
    }
}

// If this failed, one of two players that ask the same would wait, or both would pay for a search.
TEST(FirstLegs, WhoJoinsASearchGetsItsLegToo) {
    const LegWorld world;
    world.ask(world.far(1));
    world.ask(world.far(2));
    model::PathRequest unasked = world.far(3);
    unasked.first_leg = false;
    world.ask(unasked);
    ASSERT_NO_FATAL_FAILURE(world.run_to_leg(2));
    world.ask(world.far(4));
    EXPECT_EQ(world.sink->legs().size(), 3U) << "the leg is known: it comes at once";
    world.run_all();
    EXPECT_EQ(world.sink->count(), 4U);
    EXPECT_EQ(world.engine->stats().joined, 3U);
    ASSERT_EQ(world.sink->legs().size(), 3U);
    EXPECT_EQ(world.sink->legs()[2].leg, world.sink->legs()[0].leg);
}

// If this failed, who joins a search that nobody wanted led would wait for its end.
TEST(FirstLegs, WhoComesToASearchPastItsLegHasOneOfItsOwn) {
    const LegWorld world;
    model::PathRequest unasked = world.far(1);
    unasked.first_leg = false;
    world.ask(unasked);
    for (int i = 0; i < 10; ++i) {
        world.slice();
    }
    world.ask(world.far(2));
    world.run_all();
    ASSERT_EQ(world.sink->legs().size(), 1U);
    EXPECT_EQ(world.sink->legs()[0].id.value, 2U);
    EXPECT_EQ(world.sink->result_of(1), world.sink->result_of(2));
}

// If this failed, a unit would walk on along an order that is over.
TEST(FirstLegs, NoneComesAfterTheEndOfItsRequest) {
    LegWorld world;
    world.ask(world.far(1));
    world.slice();
    EXPECT_TRUE(world.engine->cancel(world.client, {1}));
    model::PathRequest late = world.far(2, model::Algorithm::kDijkstra, 1);
    late.deadline = world.clock.now() + milliseconds{1};
    world.ask(late);
    world.slice();
    world.slice();  // the search for the leg has begun
    world.clock.advance(milliseconds{2});
    world.run_all();
    EXPECT_EQ(world.sink->outcome_of(2), Outcome::kDeadline);
    model::PathRequest older = world.far(3, model::Algorithm::kDijkstra, 2);
    older.unit = {7};
    world.ask(older);
    world.slice();
    model::PathRequest newer = world.request(4, {3, 3}, {4, 4});
    newer.unit = {7};
    world.ask(newer);
    world.ask(world.far(5, model::Algorithm::kDijkstra, 3));
    world.slice();
    world.engine->disconnect(world.client);
    world.run_all();
    EXPECT_EQ(world.sink->outcome_of(3), Outcome::kSuperseded);
    EXPECT_TRUE(world.sink->legs().empty());
    EXPECT_EQ(world.engine->stats().suspended, 0U);
}

// If this failed, a unit that repeats its order would stand about again each time.
TEST(FirstLegs, ARepeatedOrderHasTheLegOfTheSearchThatGoesOn) {
    const LegWorld world;
    model::PathRequest order = world.far(1);
    order.unit = {7};
    world.ask(order);
    ASSERT_NO_FATAL_FAILURE(world.run_to_leg());
    order.id = {2};
    world.ask(order);
    EXPECT_EQ(world.sink->outcome_of(1), Outcome::kSuperseded);
    ASSERT_EQ(world.sink->legs().size(), 2U);
    EXPECT_EQ(world.sink->legs()[1].id.value, 2U);
    world.run_all();
    EXPECT_EQ(world.sink->outcome_of(2), Outcome::kComplete);
}

// If this failed, a search that begins anew on a newer map would send its unit two ways at once.
TEST(FirstLegs, ASearchThatBeginsAnewLeadsNobodyTwice) {
    Config config = LegWorld::small_slices();
    config.snapshots_per_map_max = 2;
    const LegWorld world(config);
    world.ask(world.far(1));
    ASSERT_NO_FATAL_FAILURE(world.run_to_leg());
    world.edit({200, 5, 1, 1}, '@');
    // Not the eldest, on a version of its own.
    world.ask(world.far(2, model::Algorithm::kDijkstra, 1));
    ASSERT_NO_FATAL_FAILURE(world.run_to_leg(2));
    for (std::int32_t i = 0; i < 4; ++i) {
        world.edit({200, 10 + i, 1, 1}, '@');
        world.slice();
        world.slice();
    }
    world.ask(world.far(3, model::Algorithm::kDijkstra, 1));
    world.run_all();
    EXPECT_GT(world.engine->stats().restarts, 0U);
    ASSERT_EQ(world.sink->legs().size(), 3U);
    EXPECT_EQ(world.sink->legs()[2].id.value, 3U);
    EXPECT_GE(world.sink->legs()[2].version, 5U) << "led on a map that was gone when it asked";
    EXPECT_EQ(world.sink->count(), 3U);
}

// If this failed, units would wait for their first steps just when the server has most to do.
TEST(FirstLegs, ASearchThatFindsNoPlaceIsLedAllTheSame) {
    Config config = LegWorld::small_slices();
    config.suspended_max = 1;
    config.expansions_per_slice = 2000;
    const LegWorld world(config);
    for (std::uint64_t id = 1; id <= 5; ++id) {
        world.ask(world.far(id, model::Algorithm::kDijkstra, static_cast<std::int32_t>(id)));
    }
    ASSERT_NO_FATAL_FAILURE(world.run_to_leg(5));
    EXPECT_EQ(world.sink->count(), 0U);
    world.run_all();
    EXPECT_EQ(world.sink->count(), 5U);
    EXPECT_EQ(world.sink->legs().size(), 5U);
}

// If this failed, a followed unit would be led where only its first path may lead it.
TEST(FirstLegs, AFollowedUnitIsLedToItsFirstPathAlone) {
    const LegWorld world;
    model::PathRequest order = world.far(1);
    order.follow.emplace();
    world.follow(order);
    ASSERT_EQ(world.sink->legs().size(), 1U);
    const auto points = world.sink->result_of(1).turning_points;
    world.place(1, model::cells_of(points)[100]);
    world.run_all();
    ASSERT_EQ(world.sink->pushes().size(), 1U);
    EXPECT_EQ(world.sink->legs().size(), 1U);
}

// If this failed, a large unit would be told to walk through itself, or not at all.
TEST(FirstLegs, AUnitThatIgnoresItsObstacleIsLedPastIt) {
    const LegWorld world;
    world.apply(model::PlaceObstacle{{9}, {0, 0, 3, 3}, 0});
    model::PathRequest asked = world.far(1);
    asked.query.ignore_obstacle = model::ObstacleId{9};
    world.ask(asked);
    world.run_all();
    ASSERT_EQ(world.sink->legs().size(), 1U);
    EXPECT_EQ(world.sink->legs()[0].leg->turning_points.front(), (model::Cell{0, 0}));
    EXPECT_EQ(world.sink->outcome_of(1), Outcome::kComplete);
}

}  // namespace
}  // namespace outrider::engine
