#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "hostile/neighbour.hpp"
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
    std::optional<int> crowd_nice;
    double ratio_max{2.0};
    bool json{false};
};

// What stands at the end of every run that lost its neighbour.
std::unexpected<client::Failure> neighbour_lost() {
    return std::unexpected(client::Failure{
        client::FailureKind::kClosed, "the process of the hostile peers has ended early", {}});
}

// What honest clients have with a crowd and without one.
class Comparison {
  public:
    Comparison(const Options& options, const load::Clients& clients, Place place)
        : options_(options), place_(std::move(place)) {
        for (const auto& client : clients) {
            clients_.push_back(client.get());
        }
    }

    client::Result<hostile::Report> run(hostile::Neighbour& neighbour);

  private:
    // What the honest have, and how busy the neighbour was meanwhile; false when it has ended.
    [[nodiscard]] bool measure_beside(hostile::Neighbour& neighbour, const map::Layer& layer,
                                      hostile::Share& out);
    [[nodiscard]] load::Report measure(const map::Layer& layer);
    void wait_for_arrival(hostile::Neighbour& neighbour) const;

    const Options& options_;
    std::vector<client::Client*> clients_;
    Place place_;
    // Callbacks use them: they go when the clients are closed.
    std::vector<std::unique_ptr<load::Runner>> runners_;
};

load::Report Comparison::measure(const map::Layer& layer) {
    // The same orders each time.
    load::Traffic traffic(layer,
                          {options_.load.units, options_.load.group_share, options_.load.seed});
    runners_.push_back(std::make_unique<load::Runner>(
        clients_, place_.map.id, place_.movement_class, std::move(traffic), options_.load));
    runners_.back()->run();
    return runners_.back()->report();
}

bool Comparison::measure_beside(hostile::Neighbour& neighbour, const map::Layer& layer,
                                hostile::Share& out) {
    const auto before = neighbour.news();
    const auto begin = std::chrono::steady_clock::now();
    out.honest = measure(layer);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    const auto after = neighbour.news();
    if (!before || !after) {
        return false;
    }
    out.neighbour_cpu = (after->cpu_s - before->cpu_s) / passed.count();
    return true;
}

void Comparison::wait_for_arrival(hostile::Neighbour& neighbour) const {
    const auto end = std::chrono::steady_clock::now() + kArrivalPatience;
    for (auto news = neighbour.let_crowd_in();
         news && news->seen < options_.hostile && std::chrono::steady_clock::now() < end;
         news = neighbour.news()) {
        std::this_thread::sleep_for(kArrivalPoll);
    }
}

client::Result<hostile::Report> Comparison::run(hostile::Neighbour& neighbour) {
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
    wait_for_arrival(neighbour);
    if (!measure_beside(neighbour, layer, report.beside)) {
        return neighbour_lost();
    }
    const auto news = neighbour.spin(std::clamp(report.beside.neighbour_cpu, 0.0, 1.0));
    if (!news || !measure_beside(neighbour, layer, report.busy)) {
        return neighbour_lost();
    }
    report.hostile_seen = news->seen;
    report.crowd = news->crowd;
    report.dropped = static_cast<std::uint64_t>(
        std::ranges::count_if(clients_, [](const auto* client) { return !client->open(); }));
    return report;
}

int run_hostile(const Options& options) {
    const auto endpoint = parse_endpoint(options.server.server);
    if (!endpoint) {
        return failed(endpoint.error().message);
    }
    // Before there is any thread.
    const auto neighbour = hostile::Neighbour::start(
        {endpoint->host, endpoint->port, options.server.token},
        {.peers = options.hostile, .kinds = options.kinds, .seed = options.load.seed},
        options.crowd_nice);
    if (!neighbour) {
        return failed("no process for the hostile peers: the system gives none");
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
    const auto report = comparison.run(*neighbour);
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

std::string names_of_kinds() {
    std::string names;
    for (const hostile::Kind kind : hostile::kKinds) {
        names += (names.empty() ? "" : ", ") + std::string(hostile::name_of(kind));
    }
    return names;
}

// Takes the name of a kind and leaves its number, which the library reads. Its own transformer
// would show the numbers to people.
CLI::Validator kind_by_name() {
    return {[](std::string& text) {
                const auto kind = std::ranges::find(hostile::kKinds, text, hostile::name_of);
                if (kind == hostile::kKinds.end()) {
                    return "there is no kind '" + text + "', only " + names_of_kinds();
                }
                text = std::to_string(static_cast<int>(*kind));
                return std::string{};
            },
            ""};
}

void add_hostile_options(CLI::App& command, Options& options) {
    load::LoadOptions& load = options.load;
    load.connections = 100;
    load.seconds = 15.0;
    command.add_option("--hostile", options.hostile, "Connections that misbehave")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str();
    command
        .add_option("--kinds", options.kinds,
                    "In which ways, of " + names_of_kinds() + "; all of them unless said")
        ->transform(kind_by_name())
        ->type_name("KIND")
        ->delimiter(',');
    command
        .add_option(
            "--crowd-nice", options.crowd_nice,
            "Niceness of their process. Without it the process has what the others leave of "
            "the processors, as if the peers had machines of their own")
        ->check(CLI::Range(0, 19));
    command.add_option("--honest", load.connections, "Clients that ask for paths")
        ->check(CLI::Range(1, 4096))
        ->capture_default_str();
    command.add_option("--rate", load.rate, "Requests a second of the honest, in all")
        ->check(real_between(1.0, 1e6))
        ->capture_default_str();
    command
        .add_option("--seconds", load.seconds,
                    "Without the crowd, as long beside it, and as long beside a "
                    "harmless process that is as busy")
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
