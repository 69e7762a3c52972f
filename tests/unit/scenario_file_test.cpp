#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "files/dynamic_file.hpp"
#include "files/scenario_file.hpp"
#include "outrider/model/cost.hpp"

namespace outrider::client {
namespace {

using testing::HasSubstr;

constexpr std::string_view kHead = "version 1\n";
constexpr std::string_view kGood = "0\tmaps/a.map\t5\t3\t0\t0\t4\t2\t4.82842712\n";

std::string with(std::string_view line) {
    return std::string(kHead) + std::string(kGood) + std::string(line) + "\n";
}

// If this failed, the public scenarios could not be read in all their dialects.
TEST(ScenarioFile, TabsBlanksCrLfAndVersionDialectsAreRead) {
    const auto scenario = parse_scenario(
        "version 1.0\r\n0 maps/a.map 5 3 0 0 4 2 4.8\r\n\n1\tmaps/a.map\t5\t3\t1\t1\t2\t2\t0",
        "a.scen");
    ASSERT_TRUE(scenario.has_value()) << scenario.error().message;
    EXPECT_EQ(scenario->map, "maps/a.map");
    EXPECT_EQ(scenario->width, 5);
    EXPECT_EQ(scenario->height, 3);
    ASSERT_EQ(scenario->queries.size(), 2U);
    EXPECT_EQ(scenario->queries[0].goal, (model::Cell{4, 2}));
    EXPECT_FALSE(scenario->queries[0].unreachable());
    EXPECT_TRUE(scenario->queries[1].unreachable());
    EXPECT_EQ(scenario->queries[1].bucket, 1U);
}

// If this failed, a broken scenario would be measured as if it were whole.
TEST(ScenarioFile, MalformedLinesAreRefusedWithTheirNumber) {
    for (const std::string_view line :
         {"0 maps/a.map 5 3 0 0 4 2", "0 maps/a.map 5 3 0 0 4 2 1 9", "0 maps/a.map 5 3 0 0 4 x 1",
          "0 maps/a.map 5 3 0 0 5 2 1", "0 maps/a.map 5 3 -1 0 4 2 1", "0 maps/b.map 5 3 0 0 4 2 1",
          "0 maps/a.map 6 3 0 0 4 2 1", "0 maps/a.map 5 3 0 0 4 2 nan",
          "-1 maps/a.map 5 3 0 0 4 2 1"}) {
        const auto scenario = parse_scenario(with(line), "a.scen");
        ASSERT_FALSE(scenario.has_value()) << line;
        EXPECT_THAT(scenario.error().message, HasSubstr("a.scen:3: ")) << line;
    }
    for (const std::string_view head : {"", "version\n", "version 2\n", "0 maps/a.map\n"}) {
        EXPECT_FALSE(parse_scenario(head, "a.scen").has_value()) << head;
    }
    EXPECT_FALSE(read_scenario_file("no/such/file.scen").has_value());
}

// If this failed, a rounded list would count as wrong answers, or wrong answers as rounded.
TEST(ScenarioFile, LengthsAgreeWithinTheirRounding) {
    const auto answer = [](double length) {
        model::PathResult result;
        result.outcome = model::Outcome::kComplete;
        result.cost = static_cast<model::Cost>(length * static_cast<double>(model::kCostPerCell));
        return result;
    };
    const ScenarioQuery near{0, {0, 0}, {4, 2}, 10.0};
    EXPECT_TRUE(agrees(near, answer(10.019)));
    EXPECT_FALSE(agrees(near, answer(10.021)));
    const ScenarioQuery far{0, {0, 0}, {4, 2}, 10'000.0};
    EXPECT_TRUE(agrees(far, answer(10'000.09)));
    EXPECT_FALSE(agrees(far, answer(9'999.89)));
    model::PathResult none;
    none.outcome = model::Outcome::kUnreachable;
    EXPECT_FALSE(agrees(near, none));
    const ScenarioQuery cut{0, {0, 0}, {4, 2}, 0.0};
    EXPECT_TRUE(agrees(cut, none));
    EXPECT_FALSE(agrees(cut, answer(0.0)));
    const ScenarioQuery same{0, {4, 2}, {4, 2}, 0.0};
    EXPECT_TRUE(agrees(same, answer(0.0)));
}

// If this failed, the dynamic benchmark could not be run, or patches would land elsewhere.
TEST(DynamicFile, CommandsAndPatchesAreReadInOrder) {
    const auto scenario = parse_dynamic(
        "version 2\nheight 3\nwidth 5\ncost 1 octile\npatch a.patch\ncommands\n"
        "Q 0 0 0 4 2 4.8\nP 1 0 -1 2\nQ 1 0 0 4 2 -1\n",
        "a.scen");
    ASSERT_TRUE(scenario.has_value()) << scenario.error().message;
    EXPECT_EQ(scenario->patch_file, "a.patch");
    ASSERT_EQ(scenario->commands.size(), 3U);
    EXPECT_EQ(std::get<PatchCommand>(scenario->commands[1]).at, (model::Cell{-1, 2}));
    EXPECT_TRUE(std::get<ScenarioQuery>(scenario->commands[2]).unreachable());
    const auto patches = parse_patches(
        "type patch\npatches 2\npatch 0\nheight 1\nwidth 2\nmap\n.@\npatch 1\nheight 2\nwidth 1\n"
        "map\n@\n.\n",
        "a.patch");
    ASSERT_TRUE(patches.has_value()) << patches.error().message;
    ASSERT_EQ(patches->size(), 2U);
    EXPECT_EQ((*patches)[0].terrain, (std::vector<model::Terrain>{'.', '@'}));
    EXPECT_EQ((*patches)[1].height, 2);
}

// If this failed, a cut-off patch file would change the map into something else in silence.
TEST(DynamicFile, MalformedTextIsRefused) {
    const std::string head = "version 2\nheight 3\nwidth 5\ncost 1 octile\npatch a.patch\n";
    EXPECT_FALSE(parse_dynamic(head, "a.scen").has_value());
    for (const std::string_view command :
         {"Q 0 0 0 4 2", "Q 0 0 0 5 2 1", "P 0 0 1", "X 0 0 0 0", "P 0 -1 0 0"}) {
        const auto scenario =
            parse_dynamic(head + "commands\n" + std::string(command) + "\n", "a.scen");
        ASSERT_FALSE(scenario.has_value()) << command;
        EXPECT_THAT(scenario.error().message, HasSubstr("a.scen:7: "));
    }
    const std::string patches = "type patch\npatches 1\npatch 0\nheight 2\nwidth 2\nmap\n..\n";
    EXPECT_FALSE(parse_patches(patches, "a.patch").has_value());
    EXPECT_FALSE(parse_patches(patches + "...\n", "a.patch").has_value());
    EXPECT_TRUE(parse_patches(patches + "..\n", "a.patch").has_value());
    EXPECT_FALSE(parse_patches(patches + "..\nmore\n", "a.patch").has_value());
}

}  // namespace
}  // namespace outrider::client
