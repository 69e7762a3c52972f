#pragma once
// What:     the thread that reads, writes and runs the callbacks of one or many clients.
// Contract: outlives every Client that was given it. Ends when the last holder lets go, which must
//           not happen on the thread itself.

#include <memory>

namespace outrider::client {

class IoThread {
  public:
    IoThread();
    ~IoThread();
    IoThread(const IoThread&) = delete;
    IoThread& operator=(const IoThread&) = delete;

    [[nodiscard]] bool on_this_thread() const;

  private:
    friend class Client;
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace outrider::client
