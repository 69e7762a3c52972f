#pragma once
// What: waits for what another thread or process does: polling with a limit, never a fixed sleep.

#include <poll.h>

#include <chrono>

namespace outrider::test {

// Generous, since sanitizers and busy machines are slow; a test that passes never waits so long.
inline constexpr std::chrono::seconds kPatience{30};

template <class Condition>
[[nodiscard]] bool eventually(const Condition& condition) {
    const auto until = std::chrono::steady_clock::now() + kPatience;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > until) {
            return false;
        }
        ::poll(nullptr, 0, 1);
    }
    return true;
}

}  // namespace outrider::test
