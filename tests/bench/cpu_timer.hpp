#pragma once
// What: CPU time of this thread, so that a busy machine disturbs a figure less than by wall time.

#include <ctime>

namespace outrider::bench {

[[nodiscard]] inline double cpu_us() {
    std::timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) * 1e-3;
}

// What one reading costs: about half a microsecond, a system call. To be taken off short times.
[[nodiscard]] inline double cpu_us_of_reading() {
    constexpr int kReadings = 2000;
    const double before = cpu_us();
    double last = before;
    for (int i = 0; i < kReadings; ++i) {
        last = cpu_us();
    }
    return (last - before) / kReadings;
}

}  // namespace outrider::bench
