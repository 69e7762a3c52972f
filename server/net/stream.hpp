#pragma once
// What:     the bytes of one connection, plain or within TLS: a session's one way to its socket.
// Contract: read_some() waits for bytes; write_some() never waits. Plain bytes take the same calls
//           as if this class were not there.
// Threads:  the session's.
// Cost:     TLS: 10 KiB a quiet session, and 34 KiB while records are under way.

#include <asio/awaitable.hpp>
#include <asio/ip/tcp.hpp>
#include <cstddef>
#include <memory>
#include <span>
#include <tuple>
#include <utility>

#include "outrider/net/tls_link.hpp"

namespace outrider::net {

class Stream {
  public:
    using Read = asio::awaitable<std::tuple<asio::error_code, std::size_t>>;
    struct Handshake {
        asio::error_code error;
        // The client does not speak TLS.
        bool is_plain{false};
    };

    // Null: no TLS.
    Stream(asio::ip::tcp::socket socket, const TlsContext* tls);

    [[nodiscard]] asio::ip::tcp::socket& socket() { return socket_; }
    // Neither plain nor through its handshake.
    [[nodiscard]] bool is_greeting() const { return tls_ && !tls_->established(); }
    // Ends early when drop_tls() or close() is called meanwhile.
    [[nodiscard]] static asio::awaitable<Handshake> shake_hands(Stream& stream);
    // From here on bytes are plain: for a last word to who does not understand TLS, or none.
    void drop_tls() { tls_.reset(); }

    [[nodiscard]] Read read_some(std::span<std::byte> room);
    // would_block: wait_writable() first.
    [[nodiscard]] std::size_t write_some(std::span<const std::byte> bytes, asio::error_code& error);
    template <class Handler>
    void wait_writable(Handler handler) {
        socket_.async_wait(asio::ip::tcp::socket::wait_write, std::move(handler));
    }
    // Nothing is written after it; the client may still be read.
    void end_writing();
    void close();
    // Neither the socket nor TLS has bytes to read.
    [[nodiscard]] bool is_drained() const;
    // "TLSv1.3"; "none".
    [[nodiscard]] const char* tls_version() const { return tls_ ? tls_->version() : "none"; }

  private:
    [[nodiscard]] static Read read_tls(Stream& stream, std::span<std::byte> room);
    [[nodiscard]] static asio::awaitable<asio::error_code> wait_for(Stream& stream,
                                                                    TlsLink::Wants wants);
    [[nodiscard]] bool client_is_plain();

    asio::ip::tcp::socket socket_;
    std::unique_ptr<TlsLink> tls_;
    // After the handshake the first message may have been read with its end.
    TlsLink::Wants wants_{TlsLink::Wants::kTurn};
};

}  // namespace outrider::net
