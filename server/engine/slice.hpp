#pragma once
// What:     one slice of a picked job, outside the lock. Private to the engine room.
// Contract: never throws: what the search throws becomes kFailed, and the bench, whose state is
//           then unknown, is thrown away.

#include "outrider/engine/config.hpp"
#include "outrider/engine/job.hpp"

namespace outrider::engine {

[[nodiscard]] SliceReport run_slice(Job& job, const Config& config) noexcept;

}  // namespace outrider::engine
