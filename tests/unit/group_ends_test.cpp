#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "outrider/base/limits.hpp"
#include "outrider/search/end_sharing.hpp"
#include "outrider/search/own_ends.hpp"
#include "outrider/search/survey.hpp"
#include "support/ends_oracle.hpp"
#include "support/search_world.hpp"

namespace outrider::test {
namespace {

using model::Cell;
using model::Outcome;

struct Ended {
    std::vector<Cell> ends;  // by unit; {-1, -1}: none
    std::vector<Outcome> outcomes;
    std::uint64_t expansions{};
};

Ended ask(SearchWorld& world, model::GroupQuery query) {
    model::Survey survey;
    survey.query = std::move(query);
    const auto valid = search::validate(world.snapshot(), survey);
    EXPECT_TRUE(valid.has_value()) << valid.error().field;
    const model::SurveyResult result = search::run(world.layer(), survey);
    const auto& units = std::get<model::GroupPaths>(result.body).units;
    Ended ended{std::vector<Cell>(units.size(), {-1, -1}),
                std::vector<Outcome>(units.size(), Outcome::kCancelled), result.expansions};
    for (const model::UnitPath& unit : units) {
        ended.outcomes[unit.unit] = unit.outcome;
        if (!unit.turning_points.empty()) {
            ended.ends[unit.unit] = unit.turning_points.back();
        }
    }
    return ended;
}

model::GroupQuery group(std::vector<Cell> starts, Cell goal) {
    model::GroupQuery query{.starts = std::move(starts), .goal = {}, .formation = {}};
    query.goal.rect = {goal.x, goal.y, 1, 1};
    query.own_ends = true;
    return query;
}

SearchWorld open_world(std::int32_t side, std::uint8_t footprint = 1) {
    model::MovementClass who = model::ground_class();
    who.footprint = footprint;
    const auto cells = static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
    return {map::Grid{side, side, std::vector<model::Terrain>(cells, '.')}, who};
}

// If this failed, an army that keeps its ranks on the march would shuffle through itself at its
// goal: who was in front, or on the left, would have to change places.
TEST(GroupEnds, RanksStayRanks) {
    std::vector<Cell> units;
    std::vector<Cell> ends;
    for (std::int32_t i = 0; i < 25; ++i) {
        units.push_back({i % 5, i / 5});
        ends.push_back({100 + i % 5, 40 + i / 5});
    }
    const auto shared = search::share_out(units, ends);
    for (std::uint32_t i = 0; i < 25; ++i) {
        EXPECT_EQ(shared[i], i) << "a square that moves as it is";
    }
    const auto same = search::share_out(units, units);
    EXPECT_TRUE(std::ranges::is_permutation(same, shared)) << "each end once, also on the spot";
}

// If this failed, wide units would be parked half upon one another.
TEST(GroupEnds, WideUnitsStandBesideOneAnother) {
    for (const std::uint8_t footprint : {std::uint8_t{1}, std::uint8_t{2}, std::uint8_t{3}}) {
        SearchWorld world = open_world(60, footprint);
        std::vector<Cell> starts;
        for (std::int32_t i = 0; i < 30; ++i) {
            starts.push_back({i % 6 * footprint, i / 6 * footprint});
        }
        const Ended ended = ask(world, group(starts, {40, 40}));
        EXPECT_THAT(ended.ends, testing::Contains(Cell{40, 40}));
        for (std::size_t i = 0; i < ended.ends.size(); ++i) {
            ASSERT_EQ(ended.outcomes[i], Outcome::kComplete);
            for (std::size_t j = 0; j < i; ++j) {
                ASSERT_FALSE(overlap(ended.ends[i], ended.ends[j], footprint));
            }
        }
    }
}

// If this failed, the units for which an island has no room would be sent there all the same, or
// the whole sea would be searched for room.
TEST(GroupEnds, WhereThereIsNoRoomTheLastStayWhereTheyAre) {
    SearchWorld world({"....@@@", "...@@..", "@@@@@..", "@@@@@@@"});
    std::vector<Cell> starts(6, Cell{5, 1});
    starts.push_back({0, 0});
    const Ended ended = ask(world, group(starts, {6, 2}));
    EXPECT_EQ(std::ranges::count(ended.outcomes, Outcome::kComplete), 4);
    EXPECT_EQ(std::ranges::count(ended.outcomes, Outcome::kGoalBlocked), 2);
    EXPECT_EQ(ended.outcomes[4], Outcome::kGoalBlocked);
    EXPECT_EQ(ended.outcomes[6], Outcome::kUnreachable);
    model::GroupQuery partial = group(starts, {6, 2});
    partial.allow_partial = true;
    const Ended near = ask(world, partial);
    EXPECT_EQ(near.outcomes[6], Outcome::kPartial);
    EXPECT_EQ(near.ends[6], (Cell{3, 0})) << "as near to the goal as its side of the water goes";
}

// If this failed, a formation whose places lie half in the water would search the whole shore, once
// a place (K2#15).
TEST(GroupEnds, K2_15_PlacesInTheWaterGetTheNearestLandForABoundedPrice) {
    constexpr std::int32_t kSide = 256;
    map::Grid grid{kSide, kSide, std::vector<model::Terrain>(kSide * kSide, '.')};
    for (std::int32_t y = 0; y < kSide; ++y) {
        for (std::int32_t x = 200; x < kSide; ++x) {
            grid.terrain[static_cast<std::size_t>(y * kSide + x)] = 'W';
        }
    }
    SearchWorld world(std::move(grid), model::ground_class());
    model::GroupQuery query = group({}, {190, 100});
    for (std::int32_t i = 0; i < 60; ++i) {
        query.starts.push_back({10 + i % 10, 100 + i / 10});
        query.formation.push_back({i % 20 * 2, i / 20 * 2});
    }
    const Ended ended = ask(world, query);
    for (std::size_t i = 0; i < ended.ends.size(); ++i) {
        ASSERT_EQ(ended.outcomes[i], Outcome::kComplete);
        ASSERT_LT(ended.ends[i].x, 200);
        const Cell wish{190 + query.formation[i].x, 100 + query.formation[i].y};
        if (wish.x < 198) {
            ASSERT_EQ(ended.ends[i], wish) << "dry places are kept";
        } else {
            ASSERT_GE(ended.ends[i].x, 195) << "the shore across from it, or just beside";
            ASSERT_LE(std::abs(ended.ends[i].y - wish.y), 10);
        }
    }
    // One wave over the land between the units and the goal, and little more.
    EXPECT_LT(ended.expansions, 200U * 256U + 60U * 100U);
}

// If this failed, offsets that leave every map, or goals as large as the map, would reach sums and
// sorts that are not made for them.
TEST(GroupEnds, BoundsAreRefusedByName) {
    SearchWorld world = open_world(300);
    const auto field_of = [&](const model::GroupQuery& query) {
        model::Survey survey;
        survey.query = query;
        const auto valid = search::validate(world.snapshot(), survey);
        return valid ? std::string{} : valid.error().field;
    };
    model::GroupQuery query = group({{0, 0}}, {5, 5});
    EXPECT_EQ(field_of(query), "");
    constexpr std::int32_t kFar = base::limits::kMapSideMax;
    for (const Cell good : {Cell{kFar, kFar}, Cell{-kFar, -kFar}}) {
        query.formation = {good};
        EXPECT_EQ(field_of(query), "");
        EXPECT_EQ(ask(world, query).ends[0], (good.x > 0 ? Cell{299, 299} : Cell{0, 0}));
    }
    for (const Cell bad :
         {Cell{kFar + 1, 0}, Cell{-kFar - 1, 0}, Cell{0, kFar + 1}, Cell{0, -kFar - 1}}) {
        query.formation = {bad};
        EXPECT_EQ(field_of(query), "survey.group.formation");
    }
    query.formation = {{0, 0}, {1, 1}};
    EXPECT_EQ(field_of(query), "survey.group.formation") << "two places for one unit";

    model::GroupQuery wide = group({{0, 0}}, {0, 0});
    static_assert(search::kOwnEndsGoalCellsMax == 256 * 256);
    wide.goal.rect = {0, 0, 256, 256};
    EXPECT_EQ(field_of(wide), "");
    wide.goal.rect = {0, 0, 256, 257};
    EXPECT_EQ(field_of(wide), "survey.group.goal");
    wide.goal = {{0, 0, 1, 1}, 256};
    EXPECT_EQ(field_of(wide), "survey.group.goal");
    wide.goal.range = 255;
    EXPECT_EQ(field_of(wide), "") << "cells beside the map do not count";
    wide.goal.range = 256;
    wide.own_ends = false;
    wide.formation = {{0, 0}};
    EXPECT_EQ(field_of(wide), "") << "a formation sorts nothing";
}

}  // namespace
}  // namespace outrider::test
