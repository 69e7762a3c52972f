#pragma once
// What:    a clock that stands still until a test moves it.
// Threads: any.

#include <atomic>

#include "outrider/base/clock.hpp"

namespace outrider::test {

class ManualClock final : public base::Clock {
  public:
    [[nodiscard]] base::TimePoint now() const override {
        return base::TimePoint(base::Duration(nanoseconds_ += step_));
    }
    void advance(base::Duration by) { nanoseconds_ += by.count(); }
    // From here on each look at the clock takes this long.
    void set_step(base::Duration step) { step_ = step.count(); }

  private:
    // Not zero, so that a test that forgets to set a time is seen.
    mutable std::atomic<base::Duration::rep> nanoseconds_{1'000'000'000};
    std::atomic<base::Duration::rep> step_{0};
};

}  // namespace outrider::test
