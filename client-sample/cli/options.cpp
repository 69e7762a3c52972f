#include "cli/options.hpp"

#include <cstdio>

#include "cli/arguments.hpp"
#include "cli/exit_code.hpp"

namespace outrider::cli {
namespace {

// "a, b and c" would be prettier; a list with commas can be copied.
template <class Items>
std::string names_of(const Items& items) {
    std::string names;
    for (const auto& item : items) {
        names += (names.empty() ? "" : ", ") + item.name;
    }
    return names.empty() ? "none" : names;
}

}  // namespace

void add_server_options(CLI::App& command, ServerOptions& options) {
    command.add_option("--server", options.server, "Address of the server")
        ->check(checked(parse_endpoint, "HOST:PORT"))
        ->capture_default_str();
    command.add_option("--token", options.token, "Token, where the server asks for one")
        ->envname("OUTRIDER_TOKEN");
}

CLI::Validator real_between(double least, double most) {
    return checked([least, most](std::string_view text) { return parse_real(text, least, most); },
                   "NUMBER");
}

int failed(std::string_view message) {
    std::fprintf(stderr, "outrider: %.*s\n", static_cast<int>(message.size()), message.data());
    return kExitFailed;
}

client::Options client_options_of(const ServerOptions& options, Endpoint endpoint) {
    client::Options client_options;
    client_options.host = std::move(endpoint.host);
    client_options.port = std::move(endpoint.port);
    client_options.token = options.token;
    client_options.client_name = "outrider-cli";
    return client_options;
}

client::Result<std::unique_ptr<client::Client>> connect_to(const ServerOptions& options,
                                                           std::shared_ptr<client::IoThread> io) {
    const auto endpoint = parse_endpoint(options.server);
    if (!endpoint) {
        return std::unexpected(
            client::Failure{client::FailureKind::kClosed, endpoint.error().message, std::nullopt});
    }
    auto client = client::Client::connect(client_options_of(options, *endpoint), std::move(io));
    if (!client && client.error().kind == client::FailureKind::kClosed && !client.error().refusal) {
        client.error().message += "; is outrider-server running there?";
    }
    return client;
}

base::Result<Place> find_place(const client::Client& client, std::string_view map_name,
                               std::string_view class_name) {
    const codec::MapInfo* map = client.find_map(map_name);
    if (map == nullptr) {
        return base::fail("the server has no map '" + std::string(map_name) +
                          "'; it has: " + names_of(client.welcome().maps));
    }
    for (std::size_t index = 0; index < map->classes.size(); ++index) {
        if (class_name.empty() || map->classes[index].name == class_name) {
            return Place{*map, {static_cast<std::uint16_t>(index)}};
        }
    }
    return base::fail("map '" + map->name + "' has no movement class '" + std::string(class_name) +
                      "'; it has: " + names_of(map->classes));
}

}  // namespace outrider::cli
