#include <gtest/gtest.h>

#include "cli/formation.hpp"

namespace outrider::cli {
namespace {

using model::Cell;

// If this failed, a formation would be drawn up beside its goal, or its units upon one another.
TEST(Formation, PlacesStandAboutTheGoal) {
    const std::vector<Cell> starts{{10, 10}, {12, 10}, {10, 14}, {12, 14}, {11, 12}};
    EXPECT_TRUE(places_of(Formation::kNone, starts, 1).empty());
    EXPECT_TRUE(places_of(Formation::kBox, {}, 1).empty());
    EXPECT_EQ(places_of(Formation::kKeep, starts, 1),
              (std::vector<Cell>{{-1, -2}, {1, -2}, {-1, 2}, {1, 2}, {0, 0}}));
    EXPECT_EQ(places_of(Formation::kBox, starts, 1),
              (std::vector<Cell>{{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {0, 0}}));
    EXPECT_EQ(places_of(Formation::kLine, starts, 2),
              (std::vector<Cell>{{-4, 0}, {-2, 0}, {0, 0}, {2, 0}, {4, 0}}));
}

// If this failed, a slip of the pen would send the units off in another order than was meant.
TEST(Formation, ByName) {
    EXPECT_EQ(parse_formation("none"), Formation::kNone);
    EXPECT_EQ(parse_formation("keep"), Formation::kKeep);
    EXPECT_EQ(parse_formation("box"), Formation::kBox);
    EXPECT_EQ(parse_formation("line"), Formation::kLine);
    EXPECT_FALSE(parse_formation("wedge"));
}

}  // namespace
}  // namespace outrider::cli
