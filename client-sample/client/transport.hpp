#pragma once
// What:     the bytes of one connection to a server, plain or within TLS.
// Contract: begin as plain; use_tls() before the connection and shake_hands() after it make it TLS.
//           One read and one write may be under way at a time.
// Threads:  the context's.

#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/ssl/context.hpp>
#include <asio/ssl/stream.hpp>
#include <asio/write.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "outrider/base/result.hpp"
#include "outrider/client/tls.hpp"

namespace outrider::client {

// What the connections of one kind share. An error names the file.
[[nodiscard]] base::Result<std::shared_ptr<asio::ssl::context>> tls_context_of(
    const TlsOptions& options);

class Transport {
  public:
    explicit Transport(asio::io_context& context) : socket_(context) {}
    // Connected already.
    explicit Transport(asio::ip::tcp::socket socket) : socket_(std::move(socket)) {}

    // `host` is who is connected to.
    void use_tls(const std::shared_ptr<asio::ssl::context>& context, const TlsOptions& options,
                 const std::string& host);
    [[nodiscard]] asio::ip::tcp::socket& socket() { return socket_; }

    // At once where there is no TLS.
    template <class Handler>
    void shake_hands(Handler handler) {
        if (tls_) {
            tls_->async_handshake(asio::ssl::stream_base::client, std::move(handler));
        } else {
            handler(asio::error_code());
        }
    }
    template <class Buffer, class Handler>
    void read_some(const Buffer& buffer, Handler handler) {
        if (tls_) {
            tls_->async_read_some(buffer, std::move(handler));
        } else {
            socket_.async_read_some(buffer, std::move(handler));
        }
    }
    template <class Buffer, class Handler>
    void write(const Buffer& buffer, Handler handler) {
        if (tls_) {
            asio::async_write(*tls_, buffer, std::move(handler));
        } else {
            asio::async_write(socket_, buffer, std::move(handler));
        }
    }
    // No write may be under way or follow. `keep` lives until it is done.
    template <class Keep>
    void end_writing(Keep keep) {
        if (tls_) {
            tls_->async_shutdown([keep = std::move(keep)](const asio::error_code&) {});
        } else {
            asio::error_code ignored;
            socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
        }
    }
    void close() {
        asio::error_code ignored;
        socket_.close(ignored);
    }

    // For people, with the cure where it is known.
    [[nodiscard]] std::string why(const asio::error_code& error);

  private:
    asio::ip::tcp::socket socket_;
    std::shared_ptr<asio::ssl::context> context_;
    std::optional<asio::ssl::stream<asio::ip::tcp::socket&>> tls_;
    std::string name_;  // whom the certificate must name
};

}  // namespace outrider::client
