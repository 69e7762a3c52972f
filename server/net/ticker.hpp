#pragma once
// What:     tells some hearers of one thread the time, over and over: its sessions, the door.
// Contract: a round tells everybody whom `gather` named and who is still there, kToldAtOnce in one
//           go, and whatever else is ready comes in between. The next round begins a period after
//           the end of one. Needs no memory once it runs: where `gather` finds none, its round is
//           left out and the next one comes.
// Threads:  the I/O thread's.

#include <asio/basic_waitable_timer.hpp>
#include <asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "outrider/net/handler_memory.hpp"

namespace outrider::net {

class TimeHearer {
  public:
    virtual ~TimeHearer() = default;
    // Must not throw.
    virtual void on_tick() = 0;
};

class Ticker {
  public:
    // One that ends because its time is up may have much to let go of.
    static constexpr std::size_t kToldAtOnce = 16;

    using Hearers = std::vector<std::weak_ptr<TimeHearer>>;
    struct Rules {
        std::function<std::chrono::milliseconds()> period;
        // Names them all; may throw for want of memory.
        std::function<void(Hearers&)> gather;
        std::function<void()> on_failure;
    };

    Ticker(asio::io_context& context, Rules rules);
    Ticker(const Ticker&) = delete;
    Ticker& operator=(const Ticker&) = delete;

    void start() { wait(); }
    void stop();

  private:
    // A type of its own gives the tickers of a thread a queue of their own, two at most.
    struct OwnQueue : asio::wait_traits<std::chrono::steady_clock> {};
    using Timer = asio::basic_waitable_timer<std::chrono::steady_clock, OwnQueue,
                                             asio::io_context::executor_type>;

    void wait();
    void begin_round();
    void tell_some();

    asio::io_context& context_;
    const Rules rules_;
    HandlerMemory memory_;
    Timer timer_;
    Hearers round_;
    std::size_t told_{0};
    bool stopped_{false};
};

}  // namespace outrider::net
