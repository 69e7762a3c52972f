#include "outrider/net/ticker.hpp"

#include <algorithm>
#include <asio/post.hpp>
#include <utility>

namespace outrider::net {

Ticker::Ticker(asio::io_context& context, Rules rules)
    : context_(context), rules_(std::move(rules)), timer_(context.get_executor()) {}

void Ticker::stop() {
    stopped_ = true;
    timer_.cancel();
}

void Ticker::wait() {
    timer_.expires_after(rules_.period());
    timer_.async_wait(memory_.with([this](const asio::error_code&) { begin_round(); }));
}

void Ticker::begin_round() {
    try {
        rules_.gather(round_);
    } catch (...) {
        round_.clear();
        rules_.on_failure();
    }
    told_ = 0;
    tell_some();
}

void Ticker::tell_some() {
    if (stopped_) {
        return;
    }
    const std::size_t until = std::min(told_ + kToldAtOnce, round_.size());
    for (; told_ < until; ++told_) {
        if (const auto hearer = round_[told_].lock()) {
            hearer->on_tick();
        }
    }
    if (told_ < round_.size()) {
        asio::post(context_, memory_.with([this] { tell_some(); }));
        return;
    }
    round_.clear();
    wait();
}

}  // namespace outrider::net
