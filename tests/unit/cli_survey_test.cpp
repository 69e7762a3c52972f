#include <gtest/gtest.h>
#include <png.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/draw.hpp"
#include "cli/palette.hpp"
#include "cli/png_file.hpp"
#include "cli/search_trace.hpp"
#include "cli/survey_report.hpp"
#include "outrider/model/cost.hpp"

namespace outrider::cli {
namespace {

using nlohmann::json;

Picture ground(int width, int height) {
    return {width, height};
}

// If this failed, a player would believe to be safe where the threat reaches.
TEST(SurveyPicture, AReachHasItsEdgeWhereOpenGroundGoesOn) {
    Picture picture = ground(7, 3);
    picture.at(3, 1).blocked = true;
    lay_reach(picture, {0, {{0, 0, 5}, {1, 0, 3}, {2, 0, 3}}, {}});
    EXPECT_EQ(draw(picture, Style::kPlain),
              "::::@..\n"
              ":::#...\n"
              "::@....\n");
}

model::FieldArrows all_steps() {
    // N E S W / NE SE SW NW / goal unknown none N
    return {{1, 0, 4, 3}, {0x10, 0x32, 0x54, 0x76, 0xE8, 0x0F}, {}};
}

// If this failed, somebody who looks for a fault in a field would see other steps than units take.
TEST(SurveyPicture, AFieldShowsEachStepAsAnArrow) {
    Picture picture = ground(6, 3);
    lay_field(picture, all_steps());
    EXPECT_EQ(draw(picture, Style::kPlain),
              ".^>v<.\n"
              "./\\/\\.\n"
              ".X..^.\n");
    const Terminal terminal = terminal_of({true, 80, 24, "", "xterm-256color", "en_US.UTF-8"});
    const std::string signs = draw_signs(picture, terminal);
    for (const char* arrow : {"↑", "→", "↓", "←", "↗", "↘", "↙", "↖"}) {
        EXPECT_NE(signs.find(arrow), std::string::npos) << arrow;
    }
    Terminal pipe;
    EXPECT_EQ(draw_signs(picture, pipe), draw(picture, Style::kPlain));
}

struct ReadPng {
    int width{};
    int height{};
    std::vector<std::uint8_t> rgb;
    [[nodiscard]] std::array<std::uint8_t, 3> at(int x, int y) const {
        const std::size_t i = 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                                   static_cast<std::size_t>(x));
        return {rgb.at(i), rgb.at(i + 1), rgb.at(i + 2)};
    }
};

ReadPng read_png(const std::string& path) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    EXPECT_NE(png_image_begin_read_from_file(&image, path.c_str()), 0) << image.message;
    image.format = PNG_FORMAT_RGB;
    ReadPng read{static_cast<int>(image.width), static_cast<int>(image.height), {}};
    read.rgb.resize(PNG_IMAGE_SIZE(image));
    EXPECT_NE(png_image_finish_read(&image, nullptr, read.rgb.data(), 0, nullptr), 0);
    return read;
}

class PngFile : public ::testing::Test {
  protected:
    void TearDown() override { std::filesystem::remove(path_); }
    std::string path_ = (std::filesystem::path(::testing::TempDir()) /
                         ("outrider_" + std::to_string(getpid()) + ".png"))
                            .string();
};

// If this failed, a picture in a bug report would show another map than the terminal.
TEST_F(PngFile, EachCellHasItsColour) {
    Picture picture = ground(40, 3);
    picture.lay({39, 0}, Overlay::kStart);
    picture.at(2, 2).blocked = true;
    ASSERT_TRUE(write_png(picture, path_));
    const ReadPng read = read_png(path_);
    const int scale = pixels_per_cell(picture);
    EXPECT_EQ(scale, kPixelsPerCellMax);
    ASSERT_EQ(read.width, 40 * scale);
    ASSERT_EQ(read.height, 3 * scale);
    for (int y = 0; y < read.height; ++y) {
        for (int x = 0; x < read.width; ++x) {
            const Ink& ink = ink_of(picture.at(x / scale, y / scale));
            ASSERT_EQ(read.at(x, y), rgb_of(ink.colour)) << x << "," << y;
        }
    }
}

