#include "bench/teaching_bench.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <list>
#include <vector>

#include "bench/cpu_timer.hpp"
#include "bench/ground.hpp"
#include "bench/noise.hpp"
#include "outrider/search/search.hpp"

namespace outrider::bench {
namespace {

using model::Algorithm;
using model::Cell;

// Every fifth cell blocked; the corners open.
map::Grid random_grid(std::int32_t side, std::uint64_t seed) {
    Noise noise(seed);
    map::Grid grid{side, side, {}};
    for (std::int32_t i = 0; i < side * side; ++i) {
        grid.terrain.push_back(noise.next() % 5 == 0 ? '@' : '.');
    }
    grid.terrain.front() = grid.terrain.back() = '.';
    return grid;
}

// The first of a row of seeds whose corners are connected.
Ground connected_ground(std::int32_t side, std::uint64_t& seed) {
    while (true) {
        Ground ground = ground_of(random_grid(side, seed++));
        const map::Regions& regions = ground.layer().regions();
        if (regions.component({0, 0}) == regions.component({side - 1, side - 1})) {
            return ground;
        }
    }
}

struct Figures {
    double us{};
    double expansions{};
    double length{};
};

// A* as the material has it: the open set is a list, searched from end to end for the best entry
// and for membership.
class ListAstar {
  public:
    explicit ListAstar(const map::Layer& layer) : layer_(layer) {
        nodes_.resize(static_cast<std::size_t>(layer.width()) *
                      static_cast<std::size_t>(layer.height()));
    }

    Figures run(Cell start, Cell goal, double weight) {
        goal_ = goal;
        weight_ = weight;
        at(start) = {0.0, estimate(start), false};
        open_.push_back(start);
        Figures figures;
        while (!open_.empty()) {
            const auto best = std::min_element(
                open_.begin(), open_.end(), [this](Cell a, Cell b) { return at(a).f < at(b).f; });
            const Cell cell = *best;
            open_.erase(best);
            at(cell).closed = true;
            figures.expansions += 1;
            if (cell == goal) {
                figures.length = at(cell).g;
                break;
            }
            expand(cell);
        }
        return figures;
    }

  private:
    struct Node {
        double g{1e300};
        double f{1e300};
        bool closed{false};
    };

    Node& at(Cell cell) {
        return nodes_[static_cast<std::size_t>(cell.y) * static_cast<std::size_t>(layer_.width()) +
                      static_cast<std::size_t>(cell.x)];
    }
    [[nodiscard]] double estimate(Cell cell) const {
        const model::Cost units = model::octile_distance(goal_.x - cell.x, goal_.y - cell.y);
        return weight_ * static_cast<double>(units) / static_cast<double>(model::kStraight);
    }
    void expand(Cell cell) {
        for (std::int32_t dy = -1; dy <= 1; ++dy) {
            for (std::int32_t dx = -1; dx <= 1; ++dx) {
                const Cell to{cell.x + dx, cell.y + dy};
                const bool corner = dx != 0 && dy != 0;
                const bool free =
                    layer_.open(to) &&
                    (!corner || (layer_.open({to.x, cell.y}) && layer_.open({cell.x, to.y})));
                if (free && !at(to).closed) {
                    reach(to, at(cell).g + (corner ? 1.41421356 : 1.0));
                }
            }
        }
    }
    void reach(Cell to, double g) {
        if (g >= at(to).g) {
            return;
        }
        at(to).g = g;
        at(to).f = g + estimate(to);
        if (std::find(open_.begin(), open_.end(), to) == open_.end()) {
            open_.push_back(to);
        }
    }

