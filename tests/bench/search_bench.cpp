#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/cpu_timer.hpp"
#include "bench/teaching_bench.hpp"
#include "files/scenario_file.hpp"
#include "outrider/map/store.hpp"
#include "outrider/search/search.hpp"
#include "support/data.hpp"

namespace outrider::bench {
namespace {

using model::Algorithm;

constexpr std::size_t kQueries = 300;
constexpr int kPasses = 2;

struct Times {
    std::vector<double> us;  // best of the passes, a query each
    std::uint64_t expansions{};

    [[nodiscard]] double mean() const {
        double sum = 0;
        for (const double one : us) {
            sum += one;
        }
        return sum / static_cast<double>(us.size());
    }
    [[nodiscard]] double at(double share) const {
        std::vector<double> sorted = us;
        std::sort(sorted.begin(), sorted.end());
        return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
    }
};

std::vector<model::PathQuery> sample(const client::Scenario& scenario) {
    std::vector<model::PathQuery> queries;
    const std::size_t count = scenario.queries.size();
    for (std::size_t i = 0; i < kQueries; ++i) {
        const client::ScenarioQuery& listed = scenario.queries[i * count / kQueries];
        model::PathQuery query;
        query.start = listed.start;
        query.goal.rect = {listed.goal.x, listed.goal.y, 1, 1};
        queries.push_back(query);
    }
    return queries;
}

void measure(const map::Layer& layer, model::PathQuery query, search::Buffers& buffers,
             Times& times, std::size_t index) {
    const double before = cpu_us();
    const model::PathResult result = search::run(layer, query, buffers);
    const double us = cpu_us() - before;
    if (index == times.us.size()) {
        times.us.push_back(us);
        times.expansions += result.expansions;
    } else {
        times.us[index] = std::min(times.us[index], us);
    }
}

// Query by query in turn, so that both kernels see the same disturbances.
double print_map(const std::filesystem::path& file) {
    const auto scenario = client::read_scenario_file(file);
    auto grid = map::read_map_file(std::filesystem::path(file).replace_extension());
    if (!scenario || !grid) {
        std::fprintf(stderr, "%s\n", (scenario ? grid.error() : scenario.error()).message.c_str());
        std::exit(1);
    }
    const auto store = map::Store::create(std::move(*grid), {model::ground_class()});
    if (!store) {
        std::fprintf(stderr, "%s\n", store.error().message.c_str());
        std::exit(1);
    }
    const auto snapshot = (*store)->snapshot();
    const map::Layer& layer = *snapshot->layer({0});
    const search::BuffersPtr textbook = search::make_buffers();
    const search::BuffersPtr jumps = search::make_buffers();
    Times of_textbook;
    Times of_jumps;
    std::vector<model::PathQuery> queries = sample(*scenario);
    for (int pass = 0; pass < kPasses; ++pass) {
        for (std::size_t i = 0; i < queries.size(); ++i) {
            queries[i].algorithm = Algorithm::kAstar;
            measure(layer, queries[i], *textbook, of_textbook, i);
            queries[i].algorithm = Algorithm::kJps;
            measure(layer, queries[i], *jumps, of_jumps, i);
        }
    }
    const double ratio = of_textbook.mean() / of_jumps.mean();
    std::printf("  %-20s %9.1f %9.1f %9.1f %9.1f | %8.1f %8.1f %8.1f %8.1f | %6.1f\n",
                std::filesystem::path(file).stem().stem().string().c_str(), of_textbook.mean(),
                of_textbook.at(0.5), of_textbook.at(0.99),
                static_cast<double>(of_textbook.expansions) / kQueries, of_jumps.mean(),
                of_jumps.at(0.5), of_jumps.at(0.99),
                static_cast<double>(of_jumps.expansions) / kQueries, ratio);
    std::fflush(stdout);
    return ratio;
}

void print_maps() {
    const std::filesystem::path root = test::data_dir(OUTRIDER_SOURCE_DIR) / "movingai";
    if (!std::filesystem::exists(root)) {
        std::printf("no benchmark maps in %s; set OUTRIDER_DATA\n", root.string().c_str());
        return;
    }
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
        if (entry.path().extension() == ".scen") {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    std::printf("%zu scenario queries a map, CPU microseconds a query, path included\n", kQueries);
    std::printf("  %-20s %9s %9s %9s %9s | %8s %8s %8s %8s | %6s\n", "", "A* mean", "median", "p99",
                "expanded", "jps mean", "median", "p99", "expanded", "ratio");
    double logs = 0;
    for (const auto& file : files) {
        logs += std::log(print_map(file));
    }
    std::printf("  %-20s %97.1f\n", "geometric mean",
                std::exp(logs / static_cast<double>(files.size())));
}

}  // namespace
}  // namespace outrider::bench

int main() {
    outrider::bench::print_teaching_tables();
    std::printf("\n");
    outrider::bench::print_maps();
}
