#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <thread>
#include <utility>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "hostile/crowd.hpp"
#include "load/clients.hpp"
#include "load/load_test.hpp"
#include "soak/process_watch.hpp"
#include "soak/report.hpp"

namespace outrider::cli {
namespace {

using Clock = std::chrono::steady_clock;

// Enough rounds for thirds to mean something, short enough that connections keep changing.
constexpr double kRoundsLeast = 12.0;
constexpr double kRoundSecondsMax = 20.0;
constexpr std::chrono::milliseconds kSampleEvery{500};
// For the server to notice that everybody has left: its slow readers' lingering included.
constexpr std::chrono::seconds kLeavePatience{15};
constexpr std::chrono::milliseconds kLeavePoll{50};

struct Round {
    ServerOptions server;
    std::string map;
    load::LoadOptions load;
};

struct Options {
    Round round;
    double minutes{0.0};
    double seconds{60.0};
    std::int64_t process{0};
    std::size_t slow_readers{2};
    soak::TrendLimits limits;
    bool json{false};
};

double since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

// The last sample as soon as it is down to what was there before, or what is there in the end.
std::optional<soak::Sample> wait_for_leave(const Options& options, const soak::Sample& before) {
    const auto end = Clock::now() + kLeavePatience;
    auto now = soak::sample(options.process);
    while (now && Clock::now() < end &&
           (now->descriptors > before.descriptors || now->threads > before.threads)) {
        std::this_thread::sleep_for(kLeavePoll);
        now = soak::sample(options.process);
    }
    return now;
}

// New connections, a load run of followed units with buildings rising among them, everything
// checked afterwards, everything torn down again.
client::Result<load::Report> run_round(const Round& round) {
    auto clients = load::open_clients(round.server, round.load.connections);
    if (!clients) {
        return std::unexpected(std::move(clients.error()));
    }
    auto place = find_place(*clients->front(), round.map, "");
    if (!place) {
        return std::unexpected(client::Failure{client::FailureKind::kRefused,
                                               std::move(place.error().message), std::nullopt});
    }
    return load::LoadTest(round.load, std::move(*clients), *std::move(place), [](auto, auto) {})
        .run();
}

class Soak {
  public:
    Soak(const Options& options, Endpoint endpoint)
        : options_(options), endpoint_(std::move(endpoint)) {}

    client::Result<soak::Report> run();

  private:
    client::Result<void> run_rounds(Clock::time_point begin);
    void load(Clock::time_point begin, client::Result<void>& result);

