#include "bench/kernel_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <utility>

#include "bench/published.hpp"

namespace outrider::bench {
namespace {

using model::Algorithm;

struct Row {
    const char* name;
    Algorithm algorithm;
    bool landmarks{false};
};

constexpr const char* kTextbook = "textbook A*";
constexpr Row kRows[] = {
    {kTextbook, Algorithm::kAstar},
    {"Dijkstra", Algorithm::kDijkstra},
    {"jps", Algorithm::kJps},
    {"auto", Algorithm::kAuto},
    {"landmarks", Algorithm::kAuto, true},
    {"fast", Algorithm::kFast},
    {"terrain", Algorithm::kTerrain},
};
// Dijkstra floods: ten questions a map tell enough.
constexpr std::size_t kDijkstraQuestions = 10;

// A multiple of the textbook's, so that both answer the same questions.
std::size_t every_of(Algorithm algorithm, std::size_t questions, std::size_t textbook_every) {
    switch (algorithm) {
        case Algorithm::kAstar: return textbook_every;
        case Algorithm::kDijkstra:
            return std::max<std::size_t>(questions / kDijkstraQuestions / textbook_every, 1) *
                   textbook_every;
        default: return 1;
    }
}

bool wanted(const std::vector<std::string>& names, std::string_view name) {
    return names.empty() || std::ranges::any_of(names, [&](const std::string& one) {
               return name.find(one) != std::string_view::npos;
           });
}

// What answers when `algorithm` is asked for. Some kernels leave short questions to others: the
// last ones of a scenario are long.
Algorithm answers_for(const map::Layer& layer, const std::vector<model::PathQuery>& queries,
                      Algorithm algorithm) {
    if (algorithm == Algorithm::kAstar || algorithm == Algorithm::kDijkstra) {
        return algorithm;  // for every class, and dear to ask
    }
    constexpr std::size_t kTries = 3;
    const search::BuffersPtr buffers = search::make_buffers();
    Algorithm answering = algorithm;
    for (std::size_t i = 0; i < std::min(kTries, queries.size()); ++i) {
        model::PathQuery query = queries[queries.size() - 1 - i];
        query.algorithm = algorithm;
        const model::PathResult result = search::run(layer, query, *buffers);
        if (result.expansions > 0) {
            answering = result.algorithm;
        }
        if (answering == algorithm) {
            break;
        }
    }
    return answering;
}

void print_head() {
    std::printf("  %-16s %-17s %10s %10s %10s %10s %8s %8s %9s %6s\n", "", "", "mean us", "median",
                "p99", "expanded", "longer", "x faster", "published", "ratio");
}

std::string published_columns(const std::string& map, double faster) {
    const double published = published_ratio(map);
    if (published == 0) {
        return {};
    }
    char text[64];
    std::snprintf(text, sizeof text, " %9.1f %6.2f", published, faster / published);
    return text;
}

std::string longer_column(double cost_over) {
    if (cost_over > 1e3) {
        return "WRONG";
    }
    char text[32];
    std::snprintf(text, sizeof text, "%.2f %%", 100 * (cost_over - 1));
    return cost_over == 1 ? "-" : text;
}

// Times as fast as the textbook, by kernel and family.
using Ratios = std::map<std::pair<std::string, std::string>, std::vector<double>>;

void print_rows(const BenchMap& map, const std::vector<Contestant>& contestants,
                const std::vector<Figures>& figures, Ratios& ratios) {
    const Figures& textbook = figures.front();
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const double faster = figures[i].times_faster_than(textbook);
        const bool optimal = contestants[i].name != "Dijkstra" && i > 0;
        std::printf("  %-16s %-17s %10.1f %10.1f %10.1f %10.0f %8s %8.1f%s\n",
                    i == 0 ? map.name.c_str() : "", contestants[i].name.c_str(),
                    figures[i].mean_us(), figures[i].us_at(0.5), figures[i].us_at(0.99),
                    figures[i].expansions(), longer_column(figures[i].cost_over(textbook)).c_str(),
                    faster, optimal ? published_columns(map.name, faster).c_str() : "");
        if (i > 0) {
            ratios[{map.family, contestants[i].name}].push_back(faster);
        }
    }
    std::fflush(stdout);
}

double geometric_mean(const std::vector<double>& values) {
    double logs = 0;
    for (const double value : values) {
        logs += std::log(value);
    }
    return std::exp(logs / static_cast<double>(values.size()));
}

void print_means(const std::vector<BenchMap>& maps, const Ratios& ratios) {
    std::vector<double> published;
    for (const BenchMap& map : maps) {
        if (map.family == "game") {
            published.push_back(published_ratio(map.name));
        }
    }
    for (const auto& [key, values] : ratios) {
        const double mean = geometric_mean(values);
        if (key.first == "game" && key.second != "Dijkstra" && values.size() == published.size()) {
            std::printf(
                "geometric mean of %zu game maps, %s: %.1f times the textbook; published "
                "%.1f; ratio %.2f (wanted: %.1f, nowhere below %.1f)\n",
                values.size(), key.second.c_str(), mean, geometric_mean(published),
                mean / geometric_mean(published), kWantedInTheMean, kWantedAnywhere);
        }
    }
}

}  // namespace

std::vector<Contestant> kernels_on(const Ground& ground,
                                   const std::vector<model::PathQuery>& queries,
                                   const TableOptions& options, std::size_t textbook_every) {
    std::vector<Contestant> contestants;
    for (const Row& row : kRows) {
        const bool reference = row.name == kTextbook;
        if (!reference && !wanted(options.kernels, row.name)) {
            continue;
        }
        if (row.landmarks && ground.with_landmarks == nullptr) {
            continue;
        }
        const map::Layer& layer = row.landmarks ? ground.settled_layer() : ground.layer();
        const Algorithm answering = answers_for(layer, queries, row.algorithm);
        std::string name = row.name;
        if (row.algorithm == Algorithm::kAuto) {
            name += " = " + std::string(model::name_of(answering));
        } else if (answering != row.algorithm) {
            continue;  // this kernel does not serve this class: another one would be measured
        }
        const std::size_t every = every_of(row.algorithm, queries.size(), textbook_every);
        contestants.push_back(kernel(std::move(name), row.algorithm, layer, every));
    }
    return contestants;
}

Contestant kernel(std::string name, Algorithm algorithm, const map::Layer& layer,
                  std::size_t every) {
    const auto buffers = std::shared_ptr<search::Buffers>(search::make_buffers());
    return {std::move(name), every, [buffers, &layer, algorithm](model::PathQuery query) {
                query.algorithm = algorithm;
                const model::PathResult result = search::run(layer, query, *buffers);
                return Reply{result.expansions, result.cost};
            }};
}

void print_kernels(const std::vector<BenchMap>& maps, const TableOptions& options) {
    Ratios ratios;
    std::vector<BenchMap> measured;
    print_head();
    for (const BenchMap& map : maps) {
        if (!wanted(options.maps, map.name)) {
            continue;
        }
        const Ground ground = map.load();
        const auto queries =
            map.questions(ground, options.questions == 0 ? map.questions_max : options.questions);
        const std::size_t every =
            options.textbook_every == 0 ? map.textbook_every : options.textbook_every;
        const auto contestants = kernels_on(ground, queries, options, every);
        print_rows(map, contestants, run_contest(queries, contestants, options.rounds), ratios);
        measured.push_back(map);
    }
    print_means(measured, ratios);
}

}  // namespace outrider::bench
