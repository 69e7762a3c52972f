#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <thread>
#include <utility>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "hostile/report.hpp"
#include "load/clients.hpp"
#include "load/runner.hpp"
#include "outrider/client/map_mirror.hpp"

namespace outrider::cli {
namespace {

// For the crowd to get in.
constexpr std::chrono::seconds kArrivalPatience{20};
constexpr std::chrono::milliseconds kArrivalPoll{20};

struct Options {
    ServerOptions server;
    std::string map;
    load::LoadOptions load;
    std::size_t hostile{1000};
    std::vector<hostile::Kind> kinds{hostile::kKinds.begin(), hostile::kKinds.end()};
    double ratio_max{2.0};
    bool json{false};
};

// What honest clients have with a crowd and without one.
class Comparison {
  public:
    Comparison(const Options& options, const load::Clients& clients, Place place)
        : options_(options), place_(std::move(place)) {
        for (const auto& client : clients) {
            clients_.push_back(client.get());
        }
    }

    client::Result<hostile::Report> run(const hostile::Target& target);

  private:
    [[nodiscard]] load::Report measure(const map::Layer& layer);
    void wait_for_arrival(const hostile::Crowd& crowd) const;

    const Options& options_;
    std::vector<client::Client*> clients_;
    Place place_;
    // Callbacks use them: they go when the clients are closed.
    std::vector<std::unique_ptr<load::Runner>> runners_;
};

load::Report Comparison::measure(const map::Layer& layer) {
    // The same orders both times.
    load::Traffic traffic(layer,
                          {options_.load.units, options_.load.group_share, options_.load.seed});
    runners_.push_back(std::make_unique<load::Runner>(
        clients_, place_.map.id, place_.movement_class, std::move(traffic), options_.load));
    runners_.back()->run();
    return runners_.back()->report();
}

void Comparison::wait_for_arrival(const hostile::Crowd& crowd) const {
    const auto end = std::chrono::steady_clock::now() + kArrivalPatience;
    while (crowd.seen() < options_.hostile && std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(kArrivalPoll);
    }
}

client::Result<hostile::Report> Comparison::run(const hostile::Target& target) {
    auto state = clients_.front()->map_state(place_.map.id);
    if (!state) {
        return std::unexpected(std::move(state.error()));
    }
    const auto store = client::store_of(*std::move(state));
    if (!store) {
        return std::unexpected(store.error());
    }
    const auto snapshot = (*store)->snapshot();
    const map::Layer& layer = *snapshot->layer(place_.movement_class);
    if (!load::has_open_cell(layer)) {
        return std::unexpected(client::Failure{
            client::FailureKind::kRefused, "the map has no open cell to stand on", {}});
    }
    hostile::Report report;
    report.honest = clients_.size();
    report.hostile = options_.hostile;
    report.alone = measure(layer);
    const hostile::Crowd crowd(
        target, {.peers = options_.hostile, .kinds = options_.kinds, .seed = options_.load.seed});
    wait_for_arrival(crowd);
    report.beside = measure(layer);
    report.hostile_seen = crowd.seen();
    report.crowd = crowd.counts();
    report.dropped = static_cast<std::uint64_t>(
        std::ranges::count_if(clients_, [](const auto* client) { return !client->open(); }));
    return report;
}

int run_hostile(const Options& options) {
    const auto endpoint = parse_endpoint(options.server.server);
    if (!endpoint) {
        return failed(endpoint.error().message);
    }
    auto clients = load::open_clients(options.server, options.load.connections);
    if (!clients) {
        return failed(clients.error().message);
    }
    auto place = find_place(*clients->front(), options.map, "");
    if (!place) {
        return failed(place.error().message);
    }
    Comparison comparison(options, *clients, *std::move(place));
    const auto report = comparison.run({endpoint->host, endpoint->port, options.server.token});
    for (const auto& client : *clients) {
        client->close();
    }
    if (!report) {
        return failed(report.error().message);
    }
    const auto faults = hostile::faults_of(*report, options.ratio_max);
    std::fputs(hostile::table_of(*report, faults).c_str(), stderr);
    if (options.json) {
        std::printf("%s\n", hostile::json_of(*report, faults).c_str());
    }
    return faults.empty() ? kExitOk : kExitFailed;
}

void add_hostile_options(CLI::App& command, Options& options) {
    load::LoadOptions& load = options.load;
    load.connections = 100;
    load.seconds = 15.0;
    command.add_option("--hostile", options.hostile, "Connections that misbehave")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str();
    std::vector<std::pair<std::string, hostile::Kind>> names;
    for (const hostile::Kind kind : hostile::kKinds) {
        names.emplace_back(hostile::name_of(kind), kind);
    }
    command.add_option("--kinds", options.kinds, "In which ways; all of them unless said")
        ->transform(CLI::CheckedTransformer(std::move(names)))
        ->delimiter(',');
    command.add_option("--honest", load.connections, "Clients that ask for paths")
        ->check(CLI::Range(1, 4096))
        ->capture_default_str();
    command.add_option("--rate", load.rate, "Requests a second of the honest, in all")
        ->check(real_between(1.0, 1e6))
        ->capture_default_str();
    command.add_option("--seconds", load.seconds, "Once without the crowd, and as long beside it")
        ->check(real_between(0.5, 86400.0))
        ->capture_default_str();
    command
        .add_option("--ratio-max", options.ratio_max,
                    "How many times their 99th percentile alone the honest ones' beside the crowd "
                    "may be; 0: not judged")
        ->check(real_between(0.0, 1e6))
        ->capture_default_str();
    command.add_option("--seed", load.seed, "The same seed, the same orders")
        ->capture_default_str();
}

}  // namespace

void add_hostile_command(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand(
        "hostile", "See what honest clients have beside a crowd that misbehaves");
    add_server_options(*command, options->server);
    command->add_option("--map", options->map, "Name of the map on the server")->required();
    add_hostile_options(*command, *options);
    command->add_flag("--json", options->json, "Print one JSON object on one line");
    command->callback([options, &exit_code] { exit_code = run_hostile(*options); });
}

}  // namespace outrider::cli
