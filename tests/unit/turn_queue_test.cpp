#include "outrider/net/turn_queue.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "support/failing_memory.hpp"

namespace outrider::net {
namespace {

// Always has more to do than one turn's worth.
class Flood final : public TurnTaker, public std::enable_shared_from_this<Flood> {
  public:
    Flood(TurnQueue& turns, std::string& log, char name) : turns_(turns), log_(log), name_(name) {}
    void begin() { turns_.enter(weak_from_this()); }
    void take_turn() override {
        log_ += name_;
        begin();
    }

  private:
    TurnQueue& turns_;
    std::string& log_;
    const char name_;
};

struct TurnQueueTest : testing::Test {
    void run(int handlers) {
        context.restart();  // it stops whenever nothing is left
        for (int i = 0; i < handlers; ++i) {
            context.poll_one();
        }
    }
    asio::io_context context{1};
    TurnQueue turns{context};
    std::string log;
};

// If this failed, forty clients that flood the server would hold up an honest one by forty turns.
TEST_F(TurnQueueTest, BetweenTwoTurnsAllThatIsReadyIsDone) {
    std::vector<std::shared_ptr<Flood>> floods;
    for (const char name : {'A', 'B', 'C', 'D'}) {
        floods.push_back(std::make_shared<Flood>(turns, log, name));
        floods.back()->begin();
    }
    const std::function<void()> honest = [&] {
        log += '.';
        asio::post(context, honest);
    };
    asio::post(context, honest);
    run(40);
    EXPECT_EQ(log, "A.B.C.D.A.B.C.D.A.B.C.D.A.B.C.D.A.B.C.D.");
}

// If this failed, a client that hung up in the line would stop it for everybody behind.
TEST_F(TurnQueueTest, WhoHasGoneIsPassedOverAndTheLineGoesOn) {
    auto gone = std::make_shared<Flood>(turns, log, 'X');
    const auto here = std::make_shared<Flood>(turns, log, 'A');
    gone->begin();
    gone.reset();
    run(1);
    EXPECT_EQ(log, "");
    here->begin();
    run(3);
    EXPECT_EQ(log, "AAA");
}

// If this failed, a crowd of newcomers that ask and never read would take all of a thread's time,
// or a handful of honest ones be held up for nothing.
TEST_F(TurnQueueTest, ACrowdIsPacedAndAFewAreNot) {
    TurnQueue paced(context, std::chrono::hours(1));
    std::vector<std::shared_ptr<Flood>> floods;
    const auto add = [&] {
        floods.push_back(
            std::make_shared<Flood>(paced, log, static_cast<char>('A' + floods.size())));
        floods.back()->begin();
    };
    while (floods.size() < TurnQueue::kFew) {
        add();
    }
    run(20);
    EXPECT_EQ(log, "ABCDEFGHABCDEFGHABCD");
    add();
    log.clear();
    run(20);
    EXPECT_EQ(log, "E") << "the next turn comes in an hour";
}

// Has one turn.
struct Modest final : TurnTaker {
    explicit Modest(std::size_t& count) : turns(count) {}
    void take_turn() override { ++turns; }
    std::size_t& turns;
};

// Fault kind: want of memory. If this failed, a moment without memory would stop the line for good:
// busy clients would be served no more until somebody new joins it.
TEST_F(TurnQueueTest, TheLineGoesOnWithoutMemory) {
    TurnQueue paced(context, std::chrono::microseconds(1));
    for (TurnQueue* const line : {&turns, &paced}) {
        std::size_t served = 0;
        std::vector<std::shared_ptr<Modest>> waiting;
        while (waiting.size() < 2 * TurnQueue::kFew) {
            waiting.push_back(std::make_shared<Modest>(served));
            line->enter(waiting.back());
        }
        {
            const test::NoMemory none;
            for (int i = 0; served < waiting.size() && i < 1'000'000; ++i) {
                context.restart();
                context.poll_one();
            }
        }
        EXPECT_EQ(served, waiting.size());
    }
}

// Fault kind: want of memory. If this failed, one client that finds no memory to join the line
// would keep all others from their turns.
TEST_F(TurnQueueTest, EachAllocationOfWhoJoinsTheLineMayFail) {
    bool failed = true;
    for (std::int64_t n = 1; failed; ++n) {
        TurnQueue line(context);
        std::size_t served = 0;
        std::vector<std::shared_ptr<Modest>> waiting;
        while (waiting.size() < 100) {  // more than one block of the queue holds
            waiting.push_back(std::make_shared<Modest>(served));
        }
        std::size_t joined = 0;
        test::fails_in = n;
        for (const auto& taker : waiting) {
            try {
                line.enter(taker);
                ++joined;
            } catch (const std::bad_alloc&) {
                // This one has no turn.
            }
        }
        failed = test::fails_in.exchange(0) == 0;
        run(300);
        EXPECT_EQ(joined, waiting.size() - (failed ? 1 : 0));
        EXPECT_EQ(served, joined);
    }
}

}  // namespace
}  // namespace outrider::net
