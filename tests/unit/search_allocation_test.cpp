#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

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

// If this failed, slices would wait for the allocator's locks, and memory would grow in the dark.
TEST(SearchAllocation, AStepAllocatesNothingAfterWarmUp) {
    Random random(1);
    map::Grid grid{300, 100, {}};
    for (int i = 0; i < 300 * 100; ++i) {
        grid.terrain.push_back(random.chance(20) ? '@' : '.');
    }
    SearchWorld world(grid, model::ground_class());
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

// If this failed, smoothing would grow its lists anew for each path. What is counted are the path
// itself and its smooth one, which the answer keeps.
TEST(SearchAllocation, SmoothingKeepsItsMemoryToo) {
    Random random(1);
    map::Grid grid{300, 100, {}};
    for (int i = 0; i < 300 * 100; ++i) {
        grid.terrain.push_back(random.chance(20) ? '@' : '.');
    }
    SearchWorld world(grid, model::ground_class());
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
