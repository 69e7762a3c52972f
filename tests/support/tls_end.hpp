#pragma once
// What: the client's end of TLS over a plain blocking socket, for tests that misbehave. It trusts
//       everybody: that clients check is the client library's own test.

#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <memory>
#include <string>

namespace outrider::test {

class TlsEnd {
  public:
    // A certificate of the client's own, in PEM, where the server asks for one.
    explicit TlsEnd(int socket, const std::string& own_pem = {}, const std::string& own_key = {});

    // False when the server ends it.
    [[nodiscard]] bool shake_hands() { return SSL_connect(ssl_.get()) == 1; }
    [[nodiscard]] int write(const void* data, std::size_t bytes) {
        return SSL_write(ssl_.get(), data, static_cast<int>(bytes));
    }
    // 0 after the server's close_notify, below 0 after any other end.
    [[nodiscard]] int read(void* data, std::size_t bytes) {
        const int got = SSL_read(ssl_.get(), data, static_cast<int>(bytes));
        return got > 0 || SSL_get_error(ssl_.get(), got) != SSL_ERROR_ZERO_RETURN ? got : 0;
    }
    [[nodiscard]] bool holds_bytes() const { return SSL_pending(ssl_.get()) > 0; }
    // The server's, in PEM.
    [[nodiscard]] std::string server_certificate() const;
    [[nodiscard]] std::string version() const { return SSL_get_version(ssl_.get()); }
    [[nodiscard]] SSL* native() { return ssl_.get(); }

  private:
    struct Free {
        void operator()(SSL* ssl) const { SSL_free(ssl); }
        void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
    };
    std::unique_ptr<SSL_CTX, Free> context_;
    std::unique_ptr<SSL, Free> ssl_;
};

}  // namespace outrider::test
