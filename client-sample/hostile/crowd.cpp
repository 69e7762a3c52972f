#include "hostile/crowd.hpp"

#include <asio/awaitable.hpp>
#include <asio/buffer.hpp>
#include <asio/co_spawn.hpp>
#include <asio/connect.hpp>
#include <asio/detached.hpp>
#include <asio/experimental/as_tuple.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/steady_timer.hpp>
#include <asio/use_awaitable.hpp>
#include <asio/write.hpp>
#include <atomic>
#include <span>
#include <thread>
#include <utility>

#include "hostile/bytes.hpp"

namespace outrider::hostile {
namespace {

using asio::ip::tcp;
constexpr auto kAwait = asio::experimental::as_tuple(asio::use_awaitable);

// Who was thrown out comes back after this.
constexpr std::chrono::milliseconds kPause{100};
// A Hello of some twenty bytes then takes longer than a server waits for it.
constexpr std::chrono::milliseconds kDripPause{500};
constexpr std::size_t kGarbageBytes = 4096;
constexpr std::uint32_t kOversizedBytes = 512U << 20U;
constexpr std::size_t kOversizedChunk = 64U << 10U;
constexpr std::size_t kGreedyQuestions = 256;
// Megabytes left to itself, which nobody but this machine has the work of.
constexpr int kSendBufferBytes = 64 << 10;

struct AtomicCounts {
    std::atomic<std::uint64_t> connected{0}, thrown_out{0}, failed{0}, bytes{0};
};

}  // namespace

struct Crowd::State {
    State(Target to, const CrowdOptions& options)
        : target(std::move(to)),
          greeting(hello(target.token)),
          noise(garbage(options.seed, kGarbageBytes)),
          questions(greedy_questions(2, kGreedyQuestions)) {
        asio::error_code error;
        endpoints = tcp::resolver(context).resolve(target.host, target.port, error);
        for (std::size_t i = 0; i < options.peers; ++i) {
            asio::co_spawn(context, live(*this, options.kinds[i % options.kinds.size()]),
                           asio::detached);
        }
        thread = std::thread([this] { context.run(); });
    }
    ~State() {
        context.stop();
        thread.join();
    }

    AtomicCounts& counts_of(Kind kind) { return counts[static_cast<std::size_t>(kind)]; }

    static asio::awaitable<void> live(State& state, Kind kind);
    // Each ends when the server has closed, or the peer wants to.
    static asio::awaitable<void> act(State& state, tcp::socket& socket, Kind kind);
    // False when the server has closed. The bytes must outlive it.
    static asio::awaitable<bool> say(State& state, tcp::socket& socket, Kind kind,
                                     std::span<const std::byte> bytes);
    static asio::awaitable<void> drip(State& state, tcp::socket& socket);
    static asio::awaitable<void> oversize(State& state, tcp::socket& socket);
    static asio::awaitable<void> ask_and_never_read(State& state, tcp::socket& socket);
    static asio::awaitable<void> read_to_the_end(tcp::socket& socket);

    const Target target;
    // Made once: the crowd shall cost the server, and not its own machine.
    const Bytes greeting;
    const Bytes noise;
    const Bytes questions;
    const Bytes zeros = Bytes(kOversizedChunk);
    std::array<AtomicCounts, kKinds.size()> counts{};
    std::atomic<std::size_t> seen{0};
    asio::io_context context{1};
    tcp::resolver::results_type endpoints;
    std::thread thread;
};

asio::awaitable<void> Crowd::State::live(State& state, Kind kind) {
    asio::steady_timer pause(state.context);
    AtomicCounts& counts = state.counts_of(kind);
    bool is_new = true;
    while (true) {
        tcp::socket socket(state.context);
        const auto [error, endpoint] =
            co_await asio::async_connect(socket, state.endpoints, kAwait);
        if (error) {
            ++counts.failed;
        } else {
            asio::error_code ignored;
            socket.set_option(asio::socket_base::send_buffer_size(kSendBufferBytes), ignored);
            ++counts.connected;
            state.seen += std::exchange(is_new, false) ? 1 : 0;
            co_await act(state, socket, kind);
        }
        asio::error_code ignored;
        socket.close(ignored);
        pause.expires_after(kPause);
        co_await pause.async_wait(kAwait);
    }
}

asio::awaitable<void> Crowd::State::act(State& state, tcp::socket& socket, Kind kind) {
    bool open = true;
    switch (kind) {
        case Kind::kDrip: co_await drip(state, socket); break;
        case Kind::kGarbage: open = co_await say(state, socket, kind, state.noise); break;
        case Kind::kOversized: co_await oversize(state, socket); break;
        case Kind::kDeaf: co_await ask_and_never_read(state, socket); break;
        case Kind::kHelloFlood: {
            open = co_await say(state, socket, kind, state.greeting);
            Bytes welcome(1);
            co_await socket.async_read_some(asio::buffer(welcome), kAwait);
            co_return;
        }
    }
    if (open) {
        co_await read_to_the_end(socket);
    }
    ++state.counts_of(kind).thrown_out;
}

asio::awaitable<bool> Crowd::State::say(State& state, tcp::socket& socket, Kind kind,
                                        std::span<const std::byte> bytes) {
    const auto [error, sent] =
        co_await asio::async_write(socket, asio::buffer(bytes.data(), bytes.size()), kAwait);
    state.counts_of(kind).bytes += sent;
    co_return !error;
}

asio::awaitable<void> Crowd::State::drip(State& state, tcp::socket& socket) {
    asio::steady_timer pause(state.context);
    for (std::size_t at = 0; at < state.greeting.size(); ++at) {
        if (!co_await say(state, socket, Kind::kDrip, std::span(state.greeting).subspan(at, 1))) {
            co_return;
        }
        pause.expires_after(kDripPause);
        co_await pause.async_wait(kAwait);
    }
}

asio::awaitable<void> Crowd::State::oversize(State& state, tcp::socket& socket) {
    const Bytes begin = frame_begin(kOversizedBytes);
    bool open = co_await say(state, socket, Kind::kOversized, begin);
    for (std::size_t sent = 0; open && sent < kOversizedBytes; sent += kOversizedChunk) {
        open = co_await say(state, socket, Kind::kOversized, state.zeros);
    }
}

// The write that the server does not take waits until the server has closed.
asio::awaitable<void> Crowd::State::ask_and_never_read(State& state, tcp::socket& socket) {
    asio::error_code ignored;
    socket.set_option(asio::socket_base::receive_buffer_size(4096), ignored);
    bool open = co_await say(state, socket, Kind::kDeaf, state.greeting);
    while (open) {
        open = co_await say(state, socket, Kind::kDeaf, state.questions);
    }
}

asio::awaitable<void> Crowd::State::read_to_the_end(tcp::socket& socket) {
    Bytes room(4096);
    for (bool more = true; more;) {
        const auto [error, bytes] = co_await socket.async_read_some(asio::buffer(room), kAwait);
        more = !error;
    }
}

Crowd::Crowd(const Target& target, const CrowdOptions& options)
    : state_(std::make_unique<State>(target, options)) {}
Crowd::~Crowd() = default;

Counts Crowd::counts() const {
    Counts counts;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const AtomicCounts& now = state_->counts[i];
        counts[i] = {now.connected, now.thrown_out, now.failed, now.bytes};
    }
    return counts;
}

std::size_t Crowd::seen() const {
    return state_->seen;
}

}  // namespace outrider::hostile
