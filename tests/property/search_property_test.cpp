#include <gtest/gtest.h>

#include <cstdio>
#include <iterator>

#include "support/edited_world.hpp"

namespace outrider::test {
namespace {

using model::Algorithm;

void check_query(const EditedWorld& world, Random& random, search::Buffers& warm) {
    model::PathQuery query = random_query(random, world.weights());
    ASSERT_TRUE(search::validate(world.snapshot(), query).has_value());
    const Expected expected = ask_oracle(world.weights(), world.mover(), query);
    for (const Algorithm algorithm : kAllAlgorithms) {
        query.algorithm = algorithm;
        const bool weighs = algorithm == Algorithm::kAuto || algorithm == Algorithm::kAstar;
        query.weight_percent = weighs && random.chance(25)
                                   ? static_cast<std::uint32_t>(random.between(100, 1000))
                                   : 100;
        const search::BuffersPtr cold = search::make_buffers();
        const model::PathResult result = search::run(world.layer(), query, *cold);
        ASSERT_NO_FATAL_FAILURE(check_answer(world, query, result, expected));
        for (const std::uint64_t size : {1U, 7U, 64U}) {
            ASSERT_EQ(in_steps(world, query, warm, size), result) << drawn(world, query);
        }
        ASSERT_NO_FATAL_FAILURE(check_budget(world, query, result, warm));
        const auto verdict = search::verdict(world.layer(), query);
        if (verdict) {
            ASSERT_EQ(*verdict, result);
        } else {
            ASSERT_GT(result.expansions, 0U);
        }
    }
}

// If this failed, some unit on some map would be sent a dearer way, an illegal one, or another one
// on another machine.
TEST(SearchProperty, EveryAlgorithmAgreesWithDijkstraOnEditedMaps) {
    constexpr std::uint64_t kTurns = 4;
    constexpr std::uint64_t kQuestions = 4;
    const search::BuffersPtr warm = search::make_buffers();
    const std::uint64_t count = rounds(150);
    for (std::uint64_t round = 0; round < count; ++round) {
        SCOPED_TRACE("round " + std::to_string(round));
        Random random(round);
        EditedWorld world(random, random_map(random));
        for (std::uint64_t turn = 0; turn < kTurns; ++turn) {
            world.maybe_add_landmarks(random);
            for (std::uint64_t i = 0; i < kQuestions; ++i) {
                ASSERT_NO_FATAL_FAILURE(check_query(world, random, *warm));
            }
            ASSERT_NO_FATAL_FAILURE(world.edit(random));
        }
    }
    // `./dev.sh million` adds these up.
    std::printf("checked %llu questions, each by %zu algorithms\n",
                static_cast<unsigned long long>(count * kTurns * kQuestions),
                std::size(kAllAlgorithms));
}

// If this failed, jump points would be wrong in some small knot of walls.
TEST(SearchProperty, JumpPointsAgreeWithDijkstraOnManyTinyMaps) {
    const search::BuffersPtr buffers = search::make_buffers();
    const std::uint64_t count = rounds(6000);
    for (std::uint64_t round = 0; round < count; ++round) {
        SCOPED_TRACE("round " + std::to_string(round));
        Random random(0x10000 + round);
        SearchWorld world(tiny_map(random), model::ground_class());
        if (random.chance(50)) {
            world.add_landmarks();
        }
        model::PathQuery query = random_query(random, world.weights());
        query.algorithm = Algorithm::kJps;
        const model::PathResult result = search::run(world.layer(), query, *buffers);
        const Expected expected = world.oracle(query);
        ASSERT_EQ(result.outcome, expected.outcome);
        ASSERT_EQ(result.cost, expected.cost);
        if (!result.turning_points.empty()) {
            ASSERT_EQ(world.fault(query, result), "");
        }
    }
}

}  // namespace
}  // namespace outrider::test
