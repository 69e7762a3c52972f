#pragma once
// What:     for a line of the log, or other work, that may be left out where there is no memory for
//           it: what it tells of is done, and whoever does it must go on.
// Contract: what `work` throws ends here.
// Threads:  any.

namespace outrider::telemetry {

template <class Work>
void unless_without_memory(const Work& work) noexcept {
    try {
        work();
    } catch (...) {
    }
}

}  // namespace outrider::telemetry
