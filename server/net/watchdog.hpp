#pragma once
// What:     the timeouts of a session as a pure rule over its times.
// Contract: overdue() gives the reason to close, or nothing.

#include <cstddef>
#include <optional>

#include "outrider/base/clock.hpp"
#include "outrider/model/outcome.hpp"
#include "outrider/net/config.hpp"

namespace outrider::net {

// A reader that keeps replies waiting must take at least this much within the slow reader's
// timeout: whoever takes less only looks alive, and holds a map's copy or a drain meanwhile.
inline constexpr std::size_t kTakenBytesMin = 64U << 10U;

struct SessionTimes {
    // Bytes wait, and the socket takes no more.
    void note_blocked(base::TimePoint now);
    void note_taken(std::size_t bytes);
    void note_nothing_waits() { blocked.reset(); }
    void note_state_began(base::TimePoint now);
    void note_state_ended() { state_began.reset(); }

    base::TimePoint opened;
    base::TimePoint last_frame;
    // First byte of a frame whose last byte is not there yet.
    std::optional<base::TimePoint> frame_began;
    // Since when bytes wait and the client has taken fewer than kTakenBytesMin.
    std::optional<base::TimePoint> blocked;
    std::size_t taken_bytes{0};
    // Since when the session holds a map state, and what the client has taken since.
    std::optional<base::TimePoint> state_began;
    std::size_t state_taken_bytes{0};
    bool greeted{false};
    // The server itself does not read: silence is not the client's.
    bool paused{false};
    // Nor while frames lie in the reader that wait for the other sessions' turns, and the session
    // stands in their line.
    bool turn_over{false};
};

[[nodiscard]] std::optional<model::Refusal> overdue(const SessionTimes& times, const Config& config,
                                                    base::TimePoint now);

}  // namespace outrider::net
