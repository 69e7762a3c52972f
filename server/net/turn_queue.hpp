#pragma once
// What:     the line in which the sessions of one thread wait that have more frames than one turn's
//           worth. One at a time gets a turn, and all sessions with less to do go in between: so a
//           crowd of floods holds up the others by one turn, and not by as many as it has heads.
// Contract: first come, first served. A session that has gone is passed over.
// Threads:  the I/O thread's.
// Cost:     a post a turn.

#include <asio/io_context.hpp>
#include <asio/post.hpp>
#include <deque>
#include <memory>
#include <utility>

namespace outrider::net {

// Who may wait in line.
class TurnTaker {
  public:
    virtual ~TurnTaker() = default;
    virtual void take_turn() = 0;
};

class TurnQueue {
  public:
    explicit TurnQueue(asio::io_context& context) : context_(context) {}
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
        asio::post(context_, [this] { give_turn(); });
        called_ = true;
    }
    void give_turn() {
        called_ = false;
        std::shared_ptr<TurnTaker> next;
        while (next == nullptr && !waiting_.empty()) {
            next = waiting_.front().lock();
            waiting_.pop_front();
        }
        if (next != nullptr) {
            next->take_turn();
        }
        if (!waiting_.empty() && !called_) {
            call_next();
        }
    }

    asio::io_context& context_;
    std::deque<std::weak_ptr<TurnTaker>> waiting_;
    bool called_{false};
};

}  // namespace outrider::net
