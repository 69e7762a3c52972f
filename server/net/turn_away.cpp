#include "outrider/net/turn_away.hpp"

#include <asio/buffer.hpp>
#include <string>

#include "outrider/codec/server_codec.hpp"
#include "outrider/wire/frame.hpp"

namespace outrider::net {

void turn_away(asio::ip::tcp::socket socket, Shared& shared, std::string_view why) {
    count(shared.counters.sessions_refused);
    count(at(shared.counters.goodbyes, model::RefusalCode::kOverloaded));
    shared.parts.log.warn_limited("connection refused", {{"reason", why}});
    if (shared.config.tls) {
        // No handshake for who will not stay: it would cost more than the refusal is worth.
        return;
    }
    struct Frame final : codec::Output {
        wire::Bytes bytes;
        std::span<std::byte> message_space(std::size_t size) override {
            return wire::append_frame_space(bytes, size);
        }
    } frame;
    codec::ReplyEncoder().goodbye({.code = model::RefusalCode::kOverloaded,
                                   .field = {},
                                   .message = std::string(why),
                                   .retry_after = shared.config.retry_after},
                                  frame);
    asio::error_code ignored;
    socket.non_blocking(true, ignored);
    socket.write_some(asio::buffer(frame.bytes.data(), frame.bytes.size()), ignored);
    socket.shutdown(asio::ip::tcp::socket::shutdown_both, ignored);
}

}  // namespace outrider::net
