#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <variant>

#include "files/dynamic_file.hpp"
#include "outrider/map/store.hpp"
#include "outrider/search/search.hpp"
#include "support/data.hpp"

namespace outrider::test {
namespace {

// If this failed, paths on a map that changes between queries would not be as short as the
// competition's lists say: an edit reached the search late, partly or not at all.
TEST(Dynamic, EveryListedLengthIsFoundBetweenThePatches) {
    const std::filesystem::path root = data_dir(OUTRIDER_SOURCE_DIR) / "gppc-dynamic";
    if (!std::filesystem::exists(root)) {
        GTEST_SKIP() << "no dynamic scenario; set OUTRIDER_DATA";
    }
    const auto scenario = client::read_dynamic_file(root / "dao_arena2.scen");
    ASSERT_TRUE(scenario.has_value()) << scenario.error().message;
    auto grid = map::read_map_file(root / "dao_arena2_open_281x209.map");
    ASSERT_TRUE(grid.has_value()) << grid.error().message;
    const auto store = map::Store::create(std::move(*grid), {model::ground_class()});
    ASSERT_TRUE(store.has_value()) << store.error().message;
    const search::BuffersPtr buffers = search::make_buffers();
    std::size_t queries = 0;
    std::size_t mismatches = 0;
    for (const client::DynamicCommand& command : scenario->commands) {
        if (const auto* change = std::get_if<client::PatchCommand>(&command)) {
            const client::Patch& patch = scenario->patches[change->patch];
            model::TerrainEdit edit{{change->at.x, change->at.y, patch.width, patch.height},
                                    patch.terrain};
            ASSERT_TRUE((*store)->apply({{std::move(edit)}}).has_value());
            continue;
        }
        const auto& listed = std::get<client::ScenarioQuery>(command);
        const auto snapshot = (*store)->snapshot();
        for (const model::Algorithm algorithm :
             {model::Algorithm::kAuto, model::Algorithm::kAstar}) {
            model::PathQuery query;
            query.start = listed.start;
            query.goal.rect = {listed.goal.x, listed.goal.y, 1, 1};
            query.algorithm = algorithm;
            const model::PathResult result = search::run(*snapshot->layer({0}), query, *buffers);
            mismatches += client::agrees(listed, result) ? 0U : 1U;
        }
        ++queries;
    }
    EXPECT_EQ(queries, 2000U);
    EXPECT_EQ(mismatches, 0U);
}

}  // namespace
}  // namespace outrider::test
