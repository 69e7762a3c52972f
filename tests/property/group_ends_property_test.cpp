// Groups whose units end on cells of their own, against an oracle that sorts every cell of the map.

#include <gtest/gtest.h>

#include <algorithm>

#include "outrider/search/own_ends.hpp"
#include "support/edited_world.hpp"
#include "support/ends_oracle.hpp"
#include "support/random_surveys.hpp"
#include "support/survey_check.hpp"

namespace outrider::test {
namespace {

using model::Cell;
using model::Outcome;
using model::SurveyResult;
using model::UnitPath;

model::Survey random_group(Random& random, const WeightGrid& grid, bool all_open) {
    const model::PathQuery path = random_query(random, grid);
    model::GroupQuery group;
    group.starts = random_places(random, grid,
                                 random.chance(50)   ? 8
                                 : random.chance(80) ? 60
                                                     : 400);
    if (all_open) {
        std::erase_if(group.starts, [&](Cell cell) { return !grid.open(cell); });
    }
    group.goal = path.goal;
    group.goal.range %= 8;
    group.own_ends = random.chance(60);
    if (!group.own_ends) {
        const std::int32_t spread = random.chance(50) ? 4 : 60;
        for (std::size_t i = 0; i < group.starts.size(); ++i) {
            group.formation.push_back({static_cast<std::int32_t>(random.between(-spread, spread)),
                                       static_cast<std::int32_t>(random.between(-spread, spread))});
        }
    }
    group.allow_partial = path.allow_partial;
    group.leave_blocked_start = path.leave_blocked_start;
    model::Survey survey;
    survey.query = std::move(group);
    return survey;
}

SurveyResult stepped(search::SurveySearch& search, const EditedWorld& world,
                     const model::Survey& survey, std::uint64_t size,
                     std::vector<SurveyResult>& parts) {
    parts.clear();
    search.start(world.layer(), survey);
    for (bool running = true; running;) {
        running = search.step(size) == search::Step::kRunning;
        while (auto part = search.take_part()) {
            parts.push_back(std::move(*part));
        }
    }
    parts.push_back(search.take_result());
    return joined(parts);
}

bool ended(const UnitPath& unit) {
    return unit.outcome == Outcome::kComplete || unit.outcome == Outcome::kPartial;
}

// What holds of every answer, whatever the starts.
void check_paths(const EditedWorld& world, const model::GroupQuery& query,
                 const SurveyResult& result) {
    const auto& units = std::get<model::GroupPaths>(result.body).units;
    ASSERT_EQ(units.size(), query.starts.size());
    std::vector<bool> seen(units.size());
    std::vector<Cell> ends;
    for (const UnitPath& unit : units) {
        ASSERT_FALSE(seen[unit.unit]);
        seen[unit.unit] = true;
        if (!ended(unit)) {
            ASSERT_TRUE(unit.turning_points.empty());
            continue;
        }
        model::PathQuery path;
        path.start = query.starts[unit.unit];
        model::PathResult walked;
        walked.cost = unit.cost;
        walked.turning_points = unit.turning_points;
        walked.path_hash = unit.path_hash;
        ASSERT_EQ(fault_of_path(world.weights(), world.mover(), path, walked), "");
        const Cell end = unit.turning_points.back();
        ASSERT_TRUE(world.weights().open(end));
        for (const Cell other : ends) {
            ASSERT_FALSE(overlap(end, other, world.who().footprint)) << "two on one cell";
        }
        ends.push_back(end);
        const auto costs = costs_from(world.weights(), world.mover(), path.start);
        const model::Cost least =
            costs[static_cast<std::size_t>(end.y * world.weights().width + end.x)];
        ASSERT_LE(unit.cost * 100, least * unit.bound_percent);
        ASSERT_GE(unit.cost, least);
        ASSERT_GE(unit.bound_percent, 100U);
        ASSERT_LE(unit.bound_percent, search::kOwnEndBoundPercent);
    }
}

void check_ends(const EditedWorld& world, const model::GroupQuery& query,
                const SurveyResult& result) {
    const ExpectedEnds expected =
        ends_of(world.weights(), world.mover(), world.who().footprint, query);
    std::vector<std::vector<Cell>> got(expected.ends_of_region.size());
    for (const UnitPath& unit : std::get<model::GroupPaths>(result.body).units) {
        const auto region = expected.region_of_unit[unit.unit];
        if (!region) {
            ASSERT_FALSE(ended(unit)) << "unit " << unit.unit << " has nowhere to go";
        } else if (query.formation.empty()) {
            if (ended(unit)) {
                got[*region].push_back(unit.turning_points.back());
            } else {
                ASSERT_EQ(unit.outcome, Outcome::kGoalBlocked);
            }
        } else if (expected.slots[unit.unit]) {
            ASSERT_TRUE(ended(unit)) << "unit " << unit.unit;
            ASSERT_EQ(unit.turning_points.back(), *expected.slots[unit.unit]);
        } else {
            ASSERT_EQ(unit.outcome, Outcome::kGoalBlocked);
        }
    }
    auto ends = expected.ends_of_region;
    for (std::size_t region = 0; region < got.size(); ++region) {
        std::ranges::sort(got[region]);
        std::ranges::sort(ends[region]);
        ASSERT_EQ(got[region], ends[region]) << "region " << region;
    }
}

// If this failed, two units would be sent to one cell and push each other for ever, or the army
// would stand scattered about although there is room at its goal.
TEST(GroupEndsProperty, EndsAreTheOraclesAndPathsKeepTheirBound) {
    search::SurveySearch warm;
    std::uint64_t bent = 0;
    for (std::uint64_t round = 0; round < rounds(150); ++round) {
        SCOPED_TRACE("round " + std::to_string(round));
        Random random(0x70000 + round);
        EditedWorld world(random, random.chance(50) ? tiny_map(random) : random_map(random));
        for (int turn = 0; turn < 3; ++turn) {
            const bool all_open = random.chance(70);
            const model::Survey survey = random_group(random, world.weights(), all_open);
            const auto& query = std::get<model::GroupQuery>(survey.query);
            if (!query.starts.empty()) {
                ASSERT_TRUE(search::validate(world.snapshot(), survey).has_value());
                std::vector<SurveyResult> parts;
                const SurveyResult result = stepped(warm, world, survey, ~std::uint64_t{0}, parts);
                ASSERT_EQ(result.outcome, Outcome::kComplete);
                ASSERT_NO_FATAL_FAILURE(check_paths(world, query, result));
                if (all_open) {
                    ASSERT_NO_FATAL_FAILURE(check_ends(world, query, result));
                }
                for (const auto& unit : std::get<model::GroupPaths>(result.body).units) {
                    bent += unit.bound_percent > 100 ? 1 : 0;
                }
            }
            ASSERT_NO_FATAL_FAILURE(world.edit(random));
        }
    }
    EXPECT_GT(bent, 0U) << "no unit walked down the wave: half of the kernel was not tried";
}

// If this failed, the ends that units get would hang on the load of the server (law 4), or a budget
// would be exceeded.
TEST(GroupEndsProperty, TheSameAtEverySliceSizeAndWithinTheBudget) {
    search::SurveySearch warm;
    std::uint64_t cut_short = 0;
    for (std::uint64_t round = 0; round < rounds(60); ++round) {
        SCOPED_TRACE("round " + std::to_string(round));
        Random random(0x71000 + round);
        const EditedWorld world(random, random_map(random));
        model::Survey survey = random_group(random, world.weights(), false);
        for (const std::uint64_t budget : {std::uint64_t{0}, random.bits() % 3000 + 1}) {
            survey.expansions_max = budget;
            std::vector<SurveyResult> whole;
            std::vector<SurveyResult> parts;
            const SurveyResult result = stepped(warm, world, survey, ~std::uint64_t{0}, whole);
            ASSERT_NO_FATAL_FAILURE(
                check_paths(world, std::get<model::GroupQuery>(survey.query), result));
            ASSERT_TRUE(budget == 0 || result.expansions <= budget);
            cut_short += result.outcome == Outcome::kBudget ? 1 : 0;
            for (const std::uint64_t size : {std::uint64_t{1}, random.bits() % 900 + 2}) {
                ASSERT_EQ(stepped(warm, world, survey, size, parts), result);
                ASSERT_EQ(parts, whole) << "parts differ at slices of " << size;
            }
        }
    }
    EXPECT_GT(cut_short, 0U);
}

// If this failed, a unit would get two answers or none when the group's time ran out.
TEST(GroupEndsProperty, AStoppedGroupAnswersEachUnitOnce) {
    search::SurveySearch warm;
    for (std::uint64_t round = 0; round < rounds(100); ++round) {
        SCOPED_TRACE("round " + std::to_string(round));
        Random random(0x72000 + round);
        const EditedWorld world(random, random_map(random));
        const model::Survey survey = random_group(random, world.weights(), false);
        warm.start(world.layer(), survey);
        std::vector<SurveyResult> parts;
        bool running = true;
        for (std::int64_t steps = random.between(0, 60); running && steps > 0; --steps) {
            running = warm.step(random.bits() % 60 + 1) == search::Step::kRunning;
            while (auto part = warm.take_part()) {
                parts.push_back(std::move(*part));
            }
        }
        running = running && warm.stop(Outcome::kDeadline) == search::Step::kRunning;
        while (running) {
            running = warm.step(16) == search::Step::kRunning;
        }
        parts.push_back(warm.take_result());
        ASSERT_NO_FATAL_FAILURE(
            check_paths(world, std::get<model::GroupQuery>(survey.query), joined(parts)));
    }
}

}  // namespace
}  // namespace outrider::test