// If this failed, a picture would take the place of a device or of a link, or a full disk cost
// yesterday's picture too.
TEST_F(PngFile, WhatStandsThereStaysWhatItIs) {
    namespace fs = std::filesystem;
    const Picture picture = ground(40, 3);
    const int width = 40 * pixels_per_cell(picture);
    ASSERT_TRUE(write_png(ground(10, 3), path_));
    const std::string link = path_ + ".link";
    fs::create_symlink(path_, link);
    ASSERT_TRUE(write_png(picture, link));
    EXPECT_TRUE(fs::is_symlink(link));
    EXPECT_EQ(read_png(path_).width, width) << "written through the link";
    fs::remove(link);
    fs::create_symlink("/dev/full", link);
    EXPECT_FALSE(write_png(picture, link));
    EXPECT_TRUE(fs::is_symlink(link));
    EXPECT_TRUE(fs::exists("/dev/full"));
    fs::remove(link);
    // The new one has no place: then it is written where the old one stands.
    const std::string part = path_ + "." + std::to_string(::getpid()) + ".part";
    fs::create_directory(part);
    EXPECT_TRUE(write_png(picture, path_));
    fs::remove(part);
    EXPECT_TRUE(write_png(picture, path_));
    EXPECT_FALSE(fs::exists(part));
    EXPECT_EQ(read_png(path_).width, width);
    EXPECT_FALSE(write_png(picture, path_ + ".none/x.png"));
}

// If this failed, an arrow would hide its neighbours, point nowhere, or write outside the picture.
TEST_F(PngFile, ArrowsStayInTheirCellsAndDiffer) {
    for (const int width : {40, 250, 251, 400}) {
        Picture picture = ground(width, 3);
        lay_field(picture, all_steps());
        ASSERT_TRUE(write_png(picture, path_));
        const ReadPng read = read_png(path_);
        const int scale = pixels_per_cell(picture);
        std::set<std::vector<std::array<std::uint8_t, 3>>> looks;
        for (int i = 0; i < 8; ++i) {
            std::vector<std::array<std::uint8_t, 3>> look;
            for (int y = 0; y < scale; ++y) {
                for (int x = 0; x < scale; ++x) {
                    look.push_back(read.at((1 + i % 4) * scale + x, i / 4 * scale + y));
                }
            }
            looks.insert(look);
        }
        EXPECT_EQ(looks.size(), 8U) << width;
        for (int y = 0; y < 3 * scale; ++y) {
            ASSERT_EQ(read.at(5 * scale, y), rgb_of(ink_of(Ground::kOpen).colour));
        }
    }
}

// If this failed, a full disk or a wrong folder would look like success.
TEST_F(PngFile, SaysWhyItCannotBeWritten) {
    const auto written = write_png(ground(2, 2), "/no/such/folder/x.png");
    ASSERT_FALSE(written);
    EXPECT_NE(written.error().message.find("/no/such/folder/x.png"), std::string::npos);
}

// If this failed, the colours of a PNG would not be those of the terminal.
TEST(Palette, ColoursAreThoseOfXterm) {
    using Rgb = std::array<std::uint8_t, 3>;
    EXPECT_EQ(rgb_of(0), (Rgb{0, 0, 0}));
    EXPECT_EQ(rgb_of(15), (Rgb{255, 255, 255}));
    EXPECT_EQ(rgb_of(16), (Rgb{0, 0, 0}));
    EXPECT_EQ(rgb_of(24), (Rgb{0, 95, 135}));
    EXPECT_EQ(rgb_of(231), (Rgb{255, 255, 255}));
    EXPECT_EQ(rgb_of(232), (Rgb{8, 8, 8}));
    EXPECT_EQ(rgb_of(255), (Rgb{238, 238, 238}));
}

