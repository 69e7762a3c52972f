#include <gtest/gtest.h>

#include <optional>

#include "outrider/engine/overload.hpp"
#include "outrider/engine/scheduler.hpp"
#include "support/engine_world.hpp"

namespace outrider::engine {
namespace {

using namespace std::chrono_literals;
using model::Priority;
using model::RefusalCode;
using test::EngineWorld;
using test::make_sink;

constexpr DoorRules kRules{.queue_wait = 8ms, .patience = 100ms};

base::TimePoint at(base::Duration time) {
    return base::TimePoint(100s + time);
}

// A door whose queue stands: every request since time 0 would have had to wait too long.
DoorKeeper shedding() {
    DoorKeeper door;
    EXPECT_FALSE(door.refuses(kRules, {.wait = 20ms, .priority = Priority::kNormal}, at(0ms)));
    EXPECT_TRUE(door.refuses(kRules, {.wait = 20ms, .priority = Priority::kNormal}, at(101ms)));
    return door;
}

// If this failed, an army that is ordered at once would lose half of its orders.
TEST(Overload, AWaveShorterThanThePatiencePassesWhole) {
    DoorKeeper door;
    EXPECT_FALSE(door.refuses(kRules, {.wait = 0ms, .priority = Priority::kLow}, at(0ms)));
    EXPECT_FALSE(door.refuses(kRules, {.wait = 5s, .priority = Priority::kLow}, at(99ms)));
    EXPECT_FALSE(door.refuses(kRules, {.wait = 5s, .priority = Priority::kLow}, at(100ms)));
    EXPECT_TRUE(door.refuses(kRules, {.wait = 5s, .priority = Priority::kLow}, at(100ms + 1ns)));
}

// If this failed, waves that drain in between would count as one that never ends.
TEST(Overload, AQueueThatWasShortInBetweenDoesNotStand) {
    DoorKeeper door;
    for (int wave = 0; wave < 50; ++wave) {
        const base::Duration begin = wave * 90ms;
        EXPECT_FALSE(door.refuses(kRules, {.wait = 8ms, .priority = Priority::kNormal}, at(begin)))
            << "8 ms is short";
        EXPECT_FALSE(
            door.refuses(kRules, {.wait = 1s, .priority = Priority::kNormal}, at(begin + 80ms)));
    }
}

// If this failed, errands would be answered while a fight waits, or the other way about nothing.
TEST(Overload, EachPriorityHasItsOwnBound) {
    const std::pair<Priority, base::Duration> bounds[] = {{Priority::kLow, 4ms},
                                                          {Priority::kNormal, 8ms},
                                                          {Priority::kHigh, 16ms},
                                                          {Priority::kUrgent, 32ms}};
    for (const auto& [priority, bound] : bounds) {
        DoorKeeper door = shedding();
        EXPECT_FALSE(door.refuses(kRules, {.wait = bound - 1ns, .priority = priority}, at(102ms)));
        EXPECT_FALSE(door.refuses(kRules, {.wait = bound, .priority = priority}, at(102ms)));
        const auto stay_away =
            door.refuses(kRules, {.wait = bound + 3ms, .priority = priority}, at(102ms));
        ASSERT_TRUE(stay_away);
        EXPECT_EQ(*stay_away, 3ms) << "the hint is what the queue is too long by";
    }
}

// If this failed, a server would go on refusing after the storm, or let the next wave of a storm
// that lasts fill the queue again.
TEST(Overload, EndsWhenNothingHadToBeRefusedForAWhile) {
    const base::Duration last = 101ms;
    for (const base::Duration past : {-1ns, 0ns, 1ns}) {
        DoorKeeper door = shedding();
        EXPECT_EQ(door.refuses(kRules, {.wait = 1s, .priority = Priority::kNormal},
                               at(last + DoorKeeper::kCalm + past))
                      .has_value(),
                  past <= 0ns)
            << "at the bound it goes on, beyond it a wave passes again";
    }
    DoorKeeper door = shedding();
    EXPECT_FALSE(door.refuses(kRules, {.wait = 0ms, .priority = Priority::kNormal},
                              at(last + DoorKeeper::kCalm + 1ns)));
    EXPECT_FALSE(door.refuses(kRules, {.wait = 1s, .priority = Priority::kNormal},
                              at(last + DoorKeeper::kCalm + 90ms)))
        << "a wave passes whole";
}

// If this failed, who turned it off would be refused all the same.
TEST(Overload, NoBoundNoRefusal) {
    DoorKeeper door;
    for (int second = 0; second < 100; ++second) {
        EXPECT_FALSE(door.refuses({}, {.wait = 1h}, at(second * 1s)));
    }
}

// If this failed, the last orders of a long wave would be answered when nobody wants them any more,
// or a wave that is over in time would be cut.
TEST(Overload, NoWaveIsLongerThanItsBound) {
    constexpr DoorRules kBoth{.queue_wait = 8ms, .patience = 100ms, .wait_max = 2s};
    constexpr DoorRules kWaves{.wait_max = 2s};
    for (const DoorRules& rules : {kBoth, kWaves}) {
        for (const Priority priority :
             {Priority::kLow, Priority::kNormal, Priority::kHigh, Priority::kUrgent}) {
            for (const base::Duration estimate : {base::Duration(0ms), base::Duration(5s)}) {
                const base::Duration longest = std::max<base::Duration>(2s, estimate);
                DoorKeeper door;
                EXPECT_FALSE(door.refuses(rules, {longest - 1ns, estimate, priority}, at(0ms)));
                EXPECT_FALSE(door.refuses(rules, {longest, estimate, priority}, at(1ms)));
                EXPECT_EQ(door.refuses(rules, {longest + 3ms, estimate, priority}, at(2ms)), 3ms);
                EXPECT_FALSE(door.refuses(rules, {longest, estimate, priority}, at(3ms)))
                    << "one refusal does not close the door";
            }
        }
    }
}

// If this failed, a client with an empty queue would be held to everybody's backlog, and refused
// for a neighbour's.
TEST(Overload, TheBacklogOfAllIsGoodEnoughWhereItIsBelowEveryBound) {
    EXPECT_EQ((DoorRules{.queue_wait = 8ms, .patience = 0ms, .wait_max = 0ms}.harmless()), 4ms);
    EXPECT_EQ((DoorRules{.queue_wait = 0ms, .patience = 0ms, .wait_max = 2s}.harmless()), 2s);
    EXPECT_EQ((DoorRules{.queue_wait = 8ms, .patience = 0ms, .wait_max = 2s}.harmless()), 4ms);
    EXPECT_EQ((DoorRules{.queue_wait = 1s, .patience = 0ms, .wait_max = 100ms}.harmless()), 100ms);
}

// If this failed, long ways would be taken for short ones, and the queue for shorter than it is.
TEST(Overload, EstimatesGrowWithTheWayAndFollowTheMachine) {
    Estimates estimates;
    const model::MapId map{1};
    const auto way = [](std::int32_t cells) {
        model::PathQuery query;
        query.goal.rect = {cells - 16, 0, 1, 1};  // 16 more for what every search costs
        return Work(query);
    };
    EXPECT_EQ(estimates.of(map, way(100)), 0ns) << "nothing is known yet";
    estimates.note(map, way(100), 1000us);
    EXPECT_EQ(estimates.of(map, way(100)), 1000us);
    EXPECT_EQ(estimates.of(map, way(400)), 4000us);
    EXPECT_EQ(estimates.of({2}, way(400)), 0ns) << "another map";
    for (int i = 0; i < 2000; ++i) {
        estimates.note(map, way(100), 3000us);
    }
    EXPECT_NEAR(static_cast<double>(estimates.of(map, way(100)).count()), 3e6, 6e4);
    estimates.note(map, way(100), 1h);
    EXPECT_LE(estimates.of(map, way(8000)), 10s) << "one monster must not close the door for hours";
}

// If this failed, a map whose searches take longer than the bound would refuse half of a load that
// it bears, and who asks for a second's work would be sent away for a wait he does not notice.
TEST(Overload, WhoAsksForMuchMayWaitAsLong) {
    for (const base::Duration estimate : {0ms, 7ms, 8ms, 9ms, 100ms}) {
        const base::Duration bearable = std::max<base::Duration>(8ms, estimate);
        for (const base::Duration past : {-1ns, 0ns, 1ns}) {
            DoorKeeper door = shedding();
            EXPECT_EQ(door.refuses(kRules, {bearable + past, estimate}, at(102ms)).has_value(),
                      past > 0ns);
            EXPECT_EQ(
                door.refuses(kRules, {bearable / 2 + past, estimate, Priority::kLow}, at(102ms))
                    .has_value(),
                past > 0ns);
            DoorKeeper calm;
            EXPECT_FALSE(calm.refuses(kRules, {1h, estimate}, at(0ms)));
            EXPECT_FALSE(calm.refuses(kRules, {bearable + past, estimate}, at(100ms)));
            EXPECT_EQ(calm.refuses(kRules, {1h, estimate}, at(150ms)).has_value(), past > 0ns)
                << "a queue that was short in between does not stand";
        }
    }
}

// If this failed, a client with an empty queue would be told that it has to wait for another's
// long one, or let in although a thousand like it are.
TEST(Overload, TheWaitOfAClientIsItsOwnQueueAndAsMuchOfTheOthers) {
    Scheduler scheduler(200ms);
    const auto add = [&](JobIndex job, ClientIndex client, base::Duration estimate) {
        scheduler.add({.job = job, .client = client, .queued_at = at(0ms), .estimate = estimate});
    };
    EXPECT_EQ(scheduler.wait_of(0, 10ms), 0ns);
    for (JobIndex job = 0; job < 10; ++job) {
        add(job, 0, 10ms);
    }
    EXPECT_EQ(scheduler.wait_of(0, 10ms), 100ms);
    EXPECT_EQ(scheduler.wait_of(1, 3ms), 3ms) << "of the other's queue as much as its own job";
    EXPECT_EQ(scheduler.wait_of(1, 1s), 100ms) << "never more than what waits";
    add(10, 1, 5ms);
    EXPECT_EQ(scheduler.wait_of(0, 10ms), 105ms);
    EXPECT_EQ(scheduler.wait_of(1, 3ms), 5ms + 8ms);
    for (JobIndex job = 11; job < 1011; ++job) {
        add(job, job, 2ms);
    }
    EXPECT_EQ(scheduler.wait_of(2, 3ms), 3ms + 3ms + 1000 * 2ms) << "a thousand light ones";
    while (const auto job = scheduler.pick(true)) {
        scheduler.settle(*job < 10 ? 0 : *job == 10 ? 1 : *job, 1);
    }
    EXPECT_EQ(scheduler.wait_of(0, 1s), 0ns);
    EXPECT_EQ(scheduler.wait_of(1, 1s), 0ns);
}

// A world in which every search takes a millisecond, in one slice.
struct StormTest : testing::Test {
    StormTest() {
        Config config = EngineWorld::pumped();
        config.expansions_per_slice = 1'000'000;
        config.cache_bytes_max = 0;
        config.queue_wait = 5ms;
        config.overload_patience = 150ms;
        config.wait_max = 300ms;
        config.before_slice = [this](const model::PathQuery&) { world->clock.advance(1ms); };
        world.emplace(config);
        client = world->connect(sink);
    }
    void submit(model::ClientId from, Priority priority = Priority::kNormal) {
        ++last_id;
        model::PathRequest request = world->long_request(last_id, static_cast<int>(last_id % 3500));
        request.priority = priority;
        world->engine->submit(from, request);
    }
    // So many requests for each one that is answered.
    void storm(int rounds, int times) {
        for (int round = 0; round < rounds; ++round) {
            for (int i = 0; i < times; ++i) {
                submit(client);
            }
            world->slice();
        }
    }
    [[nodiscard]] std::size_t refused() const {
        std::size_t count = 0;
        for (const model::PathReply& reply : sink->replies()) {
            if (!reply.body) {
                EXPECT_EQ(reply.body.error().code, RefusalCode::kOverloaded);
                EXPECT_GE(reply.body.error().retry_after, 1ms);
                EXPECT_LE(reply.body.error().retry_after, 1s);
                ++count;
            }
        }
        return count;
    }

