#pragma once
// What: one table, a row a map and kernel: all kernels side by side, with the textbook A* as the
//       measure.

#include <cstddef>
#include <string>
#include <vector>

#include "bench/bench_maps.hpp"
#include "bench/contest.hpp"
#include "outrider/search/search.hpp"

namespace outrider::bench {

struct TableOptions {
    std::vector<std::string> maps;     // parts of names; empty: all
    std::vector<std::string> kernels;  // names; empty: all
    std::size_t questions{0};          // a map; 0: each map's own number
    std::size_t textbook_every{0};     // 0: each map's own
    std::size_t rounds{3};
};

// One of our kernels, with buffers of its own.
[[nodiscard]] Contestant kernel(std::string name, model::Algorithm algorithm,
                                const map::Layer& layer, std::size_t every);

// Those that `options` wants and that serve the class, the textbook first.
[[nodiscard]] std::vector<Contestant> kernels_on(const Ground& ground,
                                                 const std::vector<model::PathQuery>& queries,
                                                 const TableOptions& options,
                                                 std::size_t textbook_every);

// Skipped with a word where a map's files are missing. The last lines give the geometric means.
void print_kernels(const std::vector<BenchMap>& maps, const TableOptions& options);

}  // namespace outrider::bench
