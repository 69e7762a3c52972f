#pragma once
// What:     one slice of a picked job, outside the lock. Private to the engine room.
// Contract: never throws: what the search throws becomes kFailed, and the bench, whose state is
//           then unknown, is thrown away. The parts of a group are taken as soon as they stand, so
//           that the bench holds none between slices.

#include "outrider/engine/config.hpp"
#include "outrider/engine/job.hpp"
#include "outrider/engine/survey_bytes.hpp"

namespace outrider::engine {

[[nodiscard]] SliceReport run_slice(Job& job, const Config& config,
                                    const ResultMeter& results) noexcept;

}  // namespace outrider::engine
