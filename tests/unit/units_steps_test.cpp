#include <gtest/gtest.h>

#include <numeric>

#include "outrider/map/store.hpp"
#include "outrider/model/path.hpp"
#include "outrider/search/sight.hpp"
#include "support/random.hpp"
#include "support/random_maps.hpp"
#include "units/steps.hpp"

namespace outrider::units {
namespace {

using model::Cell;

std::uint64_t length_of(const std::vector<Step>& steps) {
    return std::accumulate(steps.begin(), steps.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const Step& step) { return sum + step.length; });
}

TEST(Steps, TurningPointsGiveTheCellsOfThePath) {
    // If this failed, units would walk elsewhere than the server said.
    const std::vector<Cell> points{{2, 7}, {5, 7}, {3, 5}, {3, 0}};
    std::vector<Cell> cells = model::cells_of(points);
    const std::vector<Step> steps = steps_of(points);
    ASSERT_EQ(steps.size() + 1, cells.size());
    for (std::size_t index = 0; index < steps.size(); ++index) {
        EXPECT_EQ(steps[index].to, cells[index + 1]);
    }
    EXPECT_EQ(length_of(steps), 8 * model::kStraight + 2 * model::kDiagonal);
    EXPECT_TRUE(steps_of({}).empty());
    EXPECT_TRUE(steps_of(std::vector<Cell>{{4, 4}}).empty());
}

TEST(Steps, ALegOfAnyAngleGivesEachCellThatTheLineMeets) {
    // If this failed, a waypoint's straight line would jump over cells, or cut through a wall.
    const std::vector<Step> slope = steps_of(std::vector<Cell>{{0, 0}, {3, 1}});
    std::vector<Cell> cells;
    for (const Step& step : slope) {
        cells.push_back(step.to);
    }
    EXPECT_EQ(cells, (std::vector<Cell>{{1, 0}, {2, 1}, {3, 1}}));
    // The root of ten, in 408ths of a cell, rounded down.
    EXPECT_EQ(length_of(slope), 1290U);
    const std::vector<Step> steep = steps_of(std::vector<Cell>{{5, 5}, {4, 1}});
    cells.clear();
    for (const Step& step : steep) {
        cells.push_back(step.to);
    }
    EXPECT_EQ(cells, (std::vector<Cell>{{5, 4}, {5, 3}, {4, 3}, {4, 2}, {4, 1}}));
}

TEST(Steps, ALineInSightIsAWalkOfLegalSteps) {
    // If this failed, a unit on smoothed waypoints would be stopped by the map that allowed them.
    test::Random random(11);
    std::uint64_t walks = 0;
    for (std::uint64_t round = 0; round < test::rounds(60); ++round) {
        map::Grid grid = test::random_map(random);
        const std::int32_t width = grid.width;
        const std::int32_t height = grid.height;
        model::MovementClass movement_class = test::random_class(random);
        movement_class.directions = model::Directions::kEight;
        const auto store = map::Store::create(std::move(grid), {movement_class}).value();
        const map::Layer& layer = *store->snapshot()->layer({0});
        for (int pair = 0; pair < 40; ++pair) {
            const auto any = [&] {
                return Cell{static_cast<std::int32_t>(random.between(0, width - 1)),
                            static_cast<std::int32_t>(random.between(0, height - 1))};
            };
            const std::vector<Cell> points{any(), any()};
            if (!search::in_sight(layer, points[0], points[1])) {
                continue;
            }
            ++walks;
            Cell from = points[0];
            for (const Step& step : steps_of(points)) {
                ASSERT_LE(std::max(std::abs(step.to.x - from.x), std::abs(step.to.y - from.y)), 1);
                ASSERT_TRUE(is_legal(layer, from, step.to));
                from = step.to;
            }
            ASSERT_EQ(from, points[1]);
        }
    }
    EXPECT_GT(walks, 0U);
}

TEST(Steps, HeadingsGoRoundTheCompass) {
    // If this failed, units would turn the long way round.
    EXPECT_EQ(heading_of({0, 0}, {0, -1}), 0);
    EXPECT_EQ(heading_of({0, 0}, {1, 0}), 2);
    EXPECT_EQ(heading_of({0, 0}, {-1, -1}), 7);
    EXPECT_EQ(turn_between(7, 1), 2);
    EXPECT_EQ(turn_between(0, 4), 4);
    EXPECT_EQ(turn_between(3, 3), 0);
}

}  // namespace
}  // namespace outrider::units
