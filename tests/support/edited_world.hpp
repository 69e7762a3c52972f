#pragma once
// What: a random map with one random class that is edited between questions, the oracle's view of
//       the same state, and what every answer must keep to.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "outrider/model/path.hpp"
#include "support/landmarks.hpp"
#include "support/random.hpp"
#include "support/random_maps.hpp"
#include "support/search_world.hpp"

namespace outrider::test {

// One live map, its snapshots, and the oracle's view of the same state.
class EditedWorld {
  public:
    EditedWorld(Random& random, const map::Grid& grid) : who_(random_class(random)) {
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

    // Half the times where there are none. Those that an edit leaves in place stay, as they would
    // in a server.
    void maybe_add_landmarks(Random& random) {
        if (layer().landmarks() == nullptr && random.chance(50)) {
            add_landmarks(*store_, {0});
            refresh();
        }
    }

    [[nodiscard]] const map::Layer& layer() const { return *snapshot_->layer({0}); }
    [[nodiscard]] const map::Snapshot& snapshot() const { return *snapshot_; }
    [[nodiscard]] const WeightGrid& weights() const { return weights_; }
    [[nodiscard]] Mover mover() const { return mover_of(who_); }
    [[nodiscard]] const model::MovementClass& who() const { return who_; }
    // The same map, made from nothing.
    [[nodiscard]] std::unique_ptr<map::Store> rebuilt() const {
        return std::move(map::Store::restore(store_->state()).value());
    }

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

// Across most of the map, so that a route is worth its while.
inline model::PathQuery far_query(Random& random, const WeightGrid& grid) {
    model::PathQuery query = random_query(random, grid);
    for (int tries = 0; tries < 20; ++tries) {
        const model::PathQuery other = random_query(random, grid);
        if (distance_to(other.goal.rect, other.start) > distance_to(query.goal.rect, query.start)) {
            query = other;
        }
    }
    return query;
}

inline model::PathResult in_steps(const EditedWorld& world, const model::PathQuery& query,
                                  search::Buffers& buffers, std::uint64_t size) {
    search::Search search;
    search.start(world.layer(), query, buffers);
    while (search.step(size) == search::Step::kRunning) {
    }
    return search.take_result();
}

inline std::string drawn(const EditedWorld& world, const model::PathQuery& query) {
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
            const model::Cell cell{x, y};
            text += cell == query.start ? 'S' : (grid.open(cell) ? '.' : '#');
        }
        text += '\n';
    }
    return text;
}

inline void check_answer(const EditedWorld& world, const model::PathQuery& query,
                         const model::PathResult& result, const Expected& expected) {
    ASSERT_EQ(result.outcome, expected.outcome) << drawn(world, query);
    ASSERT_EQ(result.reason, expected.reason) << drawn(world, query);
    ASSERT_EQ(result.path_hash, model::path_hash(result.turning_points));
    const bool ends =
        result.outcome == model::Outcome::kComplete || result.outcome == model::Outcome::kPartial;
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
    ASSERT_EQ(inside, result.outcome == model::Outcome::kComplete);
}

inline void check_budget(const EditedWorld& world, model::PathQuery query,
                         const model::PathResult& whole, search::Buffers& buffers) {
    if (whole.expansions < 2) {
        return;
    }
    query.expansions_max = 1 + whole.expansions / 2;
    const model::PathResult cut = search::run(world.layer(), query, buffers);
    if (query.expansions_max >= whole.expansions) {
        ASSERT_EQ(cut, whole);
        return;
    }
    ASSERT_EQ(cut.outcome, model::Outcome::kBudget);
    ASSERT_EQ(cut.expansions, query.expansions_max);
    ASSERT_EQ(fault_of_path(world.weights(), world.mover(), query, cut), "");
    ASSERT_EQ(in_steps(world, query, buffers, 3), cut);
}

}  // namespace outrider::test
