#pragma once
// What: a client of bare sockets, so that tests can misbehave: cut frames, stop reading, hang up.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "outrider/codec/client_codec.hpp"
#include "outrider/codec/messages.hpp"
#include "outrider/wire/frame.hpp"
#include "support/tls_end.hpp"

namespace outrider::test {

class RawClient {
  public:
    // Fails the test when nobody listens. `receive_bytes`: the socket's receive buffer, 0 =
    // default.
    explicit RawClient(std::uint16_t port, int receive_bytes = 0);
    // From another address of this machine, as 127.0.0.2.
    RawClient(std::uint16_t port, const char* from);
    ~RawClient();
    RawClient(const RawClient&) = delete;
    RawClient& operator=(const RawClient&) = delete;

    // From here on TLS. False when the handshake fails; then there is no TLS.
    [[nodiscard]] bool begin_tls(const std::string& own_pem = {}, const std::string& own_key = {});
    [[nodiscard]] TlsEnd* tls() { return tls_ ? &*tls_ : nullptr; }
    [[nodiscard]] int socket() const { return socket_; }

    // False when the server has closed.
    bool send_bytes(std::span<const std::byte> bytes);
    // Does not wait for the server to read. False when bytes of an earlier call are still unsent;
    // then nothing of `bytes` is taken.
    bool send_bytes_now(std::span<const std::byte> bytes);
    bool send(const codec::ClientMessage& message);
    template <class Body>
    bool send(std::uint64_t id, Body body) {
        return send(codec::ClientMessage{{id}, std::move(body)});
    }
    [[nodiscard]] static wire::Bytes frame_of(const codec::ClientMessage& message);

    // The next message; nothing when the server has closed. Fails the test after kPatience.
    [[nodiscard]] std::optional<codec::ServerMessage> receive();
    // The next message's body, which must be of this type and carry this id.
    template <class Body>
    [[nodiscard]] Body expect(std::uint64_t id);
    // Hello, and the Welcome.
    codec::Welcome greet(std::string_view token = "");
    // The Goodbye's reason, and then the end of the stream. Other messages before it are dropped.
    [[nodiscard]] model::Refusal expect_goodbye();
    [[nodiscard]] bool something_to_read(int milliseconds) const;
    void hang_up();
    // With a reset in place of an orderly end.
    void reset();

  private:
    void connect_to(std::uint16_t port);
    bool send_rest_now();

    int socket_{-1};
    std::optional<TlsEnd> tls_;
    wire::Bytes unsent_;
    wire::FrameReader reader_{wire::kServerFrameBytesMax};
    codec::ReplyDecoder decoder_;
};

void fail_expectation(std::uint64_t wanted, const std::optional<codec::ServerMessage>& got);

template <class Body>
Body RawClient::expect(std::uint64_t id) {
    auto message = receive();
    if (!message || message->id.value != id || !std::holds_alternative<Body>(message->body)) {
        fail_expectation(id, message);
        return Body{};
    }
    return std::get<Body>(std::move(message->body));
}

}  // namespace outrider::test
