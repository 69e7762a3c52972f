#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tidy/rules.hpp"

namespace outrider::tidy {
namespace {

struct Fixture {
    std::string_view rule;
    std::string path;
    std::string text;
    std::size_t line;  // where the rule must find it; 0: it must not
};

void PrintTo(const Fixture& fixture, std::ostream* out) {
    *out << fixture.rule << " in " << fixture.path;
}

std::size_t found_line(const Fixture& fixture) {
    // The neighbours stand for whatever a fixture includes.
    const Tree tree = make_tree({
        make_file(fixture.path, fixture.text),
        make_file("server/map/store.hpp", "#pragma once\n// What: a store.\n"),
        make_file("server/search/search.hpp", "#pragma once\n// What: a search.\n"),
        make_file("server/base/mutex.hpp", "#pragma once\n// What: a mutex.\n"),
        make_file("tests/support/random.hpp", "#pragma once\n// What: seeds.\n"),
        make_file("server/map/CMakeLists.txt",
                  "outrider_room(map SOURCES listed.cpp last.cpp ../up/a.cpp)\n"),
        make_file("tests/CMakeLists.txt", "outrider_test(x SOURCES unit/listed.cpp)\n"),
    });
    for (const Finding& finding : check_all(tree)) {
        if (finding.path == fixture.path && finding.rule == fixture.rule) {
            return finding.line;
        }
    }
    return 0;
}

std::string header(std::string_view rest) {
    return "#pragma once\n// What: x.\n" + std::string(rest);
}

class Rules : public testing::TestWithParam<Fixture> {};

// If this failed, a rule would have gone blind, or would cry wolf until people stop listening.
TEST_P(Rules, FindWhatTheyShouldAndNothingElse) {
    EXPECT_EQ(found_line(GetParam()), GetParam().line) << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(
    Includes, Rules,
    testing::Values(
        Fixture{"rooms", "server/map/a.hpp", header("#include \"outrider/search/search.hpp\"\n"),
                3},
        Fixture{"rooms", "server/search/a.hpp", header("#include \"outrider/map/store.hpp\"\n"), 0},
        Fixture{"rooms", "server/attic/a.hpp", header(""), 1},
        Fixture{"rooms", "server/map/a.hpp", header("// #include \"outrider/search/search.hpp\"\n"),
                0},
        Fixture{"include-paths", "server/map/a.hpp", header("#include \"map/store.hpp\"\n"), 3},
        Fixture{"include-paths", "server/map/a.hpp", header("#include \"store.hpp\"\n"), 3},
        Fixture{"include-paths", "server/map/a.hpp", header("#include <outrider/map/store.hpp>\n"),
                3},
        Fixture{"include-paths", "server/map/a.hpp",
                header("#include \"outrider/map/store.hpp\"\n"), 0},
        Fixture{"include-paths", "tests/unit/a.hpp", header("#include \"support/random.hpp\"\n"),
                0},
        Fixture{"include-paths", "tests/unit/a.hpp", header("#include \"random.hpp\"\n"), 3},
        Fixture{"asio", "server/engine/a.hpp", header("#include <asio/awaitable.hpp>\n"), 3},
        Fixture{"asio", "server/net/a.hpp", header("#include <asio.hpp>\n"), 0},
        Fixture{"protobuf", "server/net/a.hpp", header("#include <google/protobuf/arena.h>\n"), 3},
        Fixture{"protobuf", "server/net/a.hpp", header("#include \"outrider/v1/path.pb.h\"\n"), 3},
        Fixture{"protobuf", "server/codec/a.hpp", header("#include \"outrider/v1/path.pb.h\"\n"),
                0},
        Fixture{"cryptography", "server/app/a.hpp", header("#include <openssl/sha.h>\n"), 3},
        Fixture{"cryptography", "server/net/a.hpp", header("#include <openssl/sha.h>\n"), 0},
        Fixture{"telemetry", "server/net/a.hpp", header("#include <spdlog/spdlog.h>\n"), 3},
        Fixture{"telemetry", "server/net/a.hpp", header("#include <prometheus/gauge.h>\n"), 3},
        Fixture{"telemetry", "server/telemetry/a.hpp", header("#include <prometheus/gauge.h>\n"),
                0},
        Fixture{"threads", "server/search/a.hpp", header("#include <mutex>\n"), 3},
        Fixture{"threads", "server/codec/a.hpp", header("#include \"outrider/base/mutex.hpp\"\n"),
                3},
        Fixture{"threads", "server/engine/a.hpp", header("#include <thread>\n"), 0},
        Fixture{"command-line", "server/net/a.hpp", header("#include <CLI/CLI.hpp>\n"), 3}));

INSTANTIATE_TEST_SUITE_P(
    Words, Rules,
    testing::Values(
        Fixture{"clock", "server/engine/a.hpp", header("auto t = steady_clock::now();\n"), 3},
        Fixture{"clock", "server/base/clock.hpp", header("auto t = steady_clock::now();\n"), 0},
        Fixture{"clock", "server/engine/a.hpp", header("// never steady_clock::now()\n"), 0},
        Fixture{"clock", "server/engine/a.hpp", header("auto t = \"steady_clock::now\";\n"), 0},
        Fixture{"search-is-timeless", "server/search/a.hpp", header("base::Clock& c;\n"), 3},
        Fixture{"search-is-integer", "server/search/a.hpp", header("double g;\n"), 3},
        Fixture{"search-is-integer", "server/search/a.hpp", header("int double_bridge;\n"), 0},
        Fixture{"sleep", "tests/unit/a.hpp", header("sleep_for(1ms);\n"), 3},
        Fixture{"sleep", "tests/unit/a.hpp", header("/* a\nsleep_for(1ms) */ int x;\n"), 0},
        Fixture{"atomic-shared-ptr", "server/map/a.hpp",
                header("std::atomic<std::shared_ptr<int>> p;\n"), 3},
        Fixture{"coroutine", "server/engine/a.hpp", header("co_return;\n"), 3},
        Fixture{"thread-local", "server/map/a.hpp", header("thread_local int x;\n"), 3},
        Fixture{"detach", "server/engine/a.hpp", header("worker.detach();\n"), 3},
        Fixture{"assert", "server/map/a.hpp", header("assert(x);\n"), 3},
        Fixture{"assert", "server/map/a.hpp", header("static_assert(true);\n"), 0},
        Fixture{"random", "tests/unit/a.hpp", header("std::random_device d;\n"), 3},
        Fixture{"todo", "README.md",
                "# x\nTO"
                "DO later\n",
                2},
        Fixture{"foreign-path", "dev.sh",
                "cat /wor"
                "k/x\n",
                1},
        Fixture{"nolint", "server/map/a.hpp",
                header("// NOLINT"
                       "BEGIN\n"),
                3}));

INSTANTIATE_TEST_SUITE_P(
    Shapes, Rules,
    testing::Values(
        Fixture{"file-size", "server/map/a.hpp", header(std::string(399, '\n')), 401},
        Fixture{"file-size", "server/map/a.hpp", header(std::string(398, '\n')), 0},
        Fixture{"columns", "server/map/a.hpp", header(std::string(101, 'x')), 3},
        Fixture{"columns", "server/map/a.hpp", header(std::string(100, 'x')), 0},
        Fixture{"columns", "server/map/CMakeLists.txt", std::string(101, 'x'), 1},
        Fixture{"header", "server/map/a.hpp", "// What: x.\n", 1},
        Fixture{"header", "server/map/a.hpp", "#pragma once\n\n// What: late.\n", 2},
        Fixture{"header", "server/map/a.hpp", header("using namespace std;\n"), 3},
        Fixture{"header", "server/map/a.hpp", header("// torn\n//       off.\n"), 3},
        Fixture{"header", "server/map/a.hpp", header("//       And y.\n//\n// Cost: z.\n"), 0},
        Fixture{"header", "server/map/a.hpp", header("\n// Of a function.\n"), 0},
        Fixture{"target", "server/map/lost.cpp", "int x;\n", 1},
        Fixture{"target", "server/map/listed.cpp", "int x;\n", 0},
        Fixture{"target", "server/map/last.cpp", "int x;\n", 0},
        Fixture{"target", "server/up/a.cpp", "int x;\n", 0},
        Fixture{"target", "tests/unit/listed.cpp", "int x;\n", 0},
        Fixture{"test-purpose", "tests/unit/a.cpp", "\nTEST(A, B) {\n    int x;\n}\n", 2},
        Fixture{"test-purpose", "tests/unit/a.cpp", "// If this failed, x.\nTEST(A, B) {\n}\n", 0},
        Fixture{"test-purpose", "tests/unit/a.cpp", "TEST(A, B) {\n    // If this failed, x.\n}\n",
                0}));

// If this failed, code after a raw string or a digit separator would be read as prose and pass.
TEST(Blanking, KeepsCodeAndDropsLiterals) {
    const SourceFile file =
        make_file("server/map/a.cpp",
                  "auto a = R\"x(sleep_for)x\"; thread_local int b = 1'000; char c = '\"';\n"
                  "auto d = \"\\\"sleep_for\"; int e;\n");
    ASSERT_EQ(file.code.size(), 2U);
    EXPECT_EQ(file.code[0].find("sleep_for"), std::string::npos);
    EXPECT_NE(file.code[0].find("thread_local int b = 1'000; char c"), std::string::npos);
    EXPECT_EQ(file.code[1].find("sleep_for"), std::string::npos);
    EXPECT_NE(file.code[1].find("int e;"), std::string::npos);
}

}  // namespace
}  // namespace outrider::tidy
