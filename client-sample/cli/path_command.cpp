#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <memory>
#include <optional>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/draw.hpp"
#include "cli/exit_code.hpp"
#include "cli/map_picture.hpp"
#include "cli/options.hpp"
#include "cli/path_report.hpp"
#include "cli/png_file.hpp"
#include "cli/scale.hpp"
#include "cli/search_trace.hpp"
#include "cli/survey_options.hpp"
#include "outrider/base/mutex.hpp"
#include "outrider/model/path.hpp"

namespace outrider::cli {
namespace {

// Enough ground around the path to see what it goes around.
constexpr int kCropMargin = 8;

struct PathOptions {
    ServerOptions server;
    std::string map;
    std::string from;
    std::string to;
    std::string movement_class;
    std::string algorithm{"auto"};
    std::string priority{"normal"};
    std::string smooth{"none"};
    std::int32_t clearance{0};  // 0: the whole footprint
    double weight{1.0};
    std::uint32_t range{0};
    std::uint64_t deadline_ms{0};
    bool partial{false};
    bool leave_blocked_start{false};
    std::optional<std::uint64_t> ignore_obstacle;
    bool first_leg{false};
    bool cells{false};
    bool draw{false};
    bool explain{false};
    bool crop{false};
    bool json{false};
    std::string png;
    std::string trace;

