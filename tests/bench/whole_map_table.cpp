#include <algorithm>
#include <cstdio>

#include "bench/cpu_timer.hpp"
#include "bench/generated_maps.hpp"
#include "bench/ground.hpp"
#include "bench/side_tables.hpp"
#include "outrider/search/field.hpp"
#include "outrider/search/search.hpp"

namespace outrider::bench {
namespace {

constexpr std::int32_t kSide = 1024;
constexpr int kPasses = 5;
constexpr model::Cell kSource{0, 0};

// The textbook's flood: Dijkstra from one corner to the other closes all that is nearer.
double textbook_cells_per_us(const Ground& ground, search::Buffers& buffers) {
    model::PathQuery query;
    query.start = kSource;
    query.goal.rect = {kSide - 1, kSide - 1, 1, 1};
    query.algorithm = model::Algorithm::kDijkstra;
    const double before = cpu_us();
    const model::PathResult result = search::run(ground.layer(), query, buffers);
    return static_cast<double>(result.expansions) / (cpu_us() - before);
}

// Only cells that end with a distance count, each once.
double field_cells_per_us(const Ground& ground, search::Field& field) {
    const double before = cpu_us();
    field.begin(ground.layer(), {&kSource, 1});
    while (field.step(~std::uint64_t{0})) {
    }
    const double us = cpu_us() - before;
    double cells = 0;
    for (std::int32_t y = 0; y < kSide; ++y) {
        for (std::int32_t x = 0; x < kSide; ++x) {
            const bool reached =
                ground.layer().open({x, y}) && field.distance({x, y}) != search::Field::kUnreached;
            cells += reached ? 1 : 0;
        }
    }
    return cells / us;
}

void print_row(const char* name, const Ground& ground, const char* wanted) {
    if (!ground.connected(kSource, {kSide - 1, kSide - 1})) {
        give_up(std::string(name) + ": the corners are not connected");
    }
    const search::BuffersPtr buffers = search::make_buffers();
    search::Field field;
    double by_textbook = 0;
    double by_field = 0;
    for (int pass = 0; pass < kPasses; ++pass) {
        by_textbook = std::max(by_textbook, textbook_cells_per_us(ground, *buffers));
        by_field = std::max(by_field, field_cells_per_us(ground, field));
    }
    std::printf("  %-24s %12.1f %12.1f %8s\n", name, by_textbook, by_field, wanted);
    std::fflush(stdout);
}

}  // namespace

void print_whole_maps() {
    std::printf("Distances to every cell of a map, million cells a second, best of %d passes\n",
                kPasses);
    std::printf("  %-24s %12s %12s %8s\n", "", "textbook", "field", "wanted");
    print_row("open 1024 x 1024", ground_of(open_grid(kSide)), "45");
    print_row("noise 30 % 1024 x 1024", ground_of(noise_grid(kSide, 30)), "25");
    print_row("mixed 1024 x 1024",
              ground_of(with_terrain(open_grid(kSide)), model::terrain_class()), "");
}

}  // namespace outrider::bench
