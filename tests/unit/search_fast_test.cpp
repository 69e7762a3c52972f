#include <gtest/gtest.h>

#include "outrider/model/path.hpp"
#include "support/random.hpp"
#include "support/search_world.hpp"

namespace outrider::test {
namespace {

using model::Algorithm;
using model::Outcome;

map::Grid blocked_grid(std::int32_t width, std::int32_t height) {
    return {width, height,
            std::vector<model::Terrain>(
                static_cast<std::size_t>(width) * static_cast<std::size_t>(height), '@')};
}

// Noise, and open ground for a step around both ends, so that there is a way from end to end.
map::Grid noise_grid(model::Cell from, model::Cell to) {
    Random random(3);
    map::Grid grid = blocked_grid(300, 200);
    for (model::Cell at{0, 0}; at.y < 200; ++at.y) {
        for (at.x = 0; at.x < 300; ++at.x) {
            const bool end = model::Rect{from.x - 1, from.y - 1, 3, 3}.contains(at) ||
                             model::Rect{to.x - 1, to.y - 1, 3, 3}.contains(at);
            grid.terrain[static_cast<std::size_t>(at.y * 300 + at.x)] =
                !end && random.chance(15) ? '@' : '.';
        }
    }
    return grid;
}

model::PathQuery fast_query(model::Cell from, model::Cell to) {
    model::PathQuery query = query_of(from, to);
    query.algorithm = Algorithm::kFast;
    return query;
}

// If this failed, a unit in one of many corridors across a border would be told that there is no
// way: a border keeps sixteen portals, and this one has thirty-two ways over it.
TEST(SearchFast, AWayThatThePortalsLeaveOutIsFoundByTheExactKernel) {
    map::Grid grid = blocked_grid(200, 64);
    for (std::size_t y = 0; y < 64; y += 2) {
        std::fill_n(grid.terrain.begin() + static_cast<std::ptrdiff_t>(y * 200 + 32), 160, '.');
    }
    SearchWorld world(grid, model::ground_class());
    for (std::int32_t y = 0; y < 64; y += 2) {
        const model::PathQuery query = fast_query({33, y}, {190, y});
        const model::PathResult result = world.ask(query);
        EXPECT_EQ(result.outcome, Outcome::kComplete);
        EXPECT_EQ(result.bound_percent, 100U);
        EXPECT_EQ(result.cost, 157 * model::kCostPerCell);
        EXPECT_EQ(world.fault(query, result), "");
    }
}

// If this failed, units that only walk round the corner would take detours for nothing.
TEST(SearchFast, ANearGoalIsAnsweredExactly) {
    const model::PathQuery query = fast_query({100, 100}, {227, 101});
    SearchWorld world(noise_grid({100, 100}, {227, 101}), model::ground_class());
    const model::PathResult result = world.ask(query);
    EXPECT_EQ(result.algorithm, Algorithm::kJps);
    EXPECT_EQ(result.outcome, Outcome::kComplete);
    EXPECT_EQ(result.bound_percent, 100U);
    EXPECT_EQ(result.cost, world.oracle(query).cost);
}

// If this failed, a unit on which a building was placed could not be sent far.
TEST(SearchFast, AUnitLeavesABlockedStartOnALongWay) {
    map::Grid grid = noise_grid({64, 64}, {290, 180});
    grid.terrain[64 * 300 + 64] = '@';
    SearchWorld world(grid, model::ground_class());
    model::PathQuery query = fast_query({64, 64}, {290, 180});
    query.leave_blocked_start = true;
    const model::PathResult result = world.ask(query);
    EXPECT_EQ(result.algorithm, Algorithm::kFast);
    EXPECT_EQ(result.outcome, Outcome::kComplete);
    EXPECT_EQ(world.fault(query, result), "");
    EXPECT_LE(result.cost * 100, world.oracle(query).cost * result.bound_percent);
}

}  // namespace
}  // namespace outrider::test
