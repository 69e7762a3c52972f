#pragma once
// What:     a survey's answer as text for people and as JSON for scripts.
// Contract: JSON is one object on one line; where there is no way a cost is null, where the search
//           ended before it could tell it is "unknown".

#include <string>

#include "cli/survey_options.hpp"

namespace outrider::cli {

// One line, or of nearest and matrix one a goal or a row and then one.
[[nodiscard]] std::string summary_of(const Surveyed& surveyed);
[[nodiscard]] std::string json_of(const Surveyed& surveyed);
// Answered, and the answer is of use: somebody has a way, something is near, yes.
[[nodiscard]] bool is_useful(const Surveyed& surveyed);

}  // namespace outrider::cli
