#include "demo/feed.hpp"

#include <chrono>

namespace outrider::demo {

client::Follow Feed::follow(std::size_t unit) const {
    return {[state = state_, unit](const client::PathPush& push) {
                if (push.ended()) {
                    return;
                }
                const base::Lock lock(state->mutex);
                state->newest[unit] = push;
                state->changed.notify_all();
            },
            nullptr};
}

template <class Fits>
std::optional<client::PathPush> Feed::wait_until(std::size_t unit, Fits fits,
                                                 std::chrono::nanoseconds limit) const {
    const auto end = std::chrono::steady_clock::now() + limit;
    const base::Lock lock(state_->mutex);
    const auto& newest = state_->newest[unit];
    while (!newest || !fits(*newest)) {
        const auto left = end - std::chrono::steady_clock::now();
        if (left.count() <= 0) {
            return std::nullopt;
        }
        state_->changed.wait_for(state_->mutex, left);
    }
    return newest;
}

std::optional<client::PathPush> Feed::wait_for(std::size_t unit, model::Version version,
                                               std::chrono::nanoseconds limit) const {
    const auto fits = [&](const client::PathPush& push) { return push.answer.version >= version; };
    return wait_until(unit, fits, limit);
}

std::optional<client::PathPush> Feed::wait_for_start(std::size_t unit, model::Cell start,
                                                     model::Version version,
                                                     std::chrono::nanoseconds limit) const {
    const auto fits = [&](const client::PathPush& push) {
        return push.answer.version >= version && push.start == start;
    };
    return wait_until(unit, fits, limit);
}

}  // namespace outrider::demo
