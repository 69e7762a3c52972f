#include <algorithm>
#include <cstdio>

#include "bench/cpu_timer.hpp"
#include "bench/generated_maps.hpp"
#include "bench/ground.hpp"
#include "bench/side_tables.hpp"
#include "outrider/search/search.hpp"

namespace outrider::bench {
namespace {

constexpr std::int32_t kSide = 1024;
constexpr int kPasses = 5;

// The textbook's flood: Dijkstra from one corner to the other closes all that is nearer.
double textbook_cells_per_us(const Ground& ground, search::Buffers& buffers) {
    model::PathQuery query;
    query.goal.rect = {kSide - 1, kSide - 1, 1, 1};
    query.algorithm = model::Algorithm::kDijkstra;
    const double before = cpu_us();
    const model::PathResult result = search::run(ground.layer(), query, buffers);
    return static_cast<double>(result.expansions) / (cpu_us() - before);
}

void print_row(const char* name, map::Grid grid) {
    const Ground ground = ground_of(std::move(grid));
    if (!ground.connected({0, 0}, {kSide - 1, kSide - 1})) {
        give_up(std::string(name) + ": the corners are not connected");
    }
    const search::BuffersPtr buffers = search::make_buffers();
    double textbook = 0;
    for (int pass = 0; pass < kPasses; ++pass) {
        textbook = std::max(textbook, textbook_cells_per_us(ground, *buffers));
    }
    std::printf("  %-24s %12.1f\n", name, textbook);
    std::fflush(stdout);
}

}  // namespace

void print_whole_maps() {
    std::printf("Distances to every cell of a map, million cells a second, best of %d passes\n",
                kPasses);
    std::printf("  %-24s %12s\n", "", "textbook");
    print_row("open 1024 x 1024", open_grid(kSide));
    print_row("noise 30 % 1024 x 1024", noise_grid(kSide, 30));
}

}  // namespace outrider::bench
