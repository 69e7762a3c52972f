#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "outrider/engine/engine.hpp"
#include "support/follow_world.hpp"
#include "support/random.hpp"

namespace outrider::engine {
namespace {

using model::Outcome;
using model::PushReason;
using test::FollowWorld;

constexpr std::int32_t kWidth = 120;
constexpr model::Cell kStart{2, 20};
constexpr model::Cell kGoal{117, 20};

FollowWorld meadow(const Config& config = test::EngineWorld::pumped()) {
    return FollowWorld(test::open_grid(kWidth, 40), config);
}

// One unit on its way across, its path closed by a building half way.
struct Break {
    explicit Break(std::uint32_t percent, std::uint32_t building_side = 5) {
        order = world.order(1, kStart, kGoal);
        order.follow->repair_percent = percent;
        world.follow(order);
        old = world.sink->result_of(1);
        build({60, 18}, building_side);
    }
    void build(model::Cell at, std::uint32_t side) {
        const auto cells = static_cast<std::int32_t>(side);
        world.apply(model::PlaceObstacle{{++buildings}, {at.x, at.y, cells, cells}, 0});
        world.run_all();
    }
    [[nodiscard]] model::PathResult last_push() const {
        const auto pushes = world.sink->pushes();
        EXPECT_FALSE(pushes.empty());
        return pushes.empty() ? model::PathResult{} : *pushes.back().body->result;
    }
    [[nodiscard]] model::PathResult fresh(model::Cell from = kStart) const {
        return world.fresh(order, from);
    }

