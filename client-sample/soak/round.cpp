#include "soak/round.hpp"

#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include "load/clients.hpp"
#include "load/push_log.hpp"
#include "load/runner.hpp"
#include "load/verifier.hpp"
#include "outrider/client/map_mirror.hpp"

namespace outrider::soak {
namespace {

constexpr std::chrono::seconds kPushPatience{10};

client::Failure refused(std::string message) {
    return {client::FailureKind::kRefused, std::move(message), std::nullopt};
}

void check(load::Verifier& verifier, const load::Runner& runner, const codec::MapState& end,
           load::Report& report) {
    const load::Findings findings =
        verifier.check(runner.recorder(), [](std::uint64_t, std::uint64_t) {});
    report.verified = findings.checked;
    report.other_paths = findings.other_paths;
    report.unverified = runner.recorder().skipped();
    report.wrong += findings.wrong;
    for (const std::string& example : findings.examples) {
        std::fprintf(stderr, "outrider: wrong: %s\n", example.c_str());
    }
    if (!verifier.equals(end)) {
        std::fputs("outrider: wrong: the replayed map differs from the server's\n", stderr);
        ++report.wrong;
    }
}

void demolish(client::Client& client, model::MapId map, load::Runner& runner) {
    model::EditBatch rest = runner.clean_up();
    if (!rest.edits.empty()) {
        (void)client.edit(map, std::move(rest));
    }
}

}  // namespace

client::Result<load::Report> run_round(const RoundOptions& options) {
    auto clients = load::open_clients(options.server, options.load.connections);
    if (!clients) {
        return std::unexpected(std::move(clients.error()));
    }
    client::Client& first = *clients->front();
    const auto place = cli::find_place(first, options.map, "");
    if (!place) {
        return std::unexpected(refused(place.error().message));
    }
    const auto pushes = std::make_shared<load::PushLog>();
    client::Watch watch;
    watch.on_edit = [pushes](const codec::MapEdited& edited) { pushes->add(edited); };
    auto state = first.watch(place->map.id, std::move(watch));
    if (!state) {
        return std::unexpected(std::move(state.error()));
    }
    auto store = client::store_of(*state);
    if (!store) {
        return std::unexpected(std::move(store.error()));
    }
    const auto snapshot = (*store)->snapshot();
    const map::Layer& layer = *snapshot->layer(place->movement_class);
    if (!load::has_open_cell(layer)) {
        return std::unexpected(refused("the map has no open cell to stand on"));
    }
    std::vector<client::Client*> pointers;
    for (const auto& client : *clients) {
        pointers.push_back(client.get());
    }
    load::Runner runner(
        pointers, place->map.id, place->movement_class,
        load::Traffic(layer, {options.load.units, options.load.group_share, options.load.seed}),
        options.load);
    // Callbacks use the runner: none may come after it is gone.
    const load::Closer closer(*clients);
    runner.run();
    load::Report report = runner.report();
    if (runner.acknowledged() > 0 && !pushes->wait_for(runner.acknowledged(), kPushPatience)) {
        std::fputs("outrider: wrong: the push of an edit never came\n", stderr);
        ++report.wrong;
    }
    const auto end = first.map_state(place->map.id);
    if (!end) {
        return std::unexpected(end.error());
    }
    runner.stop_recording();
    demolish(first, place->map.id, runner);
    for (const auto& client : *clients) {
        client->close();
    }
    // `equals` plays the pushes up to the version of `end`, which came before this moment.
    if (!pushes->wait_for(end->info.version, kPushPatience) &&
        end->info.version > state->info.version) {
        ++report.wrong;
    }
    load::Verifier verifier({std::move(*store), client::LandmarkNews(state->info)},
                            pushes->batches(), place->movement_class);
    check(verifier, runner, *end, report);
    return report;
}

}  // namespace outrider::soak
