#pragma once
// What:     metrics as plain values, and as the text that Prometheus reads.
// Contract: to_text() gives the text format 0.0.4: each family with its help and type, label values
//           escaped. What the values are is known to whoever fills them in; this room knows no
//           other.
// Threads:  values.
// Cost:     to_text() is linear in the text, about a microsecond a line.
// Source:   prometheus-cpp; decisions/0028.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace outrider::telemetry {

using Labels = std::vector<std::pair<std::string, std::string>>;

struct Sample {
    Labels labels;
    double value{};
};

struct Bucket {
    double upper_bound{};
    std::uint64_t count{};  // of this bucket alone
};
struct HistogramSample {
    Labels labels;
    std::vector<Bucket> buckets;  // by rising bound; what is above the last is in `count` alone
    std::uint64_t count{};
    double sum{};
};

enum class MetricKind : std::uint8_t { kCounter, kGauge, kHistogram };

// All of one name. A histogram has `histograms`, the other kinds have `samples`.
struct Family {
    std::string name;
    std::string help;
    MetricKind kind{MetricKind::kCounter};
    std::vector<Sample> samples{};
    std::vector<HistogramSample> histograms{};
};
using Families = std::vector<Family>;

// The media type of to_text().
inline constexpr std::string_view kMetricsType = "text/plain; version=0.0.4; charset=utf-8";
[[nodiscard]] std::string to_text(const Families& families);

}  // namespace outrider::telemetry
