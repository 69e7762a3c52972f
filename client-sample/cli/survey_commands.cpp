#include <cmath>
#include <cstdio>
#include <memory>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/formation.hpp"
#include "cli/survey_options.hpp"
#include "cli/survey_report.hpp"
#include "outrider/base/limits.hpp"
#include "outrider/model/cost.hpp"
#include "outrider/model/path.hpp"

namespace outrider::cli {
namespace {

using Query = decltype(model::Survey::query);
using Lay = std::function<void(Picture& picture, const Surveyed& surveyed)>;

// No path is longer on the largest map.
constexpr double kBudgetCellsMax = 67'108'864;

int run(const SurveyOptions& options, const MakeQuery& make_query, const Lay& lay) {
    auto surveyed = ask_survey(options, make_query);
    if (!surveyed) {
        return failed(surveyed.error().message);
    }
    if ((options.draw && !options.json) || !options.png.empty()) {
        auto picture = picture_of(*surveyed);
        if (!picture) {
            return failed(picture.error().message);
        }
        lay(*picture, *surveyed);
        if (const auto shown = show(*picture, options); !shown) {
            return failed(shown.error().message);
        }
    }
    std::printf("%s\n", (options.json ? json_of(*surveyed) : summary_of(*surveyed)).c_str());
    return is_useful(*surveyed) ? kExitOk : kExitFailed;
}

void lay_nothing(Picture&, const Surveyed&) {}

model::Goal goal_at(const std::string& cell, std::uint32_t range) {
    const model::Cell at = *parse_cell(cell);
    return {{at.x, at.y, 1, 1}, range};
}

void lay_way(Picture& picture, std::span<const model::Cell> turning_points, Overlay end) {
    if (!turning_points.empty()) {
        lay_cells(picture, model::cells_of(turning_points), Overlay::kPath);
        picture.lay(turning_points.back(), end);
    }
}

// --- group

struct GroupOptions {
    SurveyOptions common;
    std::vector<std::string> from;
    std::string from_rect;
    std::string to;
    std::uint32_t range{0};
    bool partial{false};
    bool own_ends{false};
    std::string formation{"none"};
};

base::Result<Query> group_query(const GroupOptions& options, client::Client& client,
                                const Place& place) {
    model::GroupQuery query{.starts = cells_of(options.from),
                            .goal = goal_at(options.to, options.range),
                            .own_ends = options.own_ends,
                            .formation = {},
                            .allow_partial = options.partial,
                            .leave_blocked_start = options.common.leave_blocked_start};
    if (!options.from_rect.empty()) {
        const auto snapshot = newest_snapshot(client, place);
        if (!snapshot) {
            return std::unexpected(snapshot.error());
        }
        const model::Rect rect = model::intersect(*parse_rect(options.from_rect),
                                                  {0, 0, place.map.width, place.map.height});
        const map::Layer& layer = *(*snapshot)->layer(place.movement_class);
        for (std::int32_t y = rect.y; y < rect.end_y(); ++y) {
            for (std::int32_t x = rect.x; x < rect.end_x(); ++x) {
                if (layer.open({x, y})) {
                    query.starts.push_back({x, y});
                }
            }
        }
    }
    if (query.starts.empty()) {
        return base::fail("no unit: give --from X,Y, or a --from-rect with an open cell");
    }
    query.formation = places_of(*parse_formation(options.formation), query.starts,
                                place.map.classes[place.movement_class.value].footprint);
    return query;
}

void lay_group(Picture& picture, const Surveyed& surveyed) {
    const auto& query = std::get<model::GroupQuery>(surveyed.survey.query);
    for (const auto& unit : std::get<model::GroupPaths>(surveyed.answer.result.body).units) {
        lay_way(picture, unit.turning_points, Overlay::kGoal);
        const bool moves = !unit.turning_points.empty();
        picture.lay(query.starts.at(unit.unit), moves ? Overlay::kUnit : Overlay::kStuckUnit);
    }
}

void add_group(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<GroupOptions>();
    CLI::App* command = app.add_subcommand("group", "Ask for the paths of many units to one goal");
    add_survey_options(*command, options->common);
    add_cells_option(*command, "--from", options->from, "Cell of a unit; as often as you like");
    command
        ->add_option("--from-rect", options->from_rect,
                     "A unit on each open cell of this rectangle, at most " +
                         std::to_string(base::limits::kUnitsPerGroupMax) + " in all")
        ->check(checked(parse_rect, "X,Y,WIDTH,HEIGHT"));
    command->add_option("--to", options->to, "Goal cell")
        ->required()
        ->check(checked(parse_cell, "X,Y"));
    command->add_option("--range", options->range, "Arriving within so many cells is enough");
    command->add_flag("--partial", options->partial, "Go as near as possible");
    command->add_flag("--own-ends", options->own_ends,
                      "Each unit ends on a cell of its own, around the goal");
    command
        ->add_option(
            "--formation", options->formation,
            "Each unit ends at its place around the goal: keep (as they stand), box or line")
        ->check(checked(parse_formation, "NAME"))
        ->capture_default_str();
    add_leave_option(*command, options->common);
    add_picture_options(*command, options->common, "the paths");
    command->callback([options, &exit_code] {
        exit_code = run(
            options->common,
            [&](client::Client& client, const Place& place) {
                return group_query(*options, client, place);
            },
            lay_group);
    });
}

// --- nearest

struct NearestOptions {
    SurveyOptions common;
    std::string from;
    std::vector<std::string> to;
    std::uint32_t range{0};
    std::uint32_t count{1};
};

void lay_nearest(Picture& picture, const Surveyed& surveyed) {
    const auto& query = std::get<model::NearestQuery>(surveyed.survey.query);
    for (const model::Goal& goal : query.goals) {
        picture.lay({goal.rect.x, goal.rect.y}, Overlay::kUnit);
    }
    for (const auto& goal : std::get<model::NearestGoals>(surveyed.answer.result.body).goals) {
        lay_way(picture, goal.turning_points, Overlay::kGoal);
    }
    picture.lay(query.start, Overlay::kStart);
}

void add_nearest(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<NearestOptions>();
    CLI::App* command =
        app.add_subcommand("nearest", "Ask which of many goals is the cheapest to reach");
    add_survey_options(*command, options->common);
    command->add_option("--from", options->from, "Start cell")
        ->required()
        ->check(checked(parse_cell, "X,Y"));
    add_cells_option(*command, "--to", options->to, "A goal; as often as you like");
    command->get_option("--to")->required();
    command->add_option("--range", options->range, "Arriving within so many cells is enough");
    command->add_option("--count", options->count, "How many to name, cheapest first")
        ->check(CLI::Range(std::size_t{1}, base::limits::kGoalsPerNearestMax))
        ->capture_default_str();
    add_leave_option(*command, options->common);
    add_picture_options(*command, options->common, "the ways to those named");
    command->callback([options, &exit_code] {
        const auto make = [&](client::Client&, const Place&) -> base::Result<Query> {
            model::NearestQuery query{.start = *parse_cell(options->from),
                                      .goals = {},
                                      .count = options->count,
                                      .leave_blocked_start = options->common.leave_blocked_start};
            for (const std::string& goal : options->to) {
                query.goals.push_back(goal_at(goal, options->range));
            }
            return query;
        };
        exit_code = run(options->common, make, lay_nearest);
    });
}

// --- reach

struct ReachOptions {
    SurveyOptions common;
    std::vector<std::string> from;
    double budget{0};
    bool costs{false};
};

void lay_reach_and_starts(Picture& picture, const Surveyed& surveyed) {
    lay_reach(picture, std::get<model::Reach>(surveyed.answer.result.body));
    lay_cells(picture, std::get<model::ReachQuery>(surveyed.survey.query).starts, Overlay::kStart);
}

void add_reach(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<ReachOptions>();
    CLI::App* command = app.add_subcommand("reach", "Ask for all cells within a budget of cost");
    add_survey_options(*command, options->common);
    add_cells_option(*command, "--from", options->from, "A start; as often as you like");
    command->get_option("--from")->required();
    command
        ->add_option("--budget", options->budget,
                     "What a way may cost, as so many straight steps over plain ground")
        ->required()
        ->check(real_between(0.0, kBudgetCellsMax));
    command->add_flag("--costs", options->costs, "With --json: what each cell costs, too");
    add_leave_option(*command, options->common);
    add_picture_options(*command, options->common, "the cells in reach and their edge");
    command->callback([options, &exit_code] {
        const auto make = [&](client::Client&, const Place&) -> base::Result<Query> {
            const double cost = std::floor(options->budget * model::kCostPerCell);
            return model::ReachQuery{.starts = cells_of(options->from),
                                     .cost_max = static_cast<model::Cost>(cost),
                                     .costs = options->costs,
                                     .leave_blocked_start = options->common.leave_blocked_start};
        };
        exit_code = run(options->common, make, lay_reach_and_starts);
    });
}

// --- matrix

struct MatrixOptions {
    SurveyOptions common;
    std::vector<std::string> from;
    std::vector<std::string> to;
};

void add_matrix(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<MatrixOptions>();
    CLI::App* command =
        app.add_subcommand("matrix", "Ask what it costs from each of some cells to each of others");
    add_survey_options(*command, options->common);
    add_cells_option(*command, "--from", options->from, "A row; as often as you like");
    add_cells_option(*command, "--to", options->to, "A column; as often as you like");
    command->get_option("--from")->required();
    command->get_option("--to")->required();
    command->callback([options, &exit_code] {
        const auto make = [&](client::Client&, const Place&) -> base::Result<Query> {
            return model::MatrixQuery{cells_of(options->from), cells_of(options->to)};
        };
        exit_code = run(options->common, make, lay_nothing);
    });
}

// --- field

struct FieldOptions {
    SurveyOptions common;
    std::string to;
    std::string rect;
    std::uint32_t range{0};
    bool costs{false};
};

void lay_field_arrows(Picture& picture, const Surveyed& surveyed) {
    lay_field(picture, std::get<model::FieldArrows>(surveyed.answer.result.body));
}

void add_field(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<FieldOptions>();
    CLI::App* command =
        app.add_subcommand("field", "Ask where to step from each cell of a rectangle to a goal");
    add_survey_options(*command, options->common);
    command->add_option("--to", options->to, "Goal cell")
        ->required()
        ->check(checked(parse_cell, "X,Y"));
    command->add_option("--range", options->range, "Arriving within so many cells is enough");
    command->add_option("--rect", options->rect, "The rectangle (default: the whole map)")
        ->check(checked(parse_rect, "X,Y,WIDTH,HEIGHT"));
    command->add_flag("--costs", options->costs, "With --json: what each cell costs, too");
    add_picture_options(*command, options->common, "an arrow a cell");
    command->callback([options, &exit_code] {
        const auto make = [&](client::Client&, const Place& place) -> base::Result<Query> {
            const model::Rect whole{0, 0, place.map.width, place.map.height};
            return model::FieldQuery{goal_at(options->to, options->range),
                                     options->rect.empty() ? whole : *parse_rect(options->rect),
                                     options->costs};
        };
        exit_code = run(options->common, make, lay_field_arrows);
    });
}

// --- connected, sight

struct PairOptions {
    SurveyOptions common;
    std::string from;
    std::string to;
    std::uint32_t range{0};
};

CLI::App* add_pair_command(CLI::App& app, const char* name, const char* what,
                           PairOptions& options) {
    CLI::App* command = app.add_subcommand(name, what);
    add_survey_options(*command, options.common);
    command->add_option("--from", options.from, "One cell")
        ->required()
        ->check(checked(parse_cell, "X,Y"));
    command->add_option("--to", options.to, "The other")
        ->required()
        ->check(checked(parse_cell, "X,Y"));
    return command;
}

void add_connected(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<PairOptions>();
    CLI::App* command = add_pair_command(
        app, "connected", "Ask whether there is a way at all; exit code 1: none", *options);
    command->add_option("--range", options->range, "Arriving within so many cells is enough");
    add_leave_option(*command, options->common);
    command->callback([options, &exit_code] {
        const auto make = [&](client::Client&, const Place&) -> base::Result<Query> {
            return model::ConnectedQuery{*parse_cell(options->from),
                                         goal_at(options->to, options->range),
                                         options->common.leave_blocked_start};
        };
        exit_code = run(options->common, make, lay_nothing);
    });
}

void add_sight(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<PairOptions>();
    CLI::App* command = add_pair_command(
        app, "sight", "Ask whether a straight walk is possible; exit code 1: no", *options);
    command->callback([options, &exit_code] {
        const auto make = [&](client::Client&, const Place&) -> base::Result<Query> {
            return model::SightQuery{*parse_cell(options->from), *parse_cell(options->to)};
        };
        exit_code = run(options->common, make, lay_nothing);
    });
}

}  // namespace

void add_survey_commands(CLI::App& app, int& exit_code) {
    add_group(app, exit_code);
    add_nearest(app, exit_code);
    add_reach(app, exit_code);
    add_field(app, exit_code);
    add_matrix(app, exit_code);
    add_connected(app, exit_code);
    add_sight(app, exit_code);
}

}  // namespace outrider::cli
