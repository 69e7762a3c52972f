#include <cstdio>

#include "cli/arguments.hpp"
#include "cli/asker.hpp"
#include "cli/bursts.hpp"
#include "cli/commands.hpp"
#include "cli/cpu_timer.hpp"
#include "cli/exit_code.hpp"
#include "cli/path_check.hpp"
#include "cli/scen_report.hpp"
#include "outrider/map/map_file.hpp"

namespace outrider::cli {
namespace {

constexpr model::Terrain kOpenTerrain = '.';

struct DynamicOptions {
    std::string scen_file;
    std::string map_file;
    std::string algorithm{"auto"};
    bool json{false};
};

base::Result<map::Grid> start_grid(const DynamicOptions& options,
                                   const client::DynamicScenario& scenario) {
    if (options.map_file.empty()) {
        const auto cells =
            static_cast<std::size_t>(scenario.width) * static_cast<std::size_t>(scenario.height);
        return map::Grid{scenario.width, scenario.height,
                         std::vector<model::Terrain>(cells, kOpenTerrain)};
    }
    auto grid = map::read_map_file(options.map_file);
    if (grid && (grid->width != scenario.width || grid->height != scenario.height)) {
        return base::fail(options.map_file + " is " + std::to_string(grid->width) + " x " +
                          std::to_string(grid->height) + ", the scenario wants " +
                          std::to_string(scenario.width) + " x " + std::to_string(scenario.height));
    }
    return grid;
}

class DynamicRun {
  public:
    DynamicRun(map::Store& store, model::Algorithm algorithm)
        : store_(store), algorithm_(algorithm), asker_(store) {
        report_.patches.emplace();
    }

    // The first failure, if any.
    client::Result<void> run(std::vector<Step> steps) {
        for (Step& step : steps) {
            client::Result<void> done;
            if (auto* burst = std::get_if<Burst>(&step)) {
                done = apply(*burst);
            } else {
                done = ask(std::get<client::ScenarioQuery>(step));
            }
            if (!done) {
                return done;
            }
        }
        return {};
    }
    [[nodiscard]] const ScenReport& report() const { return report_; }

  private:
    client::Result<void> apply(Burst& burst) {
        const CpuTimer timer;
        for (model::EditBatch& batch : burst.batches) {
            if (const auto receipt = store_.apply(std::move(batch)); !receipt) {
                return std::unexpected(client::failure_of(receipt.error()));
            }
        }
        const double share_us = timer.elapsed_us() / static_cast<double>(burst.patches);
        report_.patches->patches += burst.patches;
        report_.patches->batches += burst.batches.size();
        for (std::size_t index = 0; index < burst.patches; ++index) {
            report_.patches->patch_us.add(share_us);
        }
        return {};
    }

    client::Result<void> ask(const client::ScenarioQuery& item) {
        model::PathQuery query;
        query.start = item.start;
        query.goal = {{item.goal.x, item.goal.y, 1, 1}, 0};
        query.algorithm = algorithm_;
        const auto answer = asker_.ask(query);
        if (!answer) {
            return std::unexpected(answer.error());
        }
        const auto snapshot = store_.snapshot();
        report_.add(item, answer->result, answer->elapsed_us,
                    path_fault(*snapshot->layer({0}), query, answer->result));
        return {};
    }

    map::Store& store_;
    model::Algorithm algorithm_;
    LocalAsker asker_;
    ScenReport report_;
};

int run_dynamic(const DynamicOptions& options) {
    const auto scenario = client::read_dynamic_file(options.scen_file);
    if (!scenario) {
        return failed(scenario.error().message);
    }
    auto grid = start_grid(options, *scenario);
    if (!grid) {
        return failed(grid.error().message);
    }
    auto store = map::Store::create(std::move(*grid), {model::ground_class()});
    if (!store) {
        return failed(store.error().message);
    }
    DynamicRun run(**store, *parse_algorithm(options.algorithm));
    if (const auto done = run.run(steps_of(*scenario)); !done) {
        return failed(done.error().message);
    }
    const ScenReport& report = run.report();
    if (report.queries == 0) {
        return failed(options.scen_file + " holds no query: was it cut off?");
    }
    std::fputs((options.json ? json_of(report) + "\n" : table_of(report)).c_str(), stdout);
    for (const std::string& example : report.examples) {
        std::fprintf(stderr, "outrider: mismatch: %s\n", example.c_str());
    }
    return report.mismatches == 0 ? kExitOk : kExitFailed;
}

}  // namespace

void add_dynamic_command(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<DynamicOptions>();
    CLI::App* command = app.add_subcommand(
        "dynamic", "Patches and queries in turn, in process (competition scenarios, version 2)");
    command
        ->add_option("--scen", options->scen_file, "The scenario file; its patches lie beside it")
        ->required()
        ->check(CLI::ExistingFile);
    command->add_option("--map", options->map_file, "The map to start from (default: all open)")
        ->check(CLI::ExistingFile);
    command
        ->add_option("--algorithm", options->algorithm,
                     "auto, dijkstra, astar, jps, fast or terrain")
        ->check(checked(parse_algorithm, "NAME"))
        ->capture_default_str();
    command->add_flag("--json", options->json, "Print one JSON object on one line");
    command->footer(
        "Patches without a query between them make one edit batch, as a game sends the\n"
        "changes of one tick; a patch's time is its share of the batch's. What an edit\n"
        "leaves to the next query (joining regions) counts for that query.");
    command->callback([options, &exit_code] { exit_code = run_dynamic(*options); });
}

}  // namespace outrider::cli
