#pragma once
// What:     the socket of a Client, its unsent bytes and its open calls.
// Threads:  call(), open() and counters() from any thread; the rest on the I/O thread.

#include <array>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <unordered_map>

#include "outrider/base/mutex.hpp"
#include "outrider/client/client.hpp"
#include "outrider/client/pending.hpp"
#include "outrider/client/transport.hpp"
#include "outrider/codec/client_codec.hpp"
#include "outrider/wire/frame.hpp"

namespace outrider::client {

class Client::Connection : public std::enable_shared_from_this<Client::Connection> {
  public:
    struct Call {
        decltype(codec::ClientMessage::body) body;
        Pending pending;
        std::optional<Watch> watch{};
        std::optional<Follow> follow{};
    };

    Connection(asio::io_context& context, const Options& options);

    // Looks the name up, connects, shakes hands and says hello; `welcomed` ends it.
    void start(Callback<codec::Welcome> welcomed);
    // Sends all in one write, with consecutive ids.
    model::RequestId call(std::span<Call> calls) OUTRIDER_EXCLUDES(mutex_);
    // Fails all open calls and closes; the first reason counts.
    void end(const Failure& failure) OUTRIDER_EXCLUDES(mutex_);
    void forget_watches(model::MapId map) OUTRIDER_EXCLUDES(mutex_);

    [[nodiscard]] bool open() const OUTRIDER_EXCLUDES(mutex_);
    [[nodiscard]] Counters counters() const OUTRIDER_EXCLUDES(mutex_);
    [[nodiscard]] asio::io_context& context() { return context_; }

  private:
    struct Watched {
        model::MapId map;
        Watch watch;
    };

    struct Following {
        Follow follow;
        codec::PathFormat format{};
        // Of the push that is arriving.
        codec::PathAssembler assembler;
        codec::PushHead head;
    };

    void on_resolved(const asio::ip::tcp::resolver::results_type& endpoints);
    void on_connected();
    void say_hello();
    void on_welcome(Result<codec::Welcome> result);
    // Pings when it is time, and looks again when it may be.
    void keep_alive();
    void read();
    void on_read(std::size_t bytes);
    // False when the connection is over.
    [[nodiscard]] bool on_frame(std::span<const std::byte> frame);
    void on_push(const codec::ServerMessage& message) OUTRIDER_EXCLUDES(mutex_);
    void on_map_dropped(const codec::ServerMessage& message) OUTRIDER_EXCLUDES(mutex_);
    // False when the connection is over.
    [[nodiscard]] bool on_path_push(codec::ServerMessage& message) OUTRIDER_EXCLUDES(mutex_);
    void flush() OUTRIDER_EXCLUDES(mutex_);
    void broken(std::string_view what, const std::string& why);

    asio::io_context& context_;
    Options options_;
    asio::ip::tcp::resolver resolver_;
    Transport transport_;
    asio::steady_timer connect_timer_;
    asio::steady_timer quiet_timer_;
    std::chrono::milliseconds quiet_max_{};
    std::chrono::steady_clock::time_point last_write_;
    wire::FrameReader frames_;
    codec::ReplyDecoder decoder_;
    wire::Bytes in_flight_;
    // The reason of the server's Goodbye, which the end of the stream then stands for.
    std::optional<Failure> goodbye_;
    Callback<codec::Welcome> welcomed_;

    mutable base::Mutex mutex_;
    codec::RequestEncoder encoder_ OUTRIDER_GUARDED_BY(mutex_);
    wire::Bytes unsent_ OUTRIDER_GUARDED_BY(mutex_);
    bool write_under_way_ OUTRIDER_GUARDED_BY(mutex_){false};
    bool started_ OUTRIDER_GUARDED_BY(mutex_){false};
    std::optional<Failure> over_ OUTRIDER_GUARDED_BY(mutex_);
    std::uint64_t next_id_ OUTRIDER_GUARDED_BY(mutex_){1};
    std::unordered_map<std::uint64_t, Pending> pending_ OUTRIDER_GUARDED_BY(mutex_);
    std::unordered_map<std::uint64_t, Watched> watches_ OUTRIDER_GUARDED_BY(mutex_);
    std::unordered_map<std::uint64_t, Following> follows_ OUTRIDER_GUARDED_BY(mutex_);
    Counters counters_ OUTRIDER_GUARDED_BY(mutex_);
};

}  // namespace outrider::client
