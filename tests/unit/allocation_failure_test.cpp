#include <gtest/gtest.h>

#include "outrider/engine/map_table.hpp"
#include "outrider/engine/slice.hpp"
#include "outrider/engine/survey_bytes.hpp"
#include "support/failing_memory.hpp"
#include "support/weight_grid.hpp"

namespace outrider::engine {
namespace {

using test::fails_in;

// More than any first slice on this map needs.
constexpr std::int64_t kAllocationsMax = 5000;

struct AllocationFailureTest : testing::Test {
    AllocationFailureTest() {
        auto store = map::Store::create(grid(), {model::ground_class(), model::terrain_class()});
        map = maps.add({"open", *std::move(store)}, false).value().map;
    }
    static map::Grid grid() {
        map::Grid grid{40, 40, std::vector<model::Terrain>(1600, '.')};
        for (std::size_t y = 0; y < 39; ++y) {
            grid.terrain[y * 40 + 20] = '@';
        }
        return grid;
    }
    [[nodiscard]] Job job_of(Work work) const {
        Job job;
        job.map = map;
        job.work = std::move(work);
        job.snapshot = map->store().snapshot();
        job.version = job.snapshot->version();
        return job;
    }
    // Every allocation of the search fails once, the first in the first run and so on. How many
    // there were.
    std::int64_t fail_each(const Work& work, const Result& wanted) {
        for (std::int64_t n = 1; n < kAllocationsMax; ++n) {
            Job job = job_of(work);
            fails_in = n;
            const SliceReport report = run_slice(job, config, results);
            const bool failed = fails_in.exchange(0) == 0;
            if (!failed) {
                EXPECT_EQ(report.kind, SliceReport::Kind::kDone);
                EXPECT_TRUE(same(report.result, wanted));
                return n - 1;
            }
            // The engine answers such a job with INTERNAL.
            EXPECT_EQ(report.kind, SliceReport::Kind::kFailed) << "at allocation " << n;
            EXPECT_EQ(job.bench, nullptr) << "a bench amid a search must not be used again";
        }
        ADD_FAILURE() << "never came to its end";
        return 0;
    }
    static bool same(const Result& a, const Result& b) {
        return std::visit(
            [&b](const auto& left) {
                const auto* right = std::get_if<std::decay_t<decltype(left)>>(&b);
                return right != nullptr && *left == **right;
            },
            a);
    }
    [[nodiscard]] Result undisturbed(const Work& work) {
        Job job = job_of(work);
        SliceReport report = run_slice(job, config, results);
        EXPECT_EQ(report.kind, SliceReport::Kind::kDone);
        return report.result;
    }

    Config config = [] {
        Config all_at_once;
        all_at_once.expansions_per_slice = 1'000'000;
        return all_at_once;
    }();
    ResultMeter results;
    MapTable maps{[](model::MapId, const map::Change&) {}};
    MapPtr map;
};

// If this failed, want of memory in one search would end the process, or the next search would get
// half of its answer.
TEST_F(AllocationFailureTest, EachAllocationOfAPathMayFail) {
    for (const model::Algorithm algorithm :
         {model::Algorithm::kDijkstra, model::Algorithm::kAstar, model::Algorithm::kJps,
          model::Algorithm::kTerrain, model::Algorithm::kFast}) {
        model::PathQuery query;
        query.algorithm = algorithm;
        query.goal.rect = {39, 0, 1, 1};
        query.explain = algorithm == model::Algorithm::kAstar;
        EXPECT_GT(fail_each(query, undisturbed(query)), 3) << model::name_of(algorithm);
    }
}

// If this failed, want of memory in one survey would end the process.
TEST_F(AllocationFailureTest, EachAllocationOfASurveyMayFail) {
    const model::Goal goal{{39, 0, 1, 1}};
    const decltype(model::Survey::query) queries[] = {
        model::GroupQuery{.starts = {{0, 0}, {5, 5}, {39, 39}}, .goal = goal, .formation = {}},
        model::NearestQuery{.start = {0, 0}, .goals = {goal, {{1, 1, 1, 1}}}, .count = 2},
        model::ReachQuery{.starts = {{0, 0}}, .cost_max = 100'000, .costs = true},
        model::MatrixQuery{{{0, 0}, {3, 3}}, {{39, 0}, {2, 2}}},
        model::FieldQuery{.goal = goal, .rect = {0, 0, 40, 40}, .costs = true}};
    for (const auto& query : queries) {
        model::Survey survey;
        survey.query = query;
        const Work work = std::make_shared<const model::Survey>(survey);
        EXPECT_GT(fail_each(work, undisturbed(work)), 3) << model::name_of(survey);
    }
}

}  // namespace
}  // namespace outrider::engine