model::PathResult explained(std::vector<model::Explored> explored) {
    model::PathResult result;
    result.outcome = model::Outcome::kComplete;
    result.turning_points = {{0, 0}, {2, 0}};
    result.cost = 200;
    result.explored = std::move(explored);
    return result;
}

// If this failed, the visualiser would refuse the file or show another search.
TEST(SearchTrace, HasTheEventsInOrderWithTheirParents) {
    using enum model::ExploredKind;
    const auto result = explained({{{0, 0}, kOpened, 0, 200},
                                   {{0, 0}, kClosed, 0, 200},
                                   {{1, 0}, kOpened, 100, 100},
                                   {{0, 1}, kJumpPoint, 100, 240},
                                   {{1, 0}, kClosed, 100, 100},
                                   {{0, 1}, kOpened, 240, 240},
                                   {{2, 0}, kOpened, 200, 0},
                                   {{2, 0}, kClosed, 200, 0}});
    const json trace = json::parse(search_trace(result, 10, {0, 0}, {2, 0}));
    EXPECT_EQ(trace["version"], "1.4.0");
    EXPECT_EQ(trace["views"]["main"][0]["$"], "rect");
    std::string told;
    std::map<int, json> last;
    for (const json& event : trace["events"]) {
        told += event["type"].get<std::string>().substr(0, 2) +
                std::to_string(event["id"].get<int>()) + " ";
        last[event["id"].get<int>()] = event;
    }
    EXPECT_EQ(told, "so0 de2 ge0 ex0 ge1 ge10 cl0 ex1 ge10 ge2 cl1 ex2 cl2 en2 ");
    EXPECT_FALSE(last[0].contains("pId"));
    EXPECT_EQ(last[1]["pId"], 0);
    EXPECT_EQ(last[10]["pId"], 0) << "a dearer way changes no parent";
    EXPECT_EQ(last[2]["pId"], 1);
    EXPECT_EQ(last[2]["f"], 200);
}

// If this failed, a search of a million cells would freeze the browser, or an invented parent would
// draw paths through walls.
TEST(SearchTrace, IsBoundedAndThenNamesNoParents) {
    for (const std::size_t cells : {kTraceCellsMax - 1, kTraceCellsMax, kTraceCellsMax + 1}) {
        std::vector<model::Explored> explored{{{0, 0}, model::ExploredKind::kClosed, 0, 0}};
        while (explored.size() < cells) {
            explored.push_back({{1, 0}, model::ExploredKind::kOpened, 5, 0});
        }
        const std::string trace = search_trace(explained(explored), 10, {0, 0}, {2, 0});
        std::size_t generated = 0;
        for (std::size_t at = trace.find("generating"); at != std::string::npos;
             at = trace.find("generating", at + 1)) {
            ++generated;
        }
        EXPECT_EQ(generated, std::min(cells, kTraceCellsMax) - 1);
        EXPECT_EQ(trace.find("pId") != std::string::npos, cells <= kTraceCellsMax);
    }
}

// If this failed, a slip in a name or a rectangle would end in a file that nothing opens.
TEST(Arguments, TraceFilesAndRectangles) {
    EXPECT_TRUE(parse_trace_file("a.trace.json"));
    EXPECT_TRUE(parse_trace_file("/tmp/a.trace.yaml"));
    EXPECT_FALSE(parse_trace_file("a.json"));
    EXPECT_FALSE(parse_trace_file(".trace.json"));
    EXPECT_EQ(parse_rect("1,-2,3,4"), (model::Rect{1, -2, 3, 4}));
    for (const char* bad : {"", "1", "1,2", "1,2,3", "1,2,3,", "1,2,3,4,5", "1,2,0,4", "1,2,3,-4",
                            "a,2,3,4", "1;2;3;4", "1,2,3,99999999999"}) {
        const auto rect = parse_rect(bad);
        ASSERT_FALSE(rect) << bad;
        EXPECT_NE(rect.error().message.find("X,Y,WIDTH,HEIGHT"), std::string::npos);
    }
}

