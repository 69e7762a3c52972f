// An answer stays the answer while no change touches its scope, whatever else is built on the map.

#include <gtest/gtest.h>

#include <algorithm>

#include "outrider/map/change.hpp"
#include "outrider/map/store.hpp"
#include "outrider/search/search.hpp"
#include "support/oracle.hpp"
#include "support/random.hpp"
#include "support/random_maps.hpp"

namespace outrider::search {
namespace {

using test::Random;

struct Kept {
    model::PathResult result;
    model::Scope scope;
};

// A live map of one class, and what its last edit changed.
class World {
  public:
    explicit World(Random& random)
        : grid_(test::random_map(random)),
          who_(test::random_class(random)),
          store_(map::Store::create(grid_, {who_}).value()) {}

    [[nodiscard]] model::PathQuery any_query(Random& random) const {
        model::PathQuery query = test::random_query(random, test::weights_of(grid_, who_));
        query.algorithm = static_cast<model::Algorithm>(random.between(0, 5));
        const bool weighs = query.algorithm == model::Algorithm::kAuto ||
                            query.algorithm == model::Algorithm::kAstar;
        if (weighs && random.chance(30)) {
            query.weight_percent = static_cast<std::uint32_t>(random.between(100, 400));
        }
        if (random.chance(50)) {
            query.smoothing.grade =
                random.chance(50) ? model::Grade::kWaypoints : model::Grade::kCorners;
        }
        if (random.chance(10)) {
            query.expansions_max = static_cast<std::uint64_t>(random.between(1, 100));
        }
        return query;
    }
    [[nodiscard]] std::shared_ptr<const map::Snapshot> snapshot() const {
        return store_->snapshot();
    }
    // One to three small edits, so that most answers outlive some.
    void edit(Random& random) {
        model::EditBatch batch;
        for (std::int64_t more = random.between(1, 3); more > 0; --more) {
            const auto number = [&](std::int64_t low, std::int64_t high) {
                return static_cast<std::int32_t>(random.between(low, high));
            };
            const model::Rect rect{number(-1, grid_.width - 1), number(-1, grid_.height - 1),
                                   number(1, 3), number(1, 3)};
            const model::ObstacleId id{static_cast<std::uint64_t>(random.between(1, 9))};
            constexpr std::string_view kTerrain = ".GSW@";
            switch (random.between(0, 2)) {
                case 0:
                    batch.edits.emplace_back(model::TerrainEdit{
                        rect,
                        {static_cast<model::Terrain>(
                            kTerrain[static_cast<std::size_t>(random.between(0, 4))])}});
                    break;
                case 1: batch.edits.emplace_back(model::PlaceObstacle{id, rect, 0}); break;
                default: batch.edits.emplace_back(model::RemoveObstacle{id}); break;
            }
        }
        const auto before = store_->snapshot();
        ASSERT_TRUE(store_->apply(std::move(batch)).has_value());
        change_ = map::change_between(*before, *store_->snapshot());
    }
    [[nodiscard]] bool touches(const model::Scope& scope) const {
        return change_.classes != 0 &&
               (change_.renewed != 0 ||
                std::ranges::any_of(change_.rects,
                                    [&](const model::Rect& rect) { return scope.touches(rect); }));
    }

  private:
    map::Grid grid_;
    model::MovementClass who_;
    map::Change change_;
    std::unique_ptr<map::Store> store_;
};

std::optional<Kept> ask(const map::Layer& layer, const model::PathQuery& query, Buffers& buffers) {
    Search search;
    search.start(layer, query, buffers);
    while (search.step(1000) == Step::kRunning) {
    }
    const std::optional<model::Scope> scope = search.scope();
    model::PathResult result = search.take_result();
    return scope ? std::optional(Kept{std::move(result), *scope}) : std::nullopt;
}

// If this failed, the cache would give an answer that a search would not give, and two peers, one
// with a warm cache, would march apart (law 4).
TEST(Scope, AnAnswerOutlivesEveryChangeThatItDoesNotTouch) {
    Random random(21);
    const BuffersPtr buffers = make_buffers();
    std::uint64_t outlived = 0;
    for (std::uint64_t round = 0; round < test::rounds(400); ++round) {
        World world(random);
        for (int question = 0; question < 8; ++question) {
            const model::PathQuery query = world.any_query(random);
            const auto first = world.snapshot();
            const std::optional<Kept> kept = ask(*first->layer({0}), query, *buffers);
            for (int edit = 0; kept && edit < 8; ++edit) {
                ASSERT_NO_FATAL_FAILURE(world.edit(random));
                const auto now = world.snapshot();
                const map::Layer& layer = *now->layer({0});
                const Outlook outlook = look_ahead(layer, query);
                if (world.touches(kept->scope) || outlook.answer ||
                    outlook.aim != kept->scope.aim) {
                    break;
                }
                ASSERT_EQ(run(layer, query, *buffers), kept->result)
                    << "round " << round << ", question " << question << ", "
                    << model::name_of(kept->result.algorithm);
                outlived += layer.regions().component(query.start) != map::kNoComponent ? 1 : 0;
            }
        }
    }
    EXPECT_GT(outlived, test::rounds(400)) << "the scopes are too wide to test anything";
}

}  // namespace
}  // namespace outrider::search
