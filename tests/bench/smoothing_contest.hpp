#pragma once
// What:     lines of sight and smoothing as contestants beside the kernels.
// Contract: each answers the questions in their order, again and again: the paths were found
//           before, so that they are not measured. "Expansions" are lines, or cells of the path.

#include <vector>

#include "bench/contest.hpp"
#include "bench/ground.hpp"

namespace outrider::bench {

[[nodiscard]] std::vector<Contestant> smoothing_on(const Ground& ground,
                                                   const std::vector<model::PathQuery>& queries);

}  // namespace outrider::bench
