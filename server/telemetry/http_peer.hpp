#pragma once
// What:     one connection of the operator's HTTP: a request as it comes, its answer as it goes.
//           Private to the telemetry room.
// Contract: step() goes as far as the socket lets it and never waits. One request a connection; its
//           head is kept to the bound. After the answer, what still comes is read and
//           thrown away until the peer closes, so that it finds the answer and no reset.
// Threads:  one at a time.

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "outrider/base/clock.hpp"

namespace outrider::telemetry {

// A file descriptor that closes itself; -1: none.
class Socket {
  public:
    Socket() = default;
    explicit Socket(int number) : number_(number) {}
    Socket(Socket&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Socket& operator=(Socket&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Socket();
    [[nodiscard]] int number() const { return number_; }

  private:
    int number_{-1};
};

class HttpPeer {
  public:
    // From the head of a request the whole answer, head and body.
    using Answer = std::function<std::string(std::string_view head)>;
    // Who takes longer is closed: over the whole request, and over each part of the answer.
    using Patience = std::chrono::milliseconds;

    HttpPeer(Socket socket, Patience patience, base::TimePoint now)
        : socket_(std::move(socket)), patience_(patience), until_(now + patience) {}

    void step(const Answer& answer, std::size_t request_bytes_max, base::TimePoint now);

    void give_up() noexcept { state_ = State::kOver; }

    [[nodiscard]] int socket() const { return socket_.number(); }
    // What poll() shall wait for.
    [[nodiscard]] short events() const;
    // Of several, the one with the least gives way to a new one: it has its answer, or has not
    // asked for one.
    [[nodiscard]] int claim() const { return static_cast<int>(state_); }
    [[nodiscard]] bool is_over(base::TimePoint now) const {
        return state_ == State::kOver || now >= until_;
    }
    [[nodiscard]] base::TimePoint until() const { return until_; }

  private:
    enum class State { kOver, kCloses, kReads, kWrites };

    void read(const Answer& answer, std::size_t request_bytes_max);
    void write(base::TimePoint now);
    void discard();
    // How many bytes came; 0: none yet, or the end, which makes it over.
    [[nodiscard]] std::size_t receive(char* bytes, std::size_t room);

    Socket socket_;
    Patience patience_;
    base::TimePoint until_;
    State state_{State::kReads};
    std::string asked_;
    std::string answer_;
    std::size_t sent_{0};
};

}  // namespace outrider::telemetry
