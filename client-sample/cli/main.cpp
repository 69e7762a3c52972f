// The command line `outrider`: asks, measures and shows. Exit codes: exit_code.hpp.

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"

namespace {

std::string own_path(const char* argv0) {
    std::error_code error;
    const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
    return error ? std::string(argv0) : path.string();
}

// CLI11 would only say that a subcommand is required.
bool names_no_command(const CLI::App& app, std::string_view first) {
    const auto is_first = [&](const CLI::App* command) { return command->get_name() == first; };
    return !first.empty() && !first.starts_with('-') && app.get_subcommands(is_first).empty();
}

int run(int argc, char** argv) {
    using namespace outrider::cli;
    CLI::App app("Outrider's command line: asks a pathfinding server, measures it and shows it");
    app.name("outrider");
    app.require_subcommand(1);
    app.set_version_flag("--version", "outrider " OUTRIDER_VERSION);
    int exit_code = kExitOk;
    add_path_command(app, exit_code);
    add_survey_commands(app, exit_code);
    add_scen_command(app, exit_code);
    add_dynamic_command(app, exit_code);
    add_load_command(app, exit_code);
    add_hostile_command(app, exit_code);
    add_soak_command(app, exit_code);
    add_demo_command(app, exit_code);
    add_record_command(app, exit_code, OUTRIDER_VERSION);
    add_replay_command(app, exit_code);
    add_map_command(app, exit_code);
    add_ping_command(app, exit_code);
    add_bench_command(app, exit_code, own_path(argv[0]));
    if (argc > 1 && names_no_command(app, argv[1])) {
        std::fprintf(stderr, "outrider: '%s' is no command; `outrider --help` lists them\n",
                     argv[1]);
        return kExitUsage;
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? kExitOk : kExitUsage;
    }
    return exit_code;
}

// A script that reads an answer from a full disk must not take it for one.
int with_output_written(int exit_code) {
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
        return outrider::cli::failed(
            "standard output takes no more; free the disk or redirect it elsewhere");
    }
    return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return with_output_written(run(argc, argv));
    } catch (const std::exception& error) {
        return outrider::cli::failed(error.what());
    }
}
