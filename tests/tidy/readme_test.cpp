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

// If this failed, readers would copy an example from the README that no compiler has seen.
TEST(Readme, ShowsTheExampleThatThePackageTestCompiles) {
    const Tree tree = read_tree(OUTRIDER_SOURCE_DIR);
    constexpr std::string_view kExample = "tests/integration/package/consumer/main.cpp";
    const std::string readme = text_of(tree, "README.md");
    const std::string example = text_of(tree, kExample);
    ASSERT_FALSE(readme.empty());
    ASSERT_FALSE(example.empty());
    const std::string block =
        "<!-- begin: " + std::string(kExample) + " -->\n```cpp\n" + example + "```\n<!-- end -->\n";
    EXPECT_NE(readme.find(block), std::string::npos)
        << "copy " << kExample << " between the markers of README.md";
}

}  // namespace
}  // namespace outrider::tidy
