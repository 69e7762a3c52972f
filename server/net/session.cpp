#include "outrider/net/session.hpp"

#include <asio/buffer.hpp>
#include <asio/experimental/as_tuple.hpp>
#include <asio/use_awaitable.hpp>
#include <utility>

namespace outrider::net {
namespace {

constexpr auto kAwait = asio::experimental::as_tuple(asio::use_awaitable);
// After this many bytes the other sessions of the thread have their turn: paths take 4 ns a byte to
// encode, so that an army's reply holds up others for a quarter of a millisecond.
constexpr std::size_t kWriteBytesPerTurn = 64U << 10U;
// Replies that come at once are counted against the high mark after this many requests.
constexpr std::size_t kFramesPerMail = 32;

model::Refusal refusal_of(wire::FrameError error, const Config& config) {
    if (error == wire::FrameError::kTooLarge) {
        return {.code = model::RefusalCode::kFrameTooLarge,
                .field = {},
                .message = "a frame is larger than " + std::to_string(config.frame_bytes_max) +
                           " bytes; send large edits as several batches",
                .retry_after = {}};
    }
    return {.code = model::RefusalCode::kInvalidArgument,
            .field = {},
            .message = "a frame's length is no canonical varint of at most five bytes",
            .retry_after = {}};
}

}  // namespace

Session::Session(Guest guest, Shared& shared, ThreadTools& tools)
    : stream_(std::move(guest.socket), tools.config->tls.get()),
      resume_(stream_.socket().get_executor()),
      shared_(shared),
      tools_(tools),
      number_(guest.number),
      from_(guest.from),
      reader_(tools.config->frame_bytes_max),
      outbox_(tools.encoder, *this) {
    asio::error_code gone;
    const auto peer = stream_.socket().remote_endpoint(gone);
    peer_ = gone ? std::string{} : peer.address().to_string();
    now_ = shared_.parts.clock.now();
    times_.opened = now_;
    times_.last_frame = now_;
    size_send_buffer();
}

Session::~Session() {
    outbox_.drop_items();
    state_ = State::kClosed;
    report_outbox();
    count_as(std::nullopt);
}

asio::awaitable<void> Session::run(std::shared_ptr<Session> self) {
    Session& session = *self;
    if (session.stream_.is_greeting()) {
        co_await greet_tls(session);
    }
    std::size_t discarded = 0;
    while (session.state_ != State::kClosed) {
        const bool closing = session.state_ == State::kClosing;
        if ((session.times_.paused && !closing) ||
            !Share::discards_on(discarded, session.requests_ == 0)) {
            session.resume_.expires_at(asio::steady_timer::time_point::max());
            co_await session.resume_.async_wait(kAwait);
            continue;
        }
        if (session.times_.turn_over && !closing) {
            if (!std::exchange(session.in_line_, true)) {
                session.line().enter(session.weak_from_this());
            }
            session.resume_.expires_at(asio::steady_timer::time_point::max());
            co_await session.resume_.async_wait(kAwait);
            if (!session.in_line_ && session.listens()) {
                session.use_turn();
            }
            continue;
        }
        const std::span<std::byte> room =
            closing ? std::span<std::byte>(session.tools_.discard) : session.reader_.prepare();
        const auto [error, bytes] = co_await session.stream_.read_some(room);
        if (error) {
            session.hang_up(error == asio::error::eof ? "closed by the client" : error.message());
        } else if (session.listens()) {
            // A read may end well and yet come after a close: its bytes then lie elsewhere.
            session.take_bytes(bytes);
        } else {
            discarded += bytes;
        }
    }
}

void Session::take_bytes(std::size_t bytes) {
    count(shared_.counters.bytes_in, bytes);
    reader_.commit(bytes);
    if (share_.is_heavy(shared_.parts.clock.now())) {
        times_.turn_over = true;
    } else {
        pump();
    }
}

// Decodes what has arrived and writes what is ready, until neither makes the other possible.
void Session::pump() {
    now_ = shared_.parts.clock.now();
    for (bool again = true; again && state_ != State::kClosed;) {
        if (mailbox_) {
            mailbox_->expect();
        }
        decode_frames();
        read_mail();
        write_ready();
        const bool was_paused = times_.paused;
        check_marks();
        again = was_paused && !times_.paused && reader_.holds_bytes();
    }
    finish_drain();
    report_outbox();
}

void Session::decode_frames() {
    bool taken = false;
    std::size_t until_mail = kFramesPerMail;
    while (listens() && !times_.turn_over) {
        if (outbox_.waiting_bytes() >= high_mark()) {
            times_.paused = true;
            break;
        }
        const auto frame = reader_.next();
        if (!frame) {
            close_with(refusal_of(frame.error(), config()));
            return;
        }
        if (!*frame) {
            break;
        }
        taken = true;
        take_frame(**frame);
        times_.turn_over = turn_is_over();
        if (--until_mail == 0 && mailbox_) {
            until_mail = kFramesPerMail;
            read_mail();
            mailbox_->expect();
        }
    }
    note_partial_frame(taken);
}

void Session::note_partial_frame(bool frames_taken) {
    if (frames_taken) {
        times_.last_frame = now_;
    }
    if (times_.paused || !reader_.holds_bytes()) {
        times_.frame_began.reset();
    } else if (frames_taken || !times_.frame_began) {
        times_.frame_began = now_;
    }
}

void Session::read_mail() {
    if (!mailbox_) {
        return;
    }
    mailbox_->collect(letters_);
    for (Letter& letter : letters_) {
        std::visit([this](auto& body) { deliver(std::move(body)); }, letter);
    }
    letters_.clear();
}

void Session::write_ready() {
    std::size_t written = 0;
    while (!write_waits_ && state_ != State::kClosed) {
        const std::span<const std::byte> bytes = outbox_.ready();
        if (bytes.empty()) {
            times_.note_nothing_waits();
            if (state_ == State::kClosing && !std::exchange(shut_, true)) {
                stream_.end_writing();
            }
            return;
        }
        asio::error_code error;
        const std::size_t sent = stream_.write_some(bytes, error);
        if (error == asio::error::would_block || error == asio::error::try_again) {
            wait_writable();
        } else if (error) {
            hang_up(error.message());
        } else {
            times_.note_taken(sent);
            count(shared_.counters.bytes_out, sent);
            outbox_.consume(sent);
            note_written(sent);
            written += sent;
            if (written >= kWriteBytesPerTurn) {
                wait_writable();
            }
        }
    }
}

void Session::wait_writable() {
    // Also after a full turn: the socket may never be writable again.
    times_.note_blocked(now_);
    write_waits_ = true;
    stream_.wait_writable([self = shared_from_this()](const asio::error_code& error) {
        self->write_waits_ = false;
        if (!error) {
            self->guarded([&self] { self->pump(); });
        }
    });
}

void Session::check_marks() {
    if (!listens()) {
        return;
    }
    const Config& limits = config();
    const std::size_t waiting = outbox_.waiting_bytes();
    report_outbox();
    const bool total_exceeded =
        shared_.counters.outbox_bytes.load(std::memory_order_relaxed) > limits.outbox_total_bytes;
    if (waiting > limits.outbox_hard_bytes ||
        (total_exceeded && waiting > limits.outbox_high_bytes)) {
        close_with({.code = model::RefusalCode::kOverloaded,
                    .field = {},
                    .message = "slow reader: " + std::to_string(waiting) +
                               " bytes of replies wait; read while you send",
                    .retry_after = limits.retry_after});
        write_ready();
    } else if (waiting >= high_mark()) {
        times_.paused = true;
    } else if (times_.paused && waiting <= limits.outbox_low_bytes) {
        times_.paused = false;
        // The client was kept waiting by the server; its own silence begins now.
        times_.last_frame = now_;
        resume_.cancel();
    }
}

void Session::finish_drain() {
    if (!shared_.draining.load(std::memory_order_relaxed)) {
        return;
    }
    const bool answered = state_ == State::kOpen && !times_.turn_over && in_flight_ == 0 &&
                          follows_ == 0 && outbox_.empty() && stream_.is_drained();
    if (state_ == State::kHello || answered) {
        close_with({.code = model::RefusalCode::kShuttingDown,
                    .field = {},
                    .message = "the server shuts down; every accepted request was answered",
                    .retry_after = config().retry_after});
        write_ready();
    }
}

void Session::report_outbox() {
    const std::size_t waiting = state_ == State::kClosed ? 0 : outbox_.waiting_bytes();
    // Unsigned wrap-around makes the sum right for shrinking outboxes too.
    count(shared_.counters.outbox_bytes, std::uint64_t{waiting} - outbox_reported_);
    outbox_reported_ = waiting;
    shared_.parts.engine.memory().set(
        engine::MemoryPart::kNetwork,
        shared_.counters.outbox_bytes.load(std::memory_order_relaxed));
}

void Session::on_tick() {
    if (mailbox_ && mailbox_->failed()) {
        fail();
    } else if (state_ != State::kClosed) {
        guarded([this] { look_at_times(); });
    }
}

void Session::look_at_times() {
    now_ = shared_.parts.clock.now();
    if (state_ == State::kClosing) {
        if (now_ - closing_since_ > config().linger) {
            hang_up(close_reason_);
        }
        return;
    }
    times_.greeted = state_ == State::kOpen;
    if (const auto reason = overdue(times_, config(), now_)) {
        close_with(*reason);
        write_ready();
        report_outbox();
    }
    if (shared_.draining.load(std::memory_order_relaxed)) {
        pump();
    }
}

void Session::on_drain() {
    guarded([this] { pump(); });
}

void Session::close_with(const model::Refusal& reason) {
    if (!listens()) {
        return;
    }
    if (stream_.is_greeting()) {
        end_unheard(std::string(name_of(reason.code)) + ": " + reason.message);
        return;
    }
    state_ = State::kClosing;
    count(at(shared_.counters.goodbyes, reason.code));
    closing_since_ = now_;
    close_reason_ = std::string(name_of(reason.code)) + ": " + reason.message;
    leave_engine();
    outbox_.drop_items();
    outbox_.small(
        [&](codec::ReplyEncoder& encoder, codec::Output& out) { encoder.goodbye(reason, out); });
    times_.paused = false;
    resume_.cancel();
}

void Session::leave_engine() {
    count_as(std::nullopt);
    if (client_) {
        mailbox_->close();
        shared_.parts.engine.disconnect(*client_);
        client_.reset();
    }
}

void Session::fail() noexcept {
    // Needs no memory, and sets free what the rest may need.
    outbox_.drop_items();
    // Needs none to speak of, and nobody else would do it.
    leave_engine();
    try {
        shared_.parts.log.warn_limited("session failed", {{"session", number_}});
        hang_up("internal failure");
    } catch (...) {
        // Not even memory for the end: the client shall notice at least.
        state_ = State::kClosed;
        resume_.cancel();
        stream_.close();
    }
}

void Session::hang_up(std::string_view why) {
    if (state_ == State::kClosed) {
        return;
    }
    outbox_.drop_items();
    leave_engine();
    const std::string reason = close_reason_.empty() ? std::string(why) : close_reason_;
    state_ = State::kClosed;
    report_outbox();
    resume_.cancel();
    stream_.close();
    shared_.parts.log.write(telemetry::Level::kInfo, "session closed",
                            {{"session", number_},
                             {"reason", reason},
                             {"peer", peer_},
                             {"client", client_name_},
                             {"requests", requests_},
                             {"replies", replies_},
                             {"dropped", std::uint64_t{in_flight_}}});
}

}  // namespace outrider::net
