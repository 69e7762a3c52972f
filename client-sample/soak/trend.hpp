#pragma once
// What:     whether a long run shows a trend: memory that grows, descriptors or threads that stay
//           behind, answers that become slower. Pure code over what was sampled.
// Contract: judge() names every fault in one sentence with both figures and the bound. What was
//           not sampled is not judged, and the sentence `unjudged` says why.
//           Memory: the median of the last sixth after the warm-up against that of the first. A
//           median, since one sample may fall into a peak. Latency: the median of the rounds' 99th
//           percentiles, last third against first, rounds that began in the warm-up left out.
// Cost:     sorts a few thousand numbers.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace outrider::soak {

// The server's process at one moment.
struct Sample {
    double at_s{};  // since the run began
    std::uint64_t resident_bytes{};
    std::uint64_t descriptors{};
    std::uint64_t threads{};
};

struct Round {
    double at_s{};  // when it began
    double p99_us{};
};

struct TrendLimits {
    double memory_growth_percent{1.0};
    double latency_ratio{1.5};
};

struct Observed {
    double length_s{};
    std::vector<Sample> samples;  // in order of time
    std::vector<Round> rounds;    // in order of time
    // Before anybody connected, and after everybody left. Nothing where no process was watched.
    std::optional<Sample> before;
    std::optional<Sample> after;
};

struct Trends {
    double memory_begin_bytes{};
    double memory_end_bytes{};
    double memory_growth_percent{};
    double p99_begin_us{};
    double p99_end_us{};
    double latency_ratio{};
    std::vector<std::string> faults;
    std::vector<std::string> unjudged;
};

// What comes before does not count: caches fill and buffers find their size.
inline constexpr double kWarmUpSecondsMax = 300.0;
[[nodiscard]] double warm_up_s(double length_s);

[[nodiscard]] Trends judge(const Observed& observed, const TrendLimits& limits);

}  // namespace outrider::soak
