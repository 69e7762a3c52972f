// Jump point search looks first whether the goal is straight ahead, and makes no other jump where
// it is: so it must find the goal just where those jumps would have found it at once.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <vector>

#include "outrider/search/goal_ahead.hpp"
#include "outrider/search/jump.hpp"
#include "support/random.hpp"
#include "support/random_maps.hpp"
#include "support/search_world.hpp"

namespace outrider::test {
namespace {

using model::Algorithm;
using model::Cell;

std::int32_t sign(std::int32_t value) {
    return value > 0 ? 1 : (value < 0 ? -1 : 0);
}

// A diagonal step needs both sides open; what the first leaves may be blocked.
bool enters(const WeightGrid& grid, Cell from, Cell by) {
    return grid.open({from.x + by.x, from.y + by.y}) && grid.open({from.x + by.x, from.y}) &&
           grid.open({from.x, from.y + by.y});
}

// A wall beside the way ends beside this cell: a corner to turn round.
bool passes_a_corner(const WeightGrid& grid, Cell at, Cell by) {
    return std::ranges::any_of(std::initializer_list<int>{-1, 1}, [&](int side) {
        const Cell beside{at.x + side * by.y, at.y + side * by.x};
        return grid.open(beside) && !grid.open({beside.x - by.x, beside.y - by.y});
    });
}

// Cell by cell: diagonal steps, then straight ones past no corner. The turning points.
std::optional<std::vector<Cell>> way_ahead(const WeightGrid& grid, const model::PathQuery& query) {
    const model::Rect& rect = query.goal.rect;
    const Cell end{std::clamp(query.start.x, rect.x, rect.x + rect.width - 1),
                   std::clamp(query.start.y, rect.y, rect.y + rect.height - 1)};
    std::vector<Cell> points{query.start};
    Cell at = query.start;
    while (at.x != end.x && at.y != end.y) {
        const Cell by{sign(end.x - at.x), sign(end.y - at.y)};
        if (!enters(grid, at, by)) {
            return std::nullopt;
        }
        at = {at.x + by.x, at.y + by.y};
    }
    if (at != query.start && at != end) {
        points.push_back(at);
    }
    const Cell by{sign(end.x - at.x), sign(end.y - at.y)};
    while (at != end) {
        at = {at.x + by.x, at.y + by.y};
        if (!grid.open(at) || (at != end && passes_a_corner(grid, at, by))) {
            return std::nullopt;
        }
    }
    points.push_back(end);
    return points;
}

model::PathResult in_single_steps(const SearchWorld& world, const model::PathQuery& query,
                                  search::Buffers& buffers) {
    search::Search search;
    search.start(world.layer(), query, buffers);
    while (search.step(1) == search::Step::kRunning) {
    }
    return search.take_result();
}

void check_ahead(SearchWorld& world, model::PathQuery query, const std::vector<Cell>& way) {
    const model::PathResult result = world.ask(query);
    ASSERT_EQ(result.turning_points, way);
    ASSERT_EQ(result.expansions, 2U) << "the start and the goal, and no more";
    ASSERT_EQ(result, in_single_steps(world, query, world.buffers()));
    query.expansions_max = 2;
    ASSERT_EQ(world.ask(query), result);
    query.expansions_max = 1;
    const model::PathResult cut = world.ask(query);
    ASSERT_EQ(cut.outcome, model::Outcome::kBudget);
    ASSERT_EQ(cut.turning_points, std::vector<Cell>{query.start});
}

std::optional<Cell> found_ahead(const SearchWorld& world, const model::PathQuery& query) {
    const Cell at = query.start;
    const search::MoveMask legal =
        search::kJumpTable[search::kAnyMove][search::bits_around(world.layer(), at.x, at.y)];
    return search::goal_ahead(world.layer().bits(), search::GoalRegion(query.goal.rect, 0), at,
                              legal);
}

// An explained search makes all its jumps, for the picture.
model::PathResult with_all_jumps(SearchWorld& world, model::PathQuery query) {
    query.explain = true;
    model::PathResult result = world.ask(query);
    result.explored.clear();
    return result;
}

model::MovementClass random_jumper(Random& random) {
    model::MovementClass who = model::ground_class();
    who.footprint = static_cast<std::uint8_t>(random.chance(25) ? random.between(2, 3) : 1);
    return who;
}

SearchWorld random_world(Random& random) {
    const map::Grid grid = random.chance(50) ? tiny_map(random) : random_map(random);
    SearchWorld world(grid, random_jumper(random));
    if (random.chance(50)) {
        world.add_landmarks();
    }
    return world;
}

// If this failed, a unit whose goal lies before its eyes would be sent along another of the
// cheapest paths than the rules say, or the server would search the map for it all the same.
TEST(GoalAhead, AGoalStraightAheadIsTheSecondExpansionAndNoOtherIs) {
    const std::uint64_t count = rounds(500);
    std::uint64_t ahead = 0;
    std::uint64_t others = 0;
    for (std::uint64_t round = 0; round < count; ++round) {
        SCOPED_TRACE("round " + std::to_string(round));
        Random random(0x40A0000 + round);
        SearchWorld world = random_world(random);
        for (int i = 0; i < 10; ++i) {
            model::PathQuery query = random_query(random, world.weights());
            query.algorithm = Algorithm::kJps;
            query.goal.range = 0;
            query.expansions_max = 0;
            query.allow_partial = false;
            query.explain = false;
            if (search::verdict(world.layer(), query)) {
                continue;
            }
            const auto way = way_ahead(world.weights(), query);
            ASSERT_EQ(found_ahead(world, query), way ? std::optional(way->back()) : std::nullopt);
            if (way) {
                ++ahead;
                ASSERT_NO_FATAL_FAILURE(check_ahead(world, query, *way));
            } else if (query.goal.rect.area() == 1) {
                ++others;
                ASSERT_GT(world.ask(query).expansions, 2U);
            }
        }
    }
    EXPECT_GT(ahead, count / 20);
    EXPECT_GT(others, count / 20);
}

// If this failed, looking ahead would change some answer: another of several equal paths, a dearer
// one, another end of a search cut short, another count of expansions.
TEST(GoalAhead, EveryAnswerIsThatOfASearchThatLooksEverywhere) {
    const std::uint64_t count = rounds(1000);
    for (std::uint64_t round = 0; round < count; ++round) {
        SCOPED_TRACE("round " + std::to_string(round));
        Random random(0x40B0000 + round);
        SearchWorld world = random_world(random);
        for (int i = 0; i < 10; ++i) {
            model::PathQuery query = random_query(random, world.weights());
            query.algorithm = Algorithm::kJps;
            query.explain = false;
            query.expansions_max =
                random.chance(30) ? static_cast<std::uint64_t>(random.between(1, 12)) : 0;
            const model::PathResult result = world.ask(query);
            ASSERT_EQ(result, with_all_jumps(world, query));
            if (query.expansions_max == 0) {
                ASSERT_EQ(result.cost, world.oracle(query).cost);
            }
        }
    }
}

}  // namespace
}  // namespace outrider::test
