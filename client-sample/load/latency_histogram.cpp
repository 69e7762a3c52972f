#include "load/latency_histogram.hpp"

#include <algorithm>
#include <cmath>

namespace outrider::load {
namespace {

prometheus::Histogram::BucketBoundaries bounds() {
    prometheus::Histogram::BucketBoundaries result;
    double bound_us = 1.0;
    for (int index = 0; index < kBucketCount; ++index) {
        result.push_back(bound_us);
        bound_us *= kBucketGrowth;
    }
    return result;
}

}  // namespace

LatencyHistogram::LatencyHistogram() : histogram_(bounds()) {}

void LatencyHistogram::add(std::chrono::nanoseconds latency) {
    const std::int64_t ns = std::max<std::int64_t>(latency.count(), 0);
    histogram_.Observe(static_cast<double>(ns) * 1e-3);
    count_.fetch_add(1, std::memory_order_relaxed);
    std::int64_t seen = max_ns_.load(std::memory_order_relaxed);
    while (seen < ns && !max_ns_.compare_exchange_weak(seen, ns, std::memory_order_relaxed)) {
    }
}

double LatencyHistogram::max_us() const {
    return static_cast<double>(max_ns_.load(std::memory_order_relaxed)) * 1e-3;
}

double LatencyHistogram::percentile_us(double share) const {
    const prometheus::ClientMetric::Histogram data = histogram_.Collect().histogram;
    if (data.sample_count == 0) {
        return 0.0;
    }
    const auto rank = static_cast<std::uint64_t>(
        std::max(1.0, std::ceil(share * static_cast<double>(data.sample_count))));
    for (const auto& bucket : data.bucket) {
        if (bucket.cumulative_count >= rank) {
            return std::min(bucket.upper_bound, max_us());
        }
    }
    return max_us();
}

}  // namespace outrider::load
