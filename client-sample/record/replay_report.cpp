#include "record/replay_report.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace outrider::record {
namespace {

// A hundredth of a microsecond is finer than the clock.
double rounded(double value) {
    return std::round(value * 100.0) / 100.0;
}

std::string row(std::string_view name, const std::string& value) {
    std::array<char, 160> line{};
    std::snprintf(line.data(), line.size(), "  %-24s %s\n", std::string(name).c_str(),
                  value.c_str());
    return line.data();
}

}  // namespace

std::string json_of(const ReplayReport& report) {
    nlohmann::ordered_json skipped = nlohmann::ordered_json::object();
    for (std::size_t i = 0; i < kSkipCount; ++i) {
        skipped[std::string(name_of(static_cast<Skip>(i)))] = report.skipped[i];
    }
    return nlohmann::ordered_json{
        {"requests", report.requests},         {"compared", report.compared},
        {"mismatches", report.mismatches},     {"other_paths", report.other_paths},
        {"skipped", std::move(skipped)},       {"versions", report.versions},
        {"mean_us", rounded(report.mean_us())}}
        .dump();
}

std::string table_of(const ReplayReport& report) {
    std::array<char, 40> mean{};
    std::snprintf(mean.data(), mean.size(), "%.2f us", report.mean_us());
    std::string out;
    out += row("requests", std::to_string(report.requests));
    out += row("versions", std::to_string(report.versions));
    out += row("compared", std::to_string(report.compared));
    out += row("mismatches", std::to_string(report.mismatches));
    if (report.other_paths > 0) {
        out += row("other paths of that cost", std::to_string(report.other_paths));
    }
    for (std::size_t i = 0; i < kSkipCount; ++i) {
        if (report.skipped[i] > 0) {
            out += row("skipped: " + std::string(name_of(static_cast<Skip>(i))),
                       std::to_string(report.skipped[i]));
        }
    }
    out += row("mean of a search", mean.data());
    return out;
}

}  // namespace outrider::record
