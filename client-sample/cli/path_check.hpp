#pragma once
// What:     checks an answer by walking it, knowing nothing of how it was found.
// Contract: an answer passes when its turning points are normalised, it runs from the start to the
//           goal (to any open cell for partial ones), each step is legal for the class on this
//           layer, the cost is the exact sum of its steps, and the hash is that of its points. An
//           answer without a path must carry cost 0 and hash 0; one that is complete must have one.
//           Whether it is optimal is another question.

#include <optional>
#include <string>

#include "outrider/map/layer.hpp"
#include "outrider/model/query.hpp"
#include "outrider/model/survey.hpp"

namespace outrider::cli {

// The first fault as a sentence; nothing when all is well.
[[nodiscard]] std::optional<std::string> path_fault(const map::Layer& layer,
                                                    const model::PathQuery& query,
                                                    const model::PathResult& result);

// A way that a survey names, as a path of its own.
[[nodiscard]] model::PathResult path_of(const model::UnitPath& unit);
[[nodiscard]] model::PathResult path_of(const model::NearestGoal& goal);

}  // namespace outrider::cli