    const map::Layer& layer_;
    std::vector<Node> nodes_;
    std::list<Cell> open_;
    Cell goal_;
    double weight_{1.0};
};

Figures run_kernel(const Ground& ground, const model::PathQuery& query, search::Buffers& buffers) {
    Figures best;
    for (int pass = 0; pass < 3; ++pass) {
        const double before = cpu_us();
        const model::PathResult result = search::run(ground.layer(), query, buffers);
        const double us = cpu_us() - before;
        if (pass == 0 || us < best.us) {
            best = {us, static_cast<double>(result.expansions),
                    model::length_in_cells(result.cost)};
        }
    }
    return best;
}

model::PathQuery corner_to_corner(std::int32_t side, Algorithm algorithm, std::uint32_t weight) {
    model::PathQuery query;
    query.goal.rect = {side - 1, side - 1, 1, 1};
    query.algorithm = algorithm;
    query.weight_percent = weight;
    return query;
}

void print_row(const char* name, const Figures& figures, const char* material) {
    std::printf("  %-34s %10.1f %10.0f %10.2f   %s\n", name, figures.us, figures.expansions,
                figures.length, material);
}

void print_open_sets(search::Buffers& buffers) {
    std::uint64_t seed = 1;
    const Ground ground = connected_ground(200, seed);
    std::printf("\n200 x 200, 20 %% random obstacles, corner to corner\n");
    std::printf("  %-34s %10s %10s %10s   %s\n", "", "CPU us", "expanded", "length",
                "the material");
    for (const std::uint32_t weight : {100U, 110U}) {
        const double before = cpu_us();
        ListAstar list(ground.layer());
        Figures figures = list.run({0, 0}, {199, 199}, weight / 100.0);
        figures.us = cpu_us() - before;
        print_row(weight == 100 ? "list as open set" : "list as open set, weight 1.1", figures,
                  weight == 100 ? "11,800 us" : "");
    }
    for (const std::uint32_t weight : {100U, 110U}) {
        print_row(weight == 100 ? "binary heap (astar)" : "binary heap (astar), weight 1.1",
                  run_kernel(ground, corner_to_corner(200, Algorithm::kAstar, weight), buffers),
                  weight == 100 ? "2,400 us" : "");
    }
    print_row("jump points (jps)",
              run_kernel(ground, corner_to_corner(200, Algorithm::kJps, 100), buffers), "");
}

void print_weights(search::Buffers& buffers) {
    struct Row {
        const char* name;
        Algorithm algorithm;
        std::uint32_t weight;
        const char* material;
    };
    constexpr Row kRows[] = {
        {"Dijkstra", Algorithm::kDijkstra, 100, "8,124 nodes, 14,800 us"},
        {"A*", Algorithm::kAstar, 100, "1,187 nodes, 2,600 us"},
        {"A*, weight 1.5", Algorithm::kAstar, 150, "623 nodes, 1,400 us, 5 % longer"},
        {"A*, weight 2.0", Algorithm::kAstar, 200, "412 nodes, 900 us, 13 % longer"},
        {"jump points", Algorithm::kJps, 100, ""},
    };
    constexpr int kRuns = 100;
    Figures sums[std::size(kRows)];
    std::uint64_t seed = 1000;
    for (int run = 0; run < kRuns; ++run) {
        const Ground ground = connected_ground(100, seed);
        for (std::size_t i = 0; i < std::size(kRows); ++i) {
            const Figures figures = run_kernel(
                ground, corner_to_corner(100, kRows[i].algorithm, kRows[i].weight), buffers);
            sums[i].us += figures.us / kRuns;
            sums[i].expansions += figures.expansions / kRuns;
            sums[i].length += figures.length / kRuns;
        }
    }
    std::printf("\n100 x 100, 20 %% random obstacles, corner to corner, mean of %d maps\n", kRuns);
    std::printf("  %-34s %10s %10s %10s   %s\n", "", "CPU us", "expanded", "length",
                "the material");
    for (std::size_t i = 0; i < std::size(kRows); ++i) {
        print_row(kRows[i].name, sums[i], kRows[i].material);
    }
}

void print_fifty(search::Buffers& buffers) {
    std::uint64_t seed = 1;
    const Ground ground = connected_ground(200, seed);
    Noise noise(7);
    const auto place = [&] {
        while (true) {
            const Cell cell{static_cast<std::int32_t>(noise.next() % 200),
                            static_cast<std::int32_t>(noise.next() % 200)};
            if (ground.layer().regions().component(cell) ==
                ground.layer().regions().component({0, 0})) {
                return cell;
            }
        }
    };
    std::vector<model::PathQuery> queries(50);
    for (model::PathQuery& query : queries) {
        const Cell goal = place();
        query.start = place();
        query.goal.rect = {goal.x, goal.y, 1, 1};
    }
    std::printf(
        "\n200 x 200, 20 %% random obstacles, 50 random queries (the material: 3,000 us)\n");
    for (const Algorithm algorithm : {Algorithm::kAstar, Algorithm::kJps}) {
        double least = 1e300;
        for (int pass = 0; pass < 5; ++pass) {
            const double before = cpu_us();
            for (model::PathQuery& query : queries) {
                query.algorithm = algorithm;
                (void)search::run(ground.layer(), query, buffers);
            }
            least = std::min(least, cpu_us() - before);
        }
        std::printf("  %-34s %10.1f us in all\n",
                    algorithm == Algorithm::kJps ? "jump points" : "A*", least);
    }
}

}  // namespace

void print_teaching_tables() {
    const search::BuffersPtr buffers = search::make_buffers();
    print_open_sets(*buffers);
    print_weights(*buffers);
    print_fifty(*buffers);
}

}  // namespace outrider::bench
