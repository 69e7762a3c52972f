#include <gtest/gtest.h>

#include "outrider/net/access.hpp"
#include "outrider/net/addresses.hpp"
#include "outrider/net/rate_bucket.hpp"
#include "support/manual_clock.hpp"

namespace outrider::net {
namespace {

using namespace std::chrono_literals;

constexpr base::Duration kNow = base::Duration::zero();

// If this failed, a client within its rate would be refused, or one beyond it let through.
TEST(RateBucket, PassesBelowABurstOfDebtAndNotAtIt) {
    test::ManualClock clock;
    RateBucket bucket;
    constexpr std::uint64_t kRate = 10;  // 100 ms each; ten fit a burst of one second
    for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(bucket.wait(kRate, 1s, clock.now()), kNow) << i;
        bucket.take(1, kRate, clock.now());
    }
    EXPECT_EQ(bucket.wait(kRate, 1s, clock.now()), 1ns) << "a burst's worth is unpaid";
    clock.advance(1ns);
    EXPECT_EQ(bucket.wait(kRate, 1s, clock.now()), kNow);
    bucket.take(1, kRate, clock.now());
    EXPECT_EQ(bucket.wait(kRate, 1s, clock.now()), 100ms);
    clock.advance(100ms - 1ns);
    EXPECT_EQ(bucket.wait(kRate, 1s, clock.now()), 1ns);
    clock.advance(1ns);
    EXPECT_EQ(bucket.wait(kRate, 1s, clock.now()), kNow);
}

// If this failed, a long silence would be saved up for a flood larger than the burst.
TEST(RateBucket, SilenceSavesNoMoreThanABurst) {
    test::ManualClock clock;
    RateBucket bucket;
    clock.advance(24h);
    int passed = 0;
    while (bucket.wait(10, 1s, clock.now()) == kNow) {
        bucket.take(1, 10, clock.now());
        ++passed;
    }
    EXPECT_EQ(passed, 10);
}

// If this failed, an edit batch larger than the burst could never be made, or would be free.
TEST(RateBucket, WhatIsLargerThanTheBurstPassesAndIsPaidAfterwards) {
    test::ManualClock clock;
    RateBucket bucket;
    EXPECT_EQ(bucket.wait(10, 1s, clock.now()), kNow);
    bucket.take(50, 10, clock.now());
    EXPECT_EQ(bucket.wait(10, 1s, clock.now()), 4s + 1ns);
    clock.advance(4s);
    EXPECT_EQ(bucket.wait(10, 1s, clock.now()), 1ns);
    clock.advance(1ns);
    EXPECT_EQ(bucket.wait(10, 1s, clock.now()), kNow);
}

// If this failed, one dear search would lock a session out for days, or overflow to no debt.
TEST(RateBucket, DebtIsBoundedWhateverIsTaken) {
    test::ManualClock clock;
    RateBucket bucket;
    for (const std::uint64_t amount : {~std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
        bucket.take(amount, 1, clock.now());
        EXPECT_EQ(bucket.wait(1, 1s, clock.now()), RateBucket::kDebtMax - 1s + 1ns) << amount;
    }
    RateBucket fast;
    fast.take(kRateMax - 1, kRateMax, clock.now());
    EXPECT_EQ(fast.wait(kRateMax, 1s, clock.now()), kNow);
    fast.take(1, kRateMax, clock.now());
    EXPECT_EQ(fast.wait(kRateMax, 1s, clock.now()), 1ns);
}

// If this failed, a role without a limit would run into one.
TEST(RateBucket, ARateOfZeroIsNoLimit) {
    test::ManualClock clock;
    RateBucket bucket;
    bucket.take(1'000'000, 0, clock.now());
    EXPECT_EQ(bucket.wait(0, 1s, clock.now()), kNow);
    EXPECT_EQ(bucket.wait(1, 1s, clock.now()), kNow) << "nor was anything written down";
}

AddressKey key(const char* text) {
    return key_of(asio::ip::make_address(text));
}

// If this failed, one household with IPv6 could hold every place, or two share one's.
TEST(Addresses, CountByIpv4AddressAndByTheFirstHalfOfIpv6) {
    EXPECT_EQ(key("2001:db8::1"), key("2001:db8::ffff:1"));
    EXPECT_NE(key("2001:db8::1"), key("2001:db8:0:1::1"));
    EXPECT_EQ(key("::ffff:10.0.0.1"), key("10.0.0.1"));
    EXPECT_NE(key("10.0.0.1"), key("10.0.0.2"));
}

// If this failed, the table of addresses would grow with every stranger that ever came.
TEST(Addresses, TakeUpToTheMostAndForgetWhoHasLeft) {
    Addresses addresses;
    EXPECT_TRUE(addresses.take(key("10.0.0.1"), 2));
    EXPECT_TRUE(addresses.take(key("10.0.0.1"), 2));
    EXPECT_FALSE(addresses.take(key("10.0.0.1"), 2));
    EXPECT_TRUE(addresses.take(key("10.0.0.2"), 2)) << "another one's places are its own";
    EXPECT_TRUE(addresses.take(key("10.0.0.1"), 0)) << "no limit";
    addresses.give(key("10.0.0.1"));
    EXPECT_FALSE(addresses.take(key("10.0.0.1"), 2));
    addresses.give(key("10.0.0.1"));
    EXPECT_TRUE(addresses.take(key("10.0.0.1"), 2));
    EXPECT_EQ(addresses.size(), 2U);
    addresses.give(key("10.0.0.1"));
    addresses.give(key("10.0.0.1"));
    addresses.give(key("10.0.0.2"));
    EXPECT_EQ(addresses.size(), 0U);
}

// If this failed, a wrong token would open the door, or a right one another role's.
TEST(Access, ATokenIsFoundByItsDigestAlone) {
    const std::vector<Token> tokens{{digest_of("one"), Role::kPlayer, "a"},
                                    {digest_of("two"), Role::kBuilder, "b"}};
    ASSERT_NE(find_token(tokens, digest_of("two")), nullptr);
    EXPECT_EQ(find_token(tokens, digest_of("two"))->role, Role::kBuilder);
    EXPECT_EQ(find_token(tokens, digest_of("one"))->name, "a");
    EXPECT_EQ(find_token(tokens, digest_of("three")), nullptr);
    EXPECT_EQ(find_token(tokens, TokenDigest{}), nullptr);
    // FIPS 180-2, the first example.
    const TokenDigest abc = digest_of("abc");
    EXPECT_EQ(abc[0], 0xBA);
    EXPECT_EQ(abc[1], 0x78);
    EXPECT_EQ(abc[31], 0xAD);
}

}  // namespace
}  // namespace outrider::net
