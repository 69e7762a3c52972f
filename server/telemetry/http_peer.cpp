#include "outrider/telemetry/http_peer.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace outrider::telemetry {
namespace {

constexpr std::string_view kEndOfHead = "\r\n\r\n";
// A step reads no more, whatever comes: the others are waiting.
constexpr std::size_t kBytesPerStep = 4096;

}  // namespace

Socket::~Socket() {
    if (number_ >= 0) {
        ::close(number_);
    }
}

void HttpPeer::step(const Answer& answer, std::size_t request_bytes_max, base::TimePoint now) {
    if (state_ == State::kReads) {
        read(answer, request_bytes_max);
    }
    if (state_ == State::kWrites) {
        write(now);
    }
    if (state_ == State::kCloses) {
        discard();
    }
}

short HttpPeer::events() const {
    return state_ == State::kWrites ? POLLOUT : POLLIN;
}

void HttpPeer::read(const Answer& answer, std::size_t request_bytes_max) {
    std::array<char, kBytesPerStep> bytes;
    asked_.append(bytes.data(), receive(bytes.data(), bytes.size()));
    const std::size_t end = asked_.find(kEndOfHead);
    const std::size_t head = end == std::string::npos ? asked_.size() : end + kEndOfHead.size();
    if (state_ != State::kReads || (end == std::string::npos && head <= request_bytes_max)) {
        return;
    }
    // A head that is too long is answered as it is, cut: it is no request.
    answer_ = answer(std::string_view(asked_).substr(0, head > request_bytes_max ? 0 : head));
    asked_ = std::string();
    state_ = State::kWrites;
}

void HttpPeer::write(base::TimePoint now) {
    const ssize_t sent = ::send(socket(), answer_.data() + sent_, answer_.size() - sent_,
                                MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) {
        if (errno != EAGAIN && errno != EINTR) {
            state_ = State::kOver;
        }
        return;
    }
    until_ = now + patience_;
    sent_ += static_cast<std::size_t>(sent);
    if (sent_ == answer_.size()) {
        answer_ = std::string();
        ::shutdown(socket(), SHUT_WR);
        state_ = State::kCloses;
    }
}

void HttpPeer::discard() {
    std::array<char, kBytesPerStep> bytes;
    (void)receive(bytes.data(), bytes.size());
}

std::size_t HttpPeer::receive(char* bytes, std::size_t room) {
    const ssize_t got = ::recv(socket(), bytes, room, MSG_DONTWAIT);
    if (got > 0) {
        return static_cast<std::size_t>(got);
    }
    if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
        state_ = State::kOver;
    }
    return 0;
}

}  // namespace outrider::telemetry
