#include "record/relay.hpp"

#include <asio/connect.hpp>
#include <asio/error.hpp>
#include <utility>

namespace outrider::record {

Relay::Relay(asio::ip::tcp::socket client, std::unique_ptr<client::Transport> server,
             std::unique_ptr<Tap> tap, RelayHooks hooks)
    : client_(std::move(client)),
      server_(std::move(server)),
      linger_(client_.socket().get_executor()),
      requests_{client_, *server_, std::vector<std::byte>(kRelayBufferBytes)},
      replies_{*server_, client_, std::vector<std::byte>(kRelayBufferBytes)},
      tap_(std::move(tap)),
      hooks_(std::move(hooks)) {}

void Relay::start(const Endpoints& server) {
    asio::async_connect(server_->socket(), server,
                        [self = shared_from_this()](const asio::error_code& error, const auto&) {
                            if (error) {
                                self->close();
                                return;
                            }
                            asio::error_code ignored;
                            // Both ends gather what they send; waiting for more would only add
                            // latency.
                            const asio::ip::tcp::no_delay at_once(true);
                            self->client_.socket().set_option(at_once, ignored);
                            self->server_->socket().set_option(at_once, ignored);
                            self->shake_hands();
                        });
}

void Relay::shake_hands() {
    server_->shake_hands([self = shared_from_this()](const asio::error_code& error) {
        if (error) {
            self->close();
            return;
        }
        self->read(self->requests_);
        self->read(self->replies_);
    });
}

void Relay::read(Way& way) {
    way.from.read_some(
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
    way.to.write(asio::buffer(way.buffer.data(), bytes),
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
    way.to.end_writing(shared_from_this());
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
    client_.close();
    server_->close();
    linger_.cancel();
    tap_->end();
    hooks_.passed();
    hooks_.ended();
}

}  // namespace outrider::record
