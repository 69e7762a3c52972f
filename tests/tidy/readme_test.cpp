#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tidy/source_tree.hpp"

namespace outrider::tidy {
namespace {

std::string text_of(const Tree& tree, std::string_view path) {
    const auto file = std::ranges::find(tree.files, path, &SourceFile::path);
    std::string text;
    if (file != tree.files.end()) {
        for (const std::string& line : file->lines) {
            text += line + "\n";
        }
    }
    return text;
}

class ReadmeExample : public testing::TestWithParam<std::string> {};

// If this failed, readers would copy an example from the README that no compiler has seen.
TEST_P(ReadmeExample, IsTheOneThatThePackageTestCompiles) {
    const Tree tree = read_tree(OUTRIDER_SOURCE_DIR);
    const std::string path = "tests/integration/package/consumer/" + GetParam();
    const std::string readme = text_of(tree, "README.md");
    const std::string example = text_of(tree, path);
    ASSERT_FALSE(readme.empty());
    ASSERT_FALSE(example.empty());
    const std::string block =
        "<!-- begin: " + path + " -->\n```cpp\n" + example + "```\n<!-- end -->\n";
    EXPECT_NE(readme.find(block), std::string::npos)
        << "copy " << path << " between the markers of README.md";
}

INSTANTIATE_TEST_SUITE_P(Readme, ReadmeExample, testing::Values("main.cpp", "order.cpp"));

}  // namespace
}  // namespace outrider::tidy
