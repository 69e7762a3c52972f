#include <unistd.h>

#include <cstdio>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "cli/terminal.hpp"
#include "load/clients.hpp"
#include "load/load_test.hpp"

namespace outrider::cli {
namespace {

struct Options {
    ServerOptions server;
    std::string map;
    load::LoadOptions load;
    bool json{false};
};

// How far the check is: a counter at a terminal; in a pipe a word, since on a large map the check
// takes longer than the run.
void show_check(bool at_terminal, std::uint64_t checked, std::uint64_t total) {
    const auto count = [](std::uint64_t number) { return static_cast<unsigned long long>(number); };
    if (!at_terminal) {
        if (checked == 0) {
            std::fprintf(stderr, "outrider: checking %llu answers\n", count(total));
        }
    } else if (checked == total) {
        std::fputs("\r\x1b[K", stderr);
    } else {
        std::fprintf(stderr, "\r\x1b[Kchecked %llu of %llu answers", count(checked), count(total));
    }
}

int run_load(Options options) {
    options.load.progress = detect_terminal(STDERR_FILENO).interactive;
    auto clients = load::open_clients(options.server, options.load.connections);
    if (!clients) {
        return failed(clients.error().message);
    }
    auto place = find_place(*clients->front(), options.map, "");
    if (!place) {
        return failed(place.error().message);
    }
    const auto checking = [at_terminal = options.load.progress](auto checked, auto total) {
        show_check(at_terminal, checked, total);
    };
    load::LoadTest test(options.load, std::move(*clients), *std::move(place), checking);
    const auto report = test.run();
    if (!report) {
        return failed(report.error().message);
    }
    if (options.json) {
        std::printf("%s\n", load::json_of(*report).c_str());
    } else {
        std::fputs(load::table_of(*report).c_str(), stdout);
    }
    if (const std::string warning = load::warning_of(*report); !warning.empty()) {
        std::fprintf(stderr, "outrider: %s\n", warning.c_str());
    }
    return load::is_clean(*report) ? kExitOk : kExitFailed;
}

void add_load_options(CLI::App& command, load::LoadOptions& options) {
    command.add_option("--connections", options.connections, "Connections to spread requests over")
        ->check(CLI::Range(1, 4096))
        ->capture_default_str();
    command.add_option("--units", options.units, "Units that are ordered about")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    command.add_option("--rate", options.rate, "Requests a second")
        ->check(real_between(0.1, 1e6))
        ->capture_default_str();
    command.add_option("--seconds", options.seconds, "Length of the run")
        ->check(real_between(0.1, 86400.0))
        ->capture_default_str();
    command
        .add_option("--edits-per-second", options.edits_per_second,
                    "Buildings that rise near paths in use")
        ->check(real_between(0.0, 10000.0))
        ->capture_default_str();
    command
        .add_option("--group-share", options.group_share,
                    "Share of requests that are group requests, each for an army")
        ->check(real_between(0.0, 1.0))
        ->capture_default_str();
    command.add_option("--seed", options.seed, "The same seed, the same orders")
        ->capture_default_str();
    command.add_flag("--supersede", options.supersede,
                     "A unit's newer order takes the place of its older one");
    command.add_flag(
        "--follow", options.follow,
        "Keep the units' paths alive, and time the new ones that edits make necessary");
    command
        .add_option("--speed", options.speed,
                    "Cells a second that units walk; 0: they jump along their paths from order to "
                    "order")
        ->check(real_between(0.0, 1000.0))
        ->capture_default_str();
    command.add_flag("--verify", options.verify,
                     "Check every answer against the client's own copy of the map");
}

}  // namespace

void add_load_command(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("load", "Load-test a server, open loop");
    add_server_options(*command, options->server);
    command->add_option("--map", options->map, "Name of the map on the server")->required();
    add_load_options(*command, options->load);
    command->add_flag("--json", options->json, "Print one JSON object on one line");
    command->callback([options, &exit_code] { exit_code = run_load(*options); });
}

}  // namespace outrider::cli
