#pragma once
// What:     carries the bytes of one client to the server and back, and lets a tap hear them.
// Contract: every byte is handed on unchanged and in order, whatever it means. The end of one
//           direction is handed on as such; kLinger later, or when both have ended or one breaks,
//           both sockets close and `ended` is called, once.
// Threads:  the context's.
// Cost:     one buffer a direction: a side that does not read stops the other's reading.

#include <array>
#include <asio/ip/tcp.hpp>
#include <asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "outrider/client/transport.hpp"
#include "record/tap.hpp"

namespace outrider::record {

// Some hundred requests, or a hundred replies of ordinary length, a read.
inline constexpr std::size_t kRelayBufferBytes = 16U << 10U;
// Longer than a server lets a client that it has said goodbye to read on.
inline constexpr std::chrono::seconds kLinger{10};

struct RelayHooks {
    std::function<void()> passed;  // after each read, when the tap has heard it
    std::function<void()> ended;
};

class Relay : public std::enable_shared_from_this<Relay> {
  public:
    using Endpoints = asio::ip::tcp::resolver::results_type;

    // `server` is not connected yet.
    Relay(asio::ip::tcp::socket client, std::unique_ptr<client::Transport> server,
          std::unique_ptr<Tap> tap, RelayHooks hooks);
    void start(const Endpoints& server);
    void close();

  private:
    struct Way {
        client::Transport& from;
        client::Transport& to;
        std::vector<std::byte> buffer;
        bool ended{false};
    };

    void shake_hands();
    void read(Way& way);
    void on_read(Way& way, std::size_t bytes);
    void write(Way& way, std::size_t bytes);
    void hear(const Way& way, std::size_t bytes);
    void end(Way& way);

    client::Transport client_;
    std::unique_ptr<client::Transport> server_;
    asio::steady_timer linger_;
    Way requests_;
    Way replies_;
    std::unique_ptr<Tap> tap_;
    RelayHooks hooks_;
    bool closed_{false};
};

}  // namespace outrider::record
