#include <cstdio>
#include <filesystem>

#include "cli/arguments.hpp"
#include "cli/asker.hpp"
#include "cli/commands.hpp"
#include "cli/cpu_timer.hpp"
#include "cli/exit_code.hpp"
#include "cli/path_check.hpp"
#include "cli/sample_evenly.hpp"
#include "cli/scen_report.hpp"
#include "outrider/map/map_file.hpp"
#include "outrider/map/terrain_layer.hpp"
#include "outrider/search/landmark_builder.hpp"

namespace outrider::cli {
namespace {

struct ScenOptions {
    std::string map_file;
    std::string scen_file;
    ServerOptions server{.server = {}};
    std::string map_name;
    std::string algorithm{"auto"};
    std::uint32_t repeat{1};
    std::size_t sample{0};
    std::string landmarks{"on"};
    bool json{false};
};

// Where the queries go. What it owns must outlive the asker.
struct Setup {
    std::unique_ptr<map::Store> store;
    std::unique_ptr<client::Client> client;
    model::ClassId movement_class{0};
    std::unique_ptr<Asker> asker;
};

// As a server would have built them by the time that its players are there.
void build_landmarks(map::Store& store) {
    const auto snapshot = store.snapshot();
    const auto cells =
        static_cast<std::size_t>(snapshot->width()) * static_cast<std::size_t>(snapshot->height());
    if (cells < map::Landmarks::kMapCellsMin) {
        return;
    }
    const CpuTimer timer;
    search::LandmarkBuilder builder(map::make_terrain_layer(*snapshot, {0}));
    while (builder.step(cells)) {
    }
    auto landmarks = builder.take();
    if (landmarks &&
        store.adopt_landmarks({0}, snapshot->version(), std::move(landmarks)).has_value()) {
        std::fprintf(stderr, "outrider: landmarks built in %.1f ms, before the clock starts\n",
                     timer.elapsed_us() / 1000);
    }
}

base::Result<Setup> set_up(const ScenOptions& options) {
    Setup setup;
    auto grid = map::read_map_file(options.map_file);
    if (!grid) {
        return std::unexpected(std::move(grid.error()));
    }
    auto store = map::Store::create(std::move(*grid), {model::ground_class()});
    if (!store) {
        return std::unexpected(std::move(store.error()));
    }
    setup.store = std::move(*store);
    if (options.server.server.empty()) {
        if (options.landmarks == "on") {
            build_landmarks(*setup.store);
        }
        setup.asker = std::make_unique<LocalAsker>(*setup.store);
        return setup;
    }
    auto client = connect_to(options.server);
    if (!client) {
        return base::fail(std::move(client.error().message));
    }
    setup.client = std::move(*client);
    const std::string name = options.map_name.empty()
                                 ? std::filesystem::path(options.map_file).stem().string()
                                 : options.map_name;
    const auto place = find_place(*setup.client, name, model::ground_class().name);
    if (!place) {
        return std::unexpected(place.error());
    }
    setup.movement_class = place->movement_class;
    setup.asker = std::make_unique<ServerAsker>(*setup.client, place->map.id);
    return setup;
}

client::Result<ScenReport> run_pass(Setup& setup, const std::vector<client::ScenarioQuery>& queries,
                                    model::Algorithm algorithm) {
    const auto snapshot = setup.store->snapshot();
    const map::Layer& layer = *snapshot->layer({0});
    ScenReport report;
    report.query_us.reserve(queries.size());
    for (const client::ScenarioQuery& item : queries) {
        model::PathQuery query;
        query.movement_class = setup.movement_class;
        query.start = item.start;
        query.goal = {{item.goal.x, item.goal.y, 1, 1}, 0};
        query.algorithm = algorithm;
        const auto answer = setup.asker->ask(query);
        if (!answer) {
            return std::unexpected(answer.error());
        }
        report.add(item, answer->result, answer->elapsed_us,
                   path_fault(layer, query, answer->result));
    }
    return report;
}

int run_scen(const ScenOptions& options) {
    const auto scenario = client::read_scenario_file(options.scen_file);
    if (!scenario) {
        return failed(scenario.error().message);
    }
    if (scenario->queries.empty()) {
        return failed(options.scen_file + " holds no query: was it cut off?");
    }
    auto setup = set_up(options);
    if (!setup) {
        return failed(setup.error().message);
    }
    const auto queries = sample_evenly(scenario->queries, options.sample);
    std::optional<ScenReport> best;
    for (std::uint32_t pass = 0; pass < options.repeat; ++pass) {
        auto report = run_pass(*setup, queries, *parse_algorithm(options.algorithm));
        if (!report) {
            return failed(report.error().message);
        }
        // A mismatch in any pass counts, however fast another was.
        if (!best || report->mismatches > best->mismatches ||
            (report->mismatches == best->mismatches &&
             report->query_us.mean() < best->query_us.mean())) {
            best = std::move(*report);
        }
    }
    std::fputs((options.json ? json_of(*best) + "\n" : table_of(*best)).c_str(), stdout);
    for (const std::string& example : best->examples) {
        std::fprintf(stderr, "outrider: mismatch: %s\n", example.c_str());
    }
    return best->mismatches == 0 ? kExitOk : kExitFailed;
}

}  // namespace

void add_scen_command(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<ScenOptions>();
    CLI::App* command =
        app.add_subcommand("scen", "Answer every query of a MovingAI scenario and compare lengths");
    command->add_option("--map", options->map_file, "The map file")
        ->required()
        ->check(CLI::ExistingFile);
    command->add_option("--scen", options->scen_file, "The scenario file")
        ->required()
        ->check(CLI::ExistingFile);
    add_server_options(*command, options->server);
    command->get_option("--server")->description("Ask this server (default: in process)");
    command->add_option("--map-name", options->map_name,
                        "The map's name on the server (default: the file's stem)");
    command
        ->add_option("--algorithm", options->algorithm,
                     "auto, dijkstra, astar, jps, fast or terrain")
        ->check(checked(parse_algorithm, "NAME"))
        ->capture_default_str();
    command->add_option("--repeat", options->repeat, "Passes; the fastest one's times are printed")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    command->add_option("--sample", options->sample, "So many queries, evenly spread (0: all)")
        ->check(checked(parse_whole, "NUMBER"))
        ->capture_default_str();
    command
        ->add_option("--landmarks", options->landmarks,
                     "on or off: build landmarks first, in process (a server builds its own)")
        ->check(CLI::IsMember({"on", "off"}))
        ->capture_default_str();
    command->add_flag("--json", options->json, "Print one JSON object on one line");
    command->callback([options, &exit_code] { exit_code = run_scen(*options); });
}

}  // namespace outrider::cli
