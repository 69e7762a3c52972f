// The map without one obstacle, against a map that was made without it.

#include <gtest/gtest.h>

#include "outrider/map/store.hpp"
#include "outrider/search/search.hpp"
#include "support/layer_check.hpp"
#include "support/oracle.hpp"
#include "support/random.hpp"
#include "support/random_maps.hpp"
#include "support/reference_map.hpp"
#include "support/search_world.hpp"

namespace outrider::map {
namespace {

using test::Random;
using test::ReferenceMap;

constexpr std::size_t kClasses = 3;

// Every footprint in turn, and teams that gates let through or not.
std::vector<model::MovementClass> classes_of(Random& random, std::uint64_t round) {
    std::vector<model::MovementClass> classes;
    for (std::size_t i = 0; i < kClasses; ++i) {
        classes.push_back(test::random_class(random));
        classes.back().name = std::to_string(i);
        classes.back().footprint = static_cast<std::uint8_t>(1 + (round + i) % 8);
        classes.back().team = static_cast<std::uint8_t>(random.between(0, 2));
    }
    return classes;
}

class World {
  public:
    World(Random& random, std::uint64_t round)
        : random_(random),
          grid_(test::random_map(random)),
          classes_(classes_of(random, round)),
          reference_(grid_.width, grid_.height, grid_.terrain),
          store_(Store::create(grid_, classes_).value()) {}

    void edit() {
        const model::EditBatch batch = test::random_batch(random_, grid_);
        reference_.apply(batch);
        ASSERT_TRUE(store_->apply(batch).has_value());
    }

    // Ids that no obstacle has are among them.
    void look() {
        const auto id = static_cast<std::uint16_t>(random_.between(0, kClasses - 1));
        const model::ObstacleId ignored{static_cast<std::uint64_t>(random_.between(1, 13))};
        const auto newest = store_->snapshot();
        const auto view = store_->snapshot_without({id}, ignored);
        ASSERT_TRUE(view.has_value());
        ASSERT_EQ((*view)->version(), newest->version());
        ReferenceMap without = reference_;
        without.apply({{model::RemoveObstacle{ignored}}, {}});
        for (std::uint16_t other = 0; other < kClasses; ++other) {
            if (other != id) {
                ASSERT_EQ((*view)->layer({other}), newest->layer({other}));
            }
        }
        const Layer& layer = *(*view)->layer({id});
        const test::WeightGrid grid = without.weights(classes_[id]);
        ASSERT_TRUE(test::layer_equals(layer, grid)) << "without " << ignored.value;
        ASSERT_TRUE(test::regions_equal(layer, grid)) << "without " << ignored.value;
        ask(layer, grid, classes_[id]);
        held_.push_back(*view);
    }

    // The map itself is as it was, whatever was looked at.
    void check_map() {
        const auto snapshot = store_->snapshot();
        for (std::uint16_t id = 0; id < kClasses; ++id) {
            const test::WeightGrid grid = reference_.weights(classes_[id]);
            ASSERT_TRUE(test::layer_equals(*snapshot->layer({id}), grid)) << "class " << id;
            ASSERT_TRUE(test::regions_equal(*snapshot->layer({id}), grid)) << "class " << id;
        }
    }

    void check_counts() {
        EXPECT_LE(store_->views_alive(), held_.size());
        held_.clear();
        EXPECT_EQ(store_->snapshots_alive(), 1U);
        EXPECT_EQ(store_->views_alive(), 0U);
    }

  private:
    void ask(const Layer& layer, const test::WeightGrid& grid, const model::MovementClass& who) {
        model::PathQuery query = test::random_query(random_, grid);
        query.explain = false;
        query.algorithm = test::kAllAlgorithms[static_cast<std::size_t>(
            random_.between(0, std::ssize(test::kAllAlgorithms) - 1))];
        const test::Mover mover = test::mover_of(who);
        const test::Expected expected = test::ask_oracle(grid, mover, query);
        const model::PathResult result = search::run(layer, query, *buffers_);
        ASSERT_EQ(result.outcome, expected.outcome);
        ASSERT_EQ(result.reason, expected.reason);
        if (!result.turning_points.empty()) {
            ASSERT_EQ(test::fault_of_path(grid, mover, query, result), "");
            ASSERT_LE(result.cost * 100, expected.cost * result.bound_percent);
        }
    }

    Random& random_;
    Grid grid_;
    std::vector<model::MovementClass> classes_;
    ReferenceMap reference_;
    std::unique_ptr<Store> store_;
    std::vector<std::shared_ptr<const Snapshot>> held_;
    search::BuffersPtr buffers_{search::make_buffers()};
};

// If this failed, a unit that stands in its own footprint would walk through somebody else's
// building, be kept out of a gate of its team, or leave a hole in the map where it asked.
TEST(ViewProperty, TheMapWithoutAnObstacleEqualsOneMadeWithoutIt) {
    Random random(71);
    for (std::uint64_t round = 0; round < test::rounds(40); ++round) {
        World world(random, round);
        for (int edit = 0; edit < 6; ++edit) {
            ASSERT_NO_FATAL_FAILURE(world.edit()) << "round " << round << ", edit " << edit;
            for (int i = 0; i < 3; ++i) {
                ASSERT_NO_FATAL_FAILURE(world.look()) << "round " << round << ", edit " << edit;
            }
            ASSERT_NO_FATAL_FAILURE(world.check_map()) << "round " << round << ", edit " << edit;
        }
        world.check_counts();
    }
}

}  // namespace
}  // namespace outrider::map
