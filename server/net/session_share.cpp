#include <algorithm>

#include "outrider/net/session.hpp"

namespace outrider::net {
namespace {

// Out of line a session does at once what is done in this time, some dozen common requests. Short,
// since all of a crowd may have something to do at once.
constexpr std::chrono::microseconds kLook{50};
// Who had more to do than that stands in the line at once for so long: a tick of most games.
constexpr std::chrono::milliseconds kHeavy{100};

// A client may ask and never read. Until it has taken more replies than the systems on both sides
// hold for it at first, so much waits for it and no more, here and once more in the system.
constexpr std::size_t kUnprovenBytes = 32U << 10U;
constexpr std::size_t kProofBytes = 128U << 10U;

// For a client that sent in good faith and shall find the Goodbye in place of a reset. Who sends on
// has the linger's time to notice that nobody reads. Who never said Hello has sent little in good
// faith.
constexpr std::size_t kDiscardBytesMax = 256U << 10U;
constexpr std::size_t kStrangerDiscardBytesMax = 32U << 10U;

}  // namespace

void Session::take_turn() {
    in_line_ = false;
    resume_.cancel();
}

void Session::use_turn() {
    turn_over_ = false;
    has_turn_ = true;
    if (times_.frame_began) {
        // The rest of a frame could not be read while the session stood in line.
        times_.frame_began = shared_.parts.clock.now();
    }
    pump();
    has_turn_ = false;
}

bool Session::turn_is_over() {
    const base::TimePoint now = shared_.parts.clock.now();
    const bool over = reader_.holds_bytes() && now - now_ >= (has_turn_ ? kTurn : kLook);
    if (over) {
        heavy_until_ = now + kHeavy;
    }
    return over;
}

bool Session::is_heavy() const {
    return heavy_until_ > shared_.parts.clock.now();
}

void Session::hold_short() {
    const std::size_t bytes = std::min(config().send_buffer_bytes, kUnprovenBytes);
    asio::error_code ignored;
    stream_.socket().set_option(asio::socket_base::send_buffer_size(static_cast<int>(bytes)),
                                ignored);
}

void Session::note_written(std::size_t bytes) {
    written_bytes_ += reads_ ? 0 : bytes;
    if (!reads_ && written_bytes_ >= kProofBytes) {
        reads_ = true;
        asio::error_code ignored;
        stream_.socket().set_option(
            asio::socket_base::send_buffer_size(static_cast<int>(config().send_buffer_bytes)),
            ignored);
    }
}

std::size_t Session::high_mark() const {
    const std::size_t most = config().outbox_high_bytes;
    return reads_ ? most : std::min(most, kUnprovenBytes);
}

std::size_t Session::discard_max() const {
    return requests_ > 0 ? kDiscardBytesMax : kStrangerDiscardBytesMax;
}

}  // namespace outrider::net
