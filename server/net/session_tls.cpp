#include "outrider/net/session.hpp"

namespace outrider::net {

asio::awaitable<void> Session::greet_tls(Session& session) {
    const Stream::Handshake end = co_await Stream::shake_hands(session.stream_);
    if (!session.listens()) {
        co_return;
    }
    session.now_ = session.shared_.parts.clock.now();
    if (end.is_plain) {
        session.stream_.drop_tls();
        session.close_with({.code = model::RefusalCode::kUnauthenticated,
                            .field = {},
                            .message = "this server speaks TLS only; connect with it (--tls)",
                            .retry_after = {}});
        session.write_ready();
    } else if (end.error) {
        session.end_unheard("TLS handshake: " + end.error.message());
    }
}

// OpenSSL's own alert may be under way: a close at once could destroy it on the client's side.
void Session::end_unheard(std::string_view why) {
    stream_.drop_tls();
    state_ = State::kClosing;
    closing_since_ = now_;
    close_reason_ = why;
    leave_engine();
    outbox_.drop_items();
    times_.paused = false;
    resume_.cancel();
    write_ready();
}

}  // namespace outrider::net
