#pragma once
// What:     one io_context and the one thread that runs it, with its sessions.
// Contract: an exception in a handler ends at most the session that it was for. `on_end` is called
//           once for each added socket.
// Threads:  post() and add() from any thread; the rest happens on its own.

#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <thread>
#include <unordered_set>

#include "outrider/net/session.hpp"
#include "outrider/net/ticker.hpp"

namespace outrider::net {

class IoThread {
  public:
    // `on_end` is called on the thread whenever a session has ended.
    IoThread(Shared& shared, std::function<void(const AddressKey&)> on_end);
    ~IoThread();
    IoThread(const IoThread&) = delete;
    IoThread& operator=(const IoThread&) = delete;

    [[nodiscard]] asio::io_context& context() { return context_; }
    void add(Guest guest);
    void begin_drain();
    void set_config(std::shared_ptr<const Config> config);
    // Hangs up on every session and waits for the thread; the context stays until destruction.
    void stop();

  private:
    void run();
    void begin(Guest guest);
    void start(const std::shared_ptr<Session>& session);
    void hang_up_all();
    // Of too many TLS handshakes the oldest gives way.
    void note_handshake(const std::shared_ptr<Session>& session);

    Shared& shared_;
    std::function<void(const AddressKey&)> on_end_;
    // One thread runs it: the hint spares locks.
    asio::io_context context_{1};
    asio::executor_work_guard<asio::io_context::executor_type> work_;
    Ticker ticker_;
    bool stopping_{false};
    ThreadTools tools_;
    // A session leaves only in a handler of its own, so that telling them all something is safe.
    std::unordered_set<std::shared_ptr<Session>> sessions_;
    // By age. Among them may be some that are over: never more than are allowed under way.
    std::deque<std::weak_ptr<Session>> handshakes_;
    std::thread thread_;
};

}  // namespace outrider::net
