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

// Variables of the server's own options are not read: a container has both programs.
void add_tls_options(CLI::App& command, ServerOptions& options) {
    constexpr const char* kGroup = "TLS; each of these but --tls implies it";
    command.add_flag("--tls", options.use_tls, "Speak TLS")->envname("OUTRIDER_TLS");
    command
        .add_option("--tls-ca", options.tls.ca_file,
                    "Authorities to trust, PEM; default: those of this machine")
        ->envname("OUTRIDER_TLS_CA")
        ->group(kGroup);
    command
        .add_option("--tls-server-name", options.tls.server_name,
                    "Whom the server's certificate must name; default: the host of --server")
        ->envname("OUTRIDER_TLS_SERVER_NAME")
        ->group(kGroup);
    command
        .add_flag("--tls-insecure", options.believe_anyone,
                  "Believe whoever answers, for tests alone")
        ->group(kGroup);
    command
        .add_option("--tls-cert", options.tls.certificate_file,
                    "A certificate of your own, PEM, where the server asks for one")
        ->group(kGroup);
    command.add_option("--tls-key", options.tls.key_file, "Its key, PEM, without a passphrase")
        ->group(kGroup);
}

bool wants_tls(const ServerOptions& options) {
    const client::TlsOptions& tls = options.tls;
    return options.use_tls || options.believe_anyone || !tls.ca_file.empty() ||
           !tls.server_name.empty() || !tls.certificate_file.empty() || !tls.key_file.empty();
}

}  // namespace

void add_server_options(CLI::App& command, ServerOptions& options) {
    command.add_option("--server", options.server, "Address of the server")
        ->check(checked(parse_endpoint, "HOST:PORT"))
        ->capture_default_str();
    command.add_option("--token", options.token, "Token, where the server asks for one")
        ->envname("OUTRIDER_TOKEN");
    add_tls_options(command, options);
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
    client_options.call_timeout = options.patience.value_or(client_options.call_timeout);
    if (wants_tls(options)) {
        client_options.tls = options.tls;
        client_options.tls->verify = !options.believe_anyone;
    }
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
    if (!client && client.error().message.starts_with("cannot connect to")) {
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
