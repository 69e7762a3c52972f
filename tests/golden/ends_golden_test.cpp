// Law 4 for groups whose units have ends of their own: one hash on every machine, at every slice
// size. A change on purpose changes the constant in the same commit.

#include <gtest/gtest.h>

#include <array>
#include <span>

#include "outrider/base/hash.hpp"
#include "outrider/search/survey.hpp"
#include "support/oracle.hpp"
#include "support/random.hpp"
#include "support/random_surveys.hpp"

namespace outrider::search {
namespace {

constexpr std::uint64_t kGoldenEnds = 9166124933230863358ULL;
constexpr std::uint64_t kMaps = 100;
constexpr int kQuestions = 4;

model::Survey any_group(test::Random& random, const test::WeightGrid& weights, bool formation) {
    const model::PathQuery path = test::random_query(random, weights);
    model::GroupQuery group;
    group.starts = test::random_places(random, weights, random.chance(50) ? 9 : 90);
    group.goal = {path.goal.rect, path.goal.range % 8};
    group.own_ends = !formation;
    for (std::size_t i = 0; i < group.starts.size() && formation; ++i) {
        group.formation.push_back({static_cast<std::int32_t>(random.between(-20, 20)),
                                   static_cast<std::int32_t>(random.between(-20, 20))});
    }
    group.allow_partial = path.allow_partial;
    group.leave_blocked_start = path.leave_blocked_start;
    model::Survey survey;
    survey.query = std::move(group);
    survey.expansions_max =
        random.chance(20) ? static_cast<std::uint64_t>(random.between(1, 3000)) : 0;
    return survey;
}

std::uint64_t hash_of(const model::SurveyResult& result, std::uint64_t hash) {
    for (const model::UnitPath& unit : std::get<model::GroupPaths>(result.body).units) {
        const std::array<std::uint64_t, 6> words{
            hash,      unit.unit,      static_cast<std::uint64_t>(unit.outcome),
            unit.cost, unit.path_hash, unit.bound_percent};
        hash = base::hash64(std::as_bytes(std::span(words)));
    }
    const std::array<std::uint64_t, 2> words{hash, result.expansions};
    return base::hash64(std::as_bytes(std::span(words)));
}

std::uint64_t hash_of_all(std::uint64_t slice) {
    SurveySearch search;
    std::uint64_t hash = 0;
    for (std::uint64_t map = 0; map < kMaps; ++map) {
        test::Random random = test::Random::fixed(0xE4D5 + map);
        const map::Grid grid = test::random_map(random);
        const model::MovementClass who = test::random_class(random);
        const auto store = map::Store::create(grid, {who}).value();
        const auto snapshot = store->snapshot();
        const test::WeightGrid weights = test::weights_of(grid, who);
        for (int question = 0; question < kQuestions; ++question) {
            const model::Survey survey = any_group(random, weights, question % 2 != 0);
            search.start(*snapshot->layer({0}), survey);
            for (bool running = true; running;) {
                running = search.step(slice) == Step::kRunning;
                while (const auto part = search.take_part()) {
                    hash = hash_of(*part, hash);
                }
            }
            hash = hash_of(search.take_result(), hash);
        }
    }
    return hash;
}

// If this failed, two machines would park an army in two ways.
TEST(EndsGolden, OneHashAtEverySliceSize) {
    for (const std::uint64_t slice : {std::uint64_t{1}, std::uint64_t{37}, ~std::uint64_t{0}}) {
        EXPECT_EQ(hash_of_all(slice), kGoldenEnds) << "slices of " << slice;
    }
}

}  // namespace
}  // namespace outrider::search
