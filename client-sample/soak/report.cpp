#include "soak/report.hpp"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

namespace outrider::soak {
namespace {

double hundredths(double value) {
    return std::round(value * 100.0) / 100.0;
}

std::string row(const char* name, const std::string& value) {
    char line[200];
    std::snprintf(line, sizeof line, "  %-22s %s\n", name, value.c_str());
    return line;
}

std::string text(const char* format, double a, double b, double c) {
    char line[160];
    std::snprintf(line, sizeof line, format, a, b, c);
    return line;
}

std::uint64_t descriptors_of(const std::optional<Sample>& sample) {
    return sample ? sample->descriptors : 0;
}
std::uint64_t threads_of(const std::optional<Sample>& sample) {
    return sample ? sample->threads : 0;
}

std::string before_and_after(std::uint64_t before, std::uint64_t after) {
    return std::to_string(before) + " before, " + std::to_string(after) + " after";
}

}  // namespace

void add_round(const load::Report& round, load::Report& sum) {
    for (const auto member :
         {&load::Report::sent, &load::Report::answered, &load::Report::refused, &load::Report::lost,
          &load::Report::duplicate, &load::Report::wrong, &load::Report::edits,
          &load::Report::path_pushes, &load::Report::arrivals, &load::Report::reports,
          &load::Report::verified, &load::Report::unverified, &load::Report::edits_refused,
          &load::Report::edits_lost}) {
        sum.*member += round.*member;
    }
    sum.map_dropped = sum.map_dropped || round.map_dropped;
}

std::vector<std::string> faults_of(const load::Report& orders, const SideCounts& side) {
    std::vector<std::string> faults;
    const auto note = [&](std::uint64_t count, const char* what) {
        if (count > 0) {
            faults.push_back(std::to_string(count) + " " + what);
        }
    };
    note(orders.lost, "orders without a final reply");
    note(orders.duplicate, "replies that nobody waited for");
    note(orders.wrong, "wrong answers to orders");
    note(orders.edits_refused, "edits refused");
    note(orders.edits_lost, "edits without an answer");
    if (orders.map_dropped) {
        faults.emplace_back("the map was dropped");
    }
    note(side.lost, "cancelled requests without a final reply");
    note(side.wrong, "wrong answers to surveys");
    note(side.failed, "failures of side traffic");
    return faults;
}

bool passed(const Report& report) {
    return report.faults.empty();
}

std::string json_of(const Report& report) {
    const Trends& trends = report.trends;
    const nlohmann::ordered_json json{
        {"seconds", hundredths(report.seconds)},
        {"rounds", report.rounds},
        {"sent", report.orders.sent},
        {"answered", report.orders.answered},
        {"refused", report.orders.refused + report.side.refused},
        {"lost", report.orders.lost + report.side.lost},
        {"duplicate", report.orders.duplicate},
        {"wrong", report.orders.wrong + report.side.wrong},
        {"checked", report.orders.verified + report.side.checked},
        {"edits", report.orders.edits},
        {"path_pushes", report.orders.path_pushes},
        {"surveys", report.side.surveys},
        {"cancels", report.side.cancels},
        {"left_open", report.side.left_open},
        {"connections", report.side.connections},
        {"slow_readers", report.slow_readers},
        {"failed", report.side.failed},
        {"memory_begin_bytes", std::round(trends.memory_begin_bytes)},
        {"memory_end_bytes", std::round(trends.memory_end_bytes)},
        {"memory_growth_percent", hundredths(trends.memory_growth_percent)},
        {"descriptors_before", descriptors_of(report.before)},
        {"descriptors_after", descriptors_of(report.after)},
        {"threads_before", threads_of(report.before)},
        {"threads_after", threads_of(report.after)},
        {"p99_begin_us", hundredths(trends.p99_begin_us)},
        {"p99_end_us", hundredths(trends.p99_end_us)},
        {"latency_ratio", hundredths(trends.latency_ratio)},
        {"passed", passed(report)},
        {"faults", report.faults},
        {"unjudged", trends.unjudged}};
    return json.dump();
}

std::string table_of(const Report& report) {
    constexpr double kMebibyte = 1024.0 * 1024.0;
    const Trends& trends = report.trends;
    const load::Report& orders = report.orders;
    std::string out;
    out += row("length", text("%.0f s in %.0f rounds", report.seconds,
                              static_cast<double>(report.rounds), 0.0));
    out += row("orders", std::to_string(orders.sent) + " sent, " + std::to_string(orders.answered) +
                             " answered, " + std::to_string(orders.refused) + " refused");
    out += row("lost", std::to_string(orders.lost + report.side.lost));
    out += row("duplicate", std::to_string(orders.duplicate));
    out += row("wrong", std::to_string(orders.wrong + report.side.wrong) + "  of " +
                            std::to_string(orders.verified + report.side.checked) + " checked");
    out += row("edits", std::to_string(orders.edits) + "  (" + std::to_string(orders.path_pushes) +
                            " new paths pushed)");
    out += row("surveys", std::to_string(report.side.surveys));
    out += row("cancelled", std::to_string(report.side.cancels));
    out += row("left open", std::to_string(report.side.left_open));
    out += row("side connections", std::to_string(report.side.connections) + ", and " +
                                       std::to_string(report.slow_readers) + " that did not read");
    out += row("resident memory",
               text("%.1f MiB after the warm-up, %.1f MiB at the end (%+.2f %%)",
                    trends.memory_begin_bytes / kMebibyte, trends.memory_end_bytes / kMebibyte,
                    trends.memory_growth_percent));
    out += row("descriptors",
               before_and_after(descriptors_of(report.before), descriptors_of(report.after)));
    out += row("threads", before_and_after(threads_of(report.before), threads_of(report.after)));
    out +=
        row("99th percentile",
            text("%.2f ms in the first third, %.2f ms in the last (%.2f times)",
                 trends.p99_begin_us / 1000.0, trends.p99_end_us / 1000.0, trends.latency_ratio));
    for (const std::string& what : trends.unjudged) {
        out += row("not judged", what);
    }
    for (const std::string& fault : report.faults) {
        out += row("FAULT", fault);
    }
    out += row("result", passed(report) ? "passed" : "failed");
    return out;
}

}  // namespace outrider::soak
