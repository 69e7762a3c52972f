#include "bench/bench_maps.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "bench/generated_maps.hpp"
#include "bench/noise.hpp"
#include "files/scenario_file.hpp"
#include "support/data.hpp"

namespace outrider::bench {
namespace {

namespace fs = std::filesystem;

fs::path movingai() {
    return test::data_dir(OUTRIDER_SOURCE_DIR) / "movingai";
}

model::PathQuery question(model::Cell start, model::Cell goal) {
    model::PathQuery query;
    query.start = start;
    query.goal.rect = {goal.x, goal.y, 1, 1};
    return query;
}

Ground load_file(const fs::path& file, const model::MovementClass& who) {
    auto grid = map::read_map_file(file);
    if (!grid) {
        give_up(grid.error().message);
    }
    return ground_of(std::move(*grid), who);
}

// Spread evenly over the scenario, whose queries stand in order of length.
std::vector<model::PathQuery> sample(const fs::path& scen, std::size_t count) {
    const auto scenario = client::read_scenario_file(scen);
    if (!scenario) {
        give_up(scenario.error().message);
    }
    std::vector<model::PathQuery> queries;
    for (std::size_t i = 0; i < count; ++i) {
        const auto& listed = scenario->queries[i * scenario->queries.size() / count];
        queries.push_back(question(listed.start, listed.goal));
    }
    return queries;
}

BenchMap of_scenario(const fs::path& scen) {
    const std::string set = scen.parent_path().filename().string();
    const bool hard = set == "maze" || set == "random";
    return {scen.stem().stem().string(),
            hard ? "hard" : "game",
            [scen] { return load_file(fs::path(scen).replace_extension(), model::ground_class()); },
            [scen](const Ground&, std::size_t count) { return sample(scen, count); },
            300,
            1};
}

BenchMap with_short_questions(std::string kind, std::function<Ground()> load) {
    const std::string name = kind + " near";
    return {name, std::move(kind), std::move(load), short_questions, 1000, 1};
}

BenchMap generated(std::string kind, std::int32_t side, std::function<Ground()> load) {
    // Fewer on larger maps, where the textbook takes a second for one.
    const std::size_t count = side <= 1024 ? 300 : (side <= 2048 ? 100 : 40);
    return {kind + " " + std::to_string(side),
            kind,
            std::move(load),
            [](const Ground& ground, std::size_t wanted) {
                return random_questions(ground, wanted, 0);
            },
            count,
            side <= 2048 ? 10U : 8U};
}

}  // namespace

bool has_data() {
    return fs::exists(movingai());
}

std::vector<model::PathQuery> random_questions(const Ground& ground, std::size_t count,
                                               std::int32_t apart) {
    Noise noise(7);
    const map::Layer& layer = ground.layer();
    const auto place = [&] {
        return model::Cell{noise.below(layer.width()), noise.below(layer.height())};
    };
    std::vector<model::PathQuery> queries;
    while (queries.size() < count) {
        const model::Cell start = place();
        const model::Cell goal = place();
        const model::Cost distance = model::octile_distance(goal.x - start.x, goal.y - start.y);
        if (ground.connected(start, goal) &&
            distance >= static_cast<model::Cost>(apart) * model::kStraight) {
            queries.push_back(question(start, goal));
        }
    }
    return queries;
}

std::vector<model::PathQuery> short_questions(const Ground& ground, std::size_t count) {
    constexpr std::int32_t kNearest = 5;
    constexpr std::int32_t kFarthest = 40;
    Noise noise(11);
    const auto leg = [&] { return noise.below(2 * kFarthest + 1) - kFarthest; };
    std::vector<model::PathQuery> queries;
    while (queries.size() < count) {
        const model::Cell start{noise.below(ground.layer().width()),
                                noise.below(ground.layer().height())};
        const model::Cell by{leg(), leg()};
        const model::Cell goal{start.x + by.x, start.y + by.y};
        if (std::max(std::abs(by.x), std::abs(by.y)) >= kNearest && ground.connected(start, goal)) {
            queries.push_back(question(start, goal));
        }
    }
    return queries;
}

std::vector<BenchMap> scenario_maps() {
    std::vector<fs::path> scens;
    if (has_data()) {
        for (const auto& entry : fs::recursive_directory_iterator(movingai())) {
            if (entry.path().extension() == ".scen") {
                scens.push_back(entry.path());
            }
        }
    }
    std::sort(scens.begin(), scens.end());
    std::vector<BenchMap> maps;
    std::transform(scens.begin(), scens.end(), std::back_inserter(maps), of_scenario);
    return maps;
}

BenchMap scenario_map(std::string_view name) {
    for (BenchMap& map : scenario_maps()) {
        if (map.name == name) {
            return std::move(map);
        }
    }
    give_up("no scenario of " + std::string(name));
}

std::vector<BenchMap> generated_maps() {
    std::vector<BenchMap> maps;
    maps.push_back(with_short_questions("open", [] { return ground_of(open_grid(1024)); }));
    maps.push_back(
        with_short_questions("noise 20 %", [] { return ground_of(noise_grid(1024, 20)); }));
    for (const std::int32_t side : {1024, 4096}) {
        maps.push_back(generated("open", side, [side] { return ground_of(open_grid(side)); }));
        maps.push_back(
            generated("noise 20 %", side, [side] { return ground_of(noise_grid(side, 20)); }));
        maps.push_back(generated("rooms", side, [side] { return ground_of(rooms_grid(side)); }));
    }
    maps.push_back(generated("noise 30 %", 1024, [] { return ground_of(noise_grid(1024, 30)); }));
    maps.push_back(generated("caves", 2048, [] { return ground_of(caves_grid(2048)); }));
    for (const std::int32_t side : {1024, 2048}) {
        maps.push_back(generated("mixed", side, [side] {
            return ground_of(with_terrain(open_grid(side)), model::terrain_class());
        }));
        maps.push_back(generated("mixed caves", side, [side] {
            return ground_of(with_terrain(caves_grid(side)), model::terrain_class());
        }));
    }
    return maps;
}

std::vector<BenchMap> weighted_maps() {
    std::vector<BenchMap> maps;
    for (const char* name : {"Map1", "Map7"}) {
        const fs::path file = movingai() / "weighted" / (std::string(name) + ".map");
        if (fs::exists(file)) {
            maps.push_back({std::string("weighted/") + name, "weighted",
                            [file] { return load_file(file, model::terrain_class()); },
                            [](const Ground& ground, std::size_t count) {
                                return random_questions(ground, count, ground.layer().width() / 2);
                            },
                            200, 10});
        }
    }
    return maps;
}

}  // namespace outrider::bench
