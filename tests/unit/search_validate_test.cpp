#include <gtest/gtest.h>

#include <limits>

#include "outrider/base/limits.hpp"
#include "support/search_world.hpp"

namespace outrider::test {
namespace {

using model::Algorithm;
using model::Cell;
using model::RefusalCode;

constexpr std::int32_t kIntMax = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t kIntMin = std::numeric_limits<std::int32_t>::min();

SearchWorld five_by_three() {
    return SearchWorld({".....", ".....", "....."});
}

void expect_refused(SearchWorld& world, const model::PathQuery& query, RefusalCode code,
                    std::string_view field) {
    const auto checked = search::validate(world.snapshot(), query);
    ASSERT_FALSE(checked.has_value()) << field;
    EXPECT_EQ(checked.error().code, code);
    EXPECT_EQ(checked.error().field, field);
    EXPECT_FALSE(checked.error().message.empty());
}

// If this failed, a position beside the map would crash the server or read foreign memory.
TEST(SearchValidate, PlacesOutsideTheMapAreRefused) {
    SearchWorld world = five_by_three();
    for (const Cell outside : {Cell{-1, 0}, Cell{5, 0}, Cell{0, 3}, Cell{0, -1},
                               Cell{kIntMax, kIntMax}, Cell{kIntMin, 0}, Cell{0, kIntMin}}) {
        expect_refused(world, query_of(outside, {0, 0}), RefusalCode::kOutOfBounds, "path.start");
        expect_refused(world, query_of({0, 0}, outside), RefusalCode::kOutOfBounds, "path.goal");
    }
}

// If this failed, a rectangle that reaches over the edge would be refused, or one beyond it not.
TEST(SearchValidate, AGoalRectangleNeedsOneCellOnTheMap) {
    SearchWorld world = five_by_three();
    model::PathQuery query = query_of({0, 0}, {0, 0});
    query.goal.rect = {kIntMin, kIntMin, kIntMax, kIntMax};
    expect_refused(world, query, RefusalCode::kOutOfBounds, "path.goal");
    query.goal.rect = {-1, -1, kIntMax, kIntMax};
    EXPECT_TRUE(search::validate(world.snapshot(), query).has_value());
    EXPECT_EQ(world.ask(query).cost, 0U);
    query.goal.rect = {4, -7, 100, 9};
    EXPECT_EQ(world.ask(query).cost, 4 * model::kCostPerCell);
    query.goal.rect = {1, 1, 0, 1};
    expect_refused(world, query, RefusalCode::kInvalidArgument, "path.goal");
    query.goal.rect = {1, 1, 1, -1};
    expect_refused(world, query, RefusalCode::kInvalidArgument, "path.goal");
}

// If this failed, a kernel would run with numbers that its packed words cannot hold.
TEST(SearchValidate, WeightRangeAndClassHaveBounds) {
    using base::limits::kGoalRangeMax;
    using base::limits::kWeightPercentMax;
    SearchWorld world = five_by_three();
    const model::PathQuery good = query_of({0, 0}, {4, 2});
    for (const std::uint32_t weight : {100U, 101U, kWeightPercentMax - 1, kWeightPercentMax}) {
        model::PathQuery query = good;
        query.weight_percent = weight;
        EXPECT_TRUE(search::validate(world.snapshot(), query).has_value()) << weight;
    }
    for (const std::uint32_t weight : {0U, 99U, kWeightPercentMax + 1}) {
        model::PathQuery query = good;
        query.weight_percent = weight;
        expect_refused(world, query, RefusalCode::kInvalidArgument, "path.weight_percent");
    }
    for (const Algorithm algorithm :
         {Algorithm::kDijkstra, Algorithm::kJps, Algorithm::kFast, Algorithm::kTerrain}) {
        model::PathQuery query = good;
        query.weight_percent = 101;
        query.algorithm = algorithm;
        expect_refused(world, query, RefusalCode::kInvalidArgument, "path.weight_percent");
    }
    model::PathQuery query = good;
    query.goal.range = kGoalRangeMax;
    EXPECT_TRUE(search::validate(world.snapshot(), query).has_value());
    EXPECT_EQ(world.ask(query).cost, 0U);
    query.goal.range = kGoalRangeMax + 1;
    expect_refused(world, query, RefusalCode::kInvalidArgument, "path.goal.range");
    query = good;
    query.movement_class = {1};
    expect_refused(world, query, RefusalCode::kUnknownClass, "path.class_id");
}

// If this failed, cells on the edge of the map would be read one beyond it.
TEST(SearchValidate, EveryEdgeCellIsAGoodStartAndAGoodGoal) {
    for (const Cell size : {Cell{5, 3}, Cell{64, 2}, Cell{65, 3}, Cell{1, 1}, Cell{128, 64}}) {
        map::Grid grid{size.x, size.y,
                       std::vector<model::Terrain>(static_cast<std::size_t>(size.x * size.y), '.')};
        SearchWorld world(grid, model::ground_class());
        const Cell corners[] = {
            {0, 0}, {size.x - 1, 0}, {0, size.y - 1}, {size.x - 1, size.y - 1}, {size.x / 2, 0}};
        for (const Cell from : corners) {
            for (const Cell to : corners) {
                for (const Algorithm algorithm : kAllAlgorithms) {
                    model::PathQuery query = query_of(from, to);
                    query.algorithm = algorithm;
                    EXPECT_TRUE(search::validate(world.snapshot(), query).has_value());
                    EXPECT_EQ(world.ask(query).cost,
                              2 * model::kWeightOne *
                                  model::octile_distance(from.x - to.x, from.y - to.y));
                }
            }
        }
    }
}

}  // namespace
}  // namespace outrider::test