    std::optional<EngineWorld> world;
    std::shared_ptr<test::RecordingSink> sink = make_sink();
    model::ClientId client;
    std::uint64_t last_id{0};
};

// If this failed, three times the load that can be borne would make everybody wait for ever, or
// some request would end without a word.
TEST_F(StormTest, ThreeTimesTheCapacityKeepsTheQueueShortAndRefusesTheRest) {
    storm(700, 3);
    EXPECT_LE(world->engine->stats().queued, 7U) << "a queue of 5 ms, and its estimate's error";
    world->run_all();
    EXPECT_EQ(sink->count(), last_id) << "each request has one reply";
    EXPECT_EQ(refused(), world->engine->stats().shed);
    EXPECT_NEAR(static_cast<double>(refused()) / static_cast<double>(last_id), 2.0 / 3.0, 0.15);
}

// If this failed, an army of a thousand would wait for its last unit for as long as it takes, or
// orders would be sent away that could be carried out in time.
TEST_F(StormTest, AWaveIsTakenAsFarAsItIsAnsweredInTime) {
    storm(20, 1);
    const std::size_t before = sink->count();
    for (int i = 0; i < 1000; ++i) {
        submit(client);
    }
    EXPECT_NEAR(static_cast<double>(world->engine->stats().shed), 700.0, 100.0);
    world->run_all();
    EXPECT_EQ(sink->count() - before, 1000U) << "each request has one reply";
    EXPECT_EQ(refused(), world->engine->stats().shed);
}

// If this failed, a server that was overloaded once would refuse in quiet times.
TEST_F(StormTest, RecoversWithinASecond) {
    storm(400, 3);
    const std::uint64_t shed = world->engine->stats().shed;
    EXPECT_GT(shed, 0U);
    world->run_all();
    world->clock.advance(1s);
    for (int i = 0; i < 200; ++i) {
        submit(client);
    }
    EXPECT_EQ(world->engine->stats().shed, shed) << "a wave passes whole";
    world->run_all();
    EXPECT_EQ(sink->count(), last_id);
}

// If this failed, load that can be borne would be refused.
TEST_F(StormTest, TheFullCapacityIsNotRefused) {
    storm(500, 1);
    EXPECT_EQ(world->engine->stats().shed, 0U);
}

// If this failed, a heavy client would close the door for a light one (law 6).
TEST_F(StormTest, ALightClientIsLetInBesideAHeavyOne) {
    const auto light_sink = make_sink();
    const model::ClientId light = world->connect(light_sink);
    std::size_t asked = 0;
    for (int i = 0; i < 40; ++i) {
        storm(20, 3);
        submit(light);
        ++asked;
    }
    world->run_all();
    EXPECT_GT(world->engine->stats().shed, 500U);
    ASSERT_EQ(light_sink->count(), asked);
    for (const model::PathReply& reply : light_sink->replies()) {
        EXPECT_TRUE(reply.body) << reply.body.error().message;
    }
}

// If this failed, the fight would starve behind errands: the lowest priority is shed first.
TEST_F(StormTest, TheLowestPriorityIsShedFirst) {
    storm(500, 3);
    const auto shed_by = [&](Priority priority) {
        const std::uint64_t before = world->engine->stats().shed;
        submit(client, priority);
        return world->engine->stats().shed > before;
    };
    EXPECT_TRUE(shed_by(Priority::kLow));
    EXPECT_FALSE(shed_by(Priority::kUrgent));
}

// If this failed, asking what is under way already would be refused, though it costs nothing.
TEST_F(StormTest, WhatIsUnderWayAlreadyMayBeAskedAgain) {
    storm(500, 3);
    submit(client, Priority::kUrgent);
    const std::uint64_t shed = world->engine->stats().shed;
    for (int i = 0; i < 100; ++i) {
        model::PathRequest same = world->long_request(
            last_id + 10'000 + static_cast<std::uint64_t>(i), static_cast<int>(last_id % 3500));
        same.priority = Priority::kLow;
        world->engine->submit(client, same);
    }
    EXPECT_EQ(world->engine->stats().shed, shed);
}

// If this failed, a machine that slept for a day, or whose clock was set back, would lose requests.
TEST_F(StormTest, AClockThatJumpsLosesNothing) {
    for (const base::Duration jump : {base::Duration(24h), base::Duration(-24h)}) {
        const std::uint64_t first = last_id + 1;
        for (int i = 0; i < 20; ++i) {
            submit(client);
        }
        ++last_id;
        model::PathRequest timed = world->long_request(last_id, 3501);
        timed.deadline = world->clock.now() + 1s;
        world->engine->submit(client, timed);
        world->slice();
        world->clock.advance(jump);
        submit(client);
        world->run_all();
        EXPECT_EQ(sink->count(), last_id);
        for (std::uint64_t id = first; id <= last_id; ++id) {
            EXPECT_EQ(sink->replies_to(id), 1U);
        }
        EXPECT_EQ(sink->outcome_of(last_id - 1),
                  jump > 0ns ? model::Outcome::kDeadline : model::Outcome::kComplete);
    }
    EXPECT_EQ(world->engine->stats().shed, 0U);
}

}  // namespace
}  // namespace outrider::engine
