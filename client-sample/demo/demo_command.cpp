#include <unistd.h>

#include <cstdio>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "demo/march.hpp"

namespace outrider::cli {
namespace {

struct DemoOptions {
    ServerOptions server;
    std::string map{"march"};
    double seconds{20.0};
    std::uint32_t units{60};
    std::uint64_t seed{1};
    bool plain{false};
};

int run_demo(const DemoOptions& options) {
    demo::MarchOptions march_options;
    march_options.units = options.units;
    march_options.seed = options.seed;
    march_options.length =
        std::chrono::milliseconds(static_cast<std::int64_t>(options.seconds * 1000.0));
    if (!options.plain) {
        march_options.terminal = detect_terminal(STDOUT_FILENO);
    }
    client::Result<demo::Ending> ending = demo::Ending::kAllArrived;
    std::string summary;
    {
        demo::Screen screen(march_options.terminal);
        auto client = connect_to(options.server);
        if (!client) {
            return failed(client.error().message);
        }
        const auto place = find_place(**client, options.map, "");
        if (!place) {
            return failed(place.error().message);
        }
        auto mirror = client::MapMirror::start(**client, place->map.id);
        if (!mirror) {
            return failed(mirror.error().message);
        }
        demo::March march(**client, *mirror, march_options);
        ending = march.run(screen);
        summary = march.summary_text();
    }
    if (!ending) {
        return failed(ending.error().message);
    }
    std::fputs(summary.c_str(), stdout);
    switch (*ending) {
        case demo::Ending::kAllArrived:
        case demo::Ending::kStopped: return kExitOk;
        case demo::Ending::kSomeStuck:
            return failed("some units did not arrive: no way, or not in time");
    }
    return kExitFailed;
}

}  // namespace

void add_demo_command(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<DemoOptions>();
    CLI::App* command =
        app.add_subcommand("demo", "Watch an army cross a map while buildings rise in its way");
    add_server_options(*command, options->server);
    command->add_option("--map", options->map, "Name of the map on the server")
        ->capture_default_str();
    command->add_option("--seconds", options->seconds, "About how long the march lasts")
        ->check(real_between(0.1, 3600.0))
        ->capture_default_str();
    command->add_option("--units", options->units, "Size of the army")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    command->add_option("--seed", options->seed, "The same seed, the same march")
        ->capture_default_str();
    command->add_flag("--plain", options->plain, "A few frames of plain text, as into a pipe");
    command->callback([options, &exit_code] { exit_code = run_demo(*options); });
}

}  // namespace outrider::cli
