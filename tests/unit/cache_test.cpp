#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "outrider/cache/path_cache.hpp"
#include "support/random.hpp"

namespace outrider::cache {
namespace {

using model::Outcome;
using model::PathResult;

Key key_of(std::int32_t start_x) {
    Key key{.map = {1}, .query = {}};
    key.query.start = {start_x, 0};
    return key;
}

std::shared_ptr<const PathResult> result_of(std::size_t points,
                                            Outcome outcome = Outcome::kComplete) {
    auto result = std::make_shared<PathResult>();
    result->outcome = outcome;
    result->turning_points.resize(points);
    return result;
}

constexpr model::Aim kComplete{};

std::shared_ptr<const PathResult> find(PathCache& cache, const Key& key) {
    return cache.find(key, 1, kComplete);
}

void insert(PathCache& cache, const Key& key, std::shared_ptr<const PathResult> result) {
    cache.insert(key, {1, std::move(result), {}});
}

constexpr std::size_t bytes_of(std::size_t points) {
    return PathCache::kEntryBytes + points * sizeof(model::Cell);
}

// If this failed, a unit would be sent along the path of another question.
TEST(PathCache, EveryFieldOfTheQuestionMatters) {
    PathCache cache(1 << 20);
    const Key base = key_of(1);
    insert(cache, base, result_of(2));
    std::vector<Key> others(15, base);
    others[0].map = {2};
    others[1].query.movement_class = {1};
    others[2].query.start.x = 2;
    others[3].query.start.y = 2;
    others[4].query.goal.rect.x = 2;
    others[5].query.goal.rect.y = 2;
    others[6].query.goal.rect.width = 2;
    others[7].query.goal.rect.height = 2;
    others[8].query.goal.range = 2;
    others[9].query.algorithm = model::Algorithm::kJps;
    others[10].query.weight_percent = 200;
    others[11].query.allow_partial = true;
    others[12].query.leave_blocked_start = true;
    others[13].query.explain = true;
    others[14].query.expansions_max = 7;
    for (std::size_t i = 0; i < others.size(); ++i) {
        EXPECT_EQ(find(cache, others[i]), nullptr) << i;
        EXPECT_NE(hash_of(others[i]), hash_of(base)) << i;
    }
    EXPECT_NE(find(cache, base), nullptr);
    EXPECT_EQ(cache.counts().hits, 1U);
    EXPECT_EQ(cache.counts().misses, others.size());
}

// If this failed, the answer to a question would hang on how busy the server was before (law 4).
TEST(PathCache, KeepsOnlyWhatDependsOnTheQuestionAlone) {
    PathCache cache(1 << 20);
    const std::vector<std::pair<Outcome, bool>> outcomes{
        {Outcome::kComplete, true},    {Outcome::kPartial, true},
        {Outcome::kUnreachable, true}, {Outcome::kStartBlocked, true},
        {Outcome::kGoalBlocked, true}, {Outcome::kBudget, true},
        {Outcome::kDeadline, false},   {Outcome::kCancelled, false},
        {Outcome::kSuperseded, false}};
    for (const auto& [outcome, kept] : outcomes) {
        const Key key = key_of(static_cast<std::int32_t>(outcome));
        insert(cache, key, result_of(1, outcome));
        EXPECT_EQ(find(cache, key) != nullptr, kept) << name_of(outcome);
    }
}

// If this failed, the cache would throw away what is asked for again and again.
TEST(PathCache, TheLeastRecentlyUsedLeavesFirst) {
    PathCache cache(3 * bytes_of(4));
    for (const int i : {1, 2, 3}) {
        insert(cache, key_of(i), result_of(4));
    }
    EXPECT_NE(find(cache, key_of(1)), nullptr);
    insert(cache, key_of(4), result_of(4));
    EXPECT_EQ(find(cache, key_of(2)), nullptr);
    for (const int i : {1, 3, 4}) {
        EXPECT_NE(find(cache, key_of(i)), nullptr) << i;
    }
    EXPECT_EQ(cache.counts().evictions, 1U);
}

// If this failed, memory would outgrow the bound that the operator set (law 5).
TEST(PathCache, BoundOneBelowAtAndOneAbove) {
    for (const int around : {-1, 0, 1}) {
        PathCache cache(bytes_of(10) + static_cast<std::size_t>(around + 1) - 1);
        insert(cache, key_of(1), result_of(10));
        EXPECT_EQ(find(cache, key_of(1)) != nullptr, around >= 0) << around;
        EXPECT_EQ(cache.counts().bytes, around >= 0 ? bytes_of(10) : 0U);
    }
    PathCache none(0);
    insert(none, key_of(1), result_of(0));
    EXPECT_EQ(find(none, key_of(1)), nullptr);
    EXPECT_EQ(none.counts().entries, 0U);
}

// If this failed, an answer that is still being sent would vanish when it leaves the cache.
TEST(PathCache, WhatWasFoundOutlivesItsEntry) {
    PathCache cache(bytes_of(4));
    insert(cache, key_of(1), result_of(4));
    const auto held = find(cache, key_of(1));
    insert(cache, key_of(2), result_of(4));
    EXPECT_EQ(find(cache, key_of(1)), nullptr);
    EXPECT_EQ(held->turning_points.size(), 4U);
}

// If this failed, a second worker with the same question would count its bytes twice.
TEST(PathCache, AnEqualKeyIsKeptOnce) {
    PathCache cache(1 << 20);
    insert(cache, key_of(1), result_of(4));
    insert(cache, key_of(1), result_of(4));
    EXPECT_EQ(cache.counts().entries, 1U);
    EXPECT_EQ(cache.counts().bytes, bytes_of(4));
}

// If this failed, the cache would leak or lose entries under a long mixed load.
TEST(PathCache, StaysInsideItsBoundUnderARandomLoad) {
    test::Random random(3);
    constexpr std::size_t kBound = 20 * bytes_of(8);
    PathCache cache(kBound);
    for (std::uint64_t i = 0; i < test::rounds(20'000); ++i) {
        const Key key = key_of(static_cast<std::int32_t>(random.between(0, 60)));
        const auto points = static_cast<std::size_t>(key.query.start.x);
        if (const auto found = find(cache, key)) {
            ASSERT_EQ(found->turning_points.size(), points);
        } else {
            insert(cache, key, result_of(points));
        }
        ASSERT_LE(cache.counts().bytes, kBound);
    }
    EXPECT_GT(cache.counts().evictions, 0U);
}

// If this failed, two workers at once would tear the cache apart.
TEST(PathCache, ManyThreadsAtOnce) {
    PathCache cache(10 * bytes_of(8));
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&cache, thread] {
            for (int i = 0; i < 3000; ++i) {
                const Key key = key_of((i * 7 + thread) % 25);
                const auto points = static_cast<std::size_t>(key.query.start.x);
                if (const auto found = find(cache, key)) {
                    EXPECT_EQ(found->turning_points.size(), points);
                } else {
                    insert(cache, key, result_of(points));
                }
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_LE(cache.counts().bytes, 10 * bytes_of(8));
}

// If this failed, answers of maps that are gone would crowd out those that are asked for.
TEST(PathCache, ForgetsAMapsAnswersAndNoOthers) {
    PathCache cache(1 << 22);
    constexpr std::int32_t kAnswers = 2000;  // several turns
    Key other = key_of(0);
    for (std::int32_t i = 0; i < kAnswers; ++i) {
        insert(cache, key_of(i), result_of(1));
        other = key_of(i);
        other.map = {2};
        insert(cache, other, result_of(1));
    }
    const std::size_t bytes = cache.counts().bytes;
    cache.forget({1});
    EXPECT_EQ(cache.counts().entries, static_cast<std::size_t>(kAnswers));
    EXPECT_EQ(cache.counts().bytes, bytes / 2);
    for (std::int32_t i = 0; i < kAnswers; ++i) {
        EXPECT_EQ(find(cache, key_of(i)), nullptr);
    }
    EXPECT_NE(find(cache, other), nullptr);
    cache.forget({2});
    EXPECT_EQ(cache.counts().bytes, 0U);
    cache.forget({3});
}

}  // namespace
}  // namespace outrider::cache
