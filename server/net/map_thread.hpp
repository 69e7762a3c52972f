#pragma once
// What:     the thread on which maps are loaded and dropped, so that neither a file nor a large map
//           holds up a session.
// Contract: work is done in the order in which it was taken. The destructor ends after the work
//           that runs; what waits is thrown away. The thread begins with the first work.
// Threads:  post() from any.
// Cost:     what waits holds its messages: kWaitingMax frames at most.

#include <cstddef>
#include <deque>
#include <functional>
#include <thread>

#include "outrider/base/mutex.hpp"

namespace outrider::net {

class MapThread {
  public:
    // A map takes up to some seconds: whoever has more in line waits for a minute already.
    static constexpr std::size_t kWaitingMax = 16;

    // Must not throw.
    using Work = std::function<void()>;

    MapThread() = default;
    ~MapThread();
    MapThread(const MapThread&) = delete;
    MapThread& operator=(const MapThread&) = delete;

    // False when kWaitingMax wait already, or the system gives no thread to begin with.
    [[nodiscard]] bool post(Work work) OUTRIDER_EXCLUDES(mutex_);

  private:
    [[nodiscard]] bool begin() OUTRIDER_REQUIRES(mutex_);
    void run() OUTRIDER_EXCLUDES(mutex_);

    base::Mutex mutex_;
    base::Condition changed_;
    std::deque<Work> waiting_ OUTRIDER_GUARDED_BY(mutex_);
    bool stopped_ OUTRIDER_GUARDED_BY(mutex_){false};
    std::thread thread_ OUTRIDER_GUARDED_BY(mutex_);
};

}  // namespace outrider::net
