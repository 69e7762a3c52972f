#include "outrider/net/session.hpp"

namespace outrider::net {

void Session::take_turn() {
    in_line_ = false;
    resume_.cancel();
}

void Session::use_turn() {
    times_.turn_over = false;
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
    return reader_.holds_bytes() && share_.is_used_up(now - now_, has_turn_, now);
}

void Session::size_send_buffer() {
    const std::size_t bytes = share_.bytes_held(config().send_buffer_bytes);
    asio::error_code ignored;
    stream_.socket().set_option(asio::socket_base::send_buffer_size(static_cast<int>(bytes)),
                                ignored);
}

void Session::note_written(std::size_t bytes) {
    if (share_.note_taken(bytes)) {
        size_send_buffer();
    }
}

}  // namespace outrider::net