Surveyed surveyed(decltype(model::Survey::query) query, decltype(model::SurveyResult::body) body) {
    Surveyed all;
    all.survey.query = std::move(query);
    all.answer = {9, {model::Outcome::kComplete, 77, std::move(body)}};
    return all;
}

// If this failed, a script would read a cost where there is no way.
TEST(SurveyReport, MatrixTellsNoWayFromUnknown) {
    const auto all = surveyed(model::MatrixQuery{{{0, 0}, {1, 1}}, {{2, 2}, {3, 3}}},
                              model::CostMatrix{{8160, model::kNoWay, model::kCostUnknown, 0}});
    const json answer = json::parse(json_of(all));
    EXPECT_EQ(answer["costs"], json::parse(R"([[8160, null], ["unknown", 0]])"));
    EXPECT_EQ(answer["expansions"], 77);
    EXPECT_EQ(answer["version"], 9);
    const std::string text = summary_of(all);
    EXPECT_EQ(text.substr(0, text.find("COMPLETE")),
              "      1.00          -\n         ?       0.00\n");
}

// If this failed, scripts would take an army that cannot move for one that marches.
TEST(SurveyReport, UsefulIsWhatSomebodyCanActOn) {
    const model::GroupQuery two{.starts = {{0, 0}, {1, 1}}, .goal = {}, .formation = {}};
    model::UnitPath stuck{.unit = 0, .turning_points = {}};
    model::UnitPath moves{
        .unit = 1, .outcome = model::Outcome::kComplete, .turning_points = {{1, 1}, {1, 2}}};
    EXPECT_FALSE(is_useful(surveyed(two, model::GroupPaths{{stuck}})));
    EXPECT_TRUE(is_useful(surveyed(two, model::GroupPaths{{stuck, moves}})));
    EXPECT_NE(summary_of(surveyed(two, model::GroupPaths{{stuck, moves}})).find("1 of 2 units"),
              std::string::npos);
    EXPECT_FALSE(is_useful(surveyed(model::NearestQuery{}, model::NearestGoals{})));
    for (const bool yes : {false, true}) {
        EXPECT_EQ(is_useful(surveyed(model::ConnectedQuery{}, model::Connection{yes})), yes);
        EXPECT_EQ(is_useful(surveyed(model::SightQuery{}, model::Sight{yes})), yes);
    }
    auto late = surveyed(model::ReachQuery{}, model::Reach{});
    EXPECT_TRUE(is_useful(late));
    late.answer.result.outcome = model::Outcome::kDeadline;
    EXPECT_FALSE(is_useful(late));
}

// If this failed, a script could not tell which cell a step of a field belongs to.
TEST(SurveyReport, FieldsAndReachesAsJson) {
    auto arrows = all_steps();
    for (std::size_t i = 0; i < 12; ++i) {
        arrows.costs.push_back(model::leads(arrows.step(i)) ? 5 : model::kNoWay);
    }
    const json field = json::parse(json_of(surveyed(model::FieldQuery{}, arrows)));
    EXPECT_EQ(field["rect"], (json{1, 0, 4, 3}));
    EXPECT_EQ(field["steps"], (json{"0123", "4567", "8ef0"}));
    EXPECT_EQ(field["costs"][2], (json{5, nullptr, nullptr, 5}));
    const json reach = json::parse(
        json_of(surveyed(model::ReachQuery{}, model::Reach{8160, {{2, 3, 2}}, {0, 8160}})));
    EXPECT_EQ(reach["cells"], 2);
    EXPECT_EQ(reach["runs"], json::parse("[[2, 3, 2]]"));
    EXPECT_EQ(reach["costs"], (json{0, 8160}));
}

}  // namespace
}  // namespace outrider::cli
