#pragma once
// What:     the timeouts of a session as a pure rule over its times.
// Contract: overdue() gives the reason to close, or nothing.

#include <optional>

#include "outrider/base/clock.hpp"
#include "outrider/model/outcome.hpp"
#include "outrider/net/config.hpp"

namespace outrider::net {

struct SessionTimes {
    base::TimePoint opened;
    base::TimePoint last_frame;
    // First byte of a frame whose last byte is not there yet.
    std::optional<base::TimePoint> frame_began;
    // Since when bytes wait and the client has taken none.
    std::optional<base::TimePoint> blocked;
    bool greeted{false};
    // The server itself does not read: silence is not the client's.
    bool paused{false};
};

[[nodiscard]] std::optional<model::Refusal> overdue(const SessionTimes& times, const Config& config,
                                                    base::TimePoint now);

}  // namespace outrider::net
