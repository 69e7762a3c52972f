#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "outrider/search/buffers.hpp"
#include "support/random.hpp"
#include "support/search_world.hpp"

namespace outrider::test {
namespace {

using model::Algorithm;
using model::Cell;
using model::Outcome;

// One a kernel.
constexpr Algorithm kKernels[] = {Algorithm::kAstar, Algorithm::kJps, Algorithm::kDijkstra,
                                  Algorithm::kTerrain};

map::Grid noise(std::int32_t width, std::int32_t height, int percent, std::uint64_t stream) {
    Random random(stream);
    map::Grid grid{width, height, {}};
    for (std::int64_t i = 0; i < std::int64_t{width} * height; ++i) {
        grid.terrain.push_back(random.chance(percent) ? '@' : '.');
    }
    // One way from the first cell to the last: down the first column, along the last row.
    for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) {
        grid.terrain[y * static_cast<std::size_t>(width)] = '.';
    }
    std::fill(grid.terrain.end() - width, grid.terrain.end(), model::Terrain{'.'});
    return grid;
}

// If this failed, the second question to a worker would be answered from the first one's leftovers.
TEST(SearchMemory, TheSameQueryTwiceAndAnotherInBetweenAnswerTheSame) {
    SearchWorld world(noise(70, 70, 20, 1), model::ground_class());
    for (const Algorithm algorithm : kAllAlgorithms) {
        model::PathQuery a = query_of({0, 0}, {69, 69});
        model::PathQuery b = query_of({69, 0}, {0, 69});
        a.algorithm = b.algorithm = algorithm;
        a.allow_partial = b.allow_partial = true;
        a.leave_blocked_start = b.leave_blocked_start = true;
        a.explain = true;
        const model::PathResult first = world.ask(a);
        EXPECT_EQ(world.ask(a), first);
        (void)world.ask(b);
        EXPECT_EQ(world.ask(a), first);
    }
}

// If this failed, after four thousand million searches a cell of an old one would count as visited.
TEST(SearchMemory, GenerationsWrapAroundWithoutGhosts) {
    SearchWorld world(noise(70, 70, 20, 2), model::ground_class());
    search::Buffers& buffers = world.buffers();
    const auto set_both = [&](std::uint32_t generation) {
        buffers.nodes.set_generation(generation);
        buffers.cells.set_generation(static_cast<std::uint16_t>(generation));
    };
    for (const Algorithm algorithm : kKernels) {
        model::PathQuery query = query_of({0, 0}, {69, 69});
        query.algorithm = algorithm;
        query.allow_partial = true;
        const model::PathResult first = world.ask(query);
        // Stamps of generation 1 and 2 lie about: exactly those that come again after the wrap.
        set_both(0);
        for (model::PathQuery other : {query_of({69, 0}, {0, 69}), query_of({35, 0}, {0, 35})}) {
            other.algorithm = algorithm;
            (void)world.ask(other);
        }
        set_both(std::numeric_limits<std::uint32_t>::max() - 2);
        for (int round = 0; round < 6; ++round) {
            EXPECT_EQ(world.ask(query), first) << round;
        }
        EXPECT_TRUE(buffers.nodes.generation() < 10 || buffers.cells.generation() < 10);
    }
}

// If this failed, a query that is too dear would crash, hang, or spoil the next one.
TEST(SearchMemory, ABudgetEndsWithAPartialPathAndTheNextQueryIsFine) {
    SearchWorld world(noise(64, 64, 30, 3), model::ground_class());
    model::PathQuery query = query_of({0, 0}, {63, 63});
    query.allow_partial = true;
    for (const Algorithm algorithm : kKernels) {
        query.algorithm = algorithm;
        query.expansions_max = 0;
        const model::PathResult whole = world.ask(query);
        for (const std::uint64_t budget :
             {std::uint64_t{1}, std::uint64_t{2}, whole.expansions - 1}) {
            query.expansions_max = budget;
            const model::PathResult cut = world.ask(query);
            EXPECT_EQ(cut.outcome, Outcome::kBudget);
            EXPECT_EQ(cut.reason, Outcome::kBudget);
            EXPECT_EQ(cut.expansions, budget);
            EXPECT_EQ(world.fault(query, cut), "");
        }
        for (const std::uint64_t budget : {whole.expansions, whole.expansions + 1}) {
            query.expansions_max = budget;
            EXPECT_EQ(world.ask(query).turning_points, whole.turning_points);
        }
    }
}

// If this failed, a unit whose order ran out of time would not move at all, or a cancelled one
// would.
TEST(SearchMemory, StopGivesTheBestPathForADeadlineAndNoneForACancel) {
    SearchWorld world(noise(64, 64, 10, 4), model::ground_class());
    model::PathQuery query = query_of({0, 0}, {63, 63});
    query.algorithm = Algorithm::kAstar;
    search::Search search;
    search.start(world.layer(), query, world.buffers());
    EXPECT_EQ(search.step(20), search::Step::kRunning);
    EXPECT_EQ(search.expansions(), 20U);
    const model::PathResult late = search.stop(Outcome::kDeadline);
    EXPECT_EQ(late.outcome, Outcome::kDeadline);
    EXPECT_EQ(world.fault(query, late), "");
    query.expansions_max = 20;
    EXPECT_EQ(world.ask(query).turning_points, late.turning_points);
    for (const Outcome outcome : {Outcome::kCancelled, Outcome::kSuperseded}) {
        search.start(world.layer(), query, world.buffers());
        EXPECT_EQ(search.step(5), search::Step::kRunning);
        const model::PathResult none = search.stop(outcome);
        EXPECT_EQ(none.outcome, outcome);
        EXPECT_TRUE(none.turning_points.empty());
        EXPECT_EQ(none.path_hash, 0U);
    }
}

// If this failed, many buildings would use up a pool and every unit would freeze.
TEST(SearchMemory, ManyObstaclesLeaveATrivialQueryTrivial) {
    SearchWorld world(noise(64, 64, 0, 5), model::ground_class());
    model::EditBatch batch;
    for (std::uint64_t i = 0; i < 1500; ++i) {
        model::PlaceObstacle building;
        building.id = {i + 1};
        building.footprint = {static_cast<std::int32_t>(i % 64),
                              static_cast<std::int32_t>(2 + i / 64), 1, 1};
        batch.edits.emplace_back(building);
    }
    ASSERT_TRUE(world.store().apply(batch).has_value());
    const auto snapshot = world.store().snapshot();
    const model::PathResult result =
        search::run(*snapshot->layer({0}), query_of({0, 0}, {63, 1}), world.buffers());
    EXPECT_EQ(result.outcome, Outcome::kComplete);
    EXPECT_LT(result.expansions, 100U);
}

// If this failed, long thin maps would overflow a coordinate or an index.
TEST(SearchMemory, LongThinMapsAreSearchedFromEndToEnd) {
    for (const Cell size : {Cell{300, 2}, Cell{8192, 1}, Cell{1, 8192}, Cell{2, 300}}) {
        SearchWorld world(noise(size.x, size.y, 0, 6), model::ground_class());
        for (const Algorithm algorithm : kAllAlgorithms) {
            model::PathQuery query = query_of({0, 0}, {size.x - 1, size.y - 1});
            query.algorithm = algorithm;
            const model::PathResult result = world.ask(query);
            EXPECT_EQ(result.cost,
                      2 * model::kWeightOne * model::octile_distance(size.x - 1, size.y - 1));
            EXPECT_EQ(world.fault(query, result), "");
        }
    }
}

// If this failed, buffers used on a big map would mix up the cells of a small one.
TEST(SearchMemory, OneSetOfBuffersServesMapsOfEverySize) {
    SearchWorld big(noise(130, 90, 15, 7), model::ground_class());
    SearchWorld small(noise(9, 33, 15, 8), model::ground_class());
    model::PathQuery on_big = query_of({0, 0}, {129, 89});
    model::PathQuery on_small = query_of({0, 0}, {8, 32});
    on_big.allow_partial = on_small.allow_partial = true;
    const model::PathResult big_alone = big.ask(on_big);
    const model::PathResult small_alone = small.ask(on_small);
    EXPECT_EQ(search::run(small.layer(), on_small, big.buffers()), small_alone);
    EXPECT_EQ(search::run(big.layer(), on_big, small.buffers()), big_alone);
    EXPECT_GE(search::bytes_of(small.buffers()), 130U * 90U * 16U);
}

// If this failed, the picture of a search would miss its end or show cells it never saw.
TEST(SearchMemory, ExplainShowsWhatWasOpenedAndClosed) {
    SearchWorld world(noise(40, 40, 15, 9), model::ground_class());
    model::PathQuery query = query_of({0, 0}, {39, 39});
    query.allow_partial = true;
    query.explain = true;
    for (const Algorithm algorithm : {Algorithm::kAstar, Algorithm::kJps, Algorithm::kTerrain}) {
        query.algorithm = algorithm;
        const model::PathResult result = world.ask(query);
        std::uint64_t closed = 0;
        bool jumped = false;
        for (const model::Explored& seen : result.explored) {
            EXPECT_TRUE(world.layer().open(seen.cell));
            closed += seen.kind == model::ExploredKind::kClosed ? 1U : 0U;
            jumped = jumped || seen.kind == model::ExploredKind::kJumpPoint;
        }
        EXPECT_EQ(closed, result.expansions);
        EXPECT_EQ(jumped, algorithm == Algorithm::kJps);
        EXPECT_EQ(result.explored.front().cell, query.start);
        EXPECT_EQ(result.explored.back().cell, result.turning_points.back());
        EXPECT_EQ(result.explored.back().g, result.cost);
    }
}

}  // namespace
}  // namespace outrider::test
