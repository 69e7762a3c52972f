#include <algorithm>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "bench/bench_maps.hpp"
#include "bench/cpu_timer.hpp"
#include "bench/generated_maps.hpp"
#include "bench/ground.hpp"
#include "bench/noise.hpp"
#include "bench/side_tables.hpp"
#include "outrider/search/search.hpp"
#include "outrider/search/survey.hpp"

namespace outrider::bench {
namespace {

// Each with goals and units of its own.
constexpr std::size_t kPasses = 7;
// Small enough that the figure of the first part is not rounded up by much.
constexpr std::uint64_t kStep = 1024;
constexpr std::int32_t kSide = 1024;

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

// --- many units, few goals

struct Crowd {
    const char* name;
    std::size_t units;
    std::size_t goals;
    // Units of one goal stand in a square of this side; 0: all over the map.
    std::int32_t together;
    const char* wanted;
};

struct Figure {
    double first_us{};  // to the first part
    double us{};
    model::Cost cost{};
    std::uint64_t expansions{};
};

model::Cell open_cell(const Ground& ground, Noise& noise) {
    for (;;) {
        const model::Cell cell{noise.below(ground.layer().width()),
                               noise.below(ground.layer().height())};
        if (ground.layer().open(cell)) {
            return cell;
        }
    }
}

// In a square around `near`, or anywhere (0).
model::Cell connected_cell(const Ground& ground, model::Cell near, std::int32_t side,
                           Noise& noise) {
    for (;;) {
        const model::Cell cell = side == 0 ? open_cell(ground, noise)
                                           : model::Cell{near.x - side / 2 + noise.below(side),
                                                         near.y - side / 2 + noise.below(side)};
        const bool inside = cell.x >= 0 && cell.y >= 0 && cell.x < ground.layer().width() &&
                            cell.y < ground.layer().height();
        if (inside && ground.connected(near, cell)) {
            return cell;
        }
    }
}

// One that another cell drawn can be reached from: in a large region, most likely.
model::Cell main_cell(const Ground& ground, Noise& noise) {
    for (;;) {
        const model::Cell cell = open_cell(ground, noise);
        if (ground.connected(cell, open_cell(ground, noise))) {
            return cell;
        }
    }
}

model::Survey group_of(const Ground& ground, const Crowd& crowd, Noise& noise) {
    model::GroupQuery query;
    const model::Cell goal = main_cell(ground, noise);
    query.goal.rect = {goal.x, goal.y, 1, 1};
    const model::Cell middle = connected_cell(ground, goal, 0, noise);
    while (query.starts.size() < crowd.units / crowd.goals) {
        query.starts.push_back(connected_cell(ground, middle, crowd.together, noise));
    }
    return {.movement_class = {0}, .query = std::move(query)};
}

model::Cost sum_of(const model::SurveyResult& part) {
    model::Cost sum = 0;
    for (const model::UnitPath& unit : std::get<model::GroupPaths>(part.body).units) {
        sum += unit.cost;
    }
    return sum;
}

Figure by_wave(const map::Layer& layer, const model::Survey& survey, search::SurveySearch& search) {
    std::vector<model::SurveyResult> parts;
    Figure figure;
    const double before = cpu_us();
    search.start(layer, survey);
    for (bool running = true; running;) {
        running = search.step(kStep) == search::Step::kRunning;
        while (auto part = search.take_part()) {
            parts.push_back(std::move(*part));
        }
        if (figure.first_us == 0 && !parts.empty()) {
            figure.first_us = cpu_us() - before;
        }
    }
    parts.push_back(search.take_result());
    figure.us = cpu_us() - before;
    figure.expansions = parts.back().expansions;
    for (const model::SurveyResult& part : parts) {
        figure.cost += sum_of(part);
    }
    return figure;
}

Figure by_paths(const map::Layer& layer, const model::Survey& survey, search::Buffers& buffers) {
    const auto& group = std::get<model::GroupQuery>(survey.query);
    std::vector<model::PathResult> results;
    Figure figure;
    const double before = cpu_us();
    for (const model::Cell start : group.starts) {
        model::PathQuery query;
        query.start = start;
        query.goal = group.goal;
        query.algorithm = model::Algorithm::kAuto;
        results.push_back(search::run(layer, query, buffers));
        if (figure.first_us == 0) {
            figure.first_us = cpu_us() - before;
        }
    }
    figure.us = cpu_us() - before;
    for (const model::PathResult& result : results) {
        figure.cost += result.cost;
        figure.expansions += result.expansions;
    }
    return figure;
}

// Of one way to answer: a pass, all its goals together.
struct Passes {
    std::vector<double> us;
    std::vector<double> first_us;  // one a goal
    double cells{};

