// Map files: every dialect of the public benchmarks, and what a person reads who made a mistake.

#include "outrider/map/map_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>

#include "outrider/base/limits.hpp"
#include "support/weight_grid.hpp"

namespace outrider::map {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view kSmall =
    "type octile\n"
    "height 2\n"
    "width 3\n"
    "map\n"
    ".@T\n"
    "AGP\n";

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
    std::string result(text);
    for (std::size_t at = result.find(from); at != std::string::npos;
         at = result.find(from, at + to.size())) {
        result.replace(at, from.size(), to);
    }
    return result;
}

std::string message_of(const std::string& text) {
    const auto grid = parse_map(text, "x.map");
    return grid ? "no error" : grid.error().message;
}

// If this failed, a plain map would not load.
TEST(MapFile, ReadsRowsAsTerrain) {
    const Grid grid = parse_map(kSmall, "x.map").value();
    EXPECT_EQ(grid.width, 3);
    EXPECT_EQ(grid.height, 2);
    EXPECT_EQ(grid.terrain, test::terrain_of({".@T", "AGP"}));
}

// If this failed, maps from the street set, or saved by an editor of another system, would not
// load.
TEST(MapFile, ReadsEveryDialect) {
    const auto expected = test::terrain_of({".@T", "AGP"});
    const std::string no_newline(kSmall.substr(0, kSmall.size() - 1));
    for (const std::string& text :
         {replaced(kSmall, "\n", "\r\n"), no_newline, replaced(no_newline, "\n", "\r\n"),
          std::string(kSmall) + "\n\r\n\n",
          replaced(kSmall, "height 2\nwidth 3", "width 3\nheight 2"),
          replaced(kSmall, "type octile\nheight 2", "height 2\ntype octile")}) {
        const auto grid = parse_map(text, "x.map");
        ASSERT_TRUE(grid.has_value()) << grid.error().message;
        EXPECT_EQ(grid->terrain, expected);
    }
}

// If this failed, a map saved and loaded again would be another map.
TEST(MapFile, FormatAndParseAreOneAnothersInverse) {
    const Grid grid = parse_map(kSmall, "x.map").value();
    EXPECT_EQ(format_map(grid), kSmall);
}

// If this failed, somebody with a broken file would not be told where it is broken and what to do.
TEST(MapFile, NamesLineColumnAndCure) {
    const std::map<std::string, std::pair<std::string, std::string>> cases{
        {"", {"x.map:1:1: ", "`map`"}},
        {"type octile\nheight 2\nwidth 3\n", {"x.map:4:1: ", "`map`"}},
        {"map\n...\n", {"x.map:1:1: ", "`type octile`"}},
        {replaced(kSmall, "octile", "tile"), {"x.map:1:6: ", "write `type octile`"}},
        {replaced(kSmall, "height 2\n", ""), {"x.map:3:1: ", "`height H`"}},
        {replaced(kSmall, "width 3\n", ""), {"x.map:3:1: ", "`width W`"}},
        {replaced(kSmall, "width 3\n", "width 3\nwidth 3\n"), {"x.map:4:1: ", "twice"}},
        {replaced(kSmall, "width 3\n", "witdh 3\n"), {"x.map:3:1: ", "`width`"}},
        {replaced(kSmall, "height 2", "height 0"), {"x.map:2:8: ", "from 1 to 8192"}},
        {replaced(kSmall, "height 2", "height -2"), {"x.map:2:8: ", "from 1 to 8192"}},
        {replaced(kSmall, "height 2", "height"), {"x.map:2:8: ", "from 1 to 8192"}},
        {replaced(kSmall, "height 2", "height 2x"), {"x.map:2:8: ", "from 1 to 8192"}},
        {replaced(kSmall, "width 3", "width 99999999999999999999"),
         {"x.map:3:7: ", "from 1 to 8192"}},
        {replaced(kSmall, ".@T", ".@"), {"x.map:5:3: ", "has 2 cells, `width` says 3"}},
        {replaced(kSmall, ".@T", ".@TT"), {"x.map:5:4: ", "has 4 cells, `width` says 3"}},
        {replaced(kSmall, "AGP", "A#P"), {"x.map:6:2: ", "byte 35 is no cell; use `.`"}},
        {replaced(kSmall, "AGP", "AGQ"), {"x.map:6:3: ", "byte 81 is no cell"}},
        {replaced(kSmall, "AGP", std::string("A\0P", 3)), {"x.map:6:2: ", "byte 0 is no cell"}},
        {replaced(kSmall, "AGP", "AG\r"), {"x.map:6:3: ", "has 2 cells"}},
        {replaced(kSmall, "AGP", "A\rP"), {"x.map:6:2: ", "byte 13"}},
        {replaced(kSmall, "AGP\n", ""), {"x.map:6:1: ", "after 1 of 2 rows"}},
        {std::string(kSmall) + "...\n", {"x.map:7:1: ", "raise `height`"}},
    };
    for (const auto& [text, expected] : cases) {
        EXPECT_THAT(message_of(text), StartsWith(expected.first)) << text;
        EXPECT_THAT(message_of(text), HasSubstr(expected.second)) << text;
    }
}

