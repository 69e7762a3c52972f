#pragma once
// What:     standard error as the log's last station. Private to the telemetry room.
// Contract: waits for a reader that is behind, and lets it cost lines alone: let_go() says that the
//           end is near, and from then on what no reader takes within kLastWait in all is lost. A
//           reader that has gone costs lines, too; needs SIGPIPE blocked or ignored.
// Threads:  sink_it_: the log's own; let_go(): any.

#include <poll.h>
#include <spdlog/details/null_mutex.h>
#include <spdlog/sinks/base_sink.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <climits>
#include <string_view>

namespace outrider::telemetry {

class PatientSink final : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
  public:
    static constexpr std::chrono::milliseconds kLastWait{1000};

    void let_go() { end_ = Clock::now() + kLastWait; }

  protected:
    void sink_it_(const spdlog::details::log_msg& message) override {
        spdlog::memory_buf_t line;
        formatter_->format(message, line);
        std::string_view rest(line.data(), line.size());
        while (!rest.empty() && waits_until_writable()) {
            // A pipe that is writable takes so much without blocking.
            const ssize_t written =
                ::write(STDERR_FILENO, rest.data(), std::min<std::size_t>(rest.size(), PIPE_BUF));
            if (written < 0 && errno != EINTR && errno != EAGAIN) {
                return;
            }
            rest.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
        }
    }
    void flush_() override {}

  private:
    using Clock = std::chrono::steady_clock;
    // The only wait that let_go() comes too late for.
    static constexpr std::chrono::milliseconds kLook{50};

    // False where nobody waits any more.
    bool waits_until_writable() {
        for (;;) {
            const auto left =
                std::chrono::ceil<std::chrono::milliseconds>(end_.load() - Clock::now());
            const auto wait = std::clamp(left, std::chrono::milliseconds(0), kLook);
            pollfd error{STDERR_FILENO, POLLOUT, 0};
            if (::poll(&error, 1, static_cast<int>(wait.count())) != 0) {
                return true;  // an error, too: the write tells
            }
            if (left.count() <= 0) {
                return false;
            }
        }
    }

    // Of the last wait; far off until the end is near.
    std::atomic<Clock::time_point> end_{Clock::time_point::max()};
};

}  // namespace outrider::telemetry
