#include <algorithm>
#include <cstdio>
#include <optional>
#include <vector>

#include "bench/bench_maps.hpp"
#include "bench/cpu_timer.hpp"
#include "bench/generated_maps.hpp"
#include "bench/ground.hpp"
#include "bench/noise.hpp"
#include "bench/side_tables.hpp"
#include "outrider/model/path.hpp"
#include "outrider/search/search.hpp"

namespace outrider::bench {
namespace {

// Shorter ways are found in a few microseconds, whoever looks.
constexpr std::size_t kCellsMin = 300;
constexpr std::int32_t kBuildingSide = 4;
// How far before and beyond the break the old path is left and met again.
constexpr std::size_t kMargin = 16;

using Cells = std::vector<model::Cell>;

model::Cost step_cost(const map::Layer& layer, model::Cell from, model::Cell to) {
    const bool diagonal = from.x != to.x && from.y != to.y;
    return (model::Cost{layer.weight(from)} + model::Cost{layer.weight(to)}) *
           (diagonal ? model::kDiagonal : model::kStraight);
}

bool legal(const map::Layer& layer, model::Cell from, model::Cell to) {
    return layer.open(to) && layer.open({to.x, from.y}) && layer.open({from.x, to.y});
}

model::Cost cost_of(const map::Layer& layer, const Cells& cells, std::size_t first,
                    std::size_t last) {
    model::Cost cost = 0;
    for (std::size_t i = first; i < last; ++i) {
        cost += step_cost(layer, cells[i], cells[i + 1]);
    }
    return cost;
}

model::PathQuery between(model::Cell from, model::Cell to) {
    model::PathQuery query;
    query.start = from;
    query.goal.rect = {to.x, to.y, 1, 1};
    return query;
}

struct Sums {
    std::size_t broken{};
    double fresh_us{};
    double local_us{};
    double fresh_expansions{};
    double local_expansions{};
    std::size_t optimal{};    // the mended path costs what the fresh one does
    std::size_t proven[3]{};  // within 100, 102 and 110 percent of the old path's cost
    double excess_percent{};
};

void mend(const map::Layer& layer, const Cells& cells, model::Cost old_cost,
          search::Buffers& buffers, Sums& sums) {
    std::size_t first = cells.size();
    std::size_t last = 0;
    for (std::size_t i = 0; i + 1 < cells.size(); ++i) {
        if (!legal(layer, cells[i], cells[i + 1])) {
            first = std::min(first, i);
            last = i + 1;
        }
    }
    if (last == 0 || last + 1 == cells.size()) {
        return;  // still whole, or its goal is gone
    }
    const std::size_t from = first > kMargin ? first - kMargin : 0;
    const std::size_t to = std::min(last + kMargin, cells.size() - 1);
    if (!layer.open(cells[from]) || !layer.open(cells[to])) {
        return;
    }
    double before = cpu_us();
    const model::PathResult fresh =
        search::run(layer, between(cells.front(), cells.back()), buffers);
    sums.fresh_us += cpu_us() - before;
    before = cpu_us();
    const model::PathResult local = search::run(layer, between(cells[from], cells[to]), buffers);
    sums.local_us += cpu_us() - before;
    ++sums.broken;
    sums.fresh_expansions += static_cast<double>(fresh.expansions);
    sums.local_expansions += static_cast<double>(local.expansions);
    if (fresh.outcome != model::Outcome::kComplete || local.outcome != model::Outcome::kComplete) {
        return;
    }
    const model::Cost mended =
        cost_of(layer, cells, 0, from) + local.cost + cost_of(layer, cells, to, cells.size() - 1);
    sums.optimal += mended == fresh.cost ? 1 : 0;
    const model::Cost percents[] = {100, 102, 110};
    for (int i = 0; i < 3; ++i) {
        sums.proven[i] += mended * 100 <= old_cost * percents[i] ? 1 : 0;
    }
    sums.excess_percent +=
        100.0 * (static_cast<double>(mended) / static_cast<double>(fresh.cost) - 1);
}

// A building on each long path, somewhere between its first and its last tenth.
Sums measure(const Ground& ground, const std::vector<model::PathQuery>& questions) {
    const search::BuffersPtr buffers = search::make_buffers();
    Noise noise(11);
    Sums sums;
    for (const model::PathQuery& query : questions) {
        const auto settled = ground.store->snapshot();
        const model::PathResult old = search::run(*settled->layer({0}), query, *buffers);
        const Cells cells = model::cells_of(old.turning_points);
        if (old.outcome != model::Outcome::kComplete || cells.size() < kCellsMin) {
            continue;
        }
        const auto length = static_cast<std::int32_t>(cells.size());
        const model::Cell at =
            cells[static_cast<std::size_t>(length / 10 + noise.below(length * 8 / 10))];
        const model::EditBatch rise{
            {model::PlaceObstacle{{1}, {at.x - 2, at.y - 2, kBuildingSide, kBuildingSide}, 0}}};
        if (!ground.store->apply(rise)) {
            give_up("no building could be placed");
        }
        const auto snapshot = ground.store->snapshot();
        mend(*snapshot->layer({0}), cells, old.cost, *buffers, sums);
        (void)ground.store->apply({{model::RemoveObstacle{{1}}}});
    }
    return sums;
}

void print_row(const std::string& name, const Ground& ground,
               const std::vector<model::PathQuery>& questions) {
    const Sums sums = measure(ground, questions);
    const double count = static_cast<double>(std::max<std::size_t>(sums.broken, 1));
    const auto share = [&](std::size_t part) { return 100.0 * static_cast<double>(part) / count; };
    std::printf("  %-20s %5zu | %8.0f %7.1f | %8.1f %7.1f | %5.0f | %5.0f %5.0f %5.0f | %6.2f\n",
                name.c_str(), sums.broken, sums.fresh_expansions / count, sums.fresh_us / count,
                sums.local_expansions / count, sums.local_us / count, share(sums.optimal),
                share(sums.proven[0]), share(sums.proven[1]), share(sums.proven[2]),
                sums.excess_percent / count);
    std::fflush(stdout);
}

void print_generated(const char* name, map::Grid grid, std::size_t count,
                     model::MovementClass who = model::ground_class()) {
    const Ground ground = ground_of(std::move(grid), std::move(who));
    print_row(name, ground, random_questions(ground, count, 250));
}

}  // namespace

void print_repair(std::size_t questions) {
    const std::size_t count = questions == 0 ? 300 : questions;
    std::printf(
        "a building of %d x %d on a path of at least %zu cells: the question asked afresh beside "
        "a search from %zu cells before the break to %zu beyond it; means of expansions and CPU "
        "us; share of mended paths that are optimal, and proven within 100, 102 and 110 percent "
        "by the old cost; excess in percent\n",
        kBuildingSide, kBuildingSide, kCellsMin, kMargin, kMargin);
    std::printf("  %-20s %5s | %8s %7s | %8s %7s | %5s | %5s %5s %5s | %6s\n", "", "paths", "fresh",
                "us", "mended", "us", "best", "100", "102", "110", "excess");
    if (has_data()) {
        for (const char* map : {"Aurora", "TheFrozenSea", "Berlin_1_1024", "brc202d"}) {
            const BenchMap known = scenario_map(map);
            const Ground ground = known.load();
            print_row(known.name, ground, random_questions(ground, count, 250));
        }
    }
    print_generated("noise 20 % 1024", noise_grid(1024, 20), count);
    print_generated("rooms 1024", rooms_grid(1024), count);
    print_generated("caves 1024", caves_grid(1024), count);
    print_generated("mixed caves 1024", with_terrain(caves_grid(1024)), count,
                    model::terrain_class());
}

}  // namespace outrider::bench
