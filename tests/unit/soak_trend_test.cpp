#include <gtest/gtest.h>
#include <unistd.h>

#include "soak/process_watch.hpp"
#include "soak/report.hpp"
#include "soak/trend.hpp"

namespace outrider::soak {
namespace {

constexpr double kLength = 600.0;
constexpr std::uint64_t kMebibyte = 1024 * 1024;

// A run of ten minutes, sampled every second: 100 MiB at the end of the warm-up, and `growth` of
// it more at the end.
Observed run_with(double growth, double ratio) {
    Observed observed;
    observed.length_s = kLength;
    const double warm = warm_up_s(kLength);
    for (int second = 0; second <= 600; ++second) {
        const double at = second;
        const double done = at < warm ? 0.0 : (at - warm) / (kLength - warm);
        const double resident = at < warm ? 10.0 : 100.0 * (1.0 + growth * done);
        observed.samples.push_back(
            {at, static_cast<std::uint64_t>(resident * static_cast<double>(kMebibyte)), 20, 5});
    }
    for (int round = 0; round < 30; ++round) {
        const double at = round * 20.0;
        observed.rounds.push_back({at, at < 400.0 ? 1000.0 : 1000.0 * ratio});
    }
    observed.before = Sample{0.0, 10 * kMebibyte, 12, 5};
    observed.after = Sample{kLength, 100 * kMebibyte, 12, 5};
    return observed;
}

// If this failed, a sound server would fail its soak, and nobody would run it again.
TEST(SoakTrend, AFlatRunHasNone) {
    const Trends trends = judge(run_with(0.0, 1.0), {});
    EXPECT_TRUE(trends.faults.empty()) << trends.faults.front();
    EXPECT_TRUE(trends.unjudged.empty()) << trends.unjudged.front();
    EXPECT_DOUBLE_EQ(trends.memory_growth_percent, 0.0);
    EXPECT_DOUBLE_EQ(trends.latency_ratio, 1.0);
}

// If this failed, caches that fill at the start would count as a leak.
TEST(SoakTrend, TheWarmUpIsASixthOfTheRunAndFiveMinutesAtMost) {
    EXPECT_DOUBLE_EQ(warm_up_s(60.0), 10.0);
    EXPECT_DOUBLE_EQ(warm_up_s(1800.0), 300.0);
    EXPECT_DOUBLE_EQ(warm_up_s(1801.0), 300.0);
    EXPECT_DOUBLE_EQ(warm_up_s(86400.0), 300.0);
}

// If this failed, a leak of a month would pass as none: memory grows by a percent in ten minutes.
TEST(SoakTrend, MemoryMayGrowByLessThanTheBoundAndNotByIt) {
    // From the median of the first sixth to that of the last it is five sixths of the whole.
    EXPECT_TRUE(judge(run_with(0.0115, 1.0), {}).faults.empty());
    const Trends trends = judge(run_with(0.013, 1.0), {});
    ASSERT_EQ(trends.faults.size(), 1U);
    EXPECT_NE(trends.faults[0].find("memory grew"), std::string::npos) << trends.faults[0];
    EXPECT_NE(trends.faults[0].find("run 30 minutes"), std::string::npos) << trends.faults[0];
    EXPECT_TRUE(judge(run_with(0.013, 1.0), {.memory_growth_percent = 2.0}).faults.empty());

    Observed steps = run_with(0.0, 1.0);
    for (Sample& sample : steps.samples) {
        sample.resident_bytes = (sample.at_s < 300.0 ? 1000 : 1010) * kMebibyte;
    }
    EXPECT_EQ(judge(steps, {}).faults.size(), 1U) << "exactly one percent is too much";
}

// If this failed, one peak at the wrong moment would fail a run of hours.
TEST(SoakTrend, OnePeakOfMemoryIsNoTrend) {
    Observed observed = run_with(0.0, 1.0);
    observed.samples[550].resident_bytes *= 3;
    observed.samples[600].resident_bytes *= 3;
    EXPECT_TRUE(judge(observed, {}).faults.empty());
}

// If this failed, a server that becomes slower by the hour would pass.
TEST(SoakTrend, LatencyMayRiseToTheBoundAndNotBeyond) {
    EXPECT_TRUE(judge(run_with(0.0, 1.5), {}).faults.empty());
    const Trends trends = judge(run_with(0.0, 1.51), {});
    ASSERT_EQ(trends.faults.size(), 1U);
    EXPECT_NE(trends.faults[0].find("99th percentile"), std::string::npos);
    EXPECT_TRUE(judge(run_with(0.0, 0.2), {}).faults.empty()) << "quicker is no fault";
}

// If this failed, sockets or threads that nobody closes would be found in production.
TEST(SoakTrend, WhatStaysOpenIsAFault) {
    Observed observed = run_with(0.0, 1.0);
    observed.after->descriptors = observed.before->descriptors + 1;
    observed.after->threads = observed.before->threads + 1;
    const Trends trends = judge(observed, {});
    ASSERT_EQ(trends.faults.size(), 2U);
    EXPECT_NE(trends.faults[0].find("descriptors"), std::string::npos);
    EXPECT_NE(trends.faults[1].find("threads"), std::string::npos);
    observed.after->descriptors = observed.before->descriptors - 1;
    observed.after->threads = observed.before->threads;
    EXPECT_TRUE(judge(observed, {}).faults.empty());
}

// If this failed, a soak without a process to watch would say that its memory is sound.
TEST(SoakTrend, WhatWasNotSeenIsSaidToBeUnjudged) {
    Observed blind;
    blind.length_s = 30.0;
    blind.rounds = {{0.0, 1.0}, {10.0, 1.0}, {20.0, 1.0}};
    const Trends trends = judge(blind, {});
    EXPECT_TRUE(trends.faults.empty());
    EXPECT_EQ(trends.unjudged.size(), 3U);
}

// If this failed, the soak would watch something else than the process.
TEST(ProcessWatch, SeesMemoryDescriptorsAndThreadsOfThisProcess) {
    const auto before = sample(::getpid());
    ASSERT_TRUE(before);
    EXPECT_GT(before->resident_bytes, kMebibyte);
    EXPECT_GE(before->threads, 1U);
    const int copies[] = {::dup(0), ::dup(0), ::dup(0)};
    const auto open = sample(::getpid());
    for (const int copy : copies) {
        ::close(copy);
    }
    ASSERT_TRUE(open);
    EXPECT_EQ(open->descriptors, before->descriptors + 3);
    // The largest process number of a Linux machine is below this.
    EXPECT_FALSE(sample(std::int64_t{1} << 30U));
}

// If this failed, a run with wrong answers would end with exit code 0.
TEST(SoakReport, EveryKindOfFaultFailsTheRun) {
    Report report;
    EXPECT_TRUE(passed(report));
    load::Report orders;
    orders.refused = 7;
    SideCounts side;
    side.refused = 7;
    EXPECT_TRUE(faults_of(orders, side).empty()) << "an explicit refusal is no fault";
    for (const auto member : {&load::Report::lost, &load::Report::duplicate, &load::Report::wrong,
                              &load::Report::edits_refused, &load::Report::edits_lost}) {
        load::Report bad;
        bad.*member = 1;
        load::Report sum;
        add_round(bad, sum);
        EXPECT_EQ(faults_of(sum, {}).size(), 1U);
    }
    load::Report sum;
    add_round({.map_dropped = true}, sum);
    add_round({}, sum);
    EXPECT_EQ(faults_of(sum, {}).size(), 1U);
    for (const auto member : {&SideCounts::lost, &SideCounts::wrong, &SideCounts::failed}) {
        SideCounts bad;
        bad.*member = 1;
        EXPECT_EQ(faults_of({}, bad).size(), 1U);
    }
    report.faults = faults_of({}, {.wrong = 1});
    EXPECT_FALSE(passed(report));
    EXPECT_NE(json_of(report).find("\"passed\":false"), std::string::npos);
    EXPECT_NE(table_of(report).find("FAULT"), std::string::npos);
}

}  // namespace
}  // namespace outrider::soak
