#pragma once
// What: what every answer to a survey must keep to, found by the oracle: a plain Dijkstra from each
//       place in question.

#include <vector>

#include "outrider/search/survey.hpp"
#include "support/edited_world.hpp"

namespace outrider::test {

// A group's parts as one answer; of all else there is one part.
[[nodiscard]] model::SurveyResult joined(const std::vector<model::SurveyResult>& parts);

// Fails with what is wrong.
void check_survey(const EditedWorld& world, const model::Survey& survey,
                  const model::SurveyResult& result);

}  // namespace outrider::test
