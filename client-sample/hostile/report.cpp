#include "hostile/report.hpp"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace outrider::hostile {
namespace {

double rounded(double value) {
    return std::round(value * 100.0) / 100.0;
}

double ratio(double value, double to) {
    return to > 0.0 ? value / to : 0.0;
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

std::string latency(const Share& share) {
    char text[60];
    std::snprintf(text, sizeof text, ", who takes %.2f of a core", share.neighbour_cpu);
    return latency(share.honest) + text;
}

void note(std::vector<std::string>& faults, std::uint64_t count, const char* what) {
    if (count > 0) {
        faults.push_back(std::to_string(count) + " " + what);
    }
}

}  // namespace

double ratio_of(const Report& report) {
    return ratio(report.beside.honest.p99_us, report.alone.p99_us);
}

double ratio_to_busy(const Report& report) {
    return ratio(report.beside.honest.p99_us, report.busy.honest.p99_us);
}

std::vector<std::string> faults_of(const Report& report, double ratio_max) {
    std::vector<std::string> faults;
    note(faults, report.dropped, "honest clients dropped");
    note(faults, report.beside.honest.lost, "honest requests without a final reply");
    note(faults, report.beside.honest.duplicate, "replies that nobody waited for");
    note(faults, report.beside.honest.refused, "honest requests refused");
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
                                      {"sent", report.beside.honest.sent},
                                      {"answered", report.beside.honest.answered},
                                      {"refused", report.beside.honest.refused},
                                      {"lost", report.beside.honest.lost},
                                      {"duplicate", report.beside.honest.duplicate},
                                      {"dropped", report.dropped},
                                      {"alone_p50_us", rounded(report.alone.p50_us)},
                                      {"alone_p99_us", rounded(report.alone.p99_us)},
                                      {"beside_p50_us", rounded(report.beside.honest.p50_us)},
                                      {"beside_p99_us", rounded(report.beside.honest.p99_us)},
                                      {"busy_p50_us", rounded(report.busy.honest.p50_us)},
                                      {"busy_p99_us", rounded(report.busy.honest.p99_us)},
                                      {"ratio", rounded(ratio_of(report))},
                                      {"ratio_to_busy", rounded(ratio_to_busy(report))},
                                      {"crowd_cpu", rounded(report.beside.neighbour_cpu)},
                                      {"busy_cpu", rounded(report.busy.neighbour_cpu)},
                                      {"crowd", crowd},
                                      {"passed", faults.empty()},
                                      {"faults", faults}};
    return json.dump();
}

std::string table_of(const Report& report, const std::vector<std::string>& faults) {
    std::string out;
    out += row("honest clients",
               std::to_string(report.honest) + ", " + std::to_string(report.dropped) + " dropped");
    out += row("their requests", std::to_string(report.beside.honest.sent) + " sent, " +
                                     std::to_string(report.beside.honest.answered) + " answered, " +
                                     std::to_string(report.beside.honest.refused) + " refused, " +
                                     std::to_string(report.beside.honest.lost) + " lost");
    out += row("alone", latency(report.alone));
    out += row("beside the crowd", latency(report.beside));
    out += row("beside as busy a one", latency(report.busy));
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