    const Options& options_;
    const Endpoint endpoint_;
    soak::Report report_;
    soak::Observed observed_;
};

client::Result<void> Soak::run_rounds(Clock::time_point begin) {
    Round round = options_.round;
    const double length = std::min(options_.seconds / kRoundsLeast, kRoundSecondsMax);
    round.load.seconds = length;
    while (since(begin) + length / 2.0 < options_.seconds) {
        const double at = since(begin);
        const auto result = run_round(round);
        if (!result) {
            return std::unexpected(result.error());
        }
        ++round.load.seed;
        ++report_.rounds;
        soak::add_round(*result, report_.orders);
        observed_.rounds.push_back({at, result->p99_us});
    }
    return {};
}

// Everything at once, until the rounds are over.
void Soak::load(Clock::time_point begin, client::Result<void>& result) {
    const ServerOptions& server = options_.round.server;
    const hostile::Crowd readers({endpoint_.host, endpoint_.port, server.token},
                                 {.peers = options_.slow_readers,
                                  .kinds = {hostile::Kind::kDeaf},
                                  .seed = options_.round.load.seed});
    soak::SideTraffic side({server, options_.round.map, options_.round.load.seed});
    result = run_rounds(begin);
    observed_.length_s = since(begin);
    report_.side = side.stop();
    for (const hostile::KindCounts& counts : readers.counts()) {
        report_.slow_readers += counts.connected;
    }
}

client::Result<soak::Report> Soak::run() {
    if (options_.process > 0) {
        observed_.before = soak::sample(options_.process);
        if (!observed_.before) {
            return std::unexpected(client::Failure{
                client::FailureKind::kRefused,
                "cannot look at process " + std::to_string(options_.process) +
                    "; give --pid the server's process on this machine, or leave it out",
                std::nullopt});
        }
    }
    client::Result<void> result;
    const auto begin = Clock::now();
    if (observed_.before) {
        soak::ProcessWatch watch(options_.process, begin, kSampleEvery);
        load(begin, result);
        observed_.samples = watch.stop();
        observed_.after = wait_for_leave(options_, *observed_.before);
        if (!observed_.after) {
            report_.faults.emplace_back("the server's process has ended");
        }
    } else {
        load(begin, result);
    }
    if (!result && report_.faults.empty()) {
        return std::unexpected(std::move(result.error()));
    }
    report_.seconds = observed_.length_s;
    report_.before = observed_.before;
    report_.after = observed_.after;
    report_.trends = soak::judge(observed_, options_.limits);
    std::ranges::move(soak::faults_of(report_.orders, report_.side),
                      std::back_inserter(report_.faults));
    report_.faults.insert(report_.faults.end(), report_.trends.faults.begin(),
                          report_.trends.faults.end());
    return report_;
}

int run_soak(Options options) {
    const auto endpoint = parse_endpoint(options.round.server.server);
    if (!endpoint) {
        return failed(endpoint.error().message);
    }
    if (options.minutes > 0.0) {
        constexpr double kSecondsPerMinute = 60.0;
        options.seconds = options.minutes * kSecondsPerMinute;
    }
    options.round.load.verify = true;
    options.round.load.follow = true;
    const auto report = Soak(options, *endpoint).run();
    if (!report) {
        return failed(report.error().message);
    }
    std::fputs(soak::table_of(*report).c_str(), stderr);
    if (options.json) {
        std::printf("%s\n", soak::json_of(*report).c_str());
    }
    return soak::passed(*report) ? kExitOk : kExitFailed;
}

void add_traffic_options(CLI::App& command, Options& options) {
    load::LoadOptions& load = options.round.load;
    load.rate = 400.0;
    load.units = 400;
    load.edits_per_second = 4.0;
    load.speed = 0.0;  // the client's own walking would take the time of its checks
    command.add_option("--rate", load.rate, "Orders a second")
        ->check(real_between(1.0, 1e5))
        ->capture_default_str();
    command.add_option("--units", load.units, "Units that are ordered about and followed")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    command.add_option("--connections", load.connections, "Connections that give orders")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    command.add_option("--edits-per-second", load.edits_per_second, "Buildings that rise")
        ->check(real_between(0.0, 1000.0))
        ->capture_default_str();
    command.add_option("--slow-readers", options.slow_readers, "Clients that ask and never read")
        ->check(CLI::Range(0, 1024))
        ->capture_default_str();
    command.add_option("--seed", load.seed, "The same seed, the same orders")
        ->capture_default_str();
}

void add_limit_options(CLI::App& command, soak::TrendLimits& limits) {
    command
        .add_option("--memory-growth-max", limits.memory_growth_percent,
                    "Percent that the server's memory may grow after the warm-up (5 minutes, or a "
                    "sixth of the run)")
        ->check(real_between(0.01, 1e4))
        ->capture_default_str();
    command
        .add_option("--latency-ratio-max", limits.latency_ratio,
                    "How many times the first third's 99th percentile the last third's may be")
        ->check(real_between(1.0, 1e4))
        ->capture_default_str();
}

}  // namespace

void add_soak_command(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand(
        "soak", "Load a server with everything at once for a long time, and look for trends");
    add_server_options(*command, options->round.server);
    command->add_option("--map", options->round.map, "Name of the map on the server")->required();
    command
        ->add_option("--pid", options->process,
                     "The server's process, whose memory, descriptors and threads are watched")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40U));
    const auto minutes = command->add_option("--minutes", options->minutes, "Length of the run")
                             ->check(real_between(0.1, 1e5));
    command->add_option("--seconds", options->seconds, "The same in seconds")
        ->check(real_between(6.0, 1e7))
        ->capture_default_str()
        ->excludes(minutes);
    add_traffic_options(*command, *options);
    add_limit_options(*command, options->limits);
    command->add_flag("--json", options->json, "Print one JSON object on one line");
    command->callback([options, &exit_code] { exit_code = run_soak(*options); });
}

}  // namespace outrider::cli
