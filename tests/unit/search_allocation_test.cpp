#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <set>

#include "outrider/search/survey.hpp"
#include "support/random.hpp"
#include "support/search_world.hpp"

namespace {
// This program counts every allocation.
std::atomic<std::uint64_t> allocations{0};
}  // namespace

// GCC looks through one half of the pair and not the other, and then sees free() meet new.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"

void* operator new(std::size_t bytes) {
    ++allocations;
    if (void* memory = std::malloc(bytes)) {
        return memory;
    }
    throw std::bad_alloc{};
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

namespace outrider::test {
namespace {

using model::Algorithm;

// The same ground in every run: on one map in hundreds a corner is walled in, and nothing is looked
// at from there.
map::Grid noise(std::uint64_t seed) {
    auto random = Random::fixed(seed);
    map::Grid grid{300, 100, {}};
    for (int i = 0; i < 300 * 100; ++i) {
        grid.terrain.push_back(random.chance(20) ? '@' : '.');
    }
    return grid;
}

// If this failed, slices would wait for the allocator's locks, and memory would grow in the dark.
TEST(SearchAllocation, AStepAllocatesNothingAfterWarmUp) {
    SearchWorld world(noise(1), model::ground_class());
    model::PathQuery query = query_of({1, 1}, {298, 98});
    query.leave_blocked_start = true;
    query.allow_partial = true;
    search::Search search;
    for (const Algorithm algorithm : {Algorithm::kDijkstra, Algorithm::kAstar, Algorithm::kJps,
                                      Algorithm::kTerrain, Algorithm::kFast}) {
        query.algorithm = algorithm;
        for (const bool explain : {false, true}) {
            query.explain = explain;
            std::uint64_t counted = 0;
            for (int round = 0; round < 2; ++round) {
                search.start(world.layer(), query, world.buffers());
                const std::uint64_t before = allocations;
                while (search.step(16) == search::Step::kRunning) {
                }
                counted = allocations - before;
                const model::PathResult result = search.take_result();
                EXPECT_GT(result.expansions, 0U);
                EXPECT_EQ(result.algorithm, algorithm);
            }
            EXPECT_EQ(counted, 0U);
        }
    }
}

// Of all steps of a warm search; what the answer takes is its own.
std::uint64_t allocations_of(const SearchWorld& world, const model::Survey& survey) {
    search::SurveySearch search;
    std::uint64_t counted = 0;
    for (int round = 0; round < 2; ++round) {
        search.start(world.layer(), survey);
        std::uint64_t before = allocations;
        while (search.step(256) == search::Step::kRunning) {
            counted = allocations - before;
            while (search.take_part()) {
            }
            before = allocations - counted;
        }
        counted = allocations - before;
        EXPECT_EQ(search.take_result().outcome, model::Outcome::kComplete);
    }
    return counted;
}

// If this failed, the slices of an army, which are many, would wait for the allocator's locks.
TEST(SearchAllocation, AStepOfASurveyAllocatesNothingButItsAnswer) {
    const SearchWorld world(noise(2), model::ground_class());
    Random random(2);
    const auto places = [&](std::size_t count) {
        std::vector<model::Cell> cells;
        while (cells.size() < count) {
            const model::Cell cell{static_cast<std::int32_t>(random.between(0, 299)),
                                   static_cast<std::int32_t>(random.between(0, 99))};
            if (world.layer().open(cell)) {
                cells.push_back(cell);
            }
        }
        return cells;
    };
    const model::Cell middle = places(1).front();
    const model::Goal goal{.rect = {middle.x, middle.y, 1, 1}};
    model::Survey survey;
    survey.query = model::MatrixQuery{places(6), places(40)};
    EXPECT_EQ(allocations_of(world, survey), 0U);
    survey.query = model::FieldQuery{goal, {0, 0, 300, 100}, true};
    EXPECT_EQ(allocations_of(world, survey), 2U);  // steps and costs
    // The costs, and runs, whose memory doubles.
    survey.query = model::ReachQuery{.starts = places(3), .cost_max = 900'000, .costs = true};
    EXPECT_LE(allocations_of(world, survey), 1U + 16);
    // The list, and the points of each way.
    model::NearestQuery nearest;
    nearest.start = middle;
    nearest.count = 20;
    for (const model::Cell cell : places(30)) {
        nearest.goals.push_back({.rect = {cell.x, cell.y, 1, 1}});
    }
    survey.query = nearest;
    EXPECT_LE(allocations_of(world, survey), 1U + 20);
    // The points of each way, each region that units stand in, and what the choice between jumps
    // and a wave takes for a moment.
    constexpr std::size_t kForTheChoice = 4;
    const auto units = places(500);
    std::set<map::Component> regions;
    for (const model::Cell unit : units) {
        regions.insert(world.layer().regions().component(unit));
    }
    model::GroupQuery group;
    group.starts = units;
    group.goal = goal;
    survey.query = group;
    EXPECT_LE(allocations_of(world, survey), units.size() + regions.size() + kForTheChoice);
}

// If this failed, smoothing would grow its lists anew for each path. What is counted are the path
// itself and its smooth one, which the answer keeps.
TEST(SearchAllocation, SmoothingKeepsItsMemoryToo) {
    SearchWorld world(noise(1), model::ground_class());
    model::PathQuery query = query_of({1, 1}, {298, 98});
    query.leave_blocked_start = true;
    query.allow_partial = true;
    search::Search search;
    const auto counted = [&] {
        search.start(world.layer(), query, world.buffers());
        const std::uint64_t before = allocations;
        while (search.step(16) == search::Step::kRunning) {
        }
        const model::PathResult result = search.take_result();
        EXPECT_NE(result.path_hash, 0U);
        return allocations - before;
    };
    const std::uint64_t plain = (counted(), counted());
    query.smoothing.grade = model::Grade::kCorners;
    const std::uint64_t first = counted();
    const std::uint64_t then = counted();
    EXPECT_LT(then, first);
    // The points, and their bytes for the hash.
    EXPECT_EQ(then, plain + 2);
}

// If this failed, the test above would prove nothing.
TEST(SearchAllocation, TheCounterCounts) {
    const std::uint64_t before = allocations;
    const auto number = std::make_unique<std::vector<int>>(10);
    EXPECT_EQ(allocations - before, 2U);
    EXPECT_EQ(number->size(), 10U);
}

}  // namespace
}  // namespace outrider::test
