#pragma once
// What:     the line in which the sessions of one thread wait that have more to do than their
//           share. One at a time gets a turn, and all sessions with less to do go in between: so a
//           crowd of floods holds up the others by one turn, and not by as many as it has heads.
// Contract: first come, first served. A session that has gone is passed over. While more than kFew
//           wait, `pace` lies between two turns: so a crowd takes a bounded share of the time.
//           Who has entered gets its turn also where there is no memory left.
// Threads:  the I/O thread's.
// Cost:     a post a turn.

#include <asio/io_context.hpp>
#include <asio/post.hpp>
#include <asio/steady_timer.hpp>
#include <chrono>
#include <deque>
#include <memory>
#include <utility>

#include "outrider/net/handler_memory.hpp"

namespace outrider::net {

// Who may wait in line.
class TurnTaker {
  public:
    virtual ~TurnTaker() = default;
    // Must not throw.
    virtual void take_turn() = 0;
};

class TurnQueue {
  public:
    static constexpr std::size_t kFew = 8;

    explicit TurnQueue(asio::io_context& context, std::chrono::microseconds pace = {})
        : context_(context), pace_(pace), rest_(context) {}
    TurnQueue(const TurnQueue&) = delete;
    TurnQueue& operator=(const TurnQueue&) = delete;

    // take_turn() is called once.
    void enter(std::weak_ptr<TurnTaker> taker) {
        waiting_.push_back(std::move(taker));
        if (!called_) {
            call_next();
        }
    }

  private:
    // Behind everything that is ready by now.
    void call_next() {
        asio::post(context_, memory_.with([this] { give_turn(); }));
        called_ = true;
    }
    void give_turn() {
        std::shared_ptr<TurnTaker> next;
        while (next == nullptr && !waiting_.empty()) {
            next = waiting_.front().lock();
            waiting_.pop_front();
        }
        if (next != nullptr) {
            next->take_turn();  // who enters meanwhile only joins the line
        }
        called_ = false;
        if (waiting_.empty()) {
            return;
        }
        if (pace_.count() > 0 && waiting_.size() > kFew) {
            rest();
        } else {
            call_next();
        }
    }
    void rest() {
        try {
            rest_.expires_after(pace_);
            rest_.async_wait(memory_.with([this](const asio::error_code& error) {
                if (!error) {
                    give_turn();
                }
            }));
            called_ = true;
        } catch (...) {
            call_next();  // no memory to rest with
        }
    }

    asio::io_context& context_;
    const std::chrono::microseconds pace_;
    asio::steady_timer rest_;
    HandlerMemory memory_;
    std::deque<std::weak_ptr<TurnTaker>> waiting_;
    bool called_{false};
};

}  // namespace outrider::net
