#include <chrono>
#include <cstdio>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"

namespace outrider::cli {
namespace {

struct Options {
    ServerOptions server;
    bool alive{false};
};

// Whoever refuses answers: what asks for a token, is full, or drains is alive. (With TLS a full
// server hangs up without a word.)
bool is_alive(const Options& options, const client::Failure& failure) {
    if (!options.alive || !failure.refusal) {
        return false;
    }
    std::printf("%s answers, and refuses: %s\n", options.server.server.c_str(),
                failure.message.c_str());
    return true;
}

// A connection, the token and one round through the session: what a health check wants to know.
int run_ping(const Options& options) {
    const auto client = connect_to(options.server);
    if (!client) {
        return is_alive(options, client.error()) ? kExitOk : failed(client.error().message);
    }
    constexpr std::uint64_t kPayload = 7600;
    const auto begin = std::chrono::steady_clock::now();
    const auto pong = (*client)->ping(kPayload);
    const std::chrono::duration<double, std::milli> elapsed =
        std::chrono::steady_clock::now() - begin;
    if (!pong) {
        return is_alive(options, pong.error()) ? kExitOk : failed(pong.error().message);
    }
    if (pong->payload != kPayload) {
        return failed("the server answered with another payload than it was sent");
    }
    const std::size_t maps = (*client)->welcome().maps.size();
    std::printf("%s answers in %.2f ms and has %zu map%s\n", options.server.server.c_str(),
                elapsed.count(), maps, maps == 1 ? "" : "s");
    return kExitOk;
}

}  // namespace

void add_ping_command(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("ping", "Ask a server whether it answers");
    add_server_options(*command, options->server);
    command->add_flag(
        "--alive", options->alive,
        "A server that refuses is alive, too: for health checks, also without a token");
    command->callback([options, &exit_code] { exit_code = run_ping(*options); });
}

}  // namespace outrider::cli
