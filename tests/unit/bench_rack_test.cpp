#include "outrider/engine/bench_rack.hpp"

#include <gtest/gtest.h>

#include "support/manual_clock.hpp"

namespace outrider::engine {
namespace {

using Benches = std::vector<std::unique_ptr<Workbench>>;

constexpr std::size_t kWorkers = 2;

// A rack with so many benches that were put back one after another, of so many bytes each.
struct Rack : BenchRack {
    explicit Rack(std::size_t count) : BenchRack(kWorkers) {
        for (std::size_t i = 0; i < count; ++i) {
            auto bench = std::make_unique<Workbench>();
            bench->bytes = 10;
            put_back(std::move(bench), clock.now());
        }
    }
    test::ManualClock clock;
};

// If this failed, a server would hold for ever what its dearest moment needed: on a large map a
// quarter of a gigabyte for each search that was suspended then.
TEST(BenchRack, WhatHasLainStillForTheWholeTimeIsLetGoOf) {
    Rack rack(5);
    Benches idle;
    rack.clock.advance(BenchRack::kIdleMax - std::chrono::microseconds(1));
    EXPECT_EQ(rack.let_go(rack.clock.now(), idle), 0U);
    rack.clock.advance(std::chrono::microseconds(1));
    EXPECT_EQ(rack.let_go(rack.clock.now(), idle), 30U);
    EXPECT_EQ(idle.size(), 3U);
    // One a worker stays, however long nothing happens.
    rack.clock.advance(100 * BenchRack::kIdleMax);
    EXPECT_EQ(rack.let_go(rack.clock.now(), idle), 0U);
    EXPECT_EQ(rack.size(), kWorkers);
}

// If this failed, benches would stay because they are used in turns, though fewer would do.
TEST(BenchRack, TheSameBenchIsUsedAgainWhileTheOthersLieStill) {
    Rack rack(4);
    for (int i = 0; i < 4; ++i) {
        auto bench = rack.take(false);
        const Workbench* const hot = bench.get();
        rack.clock.advance(BenchRack::kIdleMax / 5);
        rack.put_back(std::move(bench), rack.clock.now());
        bench = rack.take(false);
        EXPECT_EQ(bench.get(), hot);
        rack.put_back(std::move(bench), rack.clock.now());
    }
    rack.clock.advance(BenchRack::kIdleMax / 5);
    Benches idle;
    EXPECT_EQ(rack.let_go(rack.clock.now(), idle), 20U);
    EXPECT_EQ(rack.size(), kWorkers);
}

// If this failed, every bench would in time hold the buffers of every kind of work.
TEST(BenchRack, AJobGetsABenchThatHasDoneItsKindOfWork) {
    BenchRack rack(kWorkers);
    const base::TimePoint now{};
    auto made = std::make_unique<Workbench>();
    made->survey = std::make_unique<search::SurveySearch>();
    const Workbench* const surveyor = made.get();
    rack.put_back(std::move(made), now);
    made = std::make_unique<Workbench>();
    const Workbench* const pathfinder = made.get();
    rack.put_back(std::move(made), now);

    auto first = rack.take(true);
    EXPECT_EQ(first.get(), surveyor);
    rack.put_back(std::move(first), now);
    first = rack.take(false);
    EXPECT_EQ(first.get(), pathfinder);
    // Better a bench of the other kind than a new one.
    EXPECT_EQ(rack.take(false).get(), surveyor);
    EXPECT_EQ(rack.take(true), nullptr);
}

}  // namespace
}  // namespace outrider::engine
