#pragma once
// What:     the step before any search: which kernel, which goal region, and whether the answer is
//           known already from the blocked cells and the regions.
// Cost:     constant for a goal of one cell; else the regions' nearest-cell look-up. Never a flood.

#include <optional>

#include "outrider/model/outcome.hpp"
#include "outrider/model/query.hpp"
#include "outrider/search/task.hpp"

namespace outrider::search {

struct Plan {
    // Set when no search is needed; then `task` is not to be run.
    std::optional<model::PathResult> answer;
    Task task;
    // What walks the legs where task.algorithm is kFast.
    model::Algorithm exact{model::Algorithm::kAstar};
    // What a path that ends inside task.goal means.
    model::Outcome outcome{model::Outcome::kComplete};
    model::Outcome reason{model::Outcome::kComplete};
};

[[nodiscard]] Plan make_plan(const map::Layer& layer, const model::PathQuery& query);

// Whether a cell of the region is open.
[[nodiscard]] bool any_open(const map::Layer& layer, const GoalRegion& goal);

// A result without a path.
[[nodiscard]] model::PathResult pathless(model::Outcome outcome, model::Algorithm algorithm);

}  // namespace outrider::search
