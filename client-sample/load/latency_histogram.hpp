#pragma once
// What:     latencies of any number of operations in bounded memory: prometheus-cpp's histogram
//           with fine logarithmic buckets.
// Contract: a percentile is the upper bound of the bucket that holds the nearest rank, never above
//           the true maximum: at most kBucketGrowth - 1 too high, never too low. Maximum and count
//           are exact.
// Threads:  add() from any thread; readings are of a moment.
// Cost:     add() is a binary search over kBucketCount bounds and two atomic additions.

#include <atomic>
#include <chrono>
#include <cstdint>

#include <prometheus/histogram.h>

namespace outrider::load {

// 3 % is finer than any two runs agree.
inline constexpr double kBucketGrowth = 1.03;
// 1 us up to more than two minutes: beyond the grace after which a request counts as lost.
inline constexpr int kBucketCount = 640;

class LatencyHistogram {
  public:
    LatencyHistogram();

    void add(std::chrono::nanoseconds latency);
    [[nodiscard]] std::uint64_t count() const { return count_.load(std::memory_order_relaxed); }
    [[nodiscard]] double max_us() const;
    // `share` in (0, 1]. 0 without values.
    [[nodiscard]] double percentile_us(double share) const;

  private:
    prometheus::Histogram histogram_;
    std::atomic<std::uint64_t> count_{0};
    std::atomic<std::int64_t> max_ns_{0};
};

}  // namespace outrider::load
