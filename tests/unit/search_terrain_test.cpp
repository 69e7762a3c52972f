#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <vector>

#include "outrider/search/cell_queue.hpp"
#include "outrider/search/cell_ring.hpp"
#include "outrider/search/terrain.hpp"
#include "support/random.hpp"
#include "support/random_maps.hpp"
#include "support/search_world.hpp"

namespace outrider::test {
namespace {

using model::Algorithm;
using search::CellQueue;

// Buckets as the contract has them: the lowest first, in each the last in.
class NaiveQueue {
  public:
    static constexpr std::uint64_t kRing = 4096;

    NaiveQueue(std::uint64_t f, unsigned shift) : current_(f >> shift), shift_(shift) {}
    void push(std::uint64_t f, CellQueue::Entry entry) {
        const std::uint64_t bucket = std::clamp(f >> shift_, current_, current_ + kRing - 1);
        buckets_[bucket].push_back(entry);
    }
    [[nodiscard]] bool settle() {
        while (!buckets_.empty() && buckets_.begin()->second.empty()) {
            buckets_.erase(buckets_.begin());
        }
        current_ = buckets_.empty() ? current_ : buckets_.begin()->first;
        return !buckets_.empty();
    }
    [[nodiscard]] CellQueue::Entry pop() {
        const CellQueue::Entry entry = buckets_.begin()->second.back();
        buckets_.begin()->second.pop_back();
        return entry;
    }
    [[nodiscard]] std::uint64_t floor() const { return current_ << shift_; }

