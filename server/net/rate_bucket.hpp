#pragma once
// What:     how much may pass in a second, on the average, with a burst: a token bucket, kept as
//           the point of time at which everything taken so far is paid for.
// Contract: wait() is zero as long as less than a burst's worth is unpaid; then what comes may
//           pass, however large, and take() writes it down as debt. So a batch larger than the
//           burst passes, too, and is paid for afterwards. The rate comes with each call, so
//           that it may change under way; 0 is no limit.
// Threads:  one at a time.

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "outrider/base/clock.hpp"

namespace outrider::net {

class RateBucket {
  public:
    // Until something may pass again; zero: now.
    [[nodiscard]] base::Duration wait(std::uint64_t rate, base::Duration burst,
                                      base::TimePoint now) const {
        if (rate == 0 || paid_at_ < now + burst) {
            return base::Duration::zero();
        }
        // The point of time itself passes: what is unpaid must be less than a burst.
        return paid_at_ - now - burst + base::Duration(1);
    }
    // Rates are at most kRateMax. One take is at most an hour's debt: the sums cannot overflow.
    void take(std::uint64_t amount, std::uint64_t rate, base::TimePoint now) {
        constexpr std::uint64_t kDebtSecondsMax = 3600;
        constexpr std::uint64_t kNanoseconds = 1'000'000'000;
        if (rate == 0) {
            return;
        }
        const std::uint64_t seconds = std::min(amount / rate, kDebtSecondsMax);
        const std::uint64_t rest = amount % rate * kNanoseconds / rate;
        paid_at_ = std::max(paid_at_, now) + std::chrono::seconds(seconds) +
                   std::chrono::nanoseconds(rest);
        paid_at_ = std::min(paid_at_, now + kDebtMax);
    }

    // Nothing is owed.
    [[nodiscard]] bool is_paid(base::TimePoint now) const { return paid_at_ <= now; }

    // Whatever is asked, nobody waits longer.
    static constexpr base::Duration kDebtMax = std::chrono::hours(1);

  private:
    base::TimePoint paid_at_{};
};

}  // namespace outrider::net
