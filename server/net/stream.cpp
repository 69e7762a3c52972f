#include "outrider/net/stream.hpp"

#include <array>
#include <asio/buffer.hpp>
#include <asio/experimental/as_tuple.hpp>
#include <asio/post.hpp>
#include <asio/use_awaitable.hpp>

namespace outrider::net {
namespace {

constexpr auto kAwait = asio::experimental::as_tuple(asio::use_awaitable);

// RFC 8446, section 5.1: the first record of a handshake begins with these. A plain Hello never
// does: 22 could be its length, but then its first field follows.
constexpr std::byte kHandshakeRecord{22};
constexpr std::byte kMajorVersion{3};

}  // namespace

Stream::Stream(asio::ip::tcp::socket socket, const TlsContext* tls) : socket_(std::move(socket)) {
    asio::error_code ignored;
    socket_.non_blocking(true, ignored);
    socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
    if (tls != nullptr) {
        tls_ = std::make_unique<TlsLink>(socket_, *tls);
    }
}

asio::awaitable<asio::error_code> Stream::wait_for(Stream& stream, TlsLink::Wants wants) {
    if (wants == TlsLink::Wants::kTurn) {
        co_await asio::post(stream.socket_.get_executor(), kAwait);
        co_return asio::error_code();
    }
    const auto [error] = co_await stream.socket_.async_wait(wants == TlsLink::Wants::kRead
                                                                ? asio::ip::tcp::socket::wait_read
                                                                : asio::ip::tcp::socket::wait_write,
                                                            kAwait);
    co_return error;
}

bool Stream::client_is_plain() {
    std::array<std::byte, 2> first{};
    asio::error_code error;
    const std::size_t bytes = socket_.receive(asio::buffer(first.data(), first.size()),
                                              asio::socket_base::message_peek, error);
    return !error && bytes > 0 &&
           (first[0] != kHandshakeRecord || (bytes > 1 && first[1] != kMajorVersion));
}

asio::awaitable<Stream::Handshake> Stream::shake_hands(Stream& stream) {
    asio::error_code error = co_await wait_for(stream, TlsLink::Wants::kRead);
    if (!error && stream.tls_ && stream.client_is_plain()) {
        co_return Handshake{.error = {}, .is_plain = true};
    }
    while (!error && stream.is_greeting()) {
        const TlsLink::Step step = stream.tls_->accept();
        error = step.error;
        if (!error && stream.is_greeting()) {
            error = co_await wait_for(stream, step.wants);
        }
    }
    co_return Handshake{.error = error, .is_plain = false};
}

Stream::Read Stream::read_some(std::span<std::byte> room) {
    return tls_ ? read_tls(*this, room)
                : socket_.async_read_some(asio::buffer(room.data(), room.size()), kAwait);
}

Stream::Read Stream::read_tls(Stream& stream, std::span<std::byte> room) {
    while (true) {
        asio::error_code error = co_await wait_for(stream, stream.wants_);
        if (!error && !stream.tls_) {
            error = asio::error::operation_aborted;
        }
        if (error) {
            co_return std::tuple(error, std::size_t{0});
        }
        const TlsLink::Step step = stream.tls_->read(room);
        stream.wants_ = step.wants;
        if (step.error || step.bytes > 0) {
            co_return std::tuple(step.error, step.bytes);
        }
    }
}

std::size_t Stream::write_some(std::span<const std::byte> bytes, asio::error_code& error) {
    if (!tls_) {
        return socket_.write_some(asio::buffer(bytes.data(), bytes.size()), error);
    }
    const TlsLink::Step step = tls_->write(bytes);
    error = step.error;
    if (!error && step.bytes == 0) {
        error = asio::error::would_block;
    }
    return step.bytes;
}

void Stream::end_writing() {
    if (tls_) {
        tls_->say_goodbye();
    }
    asio::error_code ignored;
    socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
}

void Stream::close() {
    asio::error_code ignored;
    socket_.close(ignored);
}

bool Stream::is_drained() const {
    asio::error_code ignored;
    return socket_.available(ignored) == 0 && !(tls_ && tls_->holds_bytes());
}

}  // namespace outrider::net
