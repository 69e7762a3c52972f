#include "outrider/net/server.hpp"

#include <algorithm>
#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/experimental/as_tuple.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/post.hpp>
#include <asio/use_awaitable.hpp>
#include <future>
#include <numeric>
#include <utility>

#include "outrider/base/mutex.hpp"
#include "outrider/net/io_thread.hpp"
#include "outrider/net/rate_bucket.hpp"
#include "outrider/net/ticker.hpp"
#include "outrider/net/turn_away.hpp"

namespace outrider::net {
namespace {

using asio::ip::tcp;
constexpr auto kAwait = asio::experimental::as_tuple(asio::use_awaitable);
// Out of file descriptors or of memory: the next accept may work once a session has ended. Also the
// longest time that the end of the server waits for a pause of the listener.
constexpr std::chrono::milliseconds kAcceptPause{100};
// What was not used of the rate of connections may be used at once later, so much time's worth.
constexpr std::chrono::seconds kArrivalBurst{1};

std::string text_of(const std::string& host, std::uint16_t port) {
    const bool needs_brackets = host.find(':') != std::string::npos;
    return (needs_brackets ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

template <std::size_t kCount>
void copy(const std::array<std::atomic<std::uint64_t>, kCount>& from,
          std::array<std::uint64_t, kCount>& to) {
    std::ranges::transform(from, to.begin(), [](const auto& counter) { return counter.load(); });
}

}  // namespace

class Server::Impl {
  public:
    Impl(const Config& config, const Parts& parts)
        : shared_{.config = config, .parts = parts}, config_(config) {
        for (unsigned i = 0; i < std::max(1U, config.io_threads); ++i) {
            threads_.push_back(std::make_unique<IoThread>(
                shared_, [this](const AddressKey& from) { on_end(from); }));
        }
    }

    ~Impl() {
        stop_listening();
        for (const auto& thread : threads_) {
            thread->stop();
        }
        // Before their io_context, which goes with the threads.
        doorkeeper_.reset();
        acceptor_.reset();
    }

    base::Result<void> open() {
        asio::io_context& context = threads_[0]->context();
        asio::error_code error;
        const Config& config = shared_.config;
        const auto found = tcp::resolver(context).resolve(config.host, std::to_string(config.port),
                                                          tcp::resolver::passive, error);
        if (error || found.empty()) {
            return base::fail("cannot listen on " + text_of(config.host, config.port) +
                              ": no such host (" + error.message() + "); check --listen");
        }
        auto acceptor = std::make_unique<tcp::acceptor>(context);
        const tcp::endpoint endpoint = found.begin()->endpoint();
        is_loopback_ = endpoint.address().is_loopback();
        if (auto allowed = allow(config); !allowed) {
            return allowed;
        }
        acceptor->open(endpoint.protocol(), error);
        if (!error) {
            acceptor->set_option(tcp::acceptor::reuse_address(true), error);
        }
        if (!error) {
            // Before the handshake, which tells the client; its connections have it from here.
            acceptor->set_option(
                tcp::acceptor::receive_buffer_size(static_cast<int>(config.receive_buffer_bytes)),
                error);
        }
        if (!error) {
            acceptor->bind(endpoint, error);
        }
        if (error) {
            return cannot_listen(error);
        }
        endpoint_ = acceptor->local_endpoint();
        acceptor_ = std::move(acceptor);
        return {};
    }

    base::Result<void> listen() {
        asio::error_code error;
        acceptor_->listen(tcp::acceptor::max_listen_connections, error);
        if (error) {
            return cannot_listen(error);
        }
        warn_of_clear_text(shared_.config);
        // Where what lets the next one in ends for want of memory, another takes its place.
        doorkeeper_ = std::make_unique<Ticker>(
            threads_[0]->context(), Ticker::Rules{.period = [] { return kAcceptPause; },
                                                  .gather = [this](Ticker::Hearers&) { accept(); },
                                                  .on_failure = [] {}});
        asio::post(acceptor_->get_executor(), [this] {
            doorkeeper_->start();
            accept();
        });
        return {};
    }

    // A server without tokens is everybody's who reaches it, or who has a certificate for it.
    [[nodiscard]] base::Result<void> allow(const Config& config) const {
        const bool asks_clients = config.tls && config.tls->asks_clients();
        if (is_loopback_ || config.insecure_public || asks_clients ||
            !config.access.tokens.empty()) {
            return {};
        }
        return base::fail("will not listen on " + text_of(config.host, config.port) +
                          " without tokens: whoever reaches it could read and change every map. "
                          "Give --token-file, listen on 127.0.0.1, or say --insecure-public");
    }

    // It may well be right behind a proxy or in a tunnel.
    void warn_of_clear_text(const Config& config) {
        if (!is_loopback_ && !config.tls && !config.insecure_public) {
            shared_.parts.log.write(
                telemetry::Level::kWarning,
                "tokens and maps go over the network in the clear; give --tls-cert and --tls-key, "
                "or put a tunnel in front",
                {{"address", text_of(config.host, endpoint_.port())}});
        }
    }

    base::Result<void> reload(const Config& config) {
        if (auto allowed = allow(config); !allowed) {
            return allowed;
        }
        const auto rules = std::make_shared<Config>(config);
        rules->io_threads = shared_.config.io_threads;
        {
            const base::Lock lock(mutex_);
            if ((config_.tls == nullptr) != (config.tls == nullptr)) {
                return base::fail("TLS is turned on or off by a restart only");
            }
            config_ = *rules;
        }
        for (const auto& thread : threads_) {
            thread->set_config(rules);
        }
        return {};
    }

    void begin_drain() {
        shared_.draining = true;
        stop_listening();
        shared_.parts.engine.begin_drain();
        for (const auto& thread : threads_) {
            thread->begin_drain();
        }
    }

    bool wait_closed(std::chrono::milliseconds limit) {
        // A limit on real time, whatever clock the sessions are given.
        const base::SteadyClock clock;
        const base::TimePoint until = clock.now() + limit;
        const base::Lock lock(mutex_);
        while (open_ > 0) {
            const auto left = until - clock.now();
            if (left <= std::chrono::nanoseconds(0) || !ended_.wait_for(mutex_, left)) {
                return open_ == 0;
            }
        }
        return true;
    }

    [[nodiscard]] const tcp::endpoint& endpoint() const { return endpoint_; }
    [[nodiscard]] const Shared& shared() const { return shared_; }
    [[nodiscard]] Config config() const {
        const base::Lock lock(mutex_);
        return config_;
    }

  private:
    [[nodiscard]] std::unexpected<base::Error> cannot_listen(const asio::error_code& error) const {
        return base::fail("cannot listen on " + text_of(shared_.config.host, shared_.config.port) +
                          ": " + error.message() +
                          "; stop what holds the port, or choose another with --listen");
    }

    // Up for as long as it lives.
    struct Lower {
        void operator()(bool* flag) const noexcept { *flag = false; }
    };
    using Raised = std::unique_ptr<bool, Lower>;

    void accept() {
        if (!is_accepting_ && acceptor_->is_open()) {
            is_accepting_ = true;
            asio::co_spawn(acceptor_->get_executor(), accept_all(*this, Raised(&is_accepting_)),
                           asio::detached);
        }
    }

    static asio::awaitable<void> accept_all(Impl& impl, Raised) {
        asio::steady_timer pause(impl.acceptor_->get_executor());
        while (impl.acceptor_->is_open()) {
            if (const base::Duration wait = impl.arrival_wait(); wait > base::Duration::zero()) {
                pause.expires_after(std::min<base::Duration>(wait, kAcceptPause));
                co_await pause.async_wait(kAwait);
                continue;
            }
            IoThread& thread = *impl.threads_[impl.next_number_ % impl.threads_.size()];
            auto [error, socket] = co_await impl.acceptor_->async_accept(thread.context(), kAwait);
            if (error == asio::error::operation_aborted || !impl.acceptor_->is_open()) {
                break;
            }
            if (error) {
                impl.shared_.parts.log.warn_limited("accept failed", {{"error", error.message()}});
                pause.expires_after(kAcceptPause);
                co_await pause.async_wait(kAwait);
                continue;
            }
            const auto peer = socket.remote_endpoint(error);
            const auto address = error ? asio::ip::address() : peer.address();
            impl.let_in(thread, {std::move(socket), impl.next_number_++, key_of(address)},
                        address.is_loopback());
        }
    }

    // Until the next may come in. A failure to tell costs a pause, and not the door.
    base::Duration arrival_wait() noexcept {
        try {
            const base::Lock lock(mutex_);
            const std::uint64_t rate = config_.connections_per_second;
            const base::Duration wait =
                arrivals_.wait(rate, kArrivalBurst, shared_.parts.clock.now());
            if (wait > base::Duration::zero()) {
                shared_.parts.log.warn_limited("connections come faster than they are let in",
                                               {{"connections_per_second", rate}});
            }
            return wait;
        } catch (...) {
            return kAcceptPause;
        }
    }

    // A failure costs this guest its place, and not all later ones the door.
    void let_in(IoThread& thread, Guest guest, bool is_loopback) {
        bool placed = false;
        const AddressKey from = guest.from;
        try {
            const std::string_view full = take_place(from, is_loopback);
            placed = full.empty();
            if (placed) {
                thread.add(std::move(guest));
            } else {
                turn_away(std::move(guest.socket), shared_, full);
            }
        } catch (...) {
            if (placed) {
                on_end(from);
            }
        }
    }

    // Empty, or why there is none.
    std::string_view take_place(const AddressKey& from, bool is_loopback) {
        const base::Lock lock(mutex_);
        arrivals_.take(1, config_.connections_per_second, shared_.parts.clock.now());
        if (open_ >= config_.connections_max) {
            return "the server has all the connections it takes";
        }
        if (shared_.parts.engine.memory().full()) {
            return "the server has all the memory that it may take";
        }
        const bool counts = !is_loopback || config_.access.count_loopback;
        if (!addresses_.take(from, counts ? config_.access.connections_per_address_max : 0)) {
            return "this address has all the connections that one may have";
        }
        ++open_;
        count(shared_.counters.sessions_opened);
        count(shared_.counters.sessions_open);
        return {};
    }

    void on_end(const AddressKey& from) {
        count(shared_.counters.sessions_open, ~std::uint64_t{0});
        const base::Lock lock(mutex_);
        --open_;
        addresses_.give(from);
        ended_.notify_all();
    }

    // The acceptor belongs to the first thread, so that it is closed there.
    void stop_listening() {
        if (!acceptor_) {
            return;
        }
        std::promise<void> closed;
        asio::post(acceptor_->get_executor(), [&] {
            asio::error_code ignored;
            acceptor_->close(ignored);
            if (doorkeeper_) {
                doorkeeper_->stop();
            }
            closed.set_value();
        });
        closed.get_future().wait();
    }

    Shared shared_;
    mutable base::Mutex mutex_;
    base::Condition ended_;
    std::size_t open_ OUTRIDER_GUARDED_BY(mutex_){0};
    Addresses addresses_ OUTRIDER_GUARDED_BY(mutex_);
    RateBucket arrivals_ OUTRIDER_GUARDED_BY(mutex_);
    Config config_ OUTRIDER_GUARDED_BY(mutex_);
    bool is_loopback_{true};
    // Of the next guest, whose thread it tells. It does not count pauses: with one before each
    // guest every other thread would get none.
    std::uint64_t next_number_{1};
    bool is_accepting_{false};  // the first thread's
    std::vector<std::unique_ptr<IoThread>> threads_;
    std::unique_ptr<tcp::acceptor> acceptor_;
    std::unique_ptr<Ticker> doorkeeper_;
    tcp::endpoint endpoint_;
};

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() = default;

base::Result<std::unique_ptr<Server>> Server::open(const Config& config, const Parts& parts) {
    auto impl = std::make_unique<Impl>(config, parts);
    if (const auto opened = impl->open(); !opened) {
        return std::unexpected(opened.error());
    }
    return std::unique_ptr<Server>(new Server(std::move(impl)));
}

base::Result<void> Server::listen() {
    return impl_->listen();
}

std::uint16_t Server::port() const {
    return impl_->endpoint().port();
}

std::string Server::address() const {
    return text_of(impl_->endpoint().address().to_string(), port());
}

Config Server::config() const {
    return impl_->config();
}

Stats Server::stats() const {
    const Counters& now = impl_->shared().counters;
    Stats stats{.sessions_opened = now.sessions_opened,
                .sessions_refused = now.sessions_refused,
                .sessions_open = now.sessions_open,
                .edits = now.edits,
                .pushes = now.pushes,
                .bytes_in = now.bytes_in,
                .bytes_out = now.bytes_out,
                .outbox_bytes = now.outbox_bytes};
    copy(now.messages, stats.messages);
    copy(now.refusals, stats.refused);
    copy(now.goodbyes, stats.goodbyes);
    copy(now.roles, stats.roles);
    stats.requests = std::accumulate(stats.messages.begin(), stats.messages.end(), stats.requests);
    stats.refusals = std::accumulate(stats.refused.begin(), stats.refused.end(), stats.refusals);
    return stats;
}

base::Result<void> Server::reload(const Config& config) {
    return impl_->reload(config);
}

void Server::begin_drain() {
    impl_->begin_drain();
}
bool Server::wait_closed(std::chrono::milliseconds limit) {
    return impl_->wait_closed(limit);
}

}  // namespace outrider::net