    void add(const std::vector<Figure>& goals) {
        us.push_back(0);
        for (const Figure& goal : goals) {
            us.back() += goal.us;
            first_us.push_back(goal.first_us);
            cells += static_cast<double>(goal.expansions);
        }
    }
};

void print_crowd(const Crowd& crowd, const Ground& ground) {
    const search::BuffersPtr buffers = search::make_buffers();
    search::SurveySearch search;
    const map::Layer& layer = ground.settled_layer();
    Noise noise(11);
    Passes waves;
    Passes paths;
    // The first pass touches the buffers and does not count.
    for (std::size_t pass = 0; pass <= kPasses; ++pass) {
        std::vector<model::Survey> surveys;
        while (surveys.size() < crowd.goals) {
            surveys.push_back(group_of(ground, crowd, noise));
        }
        std::vector<Figure> by_waves;
        std::vector<Figure> one_by_one;
        for (const model::Survey& survey : surveys) {
            by_waves.push_back(by_wave(layer, survey, search));
        }
        for (const model::Survey& survey : surveys) {
            one_by_one.push_back(by_paths(layer, survey, *buffers));
        }
        if (!std::ranges::equal(by_waves, one_by_one, {}, &Figure::cost, &Figure::cost)) {
            give_up(std::string(crowd.name) + ": the group's costs are not those of the paths");
        }
        if (pass != 0) {
            waves.add(by_waves);
            paths.add(one_by_one);
        }
    }
    const auto floods = static_cast<double>(kPasses * crowd.goals);
    const double us = std::reduce(waves.us.begin(), waves.us.end());
    std::printf("  %-28s %6zu %6zu %9.2f %9.2f %9.2f %7.1f %9.0f %7.1f   %s\n", crowd.name,
                crowd.units, crowd.goals, median(waves.first_us) / 1e3, median(waves.us) / 1e3,
                median(paths.us) / 1e3, median(paths.us) / median(waves.us),
                waves.cells / floods / 1e3, waves.cells / us, crowd.wanted);
    std::fflush(stdout);
}

void print_public_crowd(const Crowd& crowd, const char* map) {
    const auto maps = scenario_maps();
    const auto found = std::ranges::find(maps, map, &BenchMap::name);
    if (found == maps.end()) {
        std::printf("  %-28s skipped, no file; set OUTRIDER_DATA\n", crowd.name);
        return;
    }
    print_crowd(crowd, found->load());
}

void print_crowds() {
    std::printf(
        "Many units to one goal: one search from the goal beside as many optimal paths by auto "
        "(with landmarks), CPU ms,\nin turn, median of %zu passes with goals of their own; "
        "thousand expansions a goal (cells where it is a wave), million a second\n",
        kPasses);
    std::printf("  %-28s %6s %6s %9s %9s %9s %7s %9s %7s   %s\n", "", "units", "goals", "1st part",
                "group", "paths", "times", "k exp.", "M/s", "wanted");
    print_public_crowd({"Aurora", 1000, 1, 0, "8 times"}, "Aurora");
    print_public_crowd({"Aurora, units together", 1000, 1, 64, ""}, "Aurora");
    print_public_crowd({"Aurora, a few", 4, 1, 0, "1 time"}, "Aurora");
    print_public_crowd({"Aurora, some", 32, 1, 0, "1 time"}, "Aurora");
    const Ground noise = ground_of(noise_grid(200, 20));
    print_crowd({"noise 20 % 200", 50, 1, 0, "group < 1 ms"}, noise);
    print_crowd({"noise 20 % 200, each its own", 50, 50, 0, "group < 2.5 ms"}, noise);
    print_public_crowd({"TheFrozenSea", 5000, 20, 0, "group < 250 ms"}, "TheFrozenSea");
}

// --- one start, many cells

struct Flood {
    std::uint64_t cells{};
    double us{};
    // The dearest cell that was wanted; of equally dear ones the last.
    model::Cell end;
    model::Cost cost{};
};

Flood flood_of(const map::Layer& layer, const model::Survey& survey, search::SurveySearch& search) {
    Flood flood;
    const double before = cpu_us();
    search.start(layer, survey);
    while (search.step(~std::uint64_t{0}) == search::Step::kRunning) {
    }
    const model::SurveyResult result = search.take_result();
    flood.us = cpu_us() - before;
    if (result.outcome != model::Outcome::kComplete) {
        give_up("a survey has not come to its end");
    }
    flood.cells = result.expansions;
    if (const auto* nearest = std::get_if<model::NearestGoals>(&result.body)) {
        flood.end = nearest->goals.back().turning_points.back();
        flood.cost = nearest->goals.back().cost;
        return flood;
    }
    const auto& reach = std::get<model::Reach>(result.body);
    auto cost = reach.costs.begin();
    for (const model::Run& run : reach.runs) {
        for (std::int32_t x = run.x; x < run.x + run.length; ++x, ++cost) {
            if (*cost >= flood.cost) {
                flood.end = {x, run.y};
                flood.cost = *cost;
            }
        }
    }
    return flood;
}

// The textbook's Dijkstra closes all cells that are nearer than its goal.
Flood textbook_flood(const map::Layer& layer, model::Cell start, const Flood& flood,
                     search::Buffers& buffers) {
    model::PathQuery query;
    query.start = start;
    query.goal.rect = {flood.end.x, flood.end.y, 1, 1};
    query.algorithm = model::Algorithm::kDijkstra;
    const double before = cpu_us();
    const model::PathResult result = search::run(layer, query, buffers);
    const double us = cpu_us() - before;
    if (result.cost != flood.cost) {
        give_up("a survey's cost is not Dijkstra's");
    }
    return {result.expansions, us, flood.end, result.cost};
}

model::Survey reach_of(const Ground& ground, Noise& noise) {
    constexpr model::Cost kCells = 150;
    model::ReachQuery query;
    query.starts = {main_cell(ground, noise)};
    query.cost_max = kCells * model::kCostPerCell;
    query.costs = true;
    return {.movement_class = {0}, .query = std::move(query)};
}

model::Survey nearest_of(const Ground& ground, Noise& noise) {
    constexpr std::size_t kGoals = 64;
    model::NearestQuery query;
    query.start = main_cell(ground, noise);
    while (query.goals.size() < kGoals) {
        const model::Cell cell = connected_cell(ground, query.start, 0, noise);
        query.goals.push_back({.rect = {cell.x, cell.y, 1, 1}});
    }
    return {.movement_class = {0}, .query = std::move(query)};
}

model::Cell start_of(const model::Survey& survey) {
    const auto* reach = std::get_if<model::ReachQuery>(&survey.query);
    return reach != nullptr ? reach->starts.front()
                            : std::get<model::NearestQuery>(survey.query).start;
}

void print_flood(const char* name, const Ground& ground,
                 model::Survey (*ask)(const Ground&, Noise&)) {
    constexpr int kQuestions = 31;
    const search::BuffersPtr buffers = search::make_buffers();
    search::SurveySearch search;
    const map::Layer& layer = ground.layer();
    Noise noise(13);
    Flood ours;
    Flood textbook;
    std::vector<double> shares;
    for (int question = 0; question <= kQuestions; ++question) {
        const model::Survey survey = ask(ground, noise);
        const Flood flood = flood_of(layer, survey, search);
        const Flood plain = textbook_flood(layer, start_of(survey), flood, *buffers);
        if (question == 0) {
            continue;  // touched the buffers
        }
        ours.cells += flood.cells;
        ours.us += flood.us;
        textbook.cells += plain.cells;
        textbook.us += plain.us;
        shares.push_back(static_cast<double>(flood.cells) / static_cast<double>(plain.cells));
    }
    std::printf("  %-30s %10.0f %10.0f %8.3f %8.3f %10.1f %10.1f   %s\n", name,
                static_cast<double>(ours.cells) / kQuestions,
                static_cast<double>(textbook.cells) / kQuestions, median(shares),
                *std::ranges::max_element(shares), static_cast<double>(ours.cells) / ours.us,
                static_cast<double>(textbook.cells) / textbook.us, "25");
    std::fflush(stdout);
}

void print_floods() {
    std::printf(
        "One start, 1024 x 1024: cells that the wave settled beside those that Dijkstra closes up "
        "to the same cost\n(mean, median and greatest ratio), million cells a second of CPU, "
        "answer included\n");
    std::printf("  %-30s %10s %10s %8s %8s %10s %10s   %s\n", "", "wave", "Dijkstra", "ratio",
                "worst", "wave M/s", "Dijkstra", "wanted");
    const Ground open = ground_of(open_grid(kSide));
    const Ground noise = ground_of(noise_grid(kSide, 20));
    print_flood("reach 150, open", open, reach_of);
    print_flood("reach 150, noise 20 %", noise, reach_of);
    print_flood("nearest of 64, open", open, nearest_of);
    print_flood("nearest of 64, noise 20 %", noise, nearest_of);
}

}  // namespace

void print_groups() {
    print_crowds();
    std::printf("\n");
    print_floods();
}

}  // namespace outrider::bench
