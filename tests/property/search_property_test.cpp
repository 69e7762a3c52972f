#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string>

#include "outrider/model/path.hpp"
#include "support/random.hpp"
#include "support/random_maps.hpp"
#include "support/search_world.hpp"

namespace outrider::test {
namespace {

using model::Algorithm;
using model::Cell;
using model::Outcome;

// One live map, its snapshots, and the oracle's view of the same state.
class World {
  public:
    World(Random& random, const map::Grid& grid) : who_(random_class(random)) {
        auto store = map::Store::create(grid, {who_});
        if (!store) {
            ADD_FAILURE() << store.error().message;
            return;
        }
        store_ = std::move(*store);
        refresh();
    }

    void edit(Random& random) {
        const map::State state = store_->state();
        ASSERT_TRUE(store_->apply(random_batch(random, state.grid)).has_value());
        refresh();
    }

    [[nodiscard]] const map::Layer& layer() const { return *snapshot_->layer({0}); }
    [[nodiscard]] const map::Snapshot& snapshot() const { return *snapshot_; }
    [[nodiscard]] const WeightGrid& weights() const { return weights_; }
    [[nodiscard]] Mover mover() const { return mover_of(who_); }
    [[nodiscard]] const model::MovementClass& who() const { return who_; }

  private:
    void refresh() {
        snapshot_ = store_->snapshot();
        weights_ = weights_of(painted(store_->state(), who_), who_);
    }

    model::MovementClass who_;
    std::unique_ptr<map::Store> store_;
    std::shared_ptr<const map::Snapshot> snapshot_;
    WeightGrid weights_;
};

model::PathResult in_steps(const World& world, const model::PathQuery& query,
                           search::Buffers& buffers, std::uint64_t size) {
    search::Search search;
    search.start(world.layer(), query, buffers);
    while (search.step(size) == search::Step::kRunning) {
    }
    return search.take_result();
}

std::string drawn(const World& world, const model::PathQuery& query) {
    const WeightGrid& grid = world.weights();
    std::string text =
        "start " + std::to_string(query.start.x) + "," + std::to_string(query.start.y) + " goal " +
        std::to_string(query.goal.rect.x) + "," + std::to_string(query.goal.rect.y) + " " +
        std::to_string(query.goal.rect.width) + "x" + std::to_string(query.goal.rect.height) +
        " range " + std::to_string(query.goal.range) + " " +
        std::string(model::name_of(query.algorithm)) + " map " + std::to_string(grid.width) + "x" +
        std::to_string(grid.height) + "\n";
    if (grid.width > 80 || grid.height > 40) {
        return text;
    }
    for (std::int32_t y = 0; y < grid.height; ++y) {
        for (std::int32_t x = 0; x < grid.width; ++x) {
            const Cell cell{x, y};
            text += cell == query.start ? 'S' : (grid.open(cell) ? '.' : '#');
        }
        text += '\n';
    }
    return text;
}

void check_answer(const World& world, const model::PathQuery& query,
                  const model::PathResult& result, const Expected& expected) {
    ASSERT_EQ(result.outcome, expected.outcome) << drawn(world, query);
    ASSERT_EQ(result.reason, expected.reason) << drawn(world, query);
    ASSERT_EQ(result.path_hash, model::path_hash(result.turning_points));
    const bool ends = result.outcome == Outcome::kComplete || result.outcome == Outcome::kPartial;
    if (!ends) {
        ASSERT_TRUE(result.turning_points.empty());
        ASSERT_EQ(result.expansions, 0U);
        return;
    }
    ASSERT_EQ(fault_of_path(world.weights(), world.mover(), query, result), "")
        << drawn(world, query);
    if (result.bound_percent == 100) {
        ASSERT_EQ(result.cost, expected.cost) << drawn(world, query);
    } else {
        ASSERT_LE(result.cost * 100, expected.cost * result.bound_percent) << drawn(world, query);
    }
    const bool inside = distance_to(query.goal.rect, result.turning_points.back()) <=
                        model::Cost{query.goal.range} * model::kStraight;
    ASSERT_EQ(inside, result.outcome == Outcome::kComplete);
}

void check_budget(const World& world, model::PathQuery query, const model::PathResult& whole,
                  search::Buffers& buffers) {
    if (whole.expansions < 2) {
        return;
    }
    query.expansions_max = 1 + whole.expansions / 2;
    const model::PathResult cut = search::run(world.layer(), query, buffers);
    if (query.expansions_max >= whole.expansions) {
        ASSERT_EQ(cut, whole);
        return;
    }
    ASSERT_EQ(cut.outcome, Outcome::kBudget);
    ASSERT_EQ(cut.expansions, query.expansions_max);
    ASSERT_EQ(fault_of_path(world.weights(), world.mover(), query, cut), "");
    ASSERT_EQ(in_steps(world, query, buffers, 3), cut);
}

void check_query(const World& world, Random& random, search::Buffers& warm) {
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
        World world(random, random_map(random));
        for (std::uint64_t turn = 0; turn < kTurns; ++turn) {
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
        const SearchWorld world(tiny_map(random), model::ground_class());
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
