#include "load/load_test.hpp"

#include <cstdio>
#include <utility>

#include "load/runner.hpp"

namespace outrider::load {
namespace {

constexpr std::chrono::seconds kPushPatience{10};

}  // namespace

LoadTest::LoadTest(const LoadOptions& options, Clients clients, cli::Place place,
                   Verifier::Progress checking)
    : options_(options),
      clients_(std::move(clients)),
      place_(std::move(place)),
      checking_(std::move(checking)) {}

client::Result<codec::MapState> LoadTest::watch() {
    client::Watch watch;
    watch.on_edit = [log = pushes_](const codec::MapEdited& edited) { log->add(edited); };
    watch.on_dropped = [log = pushes_](const codec::MapDropped&) { log->end(); };
    return clients_.front()->watch(place_.map.id, std::move(watch));
}

// None when units do not walk.
client::Result<std::unique_ptr<Battle>> LoadTest::muster(Traffic& traffic,
                                                         std::unique_ptr<map::Store> store) const {
    using Seconds = std::chrono::duration<double>;
    const double cells_per_tick = options_.speed * Seconds(kWalkEvery).count();
    const auto speed =
        static_cast<model::Cost>(cells_per_tick * static_cast<double>(model::kCostPerCell));
    if (speed == 0) {
        return nullptr;
    }
    auto battle = std::make_unique<Battle>(std::move(store), pushes_,
                                           units::Traits{place_.movement_class, speed, 0});
    for (std::uint32_t unit = 0; unit < options_.units; ++unit) {
        if (!battle->muster(traffic.positions()[unit])) {
            return std::unexpected(client::Failure{
                client::FailureKind::kRefused,
                "the map has room for " + std::to_string(unit) + " units, not for " +
                    std::to_string(options_.units) + ": ask for fewer with --units",
                {}});
        }
        traffic.moved(unit, battle->units()[unit].at);
    }
    return battle;
}

client::Result<Report> LoadTest::run() {
    auto state = watch();
    if (!state) {
        return std::unexpected(std::move(state.error()));
    }
    auto store = client::store_of(*state);
    if (!store) {
        return std::unexpected(std::move(store.error()));
    }
    const auto snapshot = (*store)->snapshot();
    if (!has_open_cell(*snapshot->layer(place_.movement_class))) {
        return std::unexpected(client::Failure{
            client::FailureKind::kRefused, "the map has no open cell to stand on", {}});
    }
    Traffic traffic(*snapshot->layer(place_.movement_class),
                    {options_.units, options_.group_share, options_.seed});
    std::vector<client::Client*> pointers;
    for (const auto& client : clients_) {
        pointers.push_back(client.get());
    }
    auto battle = muster(traffic, std::move(*store));
    if (!battle) {
        return std::unexpected(std::move(battle.error()));
    }
    Runner runner(pointers, {place_.map.id, place_.movement_class, pushes_}, std::move(traffic),
                  options_);
    runner.walk(std::move(*battle));
    // Callbacks use the runner: none may come after it is gone.
    const Closer closer(clients_);
    const auto before = clients_.front()->stats();
    runner.run();
    Report report = runner.report();
    note_cache(before, clients_.front()->stats(), report);
    std::optional<codec::MapState> end;
    if (options_.verify) {
        wait_for_pushes(runner, report);
        if (auto whole = clients_.front()->map_state(place_.map.id)) {
            end = *std::move(whole);
            // Its last pushes may come behind it.
            if (end->info.version > state->info.version) {
                (void)pushes_->wait_for(end->info.version, kPushPatience);
            }
        }
    }
    report.pushes = pushes_->count();
    runner.stop_recording();
    // Before the check, during which the server may end the session as idle.
    demolish(runner, report);
    report.map_dropped = pushes_->ended();
    if (options_.verify) {
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

void LoadTest::wait_for_pushes(const Runner& runner, Report& report) const {
    // An edit amid the drop of its map is acknowledged and pushed to nobody.
    if (runner.acknowledged() > 0 && !pushes_->wait_for(runner.acknowledged(), kPushPatience) &&
        !pushes_->ended()) {
        std::fprintf(stderr, "outrider: the push of version %llu never came\n",
                     static_cast<unsigned long long>(runner.acknowledged()));
        ++report.wrong;
    }
}

void LoadTest::note_cache(const client::Result<codec::StatsReply>& before,
                          const client::Result<codec::StatsReply>& after, Report& report) {
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

void LoadTest::demolish(Runner& runner, Report& report) {
    model::EditBatch rest = runner.clean_up();
    if (rest.edits.empty() || pushes_->ended()) {
        return;
    }
    if (const auto reply = clients_.front()->edit(place_.map.id, std::move(rest)); !reply) {
        ++(reply.error().kind == client::FailureKind::kRefused ? report.edits_refused
                                                               : report.edits_lost);
        std::fprintf(stderr, "outrider: the run's buildings stay: %s\n",
                     reply.error().message.c_str());
    }
}

client::Result<void> LoadTest::verify(const Runner& runner, const Ends& ends,
                                      Report& report) const {
    auto store = client::store_of(ends.begin);
    if (!store) {
        return std::unexpected(std::move(store.error()));
    }
    Verifier verifier({std::move(*store), client::LandmarkNews(ends.begin.info)},
                      pushes_->batches(), place_.movement_class);
    const Findings findings = verifier.check(runner.recorder(), checking_);
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

}  // namespace outrider::load
