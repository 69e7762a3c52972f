// Smooth paths as part of an answer: what the search's door promises of them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "outrider/model/path.hpp"
#include "outrider/search/smoothing.hpp"
#include "support/random.hpp"
#include "support/search_world.hpp"

namespace outrider::test {
namespace {

using model::Grade;
using model::Outcome;
using testing::ElementsAre;

constexpr Grade kGrades[] = {Grade::kWaypoints, Grade::kCorners};

// Open around its two corners, so that no unit is walled in there whatever the seed.
SearchWorld noise(model::MovementClass who = model::ground_class()) {
    Random random(5);
    map::Grid grid{120, 60, {}};
    for (int i = 0; i < 120 * 60; ++i) {
        const int x = i % 120;
        const int y = i / 120;
        const bool in_corner = (x < 12 && y < 12) || (x >= 108 && y >= 48);
        grid.terrain.push_back(!in_corner && random.chance(20) ? '@'
                               : random.chance(50)             ? '.'
                                                               : 'S');
    }
    return {std::move(grid), std::move(who)};
}

model::PathQuery across(Grade grade) {
    model::PathQuery query = query_of({1, 1}, {118, 58});
    query.leave_blocked_start = true;
    query.allow_partial = true;
    query.smoothing.grade = grade;
    return query;
}

model::PathResult stepped(SearchWorld& world, const model::PathQuery& query, std::uint64_t size) {
    search::Search search;
    search.start(world.layer(), query, world.buffers());
    std::uint64_t before = 0;
    while (search.step(size) == search::Step::kRunning) {
        EXPECT_LE(search.expansions() - before, size) << "a step takes more than it may";
        before = search.expansions();
    }
    const std::uint64_t told = search.expansions();
    model::PathResult result = search.take_result();
    EXPECT_EQ(result.expansions, told);
    return result;
}

// If this failed, asking for a smooth path would change the path itself, and the players who ask
// for one would march apart from those who do not.
TEST(SearchSmooth, ThePathIsTheSameAsWithout) {
    for (const auto& who : {model::ground_class(), model::terrain_class()}) {
        SearchWorld world = noise(who);
        for (const model::Algorithm algorithm : kAllAlgorithms) {
            for (const Grade grade : kGrades) {
                model::PathQuery query = across(grade);
                query.algorithm = algorithm;
                model::PathResult smooth = world.ask(query);
                const auto alone =
                    search::smooth(world.layer(), smooth.turning_points, query.smoothing);
                EXPECT_EQ(smooth.smooth, static_cast<const model::SmoothPath&>(alone));
                EXPECT_EQ(smooth.smooth.hash, model::hash_of(smooth.smooth.points));
                EXPECT_GT(smooth.smooth.points.size(), 2U);
                query.smoothing = {};
                const model::PathResult plain = world.ask(query);
                EXPECT_GT(smooth.expansions, plain.expansions) << "smoothing is for nothing";
                EXPECT_TRUE(plain.smooth.points.empty());
                smooth.smooth = {};
                smooth.expansions = plain.expansions;
                EXPECT_EQ(smooth, plain);
            }
        }
    }
}

// If this failed, a long path would be smoothed in one go while short questions wait, or its answer
// would hang on where the slices are cut.
TEST(SearchSmooth, TheSameAtEverySliceSize) {
    for (const auto& who : {model::ground_class(), model::terrain_class()}) {
        SearchWorld world = noise(who);
        for (const Grade grade : kGrades) {
            const model::PathResult whole = world.ask(across(grade));
            for (const std::uint64_t size : {1U, 2U, 7U, 64U, 1000U}) {
                EXPECT_EQ(stepped(world, across(grade), size), whole) << size;
            }
        }
    }
}

// If this failed, a unit that stands at its goal, or ends short of it, would get no line to walk.
TEST(SearchSmooth, EveryAnswerWithAPathHasOneButNoneThatCameEarly) {
    SearchWorld world({"S..@G", "...@.", "...@@"});
    model::PathQuery query = world.query();
    query.smoothing.grade = Grade::kCorners;
    EXPECT_EQ(world.ask(query).outcome, Outcome::kUnreachable);
    EXPECT_TRUE(world.ask(query).smooth.points.empty());
    query.allow_partial = true;
    const model::PathResult partial = world.ask(query);
    EXPECT_EQ(partial.outcome, Outcome::kPartial);
    EXPECT_THAT(partial.smooth.points,
                ElementsAre(search::centre_of({0, 0}), search::centre_of({2, 0})));
    query.goal.rect = {0, 0, 1, 1};
    EXPECT_THAT(world.ask(query).smooth.points, ElementsAre(search::centre_of({0, 0})));

    SearchWorld large = noise();
    model::PathQuery budget = across(Grade::kWaypoints);
    budget.expansions_max = 5;
    const model::PathResult cut = large.ask(budget);
    EXPECT_EQ(cut.outcome, Outcome::kBudget);
    EXPECT_FALSE(cut.smooth.points.empty());

    search::Search search;
    search.start(large.layer(), across(Grade::kCorners), large.buffers());
    const std::uint64_t kernel = large.ask(across(Grade::kNone)).expansions;
    search.start(large.layer(), across(Grade::kCorners), large.buffers());
    ASSERT_EQ(search.step(kernel + 1), search::Step::kRunning) << "nothing is left to be cut off";
    const model::PathResult late = search.stop(Outcome::kDeadline);
    EXPECT_EQ(late.outcome, Outcome::kDeadline);
    EXPECT_FALSE(late.turning_points.empty());
    EXPECT_TRUE(late.smooth.points.empty());
    EXPECT_EQ(late.expansions, kernel + 1);
}

// If this failed, clearances that no line of sight can be asked for would reach it, or a clearance
// that does nothing would look as if it did.
TEST(SearchSmooth, ClearanceHasBoundsAndBelongsToCorners) {
    SearchWorld world({"S..G"});
    model::PathQuery query = world.query();
    const auto field_of = [&](Grade grade, std::int32_t clearance) {
        query.smoothing = {grade, clearance};
        const auto checked = search::validate(world.snapshot(), query);
        return checked ? std::string{} : checked.error().field;
    };
    for (const std::int32_t good : {model::kClearanceMin, 2, 127, model::kClearanceMax}) {
        EXPECT_EQ(field_of(Grade::kCorners, good), "") << good;
    }
    for (const std::int32_t bad : {-1, model::kClearanceMin - 1, model::kClearanceMax + 1}) {
        EXPECT_EQ(field_of(Grade::kCorners, bad), "path.smoothing.clearance") << bad;
    }
    EXPECT_EQ(field_of(Grade::kWaypoints, 64), "path.smoothing.clearance");
    EXPECT_EQ(field_of(Grade::kNone, 64), "path.smoothing.clearance");
    EXPECT_EQ(field_of(Grade::kWaypoints, model::kClearanceMax), "");
}

}  // namespace
}  // namespace outrider::test
