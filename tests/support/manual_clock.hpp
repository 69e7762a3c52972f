#pragma once
// What:    a clock that stands still until a test moves it.
// Threads: any.

#include <atomic>

#include "outrider/base/clock.hpp"

namespace outrider::test {

class ManualClock final : public base::Clock {
  public:
    [[nodiscard]] base::TimePoint now() const override {
        return base::TimePoint(base::Duration(nanoseconds_.load()));
    }
    void advance(base::Duration by) { nanoseconds_ += by.count(); }

  private:
    // Not zero, so that a test that forgets to set a time is seen.
    std::atomic<base::Duration::rep> nanoseconds_{1'000'000'000};
};

}  // namespace outrider::test
