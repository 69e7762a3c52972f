#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "outrider/search/jump_queue.hpp"
#include "outrider/search/open_list.hpp"
#include "support/random.hpp"

namespace outrider::test {
namespace {

using search::OpenJump;

OpenJump jump(std::uint64_t f, std::uint64_t h, model::CellIndex cell) {
    return {f << OpenJump::kEstimateBits | h, cell, 0, 0};
}

// Like a search: nothing is pushed below the f that was popped last. Returns how many were popped.
std::size_t compare_with_a_set(Random& random, search::JumpQueue& queue, std::int64_t leap) {
    std::set<std::pair<std::uint64_t, model::CellIndex>> naive;
    std::uint64_t f = static_cast<std::uint64_t>(random.between(0, 5'000'000));
    queue.reset(f);
    model::CellIndex cell = 0;
    std::size_t popped = 0;
    for (int round = 0; round < 4000; ++round) {
        const bool full = round >= 2000;
        for (std::int64_t count = full ? 0 : random.between(1, 3); count > 0; --count) {
            const std::uint64_t above =
                random.chance(30) ? 0 : static_cast<std::uint64_t>(random.between(0, leap));
            const OpenJump entry =
                jump(f + above, static_cast<std::uint64_t>(random.between(0, 2)), ++cell);
            queue.push(entry);
            naive.insert({entry.key, entry.cell});
        }
        if (naive.empty()) {
            break;
        }
        EXPECT_FALSE(queue.empty());
        const OpenJump top = queue.pop();
        const bool same = std::pair(top.key, top.cell) == *naive.begin();
        EXPECT_TRUE(same) << round;
        if (!same) {
            break;
        }
        naive.erase(naive.begin());
        f = top.f();
        ++popped;
    }
    while (!naive.empty() && popped > 0) {
        EXPECT_EQ(queue.pop().key, naive.begin()->first);
        naive.erase(naive.begin());
    }
    EXPECT_TRUE(queue.empty());
    return popped;
}

// If this failed, jump points would come in another order than the rules say, and two builds or two
// buffers would give two paths.
TEST(SearchQueue, JumpPointsComeInTotalOrderHoweverFarTheyLeap) {
    Random random(0x0E0E);
    search::JumpQueue queue;
    for (const std::int64_t leap :
         {3LL, 200LL, 5'000LL, 131'000LL, 131'100LL, 500'000LL, 9'000'000LL, 4'000'000'000LL}) {
        EXPECT_GT(compare_with_a_set(random, queue, leap), 0U) << leap;
    }
    EXPECT_GT(queue.bytes(), 0U);
}

// If this failed, equal f would be broken by accident: larger g first, then the smaller cell.
TEST(SearchQueue, TiesGoToLargerGThenToTheSmallerCell) {
    search::JumpQueue queue;
    queue.reset(100);
    queue.push(jump(100, 20, 1));
    queue.push(jump(100, 10, 9));
    queue.push(jump(100, 10, 5));
    queue.push(jump(90 + 10, 0, 7));
    EXPECT_EQ(queue.pop().cell, 7U);
    EXPECT_EQ(queue.pop().cell, 5U);
    EXPECT_EQ(queue.pop().cell, 9U);
    EXPECT_EQ(queue.pop().g(), 80U);
    EXPECT_TRUE(search::before({5, 3, 9, 0, 0}, {5, 2, 1, 0, 0}));
    EXPECT_TRUE(search::before({5, 3, 1, 0, 0}, {5, 3, 2, 0, 0}));
    EXPECT_TRUE(search::before({4, 1, 9, 0, 0}, {5, 3, 1, 0, 0}));
}

// If this failed, a cheaper way to a waiting cell would be lost, or its old place expanded first.
TEST(SearchQueue, TheOpenListMovesACellUpWhenItGetsCheaper) {
    Random random(0xD0D0);
    constexpr model::CellIndex kCells = 500;
    std::vector<search::Node> nodes(kCells);
    search::OpenList heap;
    heap.reset(nodes.data());
    std::set<std::pair<std::uint64_t, model::CellIndex>> naive;
    std::vector<std::uint64_t> f(kCells);
    for (model::CellIndex cell = 0; cell < kCells; ++cell) {
        f[cell] = static_cast<std::uint64_t>(random.between(1000, 100'000));
        heap.push({f[cell], 0, cell, 0, 0});
        naive.insert({f[cell], cell});
    }
    while (!naive.empty()) {
        const auto cell = static_cast<model::CellIndex>(random.between(0, kCells - 1));
        const std::uint32_t place = nodes[cell].link & search::OpenList::kPlaceMask;
        if (place != search::OpenList::kClosed && random.chance(60)) {
            naive.erase({f[cell], cell});
            f[cell] -=
                static_cast<std::uint64_t>(random.between(0, static_cast<std::int64_t>(f[cell])));
            heap.decrease(place, {f[cell], 0, cell, 0, 0});
            naive.insert({f[cell], cell});
        }
        const search::OpenCell top = heap.pop();
        ASSERT_EQ(std::pair(top.f, top.cell), *naive.begin());
        naive.erase(naive.begin());
    }
    EXPECT_TRUE(heap.empty());
}

}  // namespace
}  // namespace outrider::test
