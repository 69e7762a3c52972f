#include <gtest/gtest.h>

#include "outrider/net/access.hpp"
#include "outrider/net/addresses.hpp"
#include "outrider/net/allowances.hpp"
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

AddressKey key_of_number(std::uint32_t number) {
    return key_of(asio::ip::address_v4(number));
}

// If this failed, a player with many connections would have many times the rate, or one player's
// flood would be another's loss.
TEST(Allowances, OneAccountATokenAndAddress) {
    test::ManualClock clock;
    Allowances accounts;
    const Rates rates{.requests_per_second = 2, .work_per_second = 0, .edits_per_second = 0};
    const auto open = [&](const char* token, const char* from) {
        return accounts.open(digest_of(token), key(from), clock.now());
    };
    const auto passes = [&](const std::shared_ptr<Allowance>& account) {
        return !account->take(rates, 1s, 0, clock.now());
    };
    const auto first = open("play", "10.0.0.1");
    const auto second = open("play", "10.0.0.1");
    EXPECT_TRUE(passes(first));
    EXPECT_TRUE(passes(second));
    const auto no = first->take(rates, 1s, 0, clock.now());
    ASSERT_TRUE(no.has_value());
    EXPECT_EQ(no->what, "requests");
    EXPECT_EQ(no->rate, 2U);
    EXPECT_EQ(no->wait, 1ns);
    EXPECT_FALSE(passes(second));
    EXPECT_TRUE(passes(open("play", "10.0.0.2")));
    EXPECT_TRUE(passes(open("other", "10.0.0.1")));
    clock.advance(1ns);
    EXPECT_TRUE(passes(second));
}

// If this failed, hanging up and coming back would pay every debt.
TEST(Allowances, ADebtOutlivesItsSessions) {
    test::ManualClock clock;
    Allowances accounts;
    const Rates rates{.requests_per_second = 0, .work_per_second = 10, .edits_per_second = 0};
    const auto open = [&] {
        return accounts.open(digest_of("play"), key("10.0.0.1"), clock.now());
    };
    open()->charge(rates, 600, clock.now());
    for (std::uint32_t other = 1; other <= 1000; ++other) {
        (void)accounts.open(digest_of("play"), key_of_number(other), clock.now());
    }
    EXPECT_TRUE(open()->take(rates, 1s, 0, clock.now()).has_value());
    EXPECT_LT(accounts.size(), 200U) << "who owes nothing is forgotten";
    clock.advance(1min);
    for (std::uint32_t other = 1; other <= 1000; ++other) {
        (void)accounts.open(digest_of("play"), key_of_number(other), clock.now());
    }
    EXPECT_FALSE(open()->take(rates, 1s, 0, clock.now()).has_value());
}

// If this failed, strangers that come from ever new addresses would fill the memory with debts.
TEST(Allowances, DebtsAreBoundedAndAccountsInUseAreNotLost) {
    test::ManualClock clock;
    Allowances accounts;
    const Rates rates{.requests_per_second = 1, .work_per_second = 0, .edits_per_second = 0};
    const auto held = accounts.open(digest_of("held"), key("10.0.0.1"), clock.now());
    for (std::uint32_t other = 1; other <= 4 * Allowances::kAccountsMax; ++other) {
        const auto account = accounts.open(digest_of("play"), key_of_number(other), clock.now());
        EXPECT_FALSE(account->take(rates, 1s, 0, clock.now()).has_value());
    }
    EXPECT_LE(accounts.size(), 2 * (Allowances::kAccountsMax + 1));
    EXPECT_EQ(held, accounts.open(digest_of("held"), key("10.0.0.1"), clock.now()));
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
