#include "integration/raw_client.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>

#include "support/collect_output.hpp"
#include "support/eventually.hpp"

namespace outrider::test {

RawClient::RawClient(std::uint16_t port, int receive_bytes) {
    socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
    if (receive_bytes > 0) {
        ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_bytes, sizeof receive_bytes);
    }
    connect_to(port);
}

RawClient::RawClient(std::uint16_t port, const char* from)
    : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in own{};
    own.sin_family = AF_INET;
    ::inet_pton(AF_INET, from, &own.sin_addr);
    EXPECT_EQ(::bind(socket_, reinterpret_cast<const sockaddr*>(&own), sizeof own), 0);
    connect_to(port);
}

void RawClient::connect_to(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    const int on = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

RawClient::~RawClient() {
    hang_up();
}

void RawClient::hang_up() {
    if (socket_ >= 0) {
        ::close(socket_);
        socket_ = -1;
    }
}

void RawClient::reset() {
    const linger now{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    hang_up();
}

bool RawClient::begin_tls(const std::string& own_pem, const std::string& own_key) {
    // OpenSSL writes without a flag against the signal.
    ::signal(SIGPIPE, SIG_IGN);
    tls_.emplace(socket_, own_pem, own_key);
    if (!tls_->shake_hands()) {
        tls_.reset();
        return false;
    }
    return true;
}

bool RawClient::send_bytes(std::span<const std::byte> bytes) {
    if (tls_) {
        return bytes.empty() || tls_->write(bytes.data(), bytes.size()) > 0;
    }
    while (!bytes.empty()) {
        const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0) {
            return false;
        }
        bytes = bytes.subspan(static_cast<std::size_t>(sent));
    }
    return true;
}

bool RawClient::send_rest_now() {
    while (!unsent_.empty()) {
        const ssize_t sent =
            ::send(socket_, unsent_.data(), unsent_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent <= 0) {
            return false;
        }
        unsent_.erase(unsent_.begin(), unsent_.begin() + sent);
    }
    return true;
}

bool RawClient::send_bytes_now(std::span<const std::byte> bytes) {
    if (!send_rest_now()) {
        return false;
    }
    unsent_.assign(bytes.begin(), bytes.end());
    (void)send_rest_now();
    return true;
}

wire::Bytes RawClient::frame_of(const codec::ClientMessage& message) {
    CollectOutput out;
    codec::RequestEncoder().encode(message, out);
    wire::Bytes frame;
    wire::append_frame(frame, out.messages.at(0));
    return frame;
}

bool RawClient::send(const codec::ClientMessage& message) {
    return send_bytes(frame_of(message));
}

bool RawClient::something_to_read(int milliseconds) const {
    if (tls_ && tls_->holds_bytes()) {
        return true;
    }
    pollfd ready{.fd = socket_, .events = POLLIN, .revents = 0};
    return ::poll(&ready, 1, milliseconds) > 0;
}

std::optional<codec::ServerMessage> RawClient::receive() {
    constexpr auto kPatienceMs = static_cast<int>(std::chrono::milliseconds(kPatience).count());
    for (;;) {
        const auto next = reader_.next();
        if (!next) {
            ADD_FAILURE() << name_of(next.error());
            return std::nullopt;
        }
        if (*next) {
            auto message = decoder_.decode(**next);
            EXPECT_TRUE(message.has_value()) << message.error().message;
            return message ? std::optional(*std::move(message)) : std::nullopt;
        }
        if (!something_to_read(kPatienceMs)) {
            ADD_FAILURE() << "the server neither answered nor closed";
            return std::nullopt;
        }
        const auto room = reader_.prepare();
        const ssize_t got = tls_ ? tls_->read(room.data(), room.size())
                                 : ::recv(socket_, room.data(), room.size(), 0);
        if (got <= 0) {
            return std::nullopt;
        }
        reader_.commit(static_cast<std::size_t>(got));
    }
}

codec::Welcome RawClient::greet(std::string_view token) {
    EXPECT_TRUE(send(1, codec::Hello{codec::kProtocolVersion, std::string(token), "test"}));
    return expect<codec::Welcome>(1);
}

model::Refusal RawClient::expect_goodbye() {
    for (auto message = receive(); message; message = receive()) {
        if (const auto* goodbye = std::get_if<codec::Goodbye>(&message->body)) {
            EXPECT_EQ(message->id.value, 0U);
            EXPECT_FALSE(receive().has_value()) << "a Goodbye is the last message";
            const model::Refusal reason = goodbye->reason;
            hang_up();
            return reason;
        }
    }
    ADD_FAILURE() << "closed without a Goodbye";
    return {};
}

void fail_expectation(std::uint64_t wanted, const std::optional<codec::ServerMessage>& got) {
    if (!got) {
        ADD_FAILURE() << "closed while a reply to request " << wanted << " was due";
        return;
    }
    const auto* refusal = std::get_if<model::Refusal>(&got->body);
    const auto* goodbye = std::get_if<codec::Goodbye>(&got->body);
    ADD_FAILURE() << "wanted another reply, to request " << wanted << "; got kind "
                  << got->body.index() << " to request " << got->id.value << " "
                  << (refusal != nullptr ? refusal->message : "")
                  << (goodbye != nullptr ? goodbye->reason.message : "");
}

}  // namespace outrider::test
