#include "outrider/telemetry/metrics.hpp"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

namespace outrider::telemetry {
namespace {

std::vector<prometheus::ClientMetric::Label> to_prometheus(const Labels& labels) {
    std::vector<prometheus::ClientMetric::Label> out;
    for (const auto& [name, value] : labels) {
        out.push_back({name, value});
    }
    return out;
}

prometheus::MetricType to_prometheus(MetricKind kind) {
    switch (kind) {
        case MetricKind::kCounter: return prometheus::MetricType::Counter;
        case MetricKind::kGauge: return prometheus::MetricType::Gauge;
        case MetricKind::kHistogram: break;
    }
    return prometheus::MetricType::Histogram;
}

prometheus::ClientMetric to_prometheus(const HistogramSample& sample) {
    prometheus::ClientMetric out;
    out.label = to_prometheus(sample.labels);
    out.histogram.sample_count = sample.count;
    out.histogram.sample_sum = sample.sum;
    std::uint64_t so_far = 0;
    for (const Bucket& bucket : sample.buckets) {
        so_far += bucket.count;
        out.histogram.bucket.push_back({so_far, bucket.upper_bound});
    }
    return out;
}

prometheus::MetricFamily to_prometheus(const Family& family) {
    prometheus::MetricFamily out;
    out.name = family.name;
    out.help = family.help;
    out.type = to_prometheus(family.kind);
    for (const Sample& sample : family.samples) {
        prometheus::ClientMetric metric;
        metric.label = to_prometheus(sample.labels);
        metric.counter.value = metric.gauge.value = sample.value;
        out.metric.push_back(std::move(metric));
    }
    for (const HistogramSample& sample : family.histograms) {
        out.metric.push_back(to_prometheus(sample));
    }
    return out;
}

}  // namespace

std::string to_text(const Families& families) {
    std::vector<prometheus::MetricFamily> all;
    for (const Family& family : families) {
        // A family without a series has nothing to say.
        if (!family.samples.empty() || !family.histograms.empty()) {
            all.push_back(to_prometheus(family));
        }
    }
    return prometheus::TextSerializer().Serialize(all);
}

}  // namespace outrider::telemetry
