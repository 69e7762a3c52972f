#pragma once
// What:     the open-loop schedule: which request is due when, whatever the answers do.
// Contract: requests fall due at the beginning of ticks, as a game asks once a frame; request i of
//           a run at R per second is due at the tick that holds i / R. Nothing here reads a clock.
// Cost:     arithmetic.

#include <chrono>
#include <cstdint>

namespace outrider::load {

// Fine enough to add nothing to a latency, coarse enough that one write carries a tick's requests.
inline constexpr std::chrono::microseconds kTick{1000};

class Schedule {
  public:
    // `rate` per second, positive.
    Schedule(double rate, std::chrono::nanoseconds length);

    [[nodiscard]] std::uint64_t total() const { return total_; }
    // When request `index` is due, from the start of the run.
    [[nodiscard]] std::chrono::nanoseconds due(std::uint64_t index) const;
    // How many requests are due at or before `elapsed`.
    [[nodiscard]] std::uint64_t due_by(std::chrono::nanoseconds elapsed) const;

  private:
    double rate_;
    std::uint64_t total_;
};

}  // namespace outrider::load
