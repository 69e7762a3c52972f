#pragma once
// What:     what the search must answer, found the plainest way: Dijkstra over all cells, no
//           heuristic, no regions, no shared code with the kernels.
// Contract: the costs are those of the contract in model/cost.hpp; a start on a blocked cell weighs
//           as the class's cheapest terrain.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "outrider/map/map_file.hpp"
#include "outrider/model/cost.hpp"
#include "outrider/model/query.hpp"
#include "support/weight_grid.hpp"

namespace outrider::test {

// How a class moves, and what a blocked start weighs.
struct Mover {
    model::Directions directions{model::Directions::kEight};
    model::CornerRule corner_rule{model::CornerRule::kBothOpen};
    std::uint8_t weight_min{model::kWeightOne};
};
[[nodiscard]] Mover mover_of(const model::MovementClass& movement_class);

// The map as the class sees it: a footprint's anchor is open when all its cells are, and weighs as
// much as the dearest.
[[nodiscard]] WeightGrid weights_of(const map::Grid& grid, const model::MovementClass& who);

inline constexpr model::Cost kNever = ~model::Cost{0};
// Cost from the start to every cell, row-major; kNever where no path leads.
[[nodiscard]] std::vector<model::Cost> costs_from(const WeightGrid& grid, const Mover& mover,
                                                  model::Cell start);

// The same from the nearest of several.
[[nodiscard]] std::vector<model::Cost> costs_from(const WeightGrid& grid, const Mover& mover,
                                                  std::span<const model::Cell> starts);
// Of one step between neighbours.
[[nodiscard]] model::Cost step_cost(const WeightGrid& grid, const Mover& mover, model::Cell from,
                                    model::Cell to);

struct Expected {
    model::Outcome outcome{};
    model::Outcome reason{};
    model::Cost cost{};  // where there is a path
};

// Answer to a query without a budget.
[[nodiscard]] Expected ask_oracle(const WeightGrid& grid, const Mover& mover,
                                  const model::PathQuery& query);

// Octile distance of a cell from a rectangle.
[[nodiscard]] model::Cost distance_to(const model::Rect& rect, model::Cell cell);

// Empty when the path starts at the query's start, makes legal steps alone, costs `result.cost`,
// has normalised turning points and the right hash. Else what is wrong with it.
[[nodiscard]] std::string fault_of_path(const WeightGrid& grid, const Mover& mover,
                                        const model::PathQuery& query,
                                        const model::PathResult& result);

}  // namespace outrider::test
