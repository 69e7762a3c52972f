#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "outrider/telemetry/metrics.hpp"
#include "outrider/telemetry/process.hpp"

namespace outrider::telemetry {
namespace {

double value_of(const Families& families, std::string_view name) {
    const auto found = std::ranges::find(families, name, &Family::name);
    EXPECT_TRUE(found != families.end() && found->samples.size() == 1) << name;
    return found != families.end() && !found->samples.empty() ? found->samples[0].value : 0;
}

// If this failed, Prometheus would read nothing, or other numbers.
TEST(MetricsText, IsWhatPrometheusReads) {
    const Families families{
        {"a_total", "How many.", MetricKind::kCounter, {{{{"kind", "x\"\n\\"}}, 3}}, {}},
        {"b", "Now.", MetricKind::kGauge, {{{}, 2.5}}, {}},
        {"empty", "Nothing to say.", MetricKind::kGauge, {}, {}},
        {"c_seconds",
         "Took.",
         MetricKind::kHistogram,
         {},
         {{{{"stage", "wait"}}, {{0.5, 2}, {1, 3}}, 6, 12.25}}}};
    EXPECT_EQ(to_text(families),
              "# HELP a_total How many.\n"
              "# TYPE a_total counter\n"
              "a_total{kind=\"x\\\"\\n\\\\\"} 3\n"
              "# HELP b Now.\n"
              "# TYPE b gauge\n"
              "b 2.5\n"
              "# HELP c_seconds Took.\n"
              "# TYPE c_seconds histogram\n"
              "c_seconds_count{stage=\"wait\"} 6\n"
              "c_seconds_sum{stage=\"wait\"} 12.25\n"
              "c_seconds_bucket{stage=\"wait\",le=\"0.5\"} 2\n"
              "c_seconds_bucket{stage=\"wait\",le=\"1\"} 5\n"
              "c_seconds_bucket{stage=\"wait\",le=\"+Inf\"} 6\n");
    EXPECT_EQ(to_text({}), "");
}

// If this failed, a leak of descriptors or memory would be seen by nobody.
TEST(ProcessFamilies, FollowTheProcess) {
    const double before = value_of(process_families(), "process_open_fds");
    const int extra = ::dup(STDOUT_FILENO);
    EXPECT_EQ(value_of(process_families(), "process_open_fds"), before + 1);
    ::close(extra);
    const Families families = process_families();
    EXPECT_EQ(value_of(families, "process_open_fds"), before);
    EXPECT_GE(value_of(families, "process_max_fds"), before);
    EXPECT_GE(value_of(families, "process_threads"), 1);
    EXPECT_GT(value_of(families, "process_cpu_seconds_total"), 0);
    const double resident = value_of(families, "process_resident_memory_bytes");
    EXPECT_GT(resident, 1e6);
    EXPECT_GE(value_of(families, "process_virtual_memory_bytes"), resident);
}

}  // namespace
}  // namespace outrider::telemetry
