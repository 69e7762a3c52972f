#include "load/schedule.hpp"

#include <algorithm>
#include <cmath>

namespace outrider::load {
namespace {

constexpr std::chrono::nanoseconds kTickNs = kTick;

}  // namespace

Schedule::Schedule(double rate, std::chrono::nanoseconds length)
    : rate_(rate),
      total_(static_cast<std::uint64_t>(
          std::floor(rate * std::chrono::duration<double>(length).count() + 1e-9))) {}

std::chrono::nanoseconds Schedule::due(std::uint64_t index) const {
    const double exact_ns = static_cast<double>(index) / rate_ * 1e9;
    const auto ticks =
        static_cast<std::int64_t>(exact_ns / static_cast<double>(kTickNs.count()) + 1e-6);
    return ticks * kTickNs;
}

std::uint64_t Schedule::due_by(std::chrono::nanoseconds elapsed) const {
    if (elapsed.count() < 0) {
        return 0;
    }
    const std::int64_t ticks = elapsed / kTickNs;
    const double end_ns = static_cast<double>((ticks + 1) * kTickNs.count());
    auto count = static_cast<std::uint64_t>(std::ceil(end_ns * 1e-9 * rate_)) + 1;
    // Rounding may put the estimate one off on either side; due() alone decides.
    count = std::min(count, total_);
    while (count > 0 && due(count - 1) > elapsed) {
        --count;
    }
    return count;
}

}  // namespace outrider::load