// If this failed, the largest map would be refused, or one that no kernel can index accepted.
TEST(MapFile, SidesEndAtTheLimit) {
    const auto strip = [](std::int32_t side, bool wide) {
        Grid grid{wide ? side : 1, wide ? 1 : side, {}};
        grid.terrain.assign(static_cast<std::size_t>(side), '.');
        return parse_map(format_map(grid), "x.map").has_value();
    };
    for (const bool wide : {true, false}) {
        EXPECT_TRUE(strip(base::limits::kMapSideMax - 1, wide));
        EXPECT_TRUE(strip(base::limits::kMapSideMax, wide));
        EXPECT_FALSE(strip(base::limits::kMapSideMax + 1, wide));
        EXPECT_TRUE(strip(1, wide));
    }
}

// If this failed, a wrong path on the command line would end in silence or in a crash.
TEST(MapFile, SaysWhichFileCannotBeRead) {
    const auto absent = read_map_file("no/such/file.map");
    ASSERT_FALSE(absent.has_value());
    EXPECT_THAT(absent.error().message, HasSubstr("no/such/file.map"));
    EXPECT_FALSE(read_map_file(std::filesystem::temp_directory_path()).has_value());
}

std::filesystem::path data_directory() {
    const char* named = std::getenv("OUTRIDER_DATA");
    return named != nullptr
               ? std::filesystem::path(named)
               : std::filesystem::path(OUTRIDER_SOURCE_DIR).parent_path() / "shared" / "data";
}

// The number behind `key` in the file's first lines, read without the parser under test.
std::int32_t header_number(const std::filesystem::path& file, const std::string& key) {
    std::ifstream stream(file);
    std::string word;
    while (stream >> word && word != "map") {
        if (word == key) {
            std::int32_t number{};
            stream >> number;
            return number;
        }
    }
    return -1;
}

// If this failed, some map of the public benchmarks could not be loaded.
TEST(MapFile, ReadsEveryPublicMap) {
    if (!std::filesystem::exists(data_directory())) {
        GTEST_SKIP() << "no public maps in " << data_directory();
    }
    int maps = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(data_directory())) {
        if (entry.path().extension() != ".map") {
            continue;
        }
        const auto grid = read_map_file(entry.path());
        ASSERT_TRUE(grid.has_value()) << grid.error().message;
        EXPECT_EQ(grid->width, header_number(entry.path(), "width")) << entry.path();
        EXPECT_EQ(grid->height, header_number(entry.path(), "height")) << entry.path();
        EXPECT_EQ(grid->terrain.size(),
                  static_cast<std::size_t>(grid->width) * static_cast<std::size_t>(grid->height));
        ++maps;
    }
    EXPECT_GT(maps, 0);
}

}  // namespace
}  // namespace outrider::map
