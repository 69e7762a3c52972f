#pragma once
// What:     samples a process of this machine from /proc: resident memory, open descriptors,
//           threads.
// Contract: sample() gives nothing when the process has ended, or is not ours to look at.
// Threads:  ProcessWatch samples on a thread of its own until it is stopped or the process ends.
// Cost:     two small reads and a directory a sample.

#include <chrono>
#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

#include "outrider/base/mutex.hpp"
#include "soak/trend.hpp"

namespace outrider::soak {

// `at_s` is left to the caller.
[[nodiscard]] std::optional<Sample> sample(std::int64_t process);

class ProcessWatch {
  public:
    using TimePoint = std::chrono::steady_clock::time_point;

    ProcessWatch(std::int64_t process, TimePoint begin, std::chrono::milliseconds every);
    ~ProcessWatch();
    ProcessWatch(const ProcessWatch&) = delete;
    ProcessWatch& operator=(const ProcessWatch&) = delete;

    // Ends the watch; what was sampled, and whether the process was there to the end.
    [[nodiscard]] std::vector<Sample> stop();
    [[nodiscard]] bool lived() const;

  private:
    void run();

    const std::int64_t process_;
    const TimePoint begin_;
    const std::chrono::milliseconds every_;
    mutable base::Mutex mutex_;
    base::Condition wake_;
    bool stopped_ OUTRIDER_GUARDED_BY(mutex_){false};
    bool lived_ OUTRIDER_GUARDED_BY(mutex_){true};
    std::vector<Sample> samples_ OUTRIDER_GUARDED_BY(mutex_);
    std::thread thread_;
};

}  // namespace outrider::soak
