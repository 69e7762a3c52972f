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

std::optional<client::PathPush> Feed::wait_for(std::size_t unit, model::Version version,
                                               std::chrono::nanoseconds limit) const {
    const auto end = std::chrono::steady_clock::now() + limit;
    const base::Lock lock(state_->mutex);
    const auto& newest = state_->newest[unit];
    while (!newest || newest->answer.version < version) {
        const auto left = end - std::chrono::steady_clock::now();
        if (left.count() <= 0) {
            return std::nullopt;
        }
        state_->changed.wait_for(state_->mutex, left);
    }
    return newest;
}

}  // namespace outrider::demo
