#include <gtest/gtest.h>

#include "outrider/search/lanes.hpp"
#include "support/random.hpp"

namespace outrider::search {
namespace {

using Quanta = map::Landmarks::Quanta;

std::uint16_t any(test::Random& random) {
    // Both ends of the range, and what lies a step from them, far more often than chance has it.
    switch (random.between(0, 3)) {
        case 0: return static_cast<std::uint16_t>(random.between(0, 2));
        case 1: return static_cast<std::uint16_t>(random.between(0xFFFD, 0xFFFF));
        case 2: return static_cast<std::uint16_t>(random.between(0x7FFE, 0x8001));
        default: return static_cast<std::uint16_t>(random.between(0, 0xFFFF));
    }
}

// If this failed, the same question would open other cells on another processor.
TEST(Lanes, QuickAndPortableArithmeticAgree) {
    test::Random random(1);
    for (int round = 0; round < 100'000; ++round) {
        Quanta at{};
        Quanta low{};
        Quanta high{};
        for (std::size_t i = 0; i < at.lanes.size(); ++i) {
            at.lanes[i] = any(random);
            low.lanes[i] = any(random);
            high.lanes[i] = std::max(low.lanes[i], any(random));
        }
        ASSERT_EQ(farthest(at, low, high), farthest_portable(at, low, high));
    }
}

// If this failed, a landmark that knows nothing of the goal would still push the search away.
TEST(Lanes, AShutLaneSaysNothing) {
    Quanta at{};
    at.lanes.fill(map::Landmarks::kUnknown);
    at.lanes[3] = 17;
    Quanta low{};
    Quanta high{};
    high.lanes.fill(map::Landmarks::kUnknown);
    EXPECT_EQ(farthest(at, low, high), 0U);
    high.lanes[3] = 10;
    EXPECT_EQ(farthest(at, low, high), 7U);
    low.lanes[3] = 9;
    at.lanes[3] = 4;
    EXPECT_EQ(farthest(at, low, high), 5U);
}

}  // namespace
}  // namespace outrider::search
