// Law 4 for smooth paths: two thousand of them give one hash on every machine, at every slice size.
// A change on purpose changes the constant in the same commit.

#include <gtest/gtest.h>

#include <array>
#include <span>

#include "outrider/base/hash.hpp"
#include "outrider/search/search.hpp"
#include "support/oracle.hpp"
#include "support/random.hpp"
#include "support/random_maps.hpp"

namespace outrider::search {
namespace {

constexpr std::uint64_t kGoldenSmooth = 13059880470955261738ULL;
constexpr std::uint64_t kMaps = 100;
constexpr int kQuestions = 20;

// A seed of its own: the test's random seed must not change what is asked.
std::uint64_t hash_of_all(std::uint64_t slice) {
    const BuffersPtr buffers = make_buffers();
    std::uint64_t hash = 0;
    for (std::uint64_t map = 0; map < kMaps; ++map) {
        test::Random random = test::Random::fixed(0x5A00 + map);
        const map::Grid grid = test::random_map(random);
        const model::MovementClass who = test::random_class(random);
        const auto store = map::Store::create(grid, {who}).value();
        const auto snapshot = store->snapshot();
        const test::WeightGrid weights = test::weights_of(grid, who);
        for (int question = 0; question < kQuestions; ++question) {
            model::PathQuery query = test::random_query(random, weights);
            query.smoothing.grade =
                question % 2 == 0 ? model::Grade::kWaypoints : model::Grade::kCorners;
            if (question % 2 != 0) {
                query.smoothing.clearance = static_cast<std::int32_t>(random.between(1, 128));
            }
            Search search;
            search.start(*snapshot->layer({0}), query, *buffers);
            while (search.step(slice) == Step::kRunning) {
            }
            const model::PathResult result = search.take_result();
            const std::array<std::uint64_t, 6> words{hash,
                                                     result.path_hash,
                                                     result.expansions,
                                                     result.smooth.hash,
                                                     result.smooth.length,
                                                     result.smooth.cost};
            hash = base::hash64(std::as_bytes(std::span(words)));
        }
    }
    return hash;
}

// If this failed, two machines would draw, or march, other lines.
TEST(SmoothGolden, OneHashAtEverySliceSize) {
    for (const std::uint64_t slice : {std::uint64_t{1}, std::uint64_t{37}, ~std::uint64_t{0}}) {
        EXPECT_EQ(hash_of_all(slice), kGoldenSmooth) << "slices of " << slice;
    }
}

}  // namespace
}  // namespace outrider::search
