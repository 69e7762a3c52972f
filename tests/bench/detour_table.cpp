#include <algorithm>
#include <cstdio>
#include <memory>

#include "bench/bench_maps.hpp"
#include "bench/contest.hpp"
#include "bench/kernel_table.hpp"
#include "bench/side_tables.hpp"
#ifdef OUTRIDER_HAS_DETOUR
#include "bench/detour_rival.hpp"
#endif

namespace outrider::bench {

#ifdef OUTRIDER_HAS_DETOUR
namespace {

struct Reached {
    std::size_t questions{};
    std::size_t by_us{};
    std::size_t by_detour{};
};

Reached count_reached(const std::vector<model::PathQuery>& queries, const Contestant& ours,
                      const Contestant& detour) {
    Reached reached{queries.size(), 0, 0};
    for (const model::PathQuery& query : queries) {
        const bool stands = query.start == model::Cell{query.goal.rect.x, query.goal.rect.y};
        reached.by_us += stands || ours.ask(query).cost > 0 ? 1U : 0U;
        reached.by_detour += stands || detour.ask(query).cost > 0 ? 1U : 0U;
    }
    return reached;
}

void print_row(const BenchMap& map, std::size_t questions, std::size_t rounds) {
    const Ground ground = map.load();
    const auto queries = map.questions(ground, questions == 0 ? map.questions_max : questions);
    DetourRival rival(ground.layer());
    const std::vector<Contestant> contestants{
        kernel("auto", model::Algorithm::kAuto, ground.settled_layer(), 1),
        {"Detour", 1, [&](const model::PathQuery& query) { return rival.ask(query); }}};
    const auto figures = run_contest(queries, contestants, rounds);
    const Reached reached = count_reached(queries, contestants[0], contestants[1]);
    std::printf("  %-12s %9.1f %9.1f %9.1f | %9.1f %9.1f %9.1f | %6.2f | %8d %9.3f %5zu/%zu\n",
                map.name.c_str(), figures[0].mean_us(), figures[0].us_at(0.5),
                figures[0].us_at(0.99), figures[1].mean_us(), figures[1].us_at(0.5),
                figures[1].us_at(0.99), figures[0].mean_us() / figures[1].mean_us(),
                rival.polygons(), figures[1].cost_over(figures[0]), reached.by_detour,
                reached.by_us);
    std::fflush(stdout);
}

}  // namespace

void print_detour(std::size_t questions, std::size_t rounds) {
    if (!has_data()) {
        std::printf("Detour: skipped, no public maps; set OUTRIDER_DATA\n");
        return;
    }
    std::printf(
        "Optimal path by `auto` and any-angle path by Recast/Detour (nearest, findPath, "
        "findStraightPath; one mesh a map, a cell a voxel, watershed, contour error 1.3, "
        "6 corners), CPU us a query\n");
    std::printf("  %-12s %9s %9s %9s | %9s %9s %9s | %6s | %8s %9s %s\n", "", "auto", "median",
                "p99", "Detour", "median", "p99", "ratio", "polygons", "length", "reached");
    for (const char* name : {"arena2", "brc202d", "Aurora"}) {
        print_row(scenario_map(name), questions, rounds);
    }
}
#else
void print_detour(std::size_t /*questions*/, std::size_t /*rounds*/) {
    std::printf("Detour: skipped, not built with it; install librecast-dev\n");
}
#endif

}  // namespace outrider::bench
