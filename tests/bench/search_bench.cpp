// Every kernel beside the textbook A*, and the textbook beside others: see README.md of the room.

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "bench/bench_maps.hpp"
#include "bench/kernel_table.hpp"
#include "bench/side_tables.hpp"
#include "bench/teaching_bench.hpp"

namespace outrider::bench {
namespace {

struct Options {
    std::vector<std::string> only;
    TableOptions table;
};

bool chosen(const Options& options, const char* part) {
    return options.only.empty() || std::ranges::find(options.only, part) != options.only.end();
}

void print_kernel_table(const Options& options) {
    std::vector<BenchMap> maps;
    const auto add = [&](const char* part, std::vector<BenchMap> more) {
        if (!chosen(options, part)) {
            return;
        }
        if (more.empty()) {
            std::printf("%s maps: skipped, no files; set OUTRIDER_DATA\n", part);
        }
        std::ranges::move(more, std::back_inserter(maps));
    };
    add("public", scenario_maps());
    add("generated", generated_maps());
    add("weighted", weighted_maps());
    if (maps.empty()) {
        return;
    }
    std::printf(
        "CPU us a query, path included; kernels in turn, a pass of all questions each, "
        "median of %zu passes\n",
        options.table.rounds);
    print_kernels(maps, options.table);
    std::printf("\n");
}

void print_all(const Options& options) {
    print_kernel_table(options);
    if (chosen(options, "detour")) {
        print_detour(options.table.questions, options.table.rounds);
        std::printf("\n");
    }
    if (chosen(options, "whole")) {
        print_whole_maps();
        std::printf("\n");
    }
    if (chosen(options, "fast")) {
        print_fast(options.table.questions);
        std::printf("\n");
    }
    if (chosen(options, "legs")) {
        print_legs(options.table.questions);
        std::printf("\n");
    }
    if (chosen(options, "repair")) {
        print_repair(options.table.questions);
        std::printf("\n");
    }
    if (chosen(options, "dynamic")) {
        print_dynamic();
        std::printf("\n");
    }
    if (chosen(options, "group")) {
        print_groups();
        std::printf("\n");
    }
    if (chosen(options, "teaching")) {
        print_teaching_tables();
    }
}

}  // namespace
}  // namespace outrider::bench

int main(int count, char** arguments) {
    outrider::bench::Options options;
    CLI::App app("The kernels of the search, measured");
    app.add_option("--only", options.only, "Parts of the run (default: all)")
        ->check(CLI::IsMember({"public", "generated", "weighted", "detour", "whole", "fast", "legs",
                               "repair", "dynamic", "group", "teaching"}))
        ->delimiter(',');
    app.add_option("--maps", options.table.maps, "Maps whose name holds one of these")
        ->delimiter(',');
    app.add_option("--kernels", options.table.kernels,
                   "Kernels beside the textbook: Dijkstra, jps, auto, fast")
        ->delimiter(',');
    app.add_option("--questions", options.table.questions,
                   "Questions a map (default: 300, fewer "
                   "on maps above 1024)");
    app.add_option("--textbook-every", options.table.textbook_every,
                   "The textbook answers every nth question (default: all on public maps, else "
                   "every tenth)");
    app.add_option("--rounds", options.table.rounds, "Passes of each kernel")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    CLI11_PARSE(app, count, arguments);
    outrider::bench::print_all(options);
}
