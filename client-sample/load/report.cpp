#include "load/report.hpp"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace outrider::load {
namespace {

// Below this the lateness is that of any program on a shared machine.
constexpr double kSlipWarningUs = 2000.0;

// A tenth of a microsecond is finer than anything here is known.
double rounded(double value) {
    return std::round(value * 10.0) / 10.0;
}

double thousandths(double value) {
    return std::round(value * 1000.0) / 1000.0;
}

std::string row(const char* name, const std::string& value) {
    char line[160];
    std::snprintf(line, sizeof line, "  %-22s %s\n", name, value.c_str());
    return line;
}

std::string number(std::uint64_t value) {
    return std::to_string(value);
}

std::string millis(double us) {
    char text[40];
    std::snprintf(text, sizeof text, "%.2f ms", us / 1000.0);
    return text;
}

std::string decimal(double value, const char* unit) {
    char text[48];
    std::snprintf(text, sizeof text, "%.1f%s", value, unit);
    return text;
}

}  // namespace

bool is_clean(const Report& report) {
    return report.lost == 0 && report.duplicate == 0 && report.wrong == 0 &&
           report.edits_refused == 0 && report.edits_lost == 0 && !report.map_dropped;
}

std::string json_of(const Report& report) {
    nlohmann::ordered_json json{{"sent", report.sent},
                                {"answered", report.answered},
                                {"refused", report.refused},
                                {"lost", report.lost},
                                {"duplicate", report.duplicate},
                                {"wrong", report.wrong},
                                {"requests_per_s", rounded(report.requests_per_s)},
                                {"p50_us", rounded(report.p50_us)},
                                {"p99_us", rounded(report.p99_us)},
                                {"p999_us", rounded(report.p999_us)},
                                {"max_us", rounded(report.max_us)},
                                {"edits", report.edits},
                                {"edit_p50_us", rounded(report.edit_p50_us)},
                                {"edit_p99_us", rounded(report.edit_p99_us)},
                                {"pushes", report.pushes},
                                {"cache_hit_rate", thousandths(report.cache_hit_rate)},
                                {"groups", report.groups},
                                {"group_paths", report.group_paths},
                                {"group_p50_us", rounded(report.group_p50_us)},
                                {"group_p99_us", rounded(report.group_p99_us)},
                                {"arrived", report.arrived},
                                {"arrived_beside", report.arrived_beside},
                                {"wait_p50_us", rounded(report.wait_p50_us)},
                                {"wait_p99_us", rounded(report.wait_p99_us)},
                                {"ordered_again", report.ordered_again},
                                {"edits_refused", report.edits_refused},
                                {"edits_lost", report.edits_lost},
                                {"map_dropped", report.map_dropped}};
    if (report.follows) {
        json["path_pushes"] = report.path_pushes;
        json["push_p50_us"] = rounded(report.push_p50_us);
        json["push_p99_us"] = rounded(report.push_p99_us);
        json["push_max_us"] = rounded(report.push_max_us);
        json["arrivals"] = report.arrivals;
        json["reports"] = report.reports;
    }
    return json.dump();
}

std::string table_of(const Report& report) {
    std::string out;
    out += row("sent", number(report.sent));
    out += row("answered", number(report.answered) + "  (" + number(report.complete) +
                               " with a path to the goal)");
    out += row("refused", number(report.refused));
    out += row("lost", number(report.lost));
    out += row("duplicate", number(report.duplicate));
    out += row("wrong", report.verified + report.unverified == 0
                            ? number(report.wrong) + "  (not checked: add --verify)"
                            : number(report.wrong) + "  of " + number(report.verified) +
                                  " checked, " + number(report.unverified) + " unchecked");
    if (report.other_paths > 0) {
        out += row("other best paths",
                   number(report.other_paths) + "  (of the right cost; the server has landmarks)");
    }
    out += row("answers a second", decimal(report.requests_per_s, ""));
    out += row("latency, median", millis(report.p50_us));
    out += row("99th percentile", millis(report.p99_us));
    out += row("99.9th percentile", millis(report.p999_us));
    out += row("longest", millis(report.max_us));
    if (report.groups > 0) {
        out += row("groups", number(report.groups) + "  (" + number(report.group_paths) +
                                 " paths; whole after " + millis(report.group_p50_us) +
                                 " median, " + millis(report.group_p99_us) + " 99th percentile)");
    }
    out += row("edits", number(report.edits) + "  (median " + millis(report.edit_p50_us) +
                            ", 99th percentile " + millis(report.edit_p99_us) + ")");
    if (report.edits_refused + report.edits_lost > 0) {
        out += row("edits not made", number(report.edits_refused) + " refused, " +
                                         number(report.edits_lost) + " without an answer");
    }
    out += row("pushes", number(report.pushes));
    out += row("arrived on foot", number(report.arrived) + "  (" + number(report.arrived_beside) +
                                      " beside a taken goal; stood on their way " +
                                      millis(report.wait_p50_us) + " median, " +
                                      millis(report.wait_p99_us) + " 99th percentile)");
    out += row("ordered again", number(report.ordered_again) + "  (units that could not go on)");
    if (report.follows) {
        out += row("new paths pushed", number(report.path_pushes) + "  (" +
                                           millis(report.push_p50_us) + " median, " +
                                           millis(report.push_p99_us) + " 99th percentile, " +
                                           millis(report.push_max_us) + " longest)");
        out += row("seen to arrive",
                   number(report.arrivals) + "  (" + number(report.reports) + " places reported)");
    }
    out += row("cache hits", decimal(report.cache_hit_rate * 100.0, " %") + " of the look-ups; " +
                                 number(report.cache_carried) + " of " + number(report.cache_hits) +
                                 " by answers from before an edit");
    out += row("client late by", millis(report.slip_p50_us) + " median, " +
                                     millis(report.slip_p99_us) + " 99th percentile, " +
                                     millis(report.slip_max_us) + " longest");
    out += row("client CPU", decimal(report.client_cpu_share * 100.0, " % of a core") + ", " +
                                 number(report.writes) + " writes");
    return out;
}

std::string warning_of(const Report& report) {
    if (report.map_dropped) {
        return "the map was dropped, which ended the run after " + number(report.sent) +
               " requests";
    }
    if (report.slip_p99_us < kSlipWarningUs) {
        return "";
    }
    return "the client itself sent late: 99th percentile " + millis(report.slip_p99_us) +
           ", which the latencies contain";
}

}  // namespace outrider::load
