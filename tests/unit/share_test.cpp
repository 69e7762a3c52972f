#include "outrider/net/share.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace outrider::net {
namespace {

using namespace std::chrono_literals;

base::TimePoint at(base::Duration time) {
    return base::TimePoint(100s + time);
}

// If this failed, whoever sends a burst would hold up the other sessions of its thread for longer
// than a look, or one with a turn would lose it half way.
TEST(Share, ALookAndATurnEndAtTheirTime) {
    for (const bool has_turn : {false, true}) {
        const base::Duration most = has_turn ? Share::kTurn : Share::kLook;
        for (const base::Duration past : {-1ns, 0ns, 1ns}) {
            Share share;
            EXPECT_EQ(share.is_used_up(most + past, has_turn, at(0ms)), past >= 0ns);
            EXPECT_EQ(share.is_heavy(at(0ms)), past >= 0ns) << "who used it up is heavy";
        }
    }
}

// If this failed, a flood would have a look before the others after each turn, or who was busy once
// would wait in line for ever.
TEST(Share, WhoWasHeavyStandsInLineForATick) {
    Share share;
    ASSERT_TRUE(share.is_used_up(1ms, false, at(0ms)));
    EXPECT_TRUE(share.is_heavy(at(Share::kHeavy - 1ns)));
    EXPECT_FALSE(share.is_heavy(at(Share::kHeavy)));
    EXPECT_FALSE(share.is_heavy(at(Share::kHeavy + 1ns)));
    EXPECT_FALSE(share.is_used_up(Share::kLook - 1ns, false, at(1s)));
    EXPECT_FALSE(share.is_heavy(at(1s))) << "a short look does not count";
}

// If this failed, a crowd that asks and never reads would fill memory, or a client that reads would
// be held short for good.
TEST(Share, LittleWaitsForAClientUntilItHasProvenThatItReads) {
    constexpr std::size_t kMost = 1U << 20U;
    for (const std::size_t taken :
         {Share::kProofBytes - 1, Share::kProofBytes, Share::kProofBytes + 1}) {
        Share share;
        EXPECT_EQ(share.bytes_held(kMost), Share::kUnprovenBytes);
        const bool proves = taken >= Share::kProofBytes;
        EXPECT_EQ(share.note_taken(taken), proves);
        EXPECT_EQ(share.has_proven(), proves);
        EXPECT_EQ(share.bytes_held(kMost), proves ? kMost : Share::kUnprovenBytes);
        EXPECT_EQ(share.note_taken(1), !proves) << "told once";
    }
    for (const std::size_t most :
         {Share::kUnprovenBytes - 1, Share::kUnprovenBytes, Share::kUnprovenBytes + 1}) {
        EXPECT_EQ(Share().bytes_held(most), std::min(most, Share::kUnprovenBytes));
    }
}

// If this failed, a stranger who sends on would be read for nothing, or a client of good faith find
// a reset in place of the Goodbye.
TEST(Share, AfterAGoodbyeSoMuchIsReadAndNoMore) {
    for (const bool is_stranger : {false, true}) {
        const std::size_t most =
            is_stranger ? Share::kStrangerDiscardBytesMax : Share::kDiscardBytesMax;
        EXPECT_TRUE(Share::discards_on(most - 1, is_stranger));
        EXPECT_TRUE(Share::discards_on(most, is_stranger));
        EXPECT_FALSE(Share::discards_on(most + 1, is_stranger));
    }
}

}  // namespace
}  // namespace outrider::net
