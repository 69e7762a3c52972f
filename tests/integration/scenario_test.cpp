#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "files/scenario_file.hpp"
#include "outrider/map/store.hpp"
#include "outrider/search/search.hpp"
#include "support/data.hpp"
#include "support/random.hpp"

namespace outrider::test {
namespace {

using model::Algorithm;

std::vector<std::filesystem::path> scenario_files() {
    std::vector<std::filesystem::path> files;
    const std::filesystem::path root = data_dir(OUTRIDER_SOURCE_DIR) / "movingai";
    if (std::filesystem::exists(root)) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
            if (entry.path().extension() == ".scen") {
                files.push_back(entry.path());
            }
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

// About `queries_max` queries, evenly spread over the file.
void expect_lengths(const std::filesystem::path& file, Algorithm algorithm,
                    std::size_t queries_max) {
    SCOPED_TRACE(file.filename().string() + " " + std::string(model::name_of(algorithm)));
    const auto scenario = client::read_scenario_file(file);
    ASSERT_TRUE(scenario.has_value()) << scenario.error().message;
    auto grid = map::read_map_file(std::filesystem::path(file).replace_extension());
    ASSERT_TRUE(grid.has_value()) << grid.error().message;
    const auto store = map::Store::create(std::move(*grid), {model::ground_class()});
    ASSERT_TRUE(store.has_value()) << store.error().message;
    const auto snapshot = (*store)->snapshot();
    const search::BuffersPtr buffers = search::make_buffers();
    const std::size_t count = scenario->queries.size();
    ASSERT_GT(count, 0U);
    std::size_t mismatches = 0;
    const std::size_t stride = std::max<std::size_t>(1, count / queries_max);
    for (std::size_t i = 0; i < count; i += stride) {
        const client::ScenarioQuery& listed = scenario->queries[i];
        model::PathQuery query;
        query.start = listed.start;
        query.goal.rect = {listed.goal.x, listed.goal.y, 1, 1};
        query.algorithm = algorithm;
        ASSERT_TRUE(search::validate(*snapshot, query).has_value());
        const model::PathResult result = search::run(*snapshot->layer({0}), query, *buffers);
        mismatches += client::agrees(listed, result) ? 0U : 1U;
    }
    EXPECT_EQ(mismatches, 0U);
}

// If this failed, paths on real game maps would not be as short as the published ones.
TEST(Scenario, EveryListedLengthIsFoundByJumpPoints) {
    const auto files = scenario_files();
    if (files.empty()) {
        GTEST_SKIP() << "no benchmark maps; set OUTRIDER_DATA";
    }
    for (const auto& file : files) {
        expect_lengths(file, Algorithm::kJps, ~std::size_t{0});
    }
}

// If this failed, the algorithm that is chosen for clients who name none would be wrong. A sample
// in each run, since on these maps it is the same kernel as above; all of them at a scale above 1.
TEST(Scenario, EveryListedLengthIsFoundByAuto) {
    const auto files = scenario_files();
    if (files.empty()) {
        GTEST_SKIP() << "no benchmark maps; set OUTRIDER_DATA";
    }
    for (const auto& file : files) {
        expect_lengths(file, Algorithm::kAuto, rounds(1) > 1 ? ~std::size_t{0} : 200);
    }
}

// If this failed, the reference that the faster kernels are measured against would be wrong. A
// sample in each run, all of them at a scale above 1.
TEST(Scenario, ListedLengthsAreFoundByTheTextbook) {
    const auto files = scenario_files();
    if (files.empty()) {
        GTEST_SKIP() << "no benchmark maps; set OUTRIDER_DATA";
    }
    const std::size_t queries_max = rounds(1) > 1 ? ~std::size_t{0} : 20;
    for (const auto& file : files) {
        expect_lengths(file, Algorithm::kAstar, queries_max);
        expect_lengths(file, Algorithm::kDijkstra, queries_max);
    }
}

}  // namespace
}  // namespace outrider::test
