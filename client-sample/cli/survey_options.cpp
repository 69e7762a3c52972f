#include "cli/survey_options.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <utility>

#include "cli/draw.hpp"
#include "cli/map_picture.hpp"
#include "cli/png_file.hpp"
#include "outrider/client/map_mirror.hpp"

namespace outrider::cli {
namespace {

bool has_arrows(const Picture& picture) {
    for (int y = 0; y < picture.height(); ++y) {
        for (int x = 0; x < picture.width(); ++x) {
            if (is_arrow(picture.at(x, y).overlay)) {
                return true;
            }
        }
    }
    return false;
}

}  // namespace

void add_survey_options(CLI::App& command, SurveyOptions& options) {
    add_server_options(command, options.server);
    command.add_option("--map", options.map, "Name of the map on the server")->required();
    command.add_option("--class", options.movement_class,
                       "Movement class (default: the map's first)");
    command.add_option("--priority", options.priority, "low, normal, high or urgent")
        ->check(checked(parse_priority, "NAME"))
        ->capture_default_str();
    command.add_option("--deadline-ms", options.deadline_ms, "Give up after this time (0: never)")
        ->check(CLI::Range(std::uint64_t{0}, codec::kDeadlineUsMax / 1000));
    command.add_flag("--json", options.json, "Print one JSON object on one line");
}

void add_leave_option(CLI::App& command, SurveyOptions& options) {
    command.add_flag("--leave-blocked-start", options.leave_blocked_start,
                     "A unit on a blocked cell may walk off it");
}

void add_picture_options(CLI::App& command, SurveyOptions& options, const std::string& what) {
    command.add_flag("--draw", options.draw, "Print the map with " + what);
    command.add_option("--png", options.png, "Write the map with " + what + " to this file")
        ->type_name("FILE");
}

void add_cells_option(CLI::App& command, const std::string& name, std::vector<std::string>& cells,
                      const std::string& what) {
    command.add_option(name, cells, what)->check(checked(parse_cell, "X,Y"));
}

std::vector<model::Cell> cells_of(const std::vector<std::string>& texts) {
    std::vector<model::Cell> cells;
    cells.reserve(texts.size());
    for (const std::string& text : texts) {
        cells.push_back(*parse_cell(text));
    }
    return cells;
}

base::Result<std::shared_ptr<const map::Snapshot>> newest_snapshot(client::Client& client,
                                                                   const Place& place) {
    auto state = client.map_state(place.map.id);
    if (!state) {
        return base::fail(std::move(state.error().message));
    }
    auto store = client::store_of(std::move(*state));
    if (!store) {
        return base::fail(std::move(store.error().message));
    }
    return (*store)->snapshot();
}

base::Result<Surveyed> ask_survey(const SurveyOptions& options, const MakeQuery& make_query) {
    auto client = connect_to(options.server);
    if (!client) {
        return base::fail(std::move(client.error().message));
    }
    const auto place = find_place(**client, options.map, options.movement_class);
    if (!place) {
        return std::unexpected(place.error());
    }
    auto query = make_query(**client, *place);
    if (!query) {
        return std::unexpected(std::move(query).error());
    }
    codec::SurveyRequest request;
    request.map = place->map.id;
    request.survey.movement_class = place->movement_class;
    request.survey.query = *std::move(query);
    request.priority = *parse_priority(options.priority);
    request.deadline_us = options.deadline_ms * 1000;
    const model::Survey survey = request.survey;

    using Ms = std::chrono::duration<double, std::milli>;
    const auto begin = std::chrono::steady_clock::now();
    double first_ms = 0;
    std::vector<model::UnitPath> units;
    auto answer = (*client)->survey(std::move(request), [&](client::GroupArrival arrival) {
        if (units.empty()) {
            first_ms = Ms(std::chrono::steady_clock::now() - begin).count();
        }
        units.insert(units.end(), std::make_move_iterator(arrival.units.begin()),
                     std::make_move_iterator(arrival.units.end()));
    });
    const double elapsed_ms = Ms(std::chrono::steady_clock::now() - begin).count();
    if (!answer) {
        // Nothing must come any more to what stands on this stack.
        (*client)->close();
        return base::fail(std::move(answer.error().message));
    }
    if (auto* group = std::get_if<model::GroupPaths>(&answer->result.body)) {
        group->units = std::move(units);
    } else {
        first_ms = elapsed_ms;
    }
    return Surveyed{*std::move(client), *place, survey, *std::move(answer), elapsed_ms, first_ms};
}

base::Result<Picture> picture_of(const Surveyed& surveyed) {
    const auto snapshot = newest_snapshot(*surveyed.client, surveyed.place);
    if (!snapshot) {
        return std::unexpected(snapshot.error());
    }
    return picture_of(**snapshot, surveyed.place.movement_class);
}

base::Result<void> show(const Picture& picture, const SurveyOptions& options) {
    if (options.draw && !options.json) {
        const Terminal terminal = detect_terminal(STDOUT_FILENO);
        const bool signs = has_arrows(picture);
        std::fputs(
            (signs ? draw_signs(picture, terminal) : draw_fitted(picture, terminal, 0)).c_str(),
            stdout);
        std::fputs(legend(picture, terminal.colour).c_str(), stdout);
    }
    return options.png.empty() ? base::Result<void>{} : write_png(picture, options.png);
}

}  // namespace outrider::cli
