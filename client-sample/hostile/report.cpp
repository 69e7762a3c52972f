#include "hostile/report.hpp"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace outrider::hostile {
namespace {

double rounded(double value) {
    return std::round(value * 100.0) / 100.0;
}

std::string row(const std::string& name, const std::string& value) {
    char line[200];
    std::snprintf(line, sizeof line, "  %-22s %s\n", name.c_str(), value.c_str());
    return line;
}

std::string latency(const load::Report& report) {
    char text[120];
    std::snprintf(text, sizeof text, "%.2f ms median, %.2f ms 99th percentile",
                  report.p50_us / 1000.0, report.p99_us / 1000.0);
    return text;
}

void note(std::vector<std::string>& faults, std::uint64_t count, const char* what) {
    if (count > 0) {
        faults.push_back(std::to_string(count) + " " + what);
    }
}

}  // namespace

double ratio_of(const Report& report) {
    return report.alone.p99_us > 0.0 ? report.beside.p99_us / report.alone.p99_us : 0.0;
}

std::vector<std::string> faults_of(const Report& report, double ratio_max) {
    std::vector<std::string> faults;
    note(faults, report.dropped, "honest clients dropped");
    note(faults, report.beside.lost, "honest requests without a final reply");
    note(faults, report.beside.duplicate, "replies that nobody waited for");
    note(faults, report.beside.refused, "honest requests refused");
    note(faults, report.hostile - report.hostile_seen, "hostile peers that never got through");
    if (ratio_max > 0.0 && ratio_of(report) > ratio_max) {
        char text[120];
        std::snprintf(text, sizeof text,
                      "the honest 99th percentile is %.2f times that without the crowd; %.2f "
                      "times is allowed",
                      ratio_of(report), ratio_max);
        faults.emplace_back(text);
    }
    return faults;
}

std::string json_of(const Report& report, const std::vector<std::string>& faults) {
    nlohmann::ordered_json crowd;
    for (const Kind kind : kKinds) {
        const KindCounts& counts = report.crowd[static_cast<std::size_t>(kind)];
        crowd[std::string(name_of(kind))] = {{"connected", counts.connected},
                                             {"thrown_out", counts.thrown_out},
                                             {"failed", counts.failed},
                                             {"bytes", counts.bytes}};
    }
    const nlohmann::ordered_json json{{"honest", report.honest},
                                      {"hostile", report.hostile},
                                      {"hostile_seen", report.hostile_seen},
                                      {"sent", report.beside.sent},
                                      {"answered", report.beside.answered},
                                      {"refused", report.beside.refused},
                                      {"lost", report.beside.lost},
                                      {"duplicate", report.beside.duplicate},
                                      {"dropped", report.dropped},
                                      {"alone_p50_us", rounded(report.alone.p50_us)},
                                      {"alone_p99_us", rounded(report.alone.p99_us)},
                                      {"beside_p50_us", rounded(report.beside.p50_us)},
                                      {"beside_p99_us", rounded(report.beside.p99_us)},
                                      {"ratio", rounded(ratio_of(report))},
                                      {"crowd", crowd},
                                      {"passed", faults.empty()},
                                      {"faults", faults}};
    return json.dump();
}

std::string table_of(const Report& report, const std::vector<std::string>& faults) {
    std::string out;
    out += row("honest clients",
               std::to_string(report.honest) + ", " + std::to_string(report.dropped) + " dropped");
    out += row("their requests", std::to_string(report.beside.sent) + " sent, " +
                                     std::to_string(report.beside.answered) + " answered, " +
                                     std::to_string(report.beside.refused) + " refused, " +
                                     std::to_string(report.beside.lost) + " lost");
    out += row("alone", latency(report.alone));
    out += row("beside the crowd", latency(report.beside));
    out += row("hostile peers", std::to_string(report.hostile_seen) + " of " +
                                    std::to_string(report.hostile) + " were connected");
    for (const Kind kind : kKinds) {
        const KindCounts& counts = report.crowd[static_cast<std::size_t>(kind)];
        out += row("  " + std::string(name_of(kind)),
                   std::to_string(counts.connected) + " connections, " +
                       std::to_string(counts.thrown_out) + " thrown out, " +
                       std::to_string(counts.bytes) + " bytes sent");
    }
    for (const std::string& fault : faults) {
        out += row("FAULT", fault);
    }
    out += row("result", faults.empty() ? "passed" : "failed");
    return out;
}

}  // namespace outrider::hostile
