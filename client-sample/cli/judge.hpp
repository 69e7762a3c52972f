#pragma once
// What:     does an answer agree with what a scenario lists?
// Contract: lengths agree within kToleranceCells or kToleranceShare of the listed one, whichever is
//           larger (lists are rounded). Listed 0 between different cells, and -1, mean unreachable.
// Source:   shared rules of the public scenarios (Sturtevant 2012; GPPC dynamic track).

#include "outrider/model/cell.hpp"
#include "outrider/model/query.hpp"

namespace outrider::cli {

inline constexpr double kToleranceCells = 0.02;
inline constexpr double kToleranceShare = 1e-5;

[[nodiscard]] bool listed_as_unreachable(model::Cell start, model::Cell goal, double listed);
[[nodiscard]] bool lengths_agree(double listed, double found);
[[nodiscard]] bool agrees(model::Cell start, model::Cell goal, double listed,
                          const model::PathResult& result);

}  // namespace outrider::cli
