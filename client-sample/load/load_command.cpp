#include <unistd.h>

#include <cstdio>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "cli/terminal.hpp"
#include "load/clients.hpp"
#include "load/push_log.hpp"
#include "load/runner.hpp"
#include "load/verifier.hpp"

namespace outrider::cli {
namespace {

constexpr std::chrono::seconds kPushPatience{5};

struct Options {
    ServerOptions server;
    std::string map;
    load::LoadOptions load;
    bool json{false};
};

class LoadTest {
  public:
    LoadTest(const Options& options, load::Clients clients, Place place)
        : options_(options), clients_(std::move(clients)), place_(std::move(place)) {}

    client::Result<load::Report> run();

  private:
    // The map before and after the run.
    struct Ends {
        const codec::MapState& begin;
        const std::optional<codec::MapState>& end;  // nothing when the server did not send it
    };

    client::Result<codec::MapState> watch();
    client::Result<std::unique_ptr<load::Battle>> muster(load::Traffic& traffic,
                                                         std::unique_ptr<map::Store> store) const;
    void wait_for_pushes(const load::Runner& runner, load::Report& report) const;
    static void note_cache(const client::Result<codec::StatsReply>& before,
                           const client::Result<codec::StatsReply>& after, load::Report& report);
    void demolish(load::Runner& runner);
    client::Result<void> verify(const load::Runner& runner, const Ends& ends,
                                load::Report& report) const;
    void show_check_progress(std::uint64_t checked, std::uint64_t total) const;