    [[nodiscard]] bool wants_explored() const { return explain || !trace.empty(); }
};

codec::PathRequest request_of(const PathOptions& options, const Place& place) {
    codec::PathRequest request;
    request.map = place.map.id;
    request.query.movement_class = place.movement_class;
    request.query.start = *parse_cell(options.from);
    const model::Cell goal = *parse_cell(options.to);
    request.query.goal = {{goal.x, goal.y, 1, 1}, options.range};
    request.query.algorithm = *parse_algorithm(options.algorithm);
    request.query.weight_percent = *parse_weight(options.weight);
    request.query.allow_partial = options.partial;
    request.query.leave_blocked_start = options.leave_blocked_start;
    if (options.ignore_obstacle) {
        request.query.ignore_obstacle = model::ObstacleId{*options.ignore_obstacle};
    }
    request.query.explain = options.wants_explored();
    request.query.smoothing.grade = *parse_grade(options.smooth);
    if (options.clearance != 0) {
        request.query.smoothing.clearance = options.clearance;
    }
    request.priority = *parse_priority(options.priority);
    request.deadline_us = options.deadline_ms * 1000;
    request.first_leg = options.first_leg;
    request.format = options.cells ? codec::PathFormat::kCells : codec::PathFormat::kTurningPoints;
    return request;
}

struct Answers {
    std::optional<TimedLeg> leg;
    client::PathAnswer path;
    double elapsed_ms{};
};

client::Result<Answers> ask(client::Client& client, codec::PathRequest request) {
    const auto begin = std::chrono::steady_clock::now();
    const auto elapsed_ms = [begin] {
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
            .count();
    };
    // The leg comes on the client's thread, and after a timeout at any time.
    struct Told {
        base::Mutex mutex;
        std::optional<TimedLeg> leg OUTRIDER_GUARDED_BY(mutex);
    };
    const auto told = std::make_shared<Told>();
    auto path = client.path(std::move(request), [told, elapsed_ms](const client::FirstLeg& leg) {
        const base::Lock lock(told->mutex);
        told->leg = TimedLeg{leg, elapsed_ms()};
    });
    if (!path) {
        return std::unexpected(std::move(path.error()));
    }
    const base::Lock lock(told->mutex);
    return Answers{std::move(told->leg), *std::move(path), elapsed_ms()};
}

// The map of the version that the answer names may be gone; the picture shows the newest.
base::Result<Picture> path_picture(client::Client& client, const PathOptions& options,
                                   const Place& place, const Answers& answers) {
    const client::PathAnswer& answer = answers.path;
    const auto snapshot = newest_snapshot(client, place);
    if (!snapshot) {
        return std::unexpected(snapshot.error());
    }
    Picture picture = picture_of(**snapshot, place.movement_class);
    const std::vector<model::Cell> cells =
        answer.cells.empty() ? model::cells_of(answer.result.turning_points) : answer.cells;
    if (options.explain) {
        lay_explored(picture, answer.result.explored);
    }
    lay_cells(picture, cells, Overlay::kPath);
    if (answers.leg) {
        lay_cells(picture, model::cells_of(answers.leg->told.leg.turning_points),
                  Overlay::kFirstLeg);
    }
    lay_smooth(picture, answer.result.smooth.points);
    const model::Cell start = *parse_cell(options.from);
    const model::Cell goal = *parse_cell(options.to);
    picture.lay(goal, Overlay::kGoal);
    picture.lay(start, Overlay::kStart);
    if (options.crop) {
        std::vector<model::Cell> shown = cells;
        shown.push_back(start);
        shown.push_back(goal);
        picture = crop(picture, bounds_of(shown, kCropMargin));
    }
    return picture;
}

base::Result<void> write_trace(const PathOptions& options, const Place& place,
                               const client::PathAnswer& answer) {
    std::ofstream file(options.trace);
    file << search_trace(answer.result, place.map.width, *parse_cell(options.from),
                         *parse_cell(options.to));
    file.close();
    if (!file) {
        return base::fail("cannot write " + options.trace + "; choose another place for it");
    }
    return {};
}

// The pictures and files that the options ask for.
base::Result<void> show(client::Client& client, const PathOptions& options, const Place& place,
                        const Answers& answers) {
    const bool drawn = (options.draw || options.explain) && !options.json;
    if (drawn || !options.png.empty()) {
        const auto picture = path_picture(client, options, place, answers);
        if (!picture) {
            return std::unexpected(picture.error());
        }
        if (drawn) {
            const Terminal terminal = detect_terminal(STDOUT_FILENO);
            std::fputs(draw_fitted(*picture, terminal, 0).c_str(), stdout);
            std::fputs(legend(*picture, terminal.colour).c_str(), stdout);
        }
        if (const auto written =
                options.png.empty() ? base::Result<void>{} : write_png(*picture, options.png);
            !written) {
            return written;
        }
    }
    return options.trace.empty() ? base::Result<void>{} : write_trace(options, place, answers.path);
}

int run_path(const PathOptions& options) {
    auto client = connect_to(options.server);
    if (!client) {
        return failed(client.error().message);
    }
    const auto place = find_place(**client, options.map, options.movement_class);
    if (!place) {
        return failed(place.error().message);
    }
    const auto answers = ask(**client, request_of(options, *place));
    if (!answers) {
        return failed(answers.error().message);
    }
    const client::PathAnswer& answer = answers->path;
    if (const auto shown = show(**client, options, *place, *answers); !shown) {
        return failed(shown.error().message);
    }
    if (options.json) {
        std::printf("%s\n",
                    json_of(answer, answers->elapsed_ms, options.explain, answers->leg).c_str());
    } else {
        if (answers->leg) {
            std::printf("%s\n", summary_of(*answers->leg).c_str());
        }
        std::printf("%s\n", summary_of(answer, answers->elapsed_ms).c_str());
    }
    if (!answer.arrived()) {
        std::fprintf(stderr, "outrider: %s\n", advice_for(answer).c_str());
    }
    const bool useful = answer.arrived() || answer.result.outcome == model::Outcome::kPartial;
    return useful ? kExitOk : kExitFailed;
}

void add_question_options(CLI::App& command, PathOptions& options) {
    command.add_option("--map", options.map, "Name of the map on the server")->required();
    command.add_option("--from", options.from, "Start cell")
        ->required()
        ->check(checked(parse_cell, "X,Y"));
    command.add_option("--to", options.to, "Goal cell")
        ->required()
        ->check(checked(parse_cell, "X,Y"));
    command.add_option("--class", options.movement_class,
                       "Movement class (default: the map's first)");
    command
        .add_option("--algorithm", options.algorithm, "auto, dijkstra, astar, jps, fast or terrain")
        ->check(checked(parse_algorithm, "NAME"))
        ->capture_default_str();
    command.add_option("--weight", options.weight, "Weighted A*: 1.5 may be half as long again")
        ->check(real_between(1.0, 10.0))
        ->capture_default_str();
    command.add_option("--smooth", options.smooth, "none, waypoints or corners: straight lines")
        ->check(checked(parse_grade, "NAME"))
        ->capture_default_str();
    command
        .add_option("--clearance", options.clearance,
                    "With --smooth corners: how far from walls, in 1/256 cells (default: 128, all "
                    "of the unit passes)")
        ->check(CLI::Range(model::kClearanceMin, model::kClearanceMax));
    command.add_option("--range", options.range, "Arriving within so many cells is enough");
    command.add_option("--priority", options.priority, "low, normal, high or urgent")
        ->check(checked(parse_priority, "NAME"))
        ->capture_default_str();
    command.add_option("--deadline-ms", options.deadline_ms, "Give up after this time (0: never)")
        ->check(CLI::Range(std::uint64_t{0}, codec::kDeadlineUsMax / 1000));
    command.add_flag("--partial", options.partial, "Go as near as possible");
    command.add_flag("--leave-blocked-start", options.leave_blocked_start,
                     "A unit on a blocked cell may walk off it");
    command
        .add_option("--ignore-obstacle", options.ignore_obstacle,
                    "As if this obstacle were not there: the unit's own")
        ->check(checked(parse_whole, "ID"));
}

}  // namespace

void add_path_command(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<PathOptions>();
    CLI::App* command = app.add_subcommand("path", "Ask a server for one path");
    add_server_options(*command, options->server);
    add_question_options(*command, *options);
    command->add_flag("--first-leg", options->first_leg,
                      "Also hear where the path begins, before a long search is over");
    command->add_flag("--cells", options->cells, "Every cell, not only the turning points");
    command->add_flag("--draw", options->draw, "Print the map with the path");
    command->add_flag("--explain", options->explain,
                      "Print the map with what the search looked at, too");
    command->add_flag("--crop", options->crop, "Show only the ground around the path");
    command->add_option("--png", options->png, "Write the picture to this file")->type_name("FILE");
    command
        ->add_option("--trace", options->trace,
                     "Write what the search looked at as a trace for the Posthoc visualiser")
        ->check(checked(parse_trace_file, "FILE.trace.json"));
    command->add_flag("--json", options->json, "Print one JSON object on one line");
    command->callback([options, &exit_code] { exit_code = run_path(*options); });
}

}  // namespace outrider::cli
