#pragma once
// What:     TLS over one socket that does not block: handshake, read, write, the last word.
// Contract: no function waits. Each Step tells what was done, and what to wait for before the next
//           attempt. Bytes that were only partly written must be offered again, at the same place
//           of the stream and with as many behind them.
// Threads:  the session's.
// Cost:     a read takes all whole records that have arrived, up to kSocketReadsPerStep reads of
//           the socket, so that no flood of a client's holds the thread; a write carries one record
//           of up to 16 KiB.
// Source:   decisions/0029: OpenSSL on the socket's readiness, without a second set of buffers.

#include <openssl/ssl.h>

#include <asio/ip/tcp.hpp>
#include <cstddef>
#include <memory>
#include <span>

#include "outrider/net/tls.hpp"

namespace outrider::net {

class TlsLink {
  public:
    enum class Wants : std::uint8_t {
        kTurn,   // nothing: try again when the others of the thread had theirs
        kRead,   // the socket must be readable
        kWrite,  // the socket must be writable
    };
    struct Step {
        std::size_t bytes{};
        asio::error_code error{};
        Wants wants{Wants::kTurn};
    };

    // The socket must outlive it.
    TlsLink(asio::ip::tcp::socket& socket, const TlsContext& context);

    // Done when there is neither an error nor a wish: established() is true then.
    [[nodiscard]] Step accept();
    [[nodiscard]] Step read(std::span<std::byte> room);
    [[nodiscard]] Step write(std::span<const std::byte> bytes);
    // close_notify, if the socket takes it.
    void say_goodbye();

    [[nodiscard]] bool established() const { return SSL_is_init_finished(ssl_.get()) == 1; }
    // Bytes have been read from the socket that read() has not handed out yet.
    [[nodiscard]] bool holds_bytes() const { return SSL_has_pending(ssl_.get()) == 1; }
    [[nodiscard]] const char* version() const { return SSL_get_version(ssl_.get()); }

  private:
    struct Pipe;
    struct Free {
        void operator()(SSL* ssl) const { SSL_free(ssl); }
    };

    void begin_step();
    // Of a call that gave `result`.
    [[nodiscard]] Step unfinished(int result);

    asio::ip::tcp::socket& socket_;
    std::unique_ptr<SSL, Free> ssl_;
    // Of the socket, or of the first breach of TLS: nothing works after it.
    asio::error_code broken_;
    int socket_reads_left_{0};
    bool socket_is_drained_{false};
};

}  // namespace outrider::net