    const Options& options_;
    std::shared_ptr<load::PushLog> pushes_{std::make_shared<load::PushLog>()};
    load::Clients clients_;
    Place place_;
};

client::Result<codec::MapState> LoadTest::watch() {
    client::Watch watch;
    watch.on_edit = [log = pushes_](const codec::MapEdited& edited) { log->add(edited); };
    return clients_.front()->watch(place_.map.id, std::move(watch));
}

// None when units do not walk.
client::Result<std::unique_ptr<load::Battle>> LoadTest::muster(
    load::Traffic& traffic, std::unique_ptr<map::Store> store) const {
    using Seconds = std::chrono::duration<double>;
    const double cells_per_tick = options_.load.speed * Seconds(load::kWalkEvery).count();
    const auto speed =
        static_cast<model::Cost>(cells_per_tick * static_cast<double>(model::kCostPerCell));
    if (speed == 0) {
        return nullptr;
    }
    auto battle = std::make_unique<load::Battle>(std::move(store), pushes_,
                                                 units::Traits{place_.movement_class, speed, 0});
    for (std::uint32_t unit = 0; unit < options_.load.units; ++unit) {
        if (!battle->muster(traffic.positions()[unit])) {
            return std::unexpected(client::Failure{
                client::FailureKind::kRefused,
                "the map has room for " + std::to_string(unit) + " units, not for " +
                    std::to_string(options_.load.units) + ": ask for fewer with --units",
                {}});
        }
        traffic.moved(unit, battle->units()[unit].at);
    }
    return battle;
}

client::Result<load::Report> LoadTest::run() {
    auto state = watch();
    if (!state) {
        return std::unexpected(std::move(state.error()));
    }
    auto store = client::store_of(*state);
    if (!store) {
        return std::unexpected(std::move(store.error()));
    }
    const auto snapshot = (*store)->snapshot();
    if (!load::has_open_cell(*snapshot->layer(place_.movement_class))) {
        return std::unexpected(client::Failure{
            client::FailureKind::kRefused, "the map has no open cell to stand on", {}});
    }
    load::Traffic traffic(*snapshot->layer(place_.movement_class),
                          {options_.load.units, options_.load.group_share, options_.load.seed});
    std::vector<client::Client*> pointers;
    for (const auto& client : clients_) {
        pointers.push_back(client.get());
    }
    auto battle = muster(traffic, std::move(*store));
    if (!battle) {
        return std::unexpected(std::move(battle.error()));
    }
    load::Runner runner(pointers, place_.map.id, place_.movement_class, std::move(traffic),
                        options_.load);
    runner.walk(std::move(*battle));
    // Callbacks use the runner: none may come after it is gone.
    const load::Closer closer(clients_);
    const auto before = clients_.front()->stats();
    runner.run();
    load::Report report = runner.report();
    note_cache(before, clients_.front()->stats(), report);
    std::optional<codec::MapState> end;
    if (options_.load.verify) {
        wait_for_pushes(runner, report);
        if (auto whole = clients_.front()->map_state(place_.map.id)) {
            end = *std::move(whole);
        }
    }
    report.pushes = pushes_->count();
    runner.stop_recording();
    // Before the check, during which the server may end the session as idle.
    demolish(runner);
    if (options_.load.verify) {
        // Whose path is followed may still hear of edits: nothing is recorded from here on.
        for (const auto& client : clients_) {
            client->close();
        }
        if (auto verified = verify(runner, {*state, end}, report); !verified) {
            return std::unexpected(std::move(verified.error()));
        }
    }
    return report;
}

void LoadTest::wait_for_pushes(const load::Runner& runner, load::Report& report) const {
    if (runner.acknowledged() > 0 && !pushes_->wait_for(runner.acknowledged(), kPushPatience)) {
        std::fprintf(stderr, "outrider: the push of version %llu never came\n",
                     static_cast<unsigned long long>(runner.acknowledged()));
        ++report.wrong;
    }
}

void LoadTest::note_cache(const client::Result<codec::StatsReply>& before,
                          const client::Result<codec::StatsReply>& after, load::Report& report) {
    if (!before || !after) {
        return;  // a server that does not count
    }
    report.cache_hits = after->cache_hits - before->cache_hits;
    report.cache_carried = after->cache_carried - before->cache_carried;
    const std::uint64_t looked_up =
        report.cache_hits + (after->cache_misses - before->cache_misses);
    if (looked_up > 0) {
        report.cache_hit_rate =
            static_cast<double>(report.cache_hits) / static_cast<double>(looked_up);
    }
}

void LoadTest::demolish(load::Runner& runner) {
    model::EditBatch rest = runner.clean_up();
    if (rest.edits.empty()) {
        return;
    }
    if (const auto reply = clients_.front()->edit(place_.map.id, std::move(rest)); !reply) {
        std::fprintf(stderr, "outrider: the run's buildings stay: %s\n",
                     reply.error().message.c_str());
    }
}

void LoadTest::show_check_progress(std::uint64_t checked, std::uint64_t total) const {
    if (options_.load.progress) {
        std::fprintf(stderr, "\r\x1b[Kchecked %llu of %llu answers",
                     static_cast<unsigned long long>(checked),
                     static_cast<unsigned long long>(total));
    }
}

client::Result<void> LoadTest::verify(const load::Runner& runner, const Ends& ends,
                                      load::Report& report) const {
    auto store = client::store_of(ends.begin);
    if (!store) {
        return std::unexpected(std::move(store.error()));
    }
    const client::LandmarkNews landmarks(ends.begin.info);
    load::Verifier verifier({std::move(*store), landmarks}, pushes_->batches(),
                            place_.movement_class);
    const load::Findings findings =
        verifier.check(runner.recorder(), [this](std::uint64_t checked, std::uint64_t total) {
            show_check_progress(checked, total);
        });
    if (options_.load.progress) {
        std::fputs("\r\x1b[K", stderr);
    }
    report.wrong += findings.wrong;
    report.verified = findings.checked;
    report.other_paths = findings.other_paths;
    report.unverified = runner.recorder().skipped();
    for (const std::string& example : findings.examples) {
        std::fprintf(stderr, "outrider: wrong: %s\n", example.c_str());
    }
    if (ends.end && !verifier.equals(*ends.end)) {
        std::fputs("outrider: wrong: the replayed map differs from the server's\n", stderr);
        ++report.wrong;
    }
    return {};
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
    LoadTest test(options, std::move(*clients), std::move(*place));
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
