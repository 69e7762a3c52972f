#include "outrider/net/watchdog.hpp"

#include <algorithm>
#include <string>

namespace outrider::net {
namespace {

model::Refusal reason(model::RefusalCode code, std::string message) {
    return {.code = code, .field = {}, .message = std::move(message), .retry_after = {}};
}

std::string text_of(std::chrono::milliseconds limit) {
    return std::to_string(limit.count()) + " ms";
}

// Whether the bytes taken of a map state have earned the time that it was held for.
bool state_is_late(const SessionTimes& times, const Config& config, base::TimePoint now) {
    const std::size_t rate = std::max<std::size_t>(config.map_state_bytes_per_second_min, 1);
    const std::chrono::milliseconds earned(times.state_taken_bytes * 1000 / rate);
    return times.state_began && now - *times.state_began > config.slow_reader_timeout + earned;
}

}  // namespace

void SessionTimes::note_blocked(base::TimePoint now) {
    if (!blocked) {
        blocked = now;
        taken_bytes = 0;
    }
}

void SessionTimes::note_taken(std::size_t bytes) {
    taken_bytes += bytes;
    state_taken_bytes += bytes;
    if (taken_bytes >= kTakenBytesMin) {
        blocked.reset();
    }
}

void SessionTimes::note_state_began(base::TimePoint now) {
    state_began = now;
    state_taken_bytes = 0;
}

std::optional<model::Refusal> overdue(const SessionTimes& times, const Config& config,
                                      base::TimePoint now) {
    if (times.blocked && now - *times.blocked > config.slow_reader_timeout) {
        return reason(model::RefusalCode::kOverloaded,
                      "slow reader: replies waited " + text_of(config.slow_reader_timeout) +
                          " and next to none was taken; read while you send");
    }
    if (state_is_late(times, config, now)) {
        return reason(model::RefusalCode::kOverloaded,
                      "slow reader: a map state was taken at less than " +
                          std::to_string(config.map_state_bytes_per_second_min) +
                          " bytes a second; read while you send");
    }
    if (!times.greeted && now - times.opened > config.hello_timeout) {
        return reason(model::RefusalCode::kUnauthenticated,
                      "no Hello within " + text_of(config.hello_timeout));
    }
    if (times.paused || times.turn_over) {
        return std::nullopt;
    }
    if (times.frame_began && now - *times.frame_began > config.frame_timeout) {
        return reason(model::RefusalCode::kInvalidArgument,
                      "a frame was not whole within " + text_of(config.frame_timeout) +
                          " of its first byte; send each frame at once");
    }
    if (now - times.last_frame > config.idle_timeout) {
        return reason(
            model::RefusalCode::kNotReady,
            "idle: no frame for " + text_of(config.idle_timeout) + "; send a Ping now and then");
    }
    return std::nullopt;
}

}  // namespace outrider::net
