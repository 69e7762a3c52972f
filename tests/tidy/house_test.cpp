#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "tidy/rules.hpp"

namespace outrider::tidy {
namespace {

// The list may only shrink: whoever takes a line out of exceptions.txt lowers this number, and
// nobody raises it.
constexpr std::size_t kExceptionsMax = 0;

using Exceptions = std::set<std::pair<std::string, std::string>>;  // rule, path

const Tree& project() {
    static const Tree kTree = read_tree(OUTRIDER_SOURCE_DIR);
    return kTree;
}

Exceptions read_exceptions() {
    Exceptions exceptions;
    const auto file =
        std::ranges::find(project().files, "tests/tidy/exceptions.txt", &SourceFile::path);
    for (const std::string& line : file->lines) {
        if (!line.empty() && !line.starts_with('#')) {
            std::istringstream words(line);
            std::pair<std::string, std::string> exception;
            words >> exception.first >> exception.second;
            exceptions.insert(exception);
        }
    }
    return exceptions;
}

// If this failed, a wall of the house would have a hole: a room that reads what it must not, a file
// that nobody compiles, a test that sleeps.
TEST(House, KeepsItsOwnRules) {
    const Exceptions exceptions = read_exceptions();
    std::string report;
    for (const Finding& finding : check_all(project())) {
        if (!exceptions.contains({finding.rule, finding.path})) {
            report += format(finding) + "\n";
        }
    }
    if (!report.empty()) {
        FAIL() << "mend these (tests/README.md, \"The house's own test\"):\n" << report;
    }
}

// If this failed, an exception would outlive its reason and hide the next fault.
TEST(House, ExceptionsAreNeededAndNeverGrow) {
    const Exceptions exceptions = read_exceptions();
    EXPECT_LE(exceptions.size(), kExceptionsMax) << "mend the file instead of adding an exception";
    EXPECT_GE(exceptions.size(), kExceptionsMax) << "lower kExceptionsMax to the list's new length";
    const Findings findings = check_all(project());
    for (const auto& [rule, path] : exceptions) {
        EXPECT_TRUE(std::ranges::any_of(
            findings,
            [&](const Finding& finding) { return finding.rule == rule && finding.path == path; }))
            << path << " keeps rule " << rule << " now: take it out of exceptions.txt";
    }
}

// If this failed, the checks above would pass because they looked at nothing.
TEST(House, IsReadWhole) {
    EXPECT_TRUE(project().has("server/base/check.hpp"));
    EXPECT_TRUE(project().has("tests/tidy/rules.hpp"));
    EXPECT_TRUE(project().has("dev.sh"));
    EXPECT_TRUE(project().has(".ci/run"));
    EXPECT_FALSE(std::ranges::any_of(project().files, [](const SourceFile& file) {
        return file.under("build") || file.path.find("CMakeFiles") != std::string::npos;
    }));
}

}  // namespace
}  // namespace outrider::tidy
