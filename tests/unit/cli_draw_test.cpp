#include <gtest/gtest.h>

#include "cli/draw.hpp"
#include "cli/map_picture.hpp"
#include "cli/palette.hpp"
#include "cli/scale.hpp"
#include "outrider/map/store.hpp"
#include "support/weight_grid.hpp"

namespace outrider::cli {
namespace {

// Letters of the map files; `B` stands for a building.
Picture drawn(std::initializer_list<std::string_view> rows) {
    const auto terrain = test::terrain_of(rows);
    Picture picture(static_cast<int>(rows.begin()->size()), static_cast<int>(rows.size()));
    std::size_t index = 0;
    for (int y = 0; y < picture.height(); ++y) {
        for (int x = 0; x < picture.width(); ++x, ++index) {
            Pixel& pixel = picture.at(x, y);
            pixel.ground = ground_of(terrain[index]);
            pixel.blocked = terrain[index] != '.';
        }
    }
    return picture;
}

Terminal pipe(int columns) {
    Terminal terminal;
    terminal.columns = columns;
    return terminal;
}

Terminal colour_terminal(int columns, int rows) {
    return terminal_of({true, columns, rows, "", "xterm-256color", "en_US.UTF-8"});
}

TEST(Draw, PlainTextShowsPathAndSearch) {
    // If this failed, a picture in a bug report would show another path than the answer.
    Picture picture = drawn({"......",  //
                             ".@@@..",  //
                             "......"});
    lay_cells(picture, std::vector<model::Cell>{{0, 1}, {0, 2}, {1, 2}, {2, 2}, {3, 2}},
              Overlay::kPath);
    lay_explored(picture,
                 std::vector<model::Explored>{{{0, 0}, model::ExploredKind::kOpened, 0, 0},
                                              {{1, 0}, model::ExploredKind::kClosed, 0, 0},
                                              {{2, 0}, model::ExploredKind::kJumpPoint, 0, 0},
                                              {{1, 2}, model::ExploredKind::kClosed, 0, 0}});
    picture.lay({3, 2}, Overlay::kGoal);
    picture.lay({0, 1}, Overlay::kStart);
    EXPECT_EQ(draw(picture, Style::kPlain),
              "-xj...\n"
              "S###..\n"
              "***X..\n");
}

TEST(Draw, OverlaysOutsideThePictureAreIgnored) {
    // If this failed, a goal beyond the edge would crash the drawing of its own refusal.
    Picture picture(2, 1);
    for (const model::Cell cell : {model::Cell{-1, 0}, {2, 0}, {0, -1}, {0, 1}, {1, 0}}) {
        picture.lay(cell, Overlay::kGoal);
    }
    EXPECT_EQ(draw(picture, Style::kPlain), ".X\n");
}

TEST(Draw, ColourOnlyOnATerminalThatWantsIt) {
    // If this failed, log files would be full of colour codes, or NO_COLOR would be ignored.
    EXPECT_FALSE(terminal_of({false, 80, 24, "", "xterm", "C.UTF-8"}).colour);
    EXPECT_FALSE(terminal_of({true, 80, 24, "1", "xterm", "C.UTF-8"}).colour);
    EXPECT_FALSE(terminal_of({true, 80, 24, "", "dumb", "C.UTF-8"}).colour);
    EXPECT_TRUE(terminal_of({true, 80, 24, "", "xterm", "C"}).colour);
    EXPECT_FALSE(terminal_of({true, 80, 24, "", "xterm", "C"}).unicode);
    EXPECT_TRUE(terminal_of({true, 80, 24, "", "xterm", "de_DE.utf8"}).unicode);
    const std::string text = draw_fitted(Picture(4, 4), pipe(80), 0);
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(Draw, HalfBlocksCarryTwoRowsALine) {
    // If this failed, pictures on a terminal would be stretched to twice their height.
    Picture picture = drawn({".....",  //
                             "@@@@@",  //
                             "....."});
    EXPECT_EQ(draw(picture, Style::kHalfBlocks),
              "\x1b[38;5;65m\x1b[48;5;240m▀▀▀▀▀\x1b[0m\n"
              "\x1b[38;5;65m▀▀▀▀▀\x1b[0m\n");
    EXPECT_EQ(style_for(Picture(50, 50), colour_terminal(80, 40)), Style::kHalfBlocks);
    EXPECT_EQ(style_for(Picture(40, 20), colour_terminal(80, 24)), Style::kWideBlocks);
    EXPECT_EQ(style_for(Picture(41, 20), colour_terminal(80, 24)), Style::kHalfBlocks);
    EXPECT_EQ(style_for(Picture(40, 21), colour_terminal(80, 24)), Style::kHalfBlocks);
}

TEST(Draw, LegendNamesWhatIsThereAndNothingElse) {
    // If this failed, a reader would not know what a sign means.
    Picture picture = drawn({".@"});
    picture.lay({0, 0}, Overlay::kStart);
    EXPECT_EQ(legend(picture, false), "S start   . open   # blocked\n");
}

TEST(Scale, ShrunkPathStaysUnbrokenAndThinWallsStayVisible) {
    // If this failed, a large map on a small terminal would show a path through nothing.
    Picture picture = drawn({"........",  //
                             "........",  //
                             "@@@.....",  //
                             "........"});
    for (int x = 0; x < 8; ++x) {
        picture.lay({x, 1}, Overlay::kPath);
    }
    EXPECT_EQ(draw(shrink(picture, 4, 2), Style::kPlain),
              "****\n"
              "#+..\n");
}

TEST(Scale, ShrinksByNoWholeNumber) {
    // If this failed, a map a little wider than the terminal would lose half of its detail.
    const Picture picture = drawn({"@..@..@..@"});
    EXPECT_EQ(shrink(picture, 7, 1).width(), 7);
    EXPECT_EQ(draw(shrink(picture, 5, 1), Style::kPlain), "##.##\n");
    EXPECT_EQ(shrink(picture, 20, 9).width(), 10);
    EXPECT_EQ(shrink(picture, 0, 0).width(), 1);
}

TEST(Scale, FitsTheTerminalAndKeepsTheShape) {
    // If this failed, lines would wrap and the picture would fall apart.
    EXPECT_EQ(fitted_size(Picture(100, 48), 100, 0, 1), (Size{100, 48}));
    EXPECT_EQ(fitted_size(Picture(100, 48), 80, 0, 1), (Size{80, 38}));
    EXPECT_EQ(fitted_size(Picture(100, 48), 100, 24, 1), (Size{50, 24}));
    EXPECT_EQ(fitted_size(Picture(512, 512), 128, 0, 2), (Size{128, 64}));
    EXPECT_EQ(fitted_size(Picture(3000, 1), 100, 0, 2), (Size{100, 1}));
}

TEST(Scale, CropsAroundThePath) {
    // If this failed, --crop would cut the path off.
    const Picture picture = drawn({"@.....",  //
                                   "......",  //
                                   ".....@"});
    const std::vector<model::Cell> path{{1, 1}, {2, 1}};
    EXPECT_EQ(bounds_of(path, 1), (model::Rect{0, 0, 4, 3}));
    EXPECT_EQ(draw(crop(picture, bounds_of(path, 1)), Style::kPlain), "#...\n....\n....\n");
    EXPECT_EQ(crop(picture, {50, 50, 3, 3}).width(), 1);
}

TEST(MapPicture, TellsBuildingsFromTerrain) {
    // If this failed, a building would look like a rock that was always there.
    auto store = map::Store::create({4, 1, test::terrain_of({".@T."})}, {model::ground_class()});
    ASSERT_TRUE(store);
    ASSERT_TRUE((*store)->apply({{model::PlaceObstacle{{1}, {2, 0, 2, 1}, 0}}}));
    EXPECT_EQ(draw(picture_of(*(*store)->snapshot(), {0}), Style::kPlain), ".#%B\n");
}

TEST(Draw, ASmoothPathLiesOverThePath) {
    // If this failed, one would look at the path of cells and take it for the smooth one.
    Picture picture(6, 3);
    lay_cells(picture, std::vector<model::Cell>{{0, 0}, {1, 0}, {2, 0}, {3, 0}}, Overlay::kPath);
    lay_smooth(picture, std::vector<model::Point>{{128, 128}, {1408, 640}});
    EXPECT_EQ(draw(picture, Style::kPlain), "ww**..\n.wwww.\n....ww\n");
    const Picture part = crop(picture, {1, 0, 4, 3});
    EXPECT_EQ(part.line(), (std::vector<model::Point>{{-128, 128}, {1152, 640}}));
}

}  // namespace
}  // namespace outrider::cli