  private:
    std::map<std::uint64_t, std::vector<CellQueue::Entry>> buckets_;
    std::uint64_t current_;
    unsigned shift_;
};

// If this failed, cells would come up in an order that nobody wrote down, or get lost.
TEST(SearchTerrain, CellsComeByBucketAndTheLastInFirst) {
    Random random(0x7E44);
    CellQueue queue;
    for (const std::int64_t leap : {10LL, 3'000LL, 70'000LL, 1'000'000LL, 600'000'000LL}) {
        auto f = static_cast<std::uint64_t>(random.between(0, 5'000'000'000));
        queue.reset(f, 8);
        NaiveQueue naive(f, 8);
        CellQueue::Entry entry = 0;
        for (int round = 0; round < 6000; ++round) {
            for (std::int64_t n = round < 3000 ? random.between(0, 4) : 0; n > 0; --n) {
                // Now and then below the current bucket.
                const std::uint64_t at = f + static_cast<std::uint64_t>(random.between(0, leap)) -
                                         std::min<std::uint64_t>(f, random.chance(10) ? 900 : 0);
                queue.push(static_cast<std::uint32_t>(at), ++entry);
                naive.push(at, entry);
            }
            const bool left = naive.settle();
            ASSERT_EQ(queue.settle(), left);
            if (!left) {
                continue;
            }
            ASSERT_EQ(queue.floor(), naive.floor());
            ASSERT_EQ(queue.pop(), naive.pop());
            f = std::max(f, naive.floor());
        }
    }
    EXPECT_GT(queue.bytes(), 0U);
}

// If this failed, memory would be asked for cells that are long done, and a long way over mixed
// terrain take a third longer.
TEST(SearchTerrain, TheQueueForetellsWhatComesFourPopsOn) {
    CellQueue queue;
    queue.reset(0, 8);
    constexpr CellQueue::Entry kEntries = 200;
    for (CellQueue::Entry entry = 1; entry <= kEntries; ++entry) {
        queue.push(5, entry | (entry % 3 == 0 ? CellQueue::kMarked : 0));
    }
    for (CellQueue::Entry entry = kEntries; entry > 5; --entry) {
        ASSERT_TRUE(queue.settle());
        ASSERT_EQ(queue.pop(), entry | (entry % 3 == 0 ? CellQueue::kMarked : 0));
        ASSERT_EQ(queue.soon(), entry - 5);
    }
}

// If this failed, a path dearer than 32 bits hold would be cut short or called cheaper than it is.
TEST(SearchTerrain, CostsBeyondThirtyTwoBitsAreExact) {
    // A snake: row after row of the dearest ground, with a gate at alternate ends.
    constexpr std::int32_t kSide = 221;
    map::Grid grid{kSide, kSide, {}};
    for (std::int32_t y = 0; y < kSide; ++y) {
        for (std::int32_t x = 0; x < kSide; ++x) {
            const std::int32_t gate = y % 4 == 1 ? kSide - 1 : 0;
            const bool wall = y % 2 == 1 && x != gate;
            grid.terrain.push_back(wall ? '@' : (x + y) % 5 == 0 ? 'b' : 'a');
        }
    }
    model::MovementClass who = model::ground_class();
    who.weights['a'] = 255;
    who.weights['b'] = 254;
    SearchWorld world(grid, who);
    model::PathQuery query = query_of({0, 0}, {kSide - 1, kSide - 1});
    query.algorithm = Algorithm::kTerrain;
    const model::PathResult result = world.ask(query);
    EXPECT_EQ(result.outcome, model::Outcome::kComplete);
    EXPECT_GT(result.cost, model::Cost{1} << 32U);
    EXPECT_EQ(result.cost, world.oracle(query).cost);
    EXPECT_EQ(world.fault(query, result), "");
    query.explain = true;
    EXPECT_EQ(world.ask(query).explored.back().g, result.cost);
    query.expansions_max = result.expansions - 1;
    EXPECT_EQ(world.fault(query, world.ask(query)), "");
}

// What one step can add to f: the step, as much again of estimate, and a quantum.
model::Cost longest_leap(std::uint8_t dearest, model::Cost quantum) {
    return 2 * (2 * model::Cost{dearest} * model::kDiagonal) + quantum;
}

// Cells of two weights, for a class that has no others.
SearchWorld world_of_two(Random& random, std::uint8_t cheap, std::uint8_t dear) {
    constexpr std::int32_t kSide = 24;
    map::Grid grid{kSide, kSide, {}};
    const auto share = static_cast<int>(random.between(10, 90));
    for (std::int32_t i = 0; i < kSide * kSide; ++i) {
        const char cell = random.chance(8) ? '@' : random.chance(share) ? 'b' : 'a';
        grid.terrain.push_back(static_cast<model::Terrain>(cell));
    }
    model::MovementClass who = model::ground_class();
    who.weights = {};
    who.weights['a'] = cheap;
    who.weights['b'] = dear;
    return {std::move(grid), std::move(who)};
}

// If this failed, a class of very cheap and very dear ground would be sent a dearer way, as soon as
// its landmarks are ready and one step leads beyond all buckets.
TEST(SearchTerrain, AStepMayLeapBeyondTheRingOfBucketsAndTheAnswerIsRight) {
    struct Row {
        std::uint8_t cheap, dear;
        bool landmarks;
        std::uint64_t bucket;
        model::Cost quantum;
        bool within;
    };
    constexpr model::Cost kSmall = 32;
    for (const Row& row : std::initializer_list<Row>{
             {1, 2, false, 512, 0, true},
             {1, 255, false, 512, 0, true},
             {1, 2, true, 32, kSmall, true},
             {1, 2, true, 32, model::Cost{1} << 16U, true},
             {1, 2, true, 32, model::Cost{1} << 17U, false},  // paths of five million cells
             {1, 56, true, 32, kSmall, true},
             {1, 57, true, 32, kSmall, false},
             {1, 255, true, 32, kSmall, false},
             {10, 255, true, 256, kSmall, true},
         }) {
        SCOPED_TRACE(std::to_string(row.cheap) + ".." + std::to_string(row.dear));
        const model::Cost cheapest = 2 * model::Cost{row.cheap} * model::kStraight;
        const unsigned shift = search::TerrainKernel::bucket_shift(cheapest, row.landmarks);
        EXPECT_EQ(std::uint64_t{1} << shift, row.bucket);
        EXPECT_LE(row.bucket, cheapest);
        const model::Cost ring = model::Cost{CellQueue::kBuckets - 1} << shift;
        EXPECT_EQ(longest_leap(row.dear, row.quantum) <= ring, row.within);

        Random random(row.dear + 1000U * row.cheap + (row.landmarks ? 1U : 0U));
        for (std::uint64_t round = 0; round < rounds(20); ++round) {
            SearchWorld world = world_of_two(random, row.cheap, row.dear);
            if (row.landmarks) {
                world.add_landmarks();
            }
            model::PathQuery query = random_query(random, world.weights());
            query.algorithm = Algorithm::kTerrain;
            const model::PathResult result = world.ask(query);
            const Expected expected = world.oracle(query);
            ASSERT_EQ(result.outcome, expected.outcome);
            ASSERT_EQ(result.cost, expected.cost);
            if (!result.turning_points.empty()) {
                ASSERT_EQ(world.fault(query, result), "");
            }
        }
    }
}

// If this failed, a wall or a change of terrain beside a cell would be overlooked.
TEST(SearchTerrain, ARingTellsWhatLiesAround) {
    Random random(0x417);
    for (int round = 0; round < 20'000; ++round) {
        map::Grid grid{3, 3, {}};
        for (int i = 0; i < 9; ++i) {
            grid.terrain.push_back(static_cast<std::uint8_t>("@@aaaaaabc"[random.between(0, 9)]));
        }
        model::MovementClass who = model::ground_class();
        who.weights['a'] = static_cast<std::uint8_t>(random.between(1, 255));
        who.weights['b'] = static_cast<std::uint8_t>(random.between(1, 255));
        who.weights['c'] = 128;
        const SearchWorld world(grid, who);
        const map::Layer& layer = world.layer();
        if (layer.uniform()) {
            continue;
        }
        const search::CellRows rows = search::rows_of(layer, 1, 1);
        const search::CellRing ring = rows.ring();
        EXPECT_EQ(ring.around(), search::bits_around(layer, 1, 1) | 1U << 4U);
        bool one_weight = true;
        for (unsigned move = 0; move < search::kMoveCount; ++move) {
            const std::uint8_t weight =
                layer.weight({1 + search::kMoveX[move], 1 + search::kMoveY[move]});
            EXPECT_EQ(ring.weight(move), weight);
            one_weight = one_weight && (weight == 0 || weight == layer.weight({1, 1}));
        }
        EXPECT_EQ(ring.one_weight(), one_weight);
        EXPECT_EQ(rows.even(), one_weight && ring.own != 0 && ring.around() == 0x1FF);
    }
}

}  // namespace
}  // namespace outrider::test
