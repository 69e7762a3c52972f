#include "cli/judge.hpp"

#include <algorithm>
#include <cmath>

namespace outrider::cli {

bool listed_as_unreachable(model::Cell start, model::Cell goal, double listed) {
    return listed < 0.0 || (listed == 0.0 && start != goal);
}

bool lengths_agree(double listed, double found) {
    return std::abs(listed - found) <= std::max(kToleranceCells, kToleranceShare * listed);
}

bool agrees(model::Cell start, model::Cell goal, double listed, const model::PathResult& result) {
    if (listed_as_unreachable(start, goal, listed)) {
        return result.outcome == model::Outcome::kUnreachable ||
               result.outcome == model::Outcome::kStartBlocked ||
               result.outcome == model::Outcome::kGoalBlocked;
    }
    return result.outcome == model::Outcome::kComplete &&
           lengths_agree(listed, model::length_in_cells(result.cost));
}

}  // namespace outrider::cli
