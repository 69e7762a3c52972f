#include "cli/scen_report.hpp"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "outrider/model/path.hpp"

namespace outrider::cli {
namespace {

constexpr std::size_t kExamplesMax = 5;

// A hundredth of a microsecond is finer than the clock.
double rounded(double value) {
    return std::round(value * 100.0) / 100.0;
}

std::string describe(const client::ScenarioQuery& query, const model::PathResult& result,
                     const std::optional<std::string>& fault) {
    char text[200];
    std::snprintf(text, sizeof text, "%d,%d to %d,%d: listed %.6f, found %.6f (%s)", query.start.x,
                  query.start.y, query.goal.x, query.goal.y, query.length,
                  model::length_in_cells(result.cost),
                  std::string(model::name_of(result.outcome)).c_str());
    return fault ? std::string(text) + "; " + *fault : std::string(text);
}

std::string row(const char* name, const std::string& value) {
    char line[160];
    std::snprintf(line, sizeof line, "  %-18s %s\n", name, value.c_str());
    return line;
}

std::string micros(double us) {
    char text[40];
    std::snprintf(text, sizeof text, "%.2f us", us);
    return text;
}

}  // namespace

void ScenReport::add(const client::ScenarioQuery& query, const model::PathResult& result,
                     double elapsed_us, const std::optional<std::string>& fault) {
    ++queries;
    expansions += result.expansions;
    if (!result.turning_points.empty()) {
        path_cells += model::cell_count_of(result.turning_points);
    }
    if (result.outcome != model::Outcome::kComplete) {
        ++unreachable;
    }
    if (fault || !client::agrees(query, result)) {
        ++mismatches;
        if (examples.size() < kExamplesMax) {
            examples.push_back(describe(query, result, fault));
        }
    }
    query_us.add(elapsed_us);
}

std::string json_of(const ScenReport& report) {
    nlohmann::ordered_json json{{"queries", report.queries},
                                {"mismatches", report.mismatches},
                                {"unreachable", report.unreachable},
                                {"mean_us", rounded(report.query_us.mean())},
                                {"p50_us", rounded(report.query_us.percentile(0.5))},
                                {"p99_us", rounded(report.query_us.percentile(0.99))},
                                {"expansions", report.expansions},
                                {"path_cells", report.path_cells}};
    if (report.patches) {
        json["patches"] = report.patches->patches;
        json["patch_mean_us"] = rounded(report.patches->patch_us.mean());
        json["patch_p99_us"] = rounded(report.patches->patch_us.percentile(0.99));
    }
    return json.dump();
}

std::string table_of(const ScenReport& report) {
    std::string out;
    out += row("queries", std::to_string(report.queries));
    out += row("mismatches", std::to_string(report.mismatches));
    out += row("unreachable", std::to_string(report.unreachable));
    out += row("mean", micros(report.query_us.mean()));
    out += row("median", micros(report.query_us.percentile(0.5)));
    out += row("99th percentile", micros(report.query_us.percentile(0.99)));
    out += row("longest", micros(report.query_us.max()));
    out += row("expansions", std::to_string(report.expansions));
    out += row("path cells", std::to_string(report.path_cells));
    if (report.patches) {
        const PatchReport& patches = *report.patches;
        out += row("patches", std::to_string(patches.patches) + " in " +
                                  std::to_string(patches.batches) + " batches");
        out += row("patch, mean", micros(patches.patch_us.mean()));
        out += row("patch, 99th", micros(patches.patch_us.percentile(0.99)));
        out += row("patches in all",
                   micros(patches.patch_us.mean() * static_cast<double>(patches.patch_us.count())));
    }
    return out;
}

}  // namespace outrider::cli