    FollowWorld world = meadow();
    model::PathRequest order;
    model::PathResult old;
    std::uint64_t buildings{0};
};

// If this failed, a detour of three cells round a hut would cost a search across the whole map, or
// lead somewhere else altogether.
TEST(Repair, ABreakIsMendedWhereItIsAndTheRestOfTheWayStays) {
    const Break broken(110);
    ASSERT_EQ(broken.world.sink->pushes().size(), 1U);
    EXPECT_EQ(broken.world.sink->pushes()[0].reason, PushReason::kBroken);
    const model::PathResult mended = broken.last_push();
    const model::PathResult fresh = broken.fresh();
    EXPECT_EQ(mended.outcome, Outcome::kComplete);
    EXPECT_LE(mended.bound_percent, 110U);
    EXPECT_LE(mended.cost * 100, fresh.cost * mended.bound_percent);
    EXPECT_EQ(mended.path_hash, model::path_hash(mended.turning_points));
    const auto before = model::cells_of(broken.old.turning_points);
    const auto after = model::cells_of(mended.turning_points);
    // 16 cells before the building at x = 60 and 16 beyond it.
    EXPECT_TRUE(std::equal(before.begin(), before.begin() + 40, after.begin()));
    EXPECT_TRUE(std::equal(before.rbegin(), before.rbegin() + 30, after.rbegin()));
}

// If this failed, a client that allows two percent would get three.
TEST(Repair, TheBoundHoldsOneBelowAtAndOneAbove) {
    const Break any(200);
    const std::uint32_t needed = any.last_push().bound_percent;
    ASSERT_GT(needed, 100U);
    for (const std::uint32_t percent : {needed - 1, needed, needed + 1}) {
        const Break broken(percent);
        const model::PathResult path = broken.last_push();
        if (percent < needed) {
            EXPECT_EQ(path, broken.fresh()) << "asked afresh";
        } else {
            EXPECT_EQ(path, any.last_push());
        }
    }
}

// If this failed, a client that allows nothing above the optimum would walk a longer way, or one
// that allows no mending would get a path which no other server gives.
TEST(Repair, AtAHundredPercentOnlyAnOptimalPathIsMendedAndAtZeroNone) {
    for (const std::uint32_t percent : {0U, 100U}) {
        const Break broken(percent);
        const model::PathResult path = broken.last_push();
        EXPECT_EQ(path.bound_percent, 100U);
        EXPECT_EQ(path.cost, broken.fresh().cost);
    }
    EXPECT_EQ(Break(0).last_push(), Break(0).fresh());
}

// If this failed, bounds would be claimed against a map that is gone: what opened since the path
// was found may have made a much shorter way.
TEST(Repair, AWayThatOpenedMeanwhileEndsWhatTheOldPathProved) {
    // A wall with one gap far to the south; the unit has to go round by it.
    map::Grid grid = test::open_grid(kWidth, 100);
    for (std::int32_t y = 0; y < 90; ++y) {
        grid.terrain[static_cast<std::size_t>(y * kWidth + 60)] = '@';
    }
    const FollowWorld world(grid);
    model::PathRequest order = world.order(1, kStart, kGoal);
    order.follow->repair_percent = 150;
    world.follow(order);
    const auto cells = model::cells_of(world.sink->result_of(1).turning_points);
    world.apply(model::TerrainEdit{{60, 19, 1, 3}, {'.'}});
    world.run_all();
    EXPECT_TRUE(world.sink->pushes().empty()) << "it did not ask for better ways";
    const model::Cell on_the_way = cells[20];
    world.place(1, on_the_way);
    world.run_all();
    ASSERT_EQ(world.sink->pushes().size(), 1U);
    EXPECT_EQ(*world.sink->pushes()[0].body->result, world.fresh(order, kStart));
}

// If this failed, what a unit has walked already would count twice, and the bound be too good.
TEST(Repair, TheBoundCountsFromWhereTheUnitStands) {
    const FollowWorld world = meadow();
    model::PathRequest order = world.order(1, kStart, kGoal);
    order.follow->repair_percent = 1000;
    world.follow(order);
    const auto cells = model::cells_of(world.sink->result_of(1).turning_points);
    const model::Cell place = cells[80];
    ASSERT_TRUE(world.report(1, place));
    world.apply(model::PlaceObstacle{{1}, {cells[98].x, cells[98].y - 9, 1, 18}, 0});
    world.run_all();
    ASSERT_EQ(world.sink->pushes().size(), 1U);
    const model::PathPush push = world.sink->pushes()[0];
    EXPECT_EQ(push.start, place);
    const model::PathResult fresh = world.fresh(order, place);
    const model::Cost percent = push.body->result->bound_percent;
    EXPECT_LE(push.body->result->cost * 100, fresh.cost * percent);
    // Nothing opened, so that the bound is the old rest and no worse.
    const model::Cost rest = 2 * model::kWeightOne * model::octile_distance(117 - place.x, 0);
    EXPECT_EQ(percent, (push.body->result->cost * 100 + rest - 1) / rest);
}

// If this failed, a column on one road would search as many times as it has units.
TEST(Repair, UnitsOnOneRoadShareTheSearchAroundTheBreak) {
    const FollowWorld world = meadow();
    for (std::uint64_t id = 1; id <= 5; ++id) {
        const auto x = static_cast<std::int32_t>(id);
        model::PathRequest order = world.order(id, {x, 20}, kGoal);
        order.follow->repair_percent = 110;
        world.follow(order);
    }
    const std::uint64_t joined = world.engine->stats().joined;
    world.apply(model::PlaceObstacle{{1}, {60, 18, 5, 5}, 0});
    world.run_all();
    EXPECT_EQ(world.sink->pushes().size(), 5U);
    EXPECT_EQ(world.engine->stats().joined, joined + 4);
}

// If this failed, a break that leaves no small detour would leave the unit without a path.
TEST(Repair, WhereNoSmallDetourIsTheQuestionIsAskedAfresh) {
    map::Grid grid = test::open_grid(kWidth, 100);
    for (std::int32_t y = 0; y < 95; ++y) {
        if (y != 20) {
            grid.terrain[static_cast<std::size_t>(y * kWidth + 60)] = '@';
        }
    }
    const FollowWorld world(grid);
    model::PathRequest order = world.order(1, kStart, kGoal);
    order.follow->repair_percent = 120;
    world.follow(order);
    world.place(1, {60, 20});
    world.run_all();
    ASSERT_EQ(world.sink->pushes().size(), 1U);
    EXPECT_EQ(*world.sink->pushes()[0].body->result, world.fresh(order, kStart));
    world.apply(model::PlaceObstacle{{2}, {60, 0, 1, 100}, 0});
    world.run_all();
    ASSERT_EQ(world.sink->pushes().size(), 2U);
    EXPECT_EQ(world.sink->pushes()[1].body->result->outcome, Outcome::kUnreachable);
}

// If this failed, two servers with the same edits would send the same unit on different ways
// (law 4), since one has a cache, or larger slices.
TEST(Repair, MendedPathsAreTheSameBytesWhateverTheCacheAndTheSlices) {
    Config small = test::EngineWorld::pumped();
    small.expansions_per_slice = 1;
    small.cache_bytes_max = 0;
    int mended = 0;
    for (std::uint64_t round = 0; round < test::rounds(20); ++round) {
        test::Random random(round);
        const FollowWorld worlds[] = {meadow(small), meadow()};
        for (std::uint64_t id = 1; id <= 6; ++id) {
            const auto y = static_cast<std::int32_t>(random.between(0, 39));
            for (const FollowWorld& world : worlds) {
                model::PathRequest order = world.order(id, {1, y}, kGoal);
                order.follow->repair_percent = 110;
                world.follow(order);
            }
        }
        for (std::uint64_t id = 1; id <= 40; ++id) {
            const model::Rect rect{static_cast<std::int32_t>(random.between(4, 110)),
                                   static_cast<std::int32_t>(random.between(0, 36)), 4, 4};
            const bool leaves = id > 10 && random.chance(20);
            for (const FollowWorld& world : worlds) {
                if (leaves) {
                    world.remove(id - 10);
                }
                world.apply(model::PlaceObstacle{{id}, rect, 0});
                world.run_all();
            }
        }
        // Who comes first among units depends on the slices, and nothing else.
        const auto by_unit = [](const FollowWorld& world) {
            auto pushes = world.sink->pushes();
            std::ranges::stable_sort(pushes, {}, &model::PathPush::id);
            return pushes;
        };
        const auto some = by_unit(worlds[0]);
        const auto others = by_unit(worlds[1]);
        ASSERT_EQ(some.size(), others.size());
        for (std::size_t i = 0; i < some.size(); ++i) {
            ASSERT_EQ(some[i].id, others[i].id);
            ASSERT_EQ(*some[i].body->result, *others[i].body->result);
            mended += some[i].body->result->bound_percent > 100 ? 1 : 0;
        }
    }
    EXPECT_GT(mended, 0);
}

}  // namespace
}  // namespace outrider::engine
