#include "soak/trend.hpp"

#include <algorithm>
#include <cstdio>
#include <span>

namespace outrider::soak {
namespace {

// The warm-up, and the ends of what comes after it, are sixths.
constexpr double kParts = 6.0;
constexpr std::size_t kThirds = 3;

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

std::string sentence(const char* format, double a, double b, double bound) {
    char text[200];
    std::snprintf(text, sizeof text, format, a, b, bound);
    return text;
}

void judge_memory(const Observed& observed, const TrendLimits& limits, Trends& trends) {
    constexpr double kMebibyte = 1024.0 * 1024.0;
    const double warm = warm_up_s(observed.length_s);
    const double part = (observed.length_s - warm) / kParts;
    std::vector<double> first;
    std::vector<double> last;
    for (const Sample& sample : observed.samples) {
        if (sample.at_s >= warm && sample.at_s <= warm + part) {
            first.push_back(static_cast<double>(sample.resident_bytes));
        }
        if (sample.at_s >= observed.length_s - part && sample.at_s <= observed.length_s) {
            last.push_back(static_cast<double>(sample.resident_bytes));
        }
    }
    if (first.empty() || last.empty()) {
        trends.unjudged.emplace_back("memory: no samples at the beginning or at the end");
        return;
    }
    trends.memory_begin_bytes = median(std::move(first));
    trends.memory_end_bytes = median(std::move(last));
    trends.memory_growth_percent =
        (trends.memory_end_bytes / trends.memory_begin_bytes - 1.0) * 100.0;
    if (trends.memory_growth_percent >= limits.memory_growth_percent) {
        trends.faults.push_back(sentence(
            "memory grew from %.1f to %.1f MiB after the warm-up; less than %.2f %% is allowed",
            trends.memory_begin_bytes / kMebibyte, trends.memory_end_bytes / kMebibyte,
            limits.memory_growth_percent));
        if (warm < kWarmUpSecondsMax) {
            trends.faults.back() +=
                "; in a short run caches still fill: run 30 minutes or more, or allow more with "
                "--memory-growth-max";
        }
    }
}

void judge_latency(const Observed& observed, const TrendLimits& limits, Trends& trends) {
    const double warm = warm_up_s(observed.length_s);
    std::vector<double> p99s;
    for (const Round& round : observed.rounds) {
        if (round.at_s >= warm) {
            p99s.push_back(round.p99_us);
        }
    }
    const std::size_t third = p99s.size() / kThirds;
    if (third == 0) {
        trends.unjudged.emplace_back("latency: fewer than three rounds after the warm-up");
        return;
    }
    const auto count = static_cast<std::ptrdiff_t>(third);
    trends.p99_begin_us = median({p99s.begin(), p99s.begin() + count});
    trends.p99_end_us = median({p99s.end() - count, p99s.end()});
    trends.latency_ratio =
        trends.p99_begin_us > 0.0 ? trends.p99_end_us / trends.p99_begin_us : 0.0;
    if (trends.latency_ratio > limits.latency_ratio) {
        trends.faults.push_back(sentence(
            "the 99th percentile rose from %.0f us in the first third to %.0f us in the last; "
            "%.2f times is allowed",
            trends.p99_begin_us, trends.p99_end_us, limits.latency_ratio));
    }
}

void judge_leftovers(const Observed& observed, Trends& trends) {
    if (!observed.before || !observed.after) {
        trends.unjudged.emplace_back("descriptors and threads: no process was watched");
        return;
    }
    const auto judge_one = [&](const char* what, std::uint64_t before, std::uint64_t after) {
        if (after > before) {
            trends.faults.push_back(std::to_string(after) + " " + what +
                                    " are open after everybody left; before anybody came it "
                                    "was " +
                                    std::to_string(before));
        }
    };
    judge_one("descriptors", observed.before->descriptors, observed.after->descriptors);
    judge_one("threads", observed.before->threads, observed.after->threads);
}

}  // namespace

double warm_up_s(double length_s) {
    return std::min(kWarmUpSecondsMax, length_s / kParts);
}

Trends judge(const Observed& observed, const TrendLimits& limits) {
    Trends trends;
    judge_memory(observed, limits, trends);
    judge_latency(observed, limits, trends);
    judge_leftovers(observed, trends);
    return trends;
}

}  // namespace outrider::soak
