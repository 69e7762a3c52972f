#include "files/scenario_file.hpp"

#include <algorithm>
#include <cmath>

#include "files/text_lines.hpp"
#include "outrider/base/limits.hpp"
#include "outrider/model/cost.hpp"

namespace outrider::client {
namespace {

using Words = std::vector<std::string_view>;

constexpr std::string_view kLineCure =
    "a query has nine fields: bucket, map, width, height, start x, start y, goal x, goal y, length";

bool inside(const Scenario& scenario, model::Cell cell) {
    return model::Rect{0, 0, scenario.width, scenario.height}.contains(cell);
}

bool good_side(std::int32_t side) {
    return side >= 1 && side <= base::limits::kMapSideMax;
}

base::Result<void> add_query(const TextLines& lines, const Words& words, Scenario& scenario) {
    if (words.size() != 9) {
        return lines.fail(kLineCure);
    }
    const auto bucket = number_of<std::uint32_t>(words[0]);
    const auto width = number_of<std::int32_t>(words[2]);
    const auto height = number_of<std::int32_t>(words[3]);
    const auto start_x = number_of<std::int32_t>(words[4]);
    const auto start_y = number_of<std::int32_t>(words[5]);
    const auto goal_x = number_of<std::int32_t>(words[6]);
    const auto goal_y = number_of<std::int32_t>(words[7]);
    const auto length = number_of<double>(words[8]);
    if (!bucket || !width || !height || !start_x || !start_y || !goal_x || !goal_y || !length ||
        !std::isfinite(*length)) {
        return lines.fail(kLineCure);
    }
    if (scenario.queries.empty()) {
        scenario.map = words[1];
        scenario.width = *width;
        scenario.height = *height;
    }
    if (words[1] != scenario.map || *width != scenario.width || *height != scenario.height ||
        !good_side(*width) || !good_side(*height)) {
        return lines.fail("all queries name one map and its width and height, from 1 to " +
                          std::to_string(base::limits::kMapSideMax));
    }
    const ScenarioQuery query{*bucket, {*start_x, *start_y}, {*goal_x, *goal_y}, *length};
    if (!inside(scenario, query.start) || !inside(scenario, query.goal)) {
        return lines.fail("start and goal must lie on the map of the width and height given");
    }
    scenario.queries.push_back(query);
    return {};
}

}  // namespace

base::Result<Scenario> parse_scenario(std::string_view text, std::string_view origin) {
    TextLines lines(text, origin);
    Scenario scenario;
    auto words = lines.next_words();
    if (!words || words->front() != "version" || words->size() != 2) {
        return lines.fail("the first line must be: version 1");
    }
    if (number_of<double>(words->back()) != 1.0) {
        return lines.fail("version 1 is read here; `outrider dynamic` reads version 2");
    }
    while ((words = lines.next_words())) {
        if (auto added = add_query(lines, *words, scenario); !added) {
            return std::unexpected(std::move(added.error()));
        }
    }
    return scenario;
}

base::Result<Scenario> read_scenario_file(const std::filesystem::path& file) {
    auto text = read_text(file);
    if (!text) {
        return std::unexpected(std::move(text.error()));
    }
    return parse_scenario(*text, file.string());
}

bool agrees(const ScenarioQuery& query, const model::PathResult& result) {
    if (query.unreachable() || result.outcome != model::Outcome::kComplete) {
        const bool none = result.outcome == model::Outcome::kUnreachable ||
                          result.outcome == model::Outcome::kGoalBlocked ||
                          result.outcome == model::Outcome::kStartBlocked;
        return query.unreachable() && none;
    }
    const double length = model::length_in_cells(result.cost);
    return std::abs(length - query.length) <= std::max(0.02, 1e-5 * query.length);
}

}  // namespace outrider::client
