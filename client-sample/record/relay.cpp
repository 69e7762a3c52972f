#include "record/relay.hpp"

#include <asio/connect.hpp>
#include <asio/error.hpp>
#include <asio/write.hpp>
#include <utility>

namespace outrider::record {

Relay::Relay(asio::ip::tcp::socket client, std::unique_ptr<Tap> tap, RelayHooks hooks)
    : client_(std::move(client)),
      server_(client_.get_executor()),
      linger_(client_.get_executor()),
      requests_{client_, server_, std::vector<std::byte>(kRelayBufferBytes)},
      replies_{server_, client_, std::vector<std::byte>(kRelayBufferBytes)},
      tap_(std::move(tap)),
      hooks_(std::move(hooks)) {}

void Relay::start(const Endpoints& server) {
    asio::async_connect(server_, server,
                        [self = shared_from_this()](const asio::error_code& error, const auto&) {
                            if (error) {
                                self->close();
                                return;
                            }
                            asio::error_code ignored;
                            // Both ends gather what they send; waiting for more would only add
                            // latency.
                            self->client_.set_option(asio::ip::tcp::no_delay(true), ignored);
                            self->server_.set_option(asio::ip::tcp::no_delay(true), ignored);
                            self->read(self->requests_);
                            self->read(self->replies_);
                        });
}

void Relay::read(Way& way) {
    way.from.async_read_some(
        asio::buffer(way.buffer),
        [self = shared_from_this(), &way](const asio::error_code& error, std::size_t bytes) {
            if (!error) {
                self->on_read(way, bytes);
            } else if (error == asio::error::eof) {
                self->end(way);
            } else {
                self->close();
            }
        });
}

void Relay::on_read(Way& way, std::size_t bytes) {
    // A request must be known before its reply can come; a reply should not wait for the file.
    if (&way == &requests_) {
        hear(way, bytes);
        write(way, bytes);
    } else {
        write(way, bytes);
        hear(way, bytes);
    }
}

void Relay::write(Way& way, std::size_t bytes) {
    asio::async_write(
        way.to, asio::buffer(way.buffer.data(), bytes),
        [self = shared_from_this(), &way](const asio::error_code& error, std::size_t) {
            if (error) {
                self->close();
            } else {
                self->read(way);
            }
        });
}

void Relay::hear(const Way& way, std::size_t bytes) {
    const std::span<const std::byte> heard(way.buffer.data(), bytes);
    if (&way == &requests_) {
        tap_->from_client(heard);
    } else {
        tap_->from_server(heard);
    }
    hooks_.passed();
}

void Relay::end(Way& way) {
    way.ended = true;
    if (requests_.ended && replies_.ended) {
        close();
        return;
    }
    asio::error_code ignored;
    way.to.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
    linger_.expires_after(kLinger);
    linger_.async_wait([self = shared_from_this()](const asio::error_code& error) {
        if (!error) {
            self->close();
        }
    });
}

void Relay::close() {
    if (std::exchange(closed_, true)) {
        return;
    }
    asio::error_code ignored;
    client_.close(ignored);
    server_.close(ignored);
    linger_.cancel();
    tap_->end();
    hooks_.passed();
    hooks_.ended();
}

}  // namespace outrider::record
