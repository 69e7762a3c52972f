#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "outrider/search/group_jumps.hpp"
#include "outrider/search/group_wave.hpp"
#include "support/edited_world.hpp"
#include "support/random_surveys.hpp"
#include "support/survey_check.hpp"

namespace outrider::test {
namespace {

using search::GroupSettler;
using search::GroupUnits;
using search::SettledUnit;

// One that jumps can settle.
EditedWorld jumping_world(Random& random) {
    for (;;) {
        EditedWorld world(random, random.chance(60) ? wide_map(random) : random_map(random));
        if (world.layer().has_stops()) {
            return world;
        }
    }
}

// All over the map, or most of them near one of a few places.
model::GroupQuery random_group(Random& random, const WeightGrid& grid) {
    model::GroupQuery group;
    const model::PathQuery path = random_query(random, grid);
    group.goal = path.goal;
    group.allow_partial = path.allow_partial;
    group.leave_blocked_start = random.chance(70);
    const std::vector<model::Cell> camps = random_places(random, grid, 4);
    const std::int64_t spread = random.chance(30) ? 200 : 6;
    const std::int64_t count = random.between(1, random.chance(50) ? 6 : 200);
    while (std::ssize(group.starts) < count) {
        const model::Cell camp =
            camps[static_cast<std::size_t>(random.between(0, std::ssize(camps) - 1))];
        const auto x = static_cast<std::int32_t>(camp.x + random.between(-spread, spread));
        const auto y = static_cast<std::int32_t>(camp.y + random.between(-spread, spread));
        group.starts.push_back(
            {std::clamp(x, 0, grid.width - 1), std::clamp(y, 0, grid.height - 1)});
    }
    return group;
}

struct Settling {
    std::vector<SettledUnit> units;
    std::vector<std::vector<model::Cell>> ways;
    friend bool operator==(const Settling&, const Settling&) = default;
};

// Ways are written as units are settled, `size` units of work a step.
Settling settle(GroupSettler& settler, const map::Layer& layer, const GroupUnits& units,
                std::uint64_t budget, std::uint64_t size) {
    Settling settling;
    settler.begin(layer, units, budget);
    while (!settler.ended()) {
        EXPECT_GT(settler.step(size, settling.units), 0U);
        while (settling.ways.size() < settling.units.size()) {
            std::vector<model::Cell> way;
            settler.write_way(settling.units[settling.ways.size()], way);
            settling.ways.push_back(std::move(way));
        }
    }
    return settling;
}

bool same_costs(const SettledUnit& a, const SettledUnit& b) {
    return a.distance == b.distance && a.place == b.place;
}

void check_ways(const EditedWorld& world, const GroupUnits& units, const Settling& settling,
                model::Cost unit) {
    for (std::size_t i = 0; i < settling.units.size(); ++i) {
        model::PathQuery query;
        query.start = units.waiting()[settling.units[i].place].cell;
        model::PathResult path;
        path.cost = settling.units[i].distance * unit;
        path.turning_points = settling.ways[i];
        path.path_hash = model::path_hash(path.turning_points);
        ASSERT_EQ(fault_of_path(world.weights(), world.mover(), query, path), "");
    }
}

// If this failed, what an army pays would hang on how it was found, or on where its search was cut.
TEST(GroupProperty, JumpsSettleTheUnitsAsTheWaveDoes) {
    search::GroupJumps jumps;
    search::GroupWave wave;
    search::Field field;
    wave.use(field);
    std::size_t settled = 0;
    const std::uint64_t count = rounds(60);
    for (std::uint64_t round = 0; round < count; ++round) {
        SCOPED_TRACE("round " + std::to_string(round));
        Random random(0x70000 + round);
        EditedWorld world = jumping_world(random);
        for (int turn = 0; turn < 3; ++turn) {
            world.maybe_add_landmarks(random);
            const model::GroupQuery query = random_group(random, world.weights());
            GroupUnits units;
            units.begin(world.layer(), query);
            units.step(query.starts.size());
            const std::uint64_t all = ~std::uint64_t{0};
            const Settling expected = settle(wave, world.layer(), units, 0, all);
            const Settling found = settle(jumps, world.layer(), units, 0, all);
            ASSERT_TRUE(std::ranges::equal(found.units, expected.units, same_costs));
            ASSERT_EQ(found.units.size(), units.waiting().size());
            ASSERT_NO_FATAL_FAILURE(check_ways(world, units, found, jumps.unit()));
            ASSERT_EQ(settle(jumps, world.layer(), units, 0, 1), found);
            search::GroupJumps fresh;
            const auto size = static_cast<std::uint64_t>(random.between(2, 90));
            ASSERT_EQ(settle(fresh, world.layer(), units, 0, size), found);
            settled += found.units.size();
            ASSERT_NO_FATAL_FAILURE(world.edit(random));
        }
    }
    ASSERT_GT(settled, 10 * count);
}

// If this failed, a budget would give a unit a cost that is not its least, or more than it allows.
TEST(GroupProperty, ABudgetSettlesTheFirstOfTheSameUnits) {
    search::GroupJumps jumps;
    std::size_t cut = 0;
    const std::uint64_t count = rounds(60);
    for (std::uint64_t round = 0; round < count; ++round) {
        SCOPED_TRACE("round " + std::to_string(round));
        Random random(0x71000 + round);
        const EditedWorld world = jumping_world(random);
        const model::GroupQuery query = random_group(random, world.weights());
        GroupUnits units;
        units.begin(world.layer(), query);
        units.step(query.starts.size());
        const Settling whole = settle(jumps, world.layer(), units, 0, 7);
        const auto budget = static_cast<std::uint64_t>(random.between(1, 60));
        const Settling some = settle(jumps, world.layer(), units, budget, 13);
        ASSERT_LE(some.units.size(), whole.units.size());
        ASSERT_TRUE(std::equal(some.units.begin(), some.units.end(), whole.units.begin()));
        ASSERT_TRUE(std::equal(some.ways.begin(), some.ways.end(), whole.ways.begin()));
        cut += some.units.size() < whole.units.size() ? 1 : 0;
    }
    ASSERT_GT(cut, count / 10);
}

}  // namespace
}  // namespace outrider::test
