#include <chrono>
#include <cstdio>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"

namespace outrider::cli {
namespace {

// A connection, the token and one round through the session: what a health check wants to know.
int run_ping(const ServerOptions& options) {
    const auto client = connect_to(options);
    if (!client) {
        return failed(client.error().message);
    }
    constexpr std::uint64_t kPayload = 7600;
    const auto begin = std::chrono::steady_clock::now();
    const auto pong = (*client)->ping(kPayload);
    const std::chrono::duration<double, std::milli> elapsed =
        std::chrono::steady_clock::now() - begin;
    if (!pong) {
        return failed(pong.error().message);
    }
    if (pong->payload != kPayload) {
        return failed("the server answered with another payload than it was sent");
    }
    const std::size_t maps = (*client)->welcome().maps.size();
    std::printf("%s answers in %.2f ms and has %zu map%s\n", options.server.c_str(),
                elapsed.count(), maps, maps == 1 ? "" : "s");
    return kExitOk;
}

}  // namespace

void add_ping_command(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<ServerOptions>();
    CLI::App* command = app.add_subcommand("ping", "Ask a server whether it answers");
    add_server_options(*command, *options);
    command->callback([options, &exit_code] { exit_code = run_ping(*options); });
}

}  // namespace outrider::cli
