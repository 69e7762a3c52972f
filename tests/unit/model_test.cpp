#include <gtest/gtest.h>

#include "outrider/model/cost.hpp"
#include "outrider/model/path.hpp"

namespace outrider::model {
namespace {

// If this failed, lengths would drift from the public benchmarks' by more than their rounding.
TEST(Cost, DiagonalIsRootTwoWithinBenchmarkTolerance) {
    const double quotient = static_cast<double>(kDiagonal) / static_cast<double>(kStraight);
    EXPECT_NEAR(quotient / 1.41421356, 1.0, 1.6e-6);
    EXPECT_EQ(octile_distance(-3, 5), 3 * kDiagonal + 2 * kStraight);
    EXPECT_DOUBLE_EQ(length_in_cells(7 * kCostPerCell), 7.0);
}

// If this failed, a client that expands turning points would walk other cells than the server
// meant.
TEST(Path, TurningPointsAndCellsAreOneAnothersInverse) {
    const std::vector<Cell> cells{{0, 0}, {1, 0}, {2, 0}, {3, 1}, {4, 2}, {4, 3}};
    const std::vector<Cell> points = turning_points_of(cells);
    EXPECT_EQ(points, (std::vector<Cell>{{0, 0}, {2, 0}, {4, 2}, {4, 3}}));
    EXPECT_EQ(cells_of(points), cells);
    EXPECT_EQ(cell_count_of(points), cells.size());
    EXPECT_TRUE(are_turning_points(points));
    EXPECT_FALSE(are_turning_points(std::vector<Cell>{{0, 0}, {2, 1}}));
    EXPECT_FALSE(are_turning_points(std::vector<Cell>{{0, 0}, {0, 0}}));
}

// If this failed, two clients could not compare paths, or an empty path would look like a real one.
TEST(Path, HashIsThatOfLittleEndianXxh64) {
    EXPECT_EQ(path_hash({}), 0U);
    const std::vector<Cell> one{{1, 2}};
    const std::vector<Cell> two{{2, 1}};
    EXPECT_NE(path_hash(one), path_hash(two));
    EXPECT_EQ(path_hash(one), path_hash(std::vector<Cell>{{1, 2}}));
}

}  // namespace
}  // namespace outrider::model
