#include <gtest/gtest.h>

#include "support/edited_world.hpp"

namespace outrider::test {
namespace {

using model::Algorithm;

struct Tally {
    int routes{0};
    int dearer{0};
    int first_legs{0};
};

// Cut at, below and above its number of points it is still a path that costs what it says.
void check_cut_leg(const EditedWorld& world, const model::PathQuery& query,
                   const search::Search& search, const std::optional<model::FirstLeg>& leg) {
    const std::size_t points = leg ? leg->turning_points.size() : 0;
    for (const std::size_t most : {std::size_t{2}, points - 1, points, points + 1}) {
        if (!leg || most < 2) {
            continue;
        }
        const auto cut = search.first_leg(most);
        ASSERT_TRUE(cut.has_value());
        ASSERT_EQ(cut->turning_points.size(), std::min(most, points));
        model::PathResult path;
        path.turning_points = cut->turning_points;
        path.cost = cut->cost;
        path.path_hash = model::path_hash(path.turning_points);
        ASSERT_EQ(fault_of_path(world.weights(), world.mover(), query, path), "")
            << drawn(world, query);
        ASSERT_TRUE(most < points || *cut == *leg);
    }
}

// The first leg as a caller in slices sees it; the search is then run to its end.
void check_first_leg(const EditedWorld& world, const model::PathQuery& query,
                     const model::PathResult& result, search::Buffers& buffers, Tally& tally) {
    std::optional<model::FirstLeg> first;
    for (const std::uint64_t size : {16U, 300U}) {
        search::Search search;
        search.start(world.layer(), query, buffers);
        std::optional<model::FirstLeg> leg;
        while (search.step(size) == search::Step::kRunning) {
            leg = leg ? leg : search.first_leg();
        }
        ASSERT_EQ(search.first_leg(), leg) << "what stood once has changed";
        ASSERT_NO_FATAL_FAILURE(check_cut_leg(world, query, search, leg));
        ASSERT_EQ(search.take_result(), result);
        if (!leg) {
            continue;
        }
        ++tally.first_legs;
        const auto cells = model::cells_of(result.turning_points);
        const auto part = model::cells_of(leg->turning_points);
        ASSERT_LE(part.size(), cells.size());
        ASSERT_TRUE(std::equal(part.begin(), part.end(), cells.begin()));
        ASSERT_LE(leg->cost, result.cost);
        ASSERT_TRUE(!first || first->turning_points == leg->turning_points);
        ASSERT_TRUE(!first || first->cost == leg->cost);
        first = leg;
    }
}

void check_fast(const EditedWorld& world, Random& random, search::Buffers& warm, Tally& tally) {
    model::PathQuery query = far_query(random, world.weights());
    query.algorithm = Algorithm::kFast;
    const Expected expected = ask_oracle(world.weights(), world.mover(), query);
    const model::PathResult result = search::run(world.layer(), query, warm);
    ASSERT_NO_FATAL_FAILURE(check_answer(world, query, result, expected));
    ASSERT_GE(result.cost, expected.cost);
    tally.routes += result.algorithm == Algorithm::kFast ? 1 : 0;
    tally.dearer += result.cost > expected.cost ? 1 : 0;
    for (const std::uint64_t size : {1U, 13U, 1000U}) {
        ASSERT_EQ(in_steps(world, query, warm, size), result) << drawn(world, query);
    }
    ASSERT_NO_FATAL_FAILURE(check_budget(world, query, result, warm));
    ASSERT_NO_FATAL_FAILURE(check_first_leg(world, query, result, warm, tally));
    const auto rebuilt = world.rebuilt();
    const search::BuffersPtr cold = search::make_buffers();
    ASSERT_EQ(search::run(*rebuilt->snapshot()->layer({0}), query, *cold), result)
        << drawn(world, query);
}

// If this failed, `fast` would send units through walls, promise more than it keeps, or answer
// otherwise on a server that has just been started.
TEST(FastProperty, APathIsLegalAndKeepsItsBoundOnEditedMapsOfManyChunks) {
    const search::BuffersPtr warm = search::make_buffers();
    const std::uint64_t count = rounds(40);
    Tally tally;
    for (std::uint64_t round = 0; round < count; ++round) {
        SCOPED_TRACE("round " + std::to_string(round));
        Random random(0x20000 + round);
        EditedWorld world(random, wide_map(random));
        for (int turn = 0; turn < 3; ++turn) {
            for (int i = 0; i < 2; ++i) {
                ASSERT_NO_FATAL_FAILURE(check_fast(world, random, *warm, tally));
            }
            ASSERT_NO_FATAL_FAILURE(world.edit(random));
        }
    }
    // The test must meet what it is for.
    EXPECT_GT(tally.routes, static_cast<int>(count));
    EXPECT_GT(tally.dearer, static_cast<int>(count) / 4);
    EXPECT_GT(tally.first_legs, static_cast<int>(count));
}

// Every portal of a layer with all its costs, asked for in an order of its own.
void expect_same_portals(const map::Layer& live, const map::Layer& rebuilt) {
    const auto live_scratch = std::make_unique<map::ChunkSearch>();
    const auto rebuilt_scratch = std::make_unique<map::ChunkSearch>();
    map::for_each_chunk({0, 0, live.width(), live.height()}, [&](map::ChunkPlace place) {
        const map::ChunkPortals& a = live.portals(place);
        const map::ChunkPortals& b = rebuilt.portals(place);
        ASSERT_EQ(a.count(), b.count());
        for (std::uint32_t i = b.count(); i-- > 0;) {
            ASSERT_EQ(a[i], b[i]);
            const std::uint32_t* row_a = a.row(live, place, i, *live_scratch);
            const std::uint32_t* row_b = b.row(rebuilt, place, i, *rebuilt_scratch);
            ASSERT_TRUE(std::equal(row_a, row_a + a.count(), row_b));
            ASSERT_EQ(row_a[i], 0U);
        }
    });
}

// If this failed, an edit would leave stale costs behind, and a route would lead through a wall.
TEST(FastProperty, PortalsAfterEditsAreThoseOfAMapMadeFromNothing) {
    const std::uint64_t count = rounds(12);
    for (std::uint64_t round = 0; round < count; ++round) {
        SCOPED_TRACE("round " + std::to_string(round));
        Random random(0x30000 + round);
        EditedWorld world(random, wide_map(random));
        for (int turn = 0; turn < 4; ++turn) {
            const auto rebuilt = world.rebuilt();
            ASSERT_NO_FATAL_FAILURE(
                expect_same_portals(world.layer(), *rebuilt->snapshot()->layer({0})));
            ASSERT_NO_FATAL_FAILURE(world.edit(random));
        }
    }
}

}  // namespace
}  // namespace outrider::test
