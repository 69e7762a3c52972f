#pragma once
// What: what a replay found, as a table and as one JSON object.

#include <string>

#include "record/replay.hpp"

namespace outrider::record {

// {"requests","compared","mismatches","other_paths","skipped":{reason: count},"versions",
// "mean_us"}: every reason that replay.hpp knows stands there.
[[nodiscard]] std::string json_of(const ReplayReport& report);
// Reasons that did not occur are left out.
[[nodiscard]] std::string table_of(const ReplayReport& report);

}  // namespace outrider::record
