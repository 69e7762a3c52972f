// First legs of engines with slices of every size, beside the oracle.

#include <gtest/gtest.h>

#include "outrider/engine/engine.hpp"
#include "support/edited_world.hpp"
#include "support/engine_world.hpp"

namespace outrider::engine {
namespace {

using test::Random;

struct Told {
    std::optional<model::FirstLeg> leg;
    model::PathResult result;
    friend bool operator==(const Told&, const Told&) = default;
};

Config config_of(std::uint64_t slice, std::uint64_t after) {
    Config config;
    config.workers = 0;
    config.cache_bytes_max = 0;
    config.landmark_bytes_max = 0;
    config.expansions_per_slice = slice;
    config.first_leg_after = after;
    return config;
}

Told ask(const map::State& state, const model::PathQuery& query, const Config& config) {
    test::ManualClock clock;
    const auto engine = std::move(*Engine::create(config, clock));
    const auto sink = test::make_sink();
    const auto client = *engine->connect(sink);
    model::PathRequest request;
    request.id = {1};
    request.map = *engine->add_map("map", state.grid, state.classes);
    model::EditBatch batch;
    for (const model::PlaceObstacle& obstacle : state.obstacles) {
        batch.edits.emplace_back(obstacle);
    }
    if (!batch.edits.empty()) {
        EXPECT_TRUE(engine->edit(request.map, batch).has_value());
    }
    request.query = query;
    request.first_leg = true;
    engine->submit(client, request);
    while (engine->run_for(std::chrono::microseconds{1000})) {
    }
    Told told{std::nullopt, sink->result_of(1)};
    EXPECT_LE(sink->legs().size(), 1U);
    for (const model::LegPush& push : sink->legs()) {
        EXPECT_EQ(push.version, sink->reply_to(1).body->version);
        told.leg = *push.leg;
    }
    return told;
}

void check_told(const test::WeightGrid& weights, const test::Mover& mover,
                const model::PathQuery& query, const Told& told) {
    model::PathResult leg;
    leg.turning_points = told.leg->turning_points;
    leg.cost = told.leg->cost;
    leg.path_hash = model::path_hash(leg.turning_points);
    ASSERT_EQ(test::fault_of_path(weights, mover, query, leg), "");
    ASSERT_GT(leg.turning_points.size(), 1U) << "a unit cannot walk it";
    ASSERT_EQ(told.leg->binding, query.algorithm == model::Algorithm::kFast);
    if (told.leg->binding) {
        const auto cells = model::cells_of(told.result.turning_points);
        const auto first = model::cells_of(leg.turning_points);
        ASSERT_LE(first.size(), cells.size());
        ASSERT_TRUE(std::equal(first.begin(), first.end(), cells.begin()));
    }
}

// If this failed, the same question would be led by one server and not by another, a leg would
// cross a wall, or asking for it would change the path.
TEST(FirstLegProperty, TheSameLegsWhateverTheSlicesAndEachCanBeWalked) {
    constexpr model::Algorithm kAsked[] = {model::Algorithm::kAuto, model::Algorithm::kDijkstra,
                                           model::Algorithm::kAstar, model::Algorithm::kFast};
    const std::uint64_t count = test::rounds(30);
    int legs = 0;
    int binding = 0;
    for (std::uint64_t round = 0; round < count; ++round) {
        SCOPED_TRACE("round " + std::to_string(round));
        Random random(0x40000 + round);
        const map::Grid grid = test::wide_map(random);
        const model::MovementClass who = test::random_class(random);
        map::State state{1, grid, {}, {who}};
        auto store = map::Store::create(grid, {who});
        ASSERT_TRUE((*store)->apply(test::random_batch(random, grid)).has_value());
        state = (*store)->state();
        const auto weights = test::weights_of(test::painted(state, who), who);
        const auto snapshot = (*store)->snapshot();
        const search::BuffersPtr buffers = search::make_buffers();
        for (const model::Algorithm algorithm : kAsked) {
            model::PathQuery query = test::far_query(random, weights);
            query.algorithm = algorithm;
            const auto after = static_cast<std::uint64_t>(random.between(1, 60));
            const Told told = ask(state, query, config_of(1'000'000, after));
            query.expansions_max = Config{}.expansions_max;
            ASSERT_EQ(told.result, search::run(*snapshot->layer({0}), query, *buffers));
            for (const std::uint64_t slice : {7U, 64U}) {
                ASSERT_EQ(ask(state, query, config_of(slice, after)), told);
            }
            if (told.leg) {
                ++legs;
                binding += told.leg->binding ? 1 : 0;
                ASSERT_NO_FATAL_FAILURE(check_told(weights, test::mover_of(who), query, told));
            }
        }
    }
    // The test must meet what it is for.
    EXPECT_GT(legs, static_cast<int>(count) / 2);
    EXPECT_GT(binding, 0);
    EXPECT_GT(legs, binding);
}

}  // namespace
}  // namespace outrider::engine
