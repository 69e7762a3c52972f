#pragma once
// What:     what the system says of this process, by the names that every exporter uses
//           (process_resident_memory_bytes, process_open_fds ...).
// Contract: what cannot be read (no /proc) is left out.
// Threads:  any.
// Cost:     a few small files of /proc, and its directory of descriptors: linear in those.

#include "outrider/telemetry/metrics.hpp"

namespace outrider::telemetry {

[[nodiscard]] Families process_families();

}  // namespace outrider::telemetry
