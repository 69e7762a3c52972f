#include "outrider/net/tls_link.hpp"

#include <openssl/bio.h>
#include <openssl/err.h>

#include <asio/ssl/error.hpp>
#include <new>

#include "outrider/net/tls_context.hpp"

namespace outrider::net {
namespace {

// At 16 KiB each about as much as a session without TLS reads in a turn.
constexpr int kSocketReadsPerStep = 4;

bool must_wait(const asio::error_code& error) {
    return error == asio::error::would_block || error == asio::error::try_again;
}

}  // namespace

// OpenSSL's way to the socket. Its own way would raise SIGPIPE, and knows no measure.
struct TlsLink::Pipe {
    static int read(BIO* bio, char* data, int size) {
        TlsLink& link = *static_cast<TlsLink*>(BIO_get_data(bio));
        BIO_clear_retry_flags(bio);
        if (link.socket_is_drained_ || link.socket_reads_left_ == 0) {
            BIO_set_retry_read(bio);
            return -1;
        }
        asio::error_code error;
        const std::size_t bytes =
            link.socket_.read_some(asio::buffer(data, static_cast<std::size_t>(size)), error);
        if (!error) {
            --link.socket_reads_left_;
            // As much as there was: another read would only say so. What comes meanwhile is seen by
            // the wait that follows.
            link.socket_is_drained_ = bytes < static_cast<std::size_t>(size);
            return static_cast<int>(bytes);
        }
        if (must_wait(error)) {
            BIO_set_retry_read(bio);
        } else {
            link.broken_ = error;
        }
        return -1;
    }

    static int write(BIO* bio, const char* data, int size) {
        TlsLink& link = *static_cast<TlsLink*>(BIO_get_data(bio));
        BIO_clear_retry_flags(bio);
        asio::error_code error;
        const std::size_t bytes =
            link.socket_.write_some(asio::buffer(data, static_cast<std::size_t>(size)), error);
        if (!error) {
            return static_cast<int>(bytes);
        }
        if (must_wait(error)) {
            BIO_set_retry_write(bio);
        } else {
            link.broken_ = error;
        }
        return -1;
    }

    static long control(BIO*, int command, long, void*) {
        return command == BIO_CTRL_FLUSH ? 1 : 0;
    }

    static const BIO_METHOD* method() {
        struct Free {
            void operator()(BIO_METHOD* made) const { BIO_meth_free(made); }
        };
        static const std::unique_ptr<BIO_METHOD, Free> kMethod = [] {
            std::unique_ptr<BIO_METHOD, Free> made(
                BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "session"));
            if (made) {
                BIO_meth_set_read(made.get(), read);
                BIO_meth_set_write(made.get(), write);
                BIO_meth_set_ctrl(made.get(), control);
            }
            return made;
        }();
        return kMethod.get();
    }
};

TlsLink::TlsLink(asio::ip::tcp::socket& socket, const TlsContext& context)
    : socket_(socket), ssl_(SSL_new(context.impl_->context.native_handle())) {
    const BIO_METHOD* const method = Pipe::method();
    BIO* const bio = method == nullptr ? nullptr : BIO_new(method);
    if (!ssl_ || bio == nullptr) {
        BIO_free(bio);
        throw std::bad_alloc();
    }
    BIO_set_data(bio, this);
    BIO_set_init(bio, 1);
    SSL_set_bio(ssl_.get(), bio, bio);
    SSL_set_accept_state(ssl_.get());
}

void TlsLink::begin_step() {
    // What an earlier call left behind would be taken for this one's.
    ERR_clear_error();
    socket_reads_left_ = kSocketReadsPerStep;
    socket_is_drained_ = false;
}

TlsLink::Step TlsLink::unfinished(int result) {
    const int reason = SSL_get_error(ssl_.get(), result);
    if (reason == SSL_ERROR_WANT_WRITE) {
        return {.wants = Wants::kWrite};
    }
    if (reason == SSL_ERROR_WANT_READ) {
        const bool may_have_more = socket_reads_left_ == 0 && !socket_is_drained_;
        return {.wants = may_have_more ? Wants::kTurn : Wants::kRead};
    }
    if (!broken_) {
        const auto breach = static_cast<int>(ERR_peek_error());
        if (reason == SSL_ERROR_ZERO_RETURN) {
            broken_ = asio::error::eof;
        } else if (breach != 0) {
            broken_ = asio::error_code(breach, asio::error::get_ssl_category());
        } else {
            broken_ = asio::error::connection_aborted;
        }
    }
    return {.error = broken_};
}

TlsLink::Step TlsLink::accept() {
    begin_step();
    const int result = SSL_do_handshake(ssl_.get());
    return result == 1 ? Step{} : unfinished(result);
}

TlsLink::Step TlsLink::read(std::span<std::byte> room) {
    if (broken_) {
        return {.error = broken_};
    }
    begin_step();
    Step step;
    while (step.bytes < room.size()) {
        std::size_t bytes = 0;
        const int result =
            SSL_read_ex(ssl_.get(), room.data() + step.bytes, room.size() - step.bytes, &bytes);
        if (result != 1) {
            const Step rest = unfinished(result);
            step.wants = rest.wants;
            // An error is told once what came before it has been taken.
            step.error = step.bytes == 0 ? rest.error : asio::error_code();
            return step;
        }
        step.bytes += bytes;
    }
    return step;
}

TlsLink::Step TlsLink::write(std::span<const std::byte> bytes) {
    if (broken_ && broken_ != asio::error::eof) {
        return {.error = broken_};
    }
    begin_step();
    Step step;
    const int result = SSL_write_ex(ssl_.get(), bytes.data(), bytes.size(), &step.bytes);
    return result == 1 ? step : unfinished(result);
}

void TlsLink::say_goodbye() {
    if (!broken_ && established()) {
        begin_step();
        SSL_shutdown(ssl_.get());
    }
}

}  // namespace outrider::net
