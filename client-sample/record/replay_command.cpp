#include <cstdio>
#include <fstream>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "record/replay.hpp"
#include "record/replay_report.hpp"

namespace outrider::cli {
namespace {

struct ReplayCommandOptions {
    std::string file;
    std::string algorithm;
    std::size_t show{20};
    bool json{false};
};

// What a reader of the figures should know about the file that they come from.
void print_notes(const ReplayCommandOptions& options, const record::ReplayReport& report) {
    for (const std::string& example : report.examples) {
        std::fprintf(stderr, "outrider: mismatch: %s\n", example.c_str());
    }
    if (report.torn_bytes > 0) {
        std::fprintf(stderr,
                     "outrider: %s: the last record is cut off after %llu bytes; what is before it "
                     "was replayed\n",
                     options.file.c_str(), static_cast<unsigned long long>(report.torn_bytes));
    } else if (!report.unrecorded) {
        std::fprintf(stderr,
                     "outrider: %s: the recorder was not stopped in good order; what it wrote was "
                     "replayed\n",
                     options.file.c_str());
    } else if (*report.unrecorded > 0) {
        std::fprintf(stderr, "outrider: %s: the recorder left out %llu requests\n",
                     options.file.c_str(), static_cast<unsigned long long>(*report.unrecorded));
    }
}

int run_replay(const ReplayCommandOptions& options) {
    record::ReplayOptions replay_options;
    replay_options.examples_max = options.show;
    if (!options.algorithm.empty()) {
        replay_options.algorithm = *parse_algorithm(options.algorithm);
    }
    std::ifstream in(options.file, std::ios::binary);
    if (!in) {
        return failed("cannot read " + options.file);
    }
    const auto report = record::replay(in, options.file, replay_options);
    if (!report) {
        return failed(report.error().message);
    }
    std::fputs((options.json ? json_of(*report) + "\n" : table_of(*report)).c_str(), stdout);
    print_notes(options, *report);
    return report->mismatches == 0 ? kExitOk : kExitFailed;
}

}  // namespace

void add_replay_command(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<ReplayCommandOptions>();
    CLI::App* command =
        app.add_subcommand("replay", "Answer a recording's requests again and compare");
    command->add_option("--in", options->file, "The recording, as `outrider record` wrote it")
        ->required()
        ->check(CLI::ExistingFile);
    command
        ->add_option("--algorithm", options->algorithm,
                     "Answer with this one instead: auto, dijkstra, astar, jps, fast or terrain")
        ->check(checked(parse_algorithm, "NAME"));
    command->add_option("--show", options->show, "Describe so many mismatches")
        ->check(checked(parse_whole, "NUMBER"))
        ->capture_default_str();
    command->add_flag("--json", options->json, "Print one JSON object on one line");
    command->footer(
        "Each request is answered on the version of the map that its reply named; outcome, cost\n"
        "and hash of the path must be the same. With --algorithm equally good paths are equal:\n"
        "outcomes and costs are compared. Ends with 1 where something differs.");
    command->callback([options, &exit_code] { exit_code = run_replay(*options); });
}

}  // namespace outrider::cli
