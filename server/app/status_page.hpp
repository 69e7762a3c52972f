#pragma once
// What:    /status: what the server is and does now, as one JSON object for people and scripts.
// Threads: values.

#include <string>
#include <vector>

#include "outrider/app/metrics_page.hpp"

namespace outrider::app {

// `maps` and Readings::metrics may be of slightly different times: a map that is in one alone is
// shown with what is known of it.
[[nodiscard]] std::string status_json(const Readings& readings,
                                      const std::vector<engine::MapInfo>& maps);

}  // namespace outrider::app
