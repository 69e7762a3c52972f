#include "outrider/net/ticker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <asio/post.hpp>
#include <string>

#include "support/failing_memory.hpp"

namespace outrider::net {
namespace {

struct Counter final : TimeHearer {
    explicit Counter(std::size_t& count) : told(count) {}
    void on_tick() override { ++told; }
    std::size_t& told;
};

// A period of nothing: a round follows the other as fast as it is asked for.
struct TickerTest : testing::Test {
    TickerTest() { ticker.start(); }
    ~TickerTest() override { ticker.stop(); }

    void add(std::size_t hearers) {
        while (hearers-- > 0) {
            all.push_back(std::make_shared<Counter>(told));
        }
    }
    void gather(Ticker::Hearers& hearers) const {
        if (needs_memory) {
            hearers = Ticker::Hearers();
        }
        hearers.assign(all.begin(), all.end());
    }
    // Handlers until so many have been told; false when none comes any more.
    [[nodiscard]] bool run_until(std::size_t wanted) {
        for (int handlers = 0; told < wanted && handlers < 100'000; ++handlers) {
            context.poll_one();
        }
        return told >= wanted;
    }

    asio::io_context context{1};
    std::vector<std::shared_ptr<Counter>> all;
    std::size_t told{0};
    int failures{0};
    bool needs_memory{false};
    Ticker ticker{context,
                  {.period = [] { return std::chrono::milliseconds(0); },
                   .gather = [this](Ticker::Hearers& hearers) { gather(hearers); },
                   .on_failure = [this] { ++failures; }}};
};

// If this failed, a crowd whose time is up would end all at once, and the other clients of the
// thread wait for the last of it.
TEST_F(TickerTest, ACrowdIsToldSomeAtATime) {
    constexpr std::size_t kMost = Ticker::kToldAtOnce;
    std::string order;
    const std::function<void()> other = [&] {
        order += '.';
        asio::post(context, other);
    };
    asio::post(context, other);
    for (const std::size_t crowd : {kMost - 1, kMost, kMost + 1, 3 * kMost + 1}) {
        all.clear();
        add(crowd);
        ASSERT_TRUE(run_until(told + crowd)) << "a whole round";
        const std::size_t begin = told;
        order.clear();
        for (int handlers = 0; told < begin + crowd && handlers < 100'000; ++handlers) {
            const std::size_t before = told;
            context.poll_one();
            if (told > before) {
                EXPECT_EQ(told - before, std::min(kMost, begin + crowd - before));
                order += 'T';
            }
        }
        const auto goes = static_cast<std::size_t>(std::ranges::count(order, 'T'));
        EXPECT_EQ(goes, (crowd + kMost - 1) / kMost);
        EXPECT_EQ(order.find("TT"), std::string::npos) << order << ": nobody came in between";
    }
}

// If this failed, who leaves amid a round would be told after its end.
TEST_F(TickerTest, WhoHasGoneIsPassedOver) {
    add(2 * Ticker::kToldAtOnce);
    ASSERT_TRUE(run_until(Ticker::kToldAtOnce));
    all.pop_back();
    ASSERT_TRUE(run_until(2 * Ticker::kToldAtOnce - 1));
    EXPECT_EQ(told, 2 * Ticker::kToldAtOnce - 1);
}

// If this failed, a server without memory would look at no time any more: who hangs would hold what
// others need.
TEST_F(TickerTest, TimeGoesOnWithoutMemory) {
    add(3 * Ticker::kToldAtOnce);
    ASSERT_TRUE(run_until(all.size()));
    bool goes_on = false;
    {
        const test::NoMemory none;
        goes_on = run_until(10 * all.size());
    }
    EXPECT_TRUE(goes_on);
    EXPECT_EQ(failures, 0);
}

// Fault kind: want of memory. If this failed, a thread that finds none for a round would try again
// for ever and serve nobody, as one did, or give up the rounds for good.
TEST_F(TickerTest, ARoundThatFindsNoMemoryIsLeftOutAndTheNextComes) {
    add(1);
    ASSERT_TRUE(run_until(1));
    needs_memory = true;
    int others = 0;
    for (int i = 0; i < 10; ++i) {
        asio::post(context, [&others] { ++others; });
    }
    const std::size_t before = told;
    {
        const test::NoMemory none;
        for (int handlers = 0; failures < 3 && handlers < 100'000; ++handlers) {
            context.poll_one();
        }
    }
    EXPECT_GE(failures, 3);
    EXPECT_LE(told, before + 1) << "one round may have been gathered before";
    EXPECT_EQ(others, 10);
    EXPECT_TRUE(run_until(before + 10));
}

}  // namespace
}  // namespace outrider::net
