#pragma once
// What:     what the operator's HTTP answers to the head of a request. Private to the telemetry
//           room.
// Contract: every head has an answer, an empty one 431.
// Threads:  any, if the pages are.

#include <string>
#include <string_view>
#include <vector>

#include "outrider/telemetry/http.hpp"

namespace outrider::telemetry {

// Head and body, as they are sent.
[[nodiscard]] std::string answer_to(std::string_view head, const std::vector<Page>& pages);

}  // namespace outrider::telemetry
