// Cached answers over the versions of a map.

#include <gtest/gtest.h>

#include "outrider/cache/path_cache.hpp"

namespace outrider::cache {
namespace {

using model::Aim;
using model::Rect;
using model::Scope;
using model::Version;

constexpr model::MapId kMap{1};
constexpr std::size_t kRoomy = 1 << 20;

Key key_of(std::uint16_t seen_by = 0) {
    Key key{.map = kMap, .query = {}};
    key.query.movement_class = {seen_by};
    return key;
}

// Ten cells east along row 50, on ground of one weight.
Scope scope() {
    Scope scope;
    scope.start = {50, 50};
    scope.goal = {60, 50, 1, 1};
    scope.start_factor = scope.goal_factor = 2;
    scope.limit = 2 * 10 * model::kStraight;
    return scope;
}

Answer answer_of(Version version, const Scope& of = scope()) {
    return {version, std::make_shared<model::PathResult>(), of};
}

map::Change change_of(Version version, std::vector<Rect> rects, map::ClassSet classes = 1,
                      map::ClassSet renewed = 0) {
    return {version, std::move(rects), classes, renewed};
}

constexpr Rect kFar{0, 0, 2, 2};
constexpr Rect kOnThePath{55, 50, 1, 1};

// If this failed, every building anywhere would cost every unit its cached path.
TEST(CacheChanges, AnAnswerOutlivesChangesElsewhere) {
    PathCache cache(kRoomy);
    cache.insert(key_of(), answer_of(1));
    cache.note(kMap, change_of(2, {kFar}));
    cache.note(kMap, change_of(3, {}));
    EXPECT_NE(cache.find(key_of(), 3, Aim{}), nullptr);
    EXPECT_NE(cache.find(key_of(), 2, Aim{}), nullptr) << "asked for late, of a version between";
    EXPECT_EQ(cache.counts().carried, 2U);
    EXPECT_EQ(cache.counts().fallen, 0U);
}

// If this failed, a unit would walk into a wall that the server knows.
TEST(CacheChanges, AnAnswerFallsWithTheFirstChangeInItsScope) {
    PathCache cache(kRoomy);
    cache.insert(key_of(), answer_of(1));
    cache.note(kMap, change_of(2, {kFar, kOnThePath}));
    cache.note(kMap, change_of(3, {kFar}));
    EXPECT_EQ(cache.find(key_of(), 3, Aim{}), nullptr);
    EXPECT_EQ(cache.counts().fallen, 1U);
    EXPECT_EQ(cache.counts().entries, 0U);
    EXPECT_EQ(cache.counts().bytes, 0U);
    cache.insert(key_of(), answer_of(3));
    EXPECT_NE(cache.find(key_of(), 3, Aim{}), nullptr);
}

// If this failed, the scope would leave out its rim, where a detour costs just as much.
TEST(CacheChanges, TheRimOfTheScopeBelongsToIt) {
    for (const int around : {-1, 0, 1}) {
        Scope rim;
        rim.start = {50, 50};
        rim.goal = {60, 50, 1, 1};
        rim.start_factor = rim.goal_factor = 1;
        // The change and the cell around it begin four columns beyond the goal.
        const Rect beyond{65, 50, 1, 1};
        rim.limit = (14 + 4) * model::kStraight + static_cast<model::Cost>(around + 1) - 1;
        EXPECT_EQ(rim.touches(beyond), around >= 0) << around;
    }
}

// If this failed, a unit of two cells would scrape along a wall that was built beside its path.
TEST(CacheChanges, AFootprintReachesFurtherNorthAndWest) {
    Scope wide;
    wide.start = {50, 50};
    wide.goal = {50, 50, 1, 1};
    wide.limit = 0;
    wide.start_factor = 1;
    for (const std::int32_t side : {1, 2, 8}) {
        wide.footprint = side;
        EXPECT_TRUE(wide.touches({50 + side, 50 + side, 1, 1})) << side;
        EXPECT_FALSE(wide.touches({51 + side, 50, 1, 1})) << side;
        EXPECT_FALSE(wide.touches({50, 51 + side, 1, 1})) << side;
        EXPECT_TRUE(wide.touches({49, 49, 1, 1})) << side;
        EXPECT_FALSE(wide.touches({48, 50, 1, 1})) << side;
    }
}

// If this failed, a gate that opens for one player would cost the others their cached paths, or its
// owner would go around it.
TEST(CacheChanges, OnlyChangesThatTheClassSeesMatter) {
    PathCache cache(kRoomy);
    cache.insert(key_of(0), answer_of(1));
    cache.insert(key_of(15), answer_of(1));
    cache.note(kMap, change_of(2, {kOnThePath}, 1U << 15U));
    EXPECT_NE(cache.find(key_of(0), 2, Aim{}), nullptr);
    EXPECT_EQ(cache.find(key_of(15), 2, Aim{}), nullptr);
}

// If this failed, a server whose searches are better guided since a moment ago would mix old and
// new choices among equally good paths (law 4).
TEST(CacheChanges, ARenewedClassLosesAllItsAnswers) {
    PathCache cache(kRoomy);
    cache.insert(key_of(0), answer_of(1));
    cache.insert(key_of(1), answer_of(1));
    cache.note(kMap, change_of(2, {}, 0b10, 0b10));
    EXPECT_NE(cache.find(key_of(0), 2, Aim{}), nullptr);
    EXPECT_EQ(cache.find(key_of(1), 2, Aim{}), nullptr);
}

// If this failed, an answer whose limits nobody knows would outlive an edit that it hangs on.
TEST(CacheChanges, AnAnswerOfUnknownScopeFallsWithAnyChangeThatItsClassSees) {
    PathCache cache(kRoomy);
    cache.insert(key_of(0), answer_of(1, Scope{}));
    cache.note(kMap, change_of(2, {kFar}, 0b10));
    EXPECT_NE(cache.find(key_of(0), 2, Aim{}), nullptr);
    cache.note(kMap, change_of(3, {kFar}));
    EXPECT_EQ(cache.find(key_of(0), 3, Aim{}), nullptr);
}

// If this failed, a unit that was told to wait at a wall would wait there after a door has opened.
TEST(CacheChanges, AnotherAimEndsAnAnswer) {
    PathCache cache(kRoomy);
    Scope partial = scope();
    partial.aim = {model::Outcome::kPartial, model::Outcome::kUnreachable, 5, 0};
    cache.insert(key_of(), answer_of(1, partial));
    EXPECT_NE(cache.find(key_of(), 1, partial.aim), nullptr);
    cache.note(kMap, change_of(2, {kFar}));
    EXPECT_EQ(cache.find(key_of(), 2, Aim{}), nullptr);
    EXPECT_EQ(cache.counts().fallen, 1U);
}

// If this failed, a request between an edit and its note would get an answer from before the edit.
TEST(CacheChanges, AVersionThatIsNotNotedYetIsAMissAndNoEnd) {
    PathCache cache(kRoomy);
    cache.insert(key_of(), answer_of(1));
    EXPECT_EQ(cache.find(key_of(), 2, Aim{}), nullptr);
    cache.note(kMap, change_of(2, {kFar}));
    EXPECT_NE(cache.find(key_of(), 2, Aim{}), nullptr);
}

// If this failed, a slow request would be given an answer of a later map under an earlier version.
TEST(CacheChanges, AnEarlierVersionThanTheAnswersIsAMissAndNoEnd) {
    PathCache cache(kRoomy);
    cache.note(kMap, change_of(2, {kOnThePath}));
    cache.insert(key_of(), answer_of(2));
    EXPECT_EQ(cache.find(key_of(), 1, Aim{}), nullptr);
    EXPECT_NE(cache.find(key_of(), 2, Aim{}), nullptr);
}

// If this failed, a long search that ends on an old version would drive out the newer answer.
TEST(CacheChanges, TheAnswerOfTheLaterVersionStays) {
    PathCache cache(kRoomy);
    cache.note(kMap, change_of(2, {kOnThePath}));
    const Answer older = answer_of(1);
    const Answer newer = answer_of(2);
    cache.insert(key_of(), newer);
    cache.insert(key_of(), older);
    EXPECT_EQ(cache.find(key_of(), 2, Aim{}), newer.result);
    PathCache other(kRoomy);
    other.note(kMap, change_of(2, {kOnThePath}));
    other.insert(key_of(), older);
    other.insert(key_of(), newer);
    EXPECT_EQ(other.find(key_of(), 2, Aim{}), newer.result);
    EXPECT_EQ(other.counts().entries, 1U);
}

// If this failed, changes would be forgotten while answers still hang on them.
TEST(CacheChanges, ChangesOneBelowAtAndOneAboveTheLogsLength) {
    for (const int around : {-1, 0, 1}) {
        PathCache cache(kRoomy);
        cache.insert(key_of(), answer_of(1));
        const auto changes =
            static_cast<Version>(static_cast<int>(ChangeLog::kChangesMax) + around);
        for (Version version = 2; version <= 1 + changes; ++version) {
            cache.note(kMap, change_of(version, {kFar}));
        }
        EXPECT_EQ(cache.find(key_of(), 1 + changes, Aim{}) != nullptr, around <= 0) << around;
    }
}

// If this failed, one map's buildings would end, or fail to end, the paths of another map.
TEST(CacheChanges, EachMapHasItsOwnVersions) {
    PathCache cache(kRoomy);
    Key other = key_of();
    other.map = {static_cast<std::uint32_t>(base::limits::kMapsMax)};
    cache.insert(key_of(), answer_of(1));
    cache.insert(other, answer_of(1));
    cache.note(other.map, change_of(2, {kOnThePath}));
    EXPECT_NE(cache.find(key_of(), 1, Aim{}), nullptr);
    EXPECT_EQ(cache.find(other, 2, Aim{}), nullptr);
}

}  // namespace
}  // namespace outrider::cache
