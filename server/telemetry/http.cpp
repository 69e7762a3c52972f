#include "outrider/telemetry/http.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <thread>
#include <utility>

#include "outrider/base/clock.hpp"
#include "outrider/telemetry/http_pages.hpp"
#include "outrider/telemetry/http_peer.hpp"

namespace outrider::telemetry {
namespace {

// Out of file descriptors: the next may come in once somebody has gone.
constexpr std::chrono::milliseconds kAcceptPause{100};
// Then those who are in have their turn.
constexpr int kAcceptsPerTurn = 64;

union Address {
    sockaddr any;
    sockaddr_in v4;
    sockaddr_in6 v6;
    sockaddr_storage storage;
};

Address local_address(const Socket& socket) {
    Address address{};
    socklen_t size = sizeof address;
    (void)::getsockname(socket.number(), &address.any, &size);
    return address;
}

Socket listen_on(const addrinfo& found) {
    Socket socket(
        ::socket(found.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, found.ai_protocol));
    const int yes = 1;
    // After a restart its port is still warm.
    (void)::setsockopt(socket.number(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    const bool listens = ::bind(socket.number(), found.ai_addr, found.ai_addrlen) == 0 &&
                         ::listen(socket.number(), SOMAXCONN) == 0;
    return listens ? std::move(socket) : Socket();
}

// On HOST:PORT or [HOST]:PORT; none where that cannot be had.
Socket listen_on(const std::string& address) {
    const std::size_t colon = address.rfind(':');
    if (colon == std::string::npos) {
        return {};
    }
    std::string host = address.substr(0, colon);
    if (host.starts_with('[') && host.ends_with(']')) {
        host = host.substr(1, host.size() - 2);
    }
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_PASSIVE;
    addrinfo* found = nullptr;
    if (::getaddrinfo(host.empty() ? nullptr : host.c_str(), address.c_str() + colon + 1, &hints,
                      &found) != 0) {
        return {};
    }
    const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owned(found, ::freeaddrinfo);
    Socket socket;
    for (const addrinfo* each = found; each != nullptr && socket.number() < 0;
         each = each->ai_next) {
        socket = listen_on(*each);
    }
    return socket;
}

}  // namespace

class Http::Impl {
  public:
    Impl(const HttpConfig& config, std::vector<Page> pages, Socket listener)
        : config_(config),
          pages_(std::move(pages)),
          listener_(std::move(listener)),
          wake_(::eventfd(0, EFD_CLOEXEC)) {
        // So that the thread needs memory for requests and answers only.
        peers_.reserve(std::max<std::size_t>(config_.connections_max, 1));
        polls_.reserve(peers_.capacity() + kBeforePeers);
        thread_ = std::thread([this] { run(); });
    }
    ~Impl() {
        const std::uint64_t one = 1;
        (void)!::write(wake_.number(), &one, sizeof one);
        thread_.join();
    }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    [[nodiscard]] const Socket& listener() const { return listener_; }

  private:
    static constexpr std::size_t kBeforePeers = 2;

    void run() {
        for (;;) {
            wait();
            if (polls_[0].revents != 0) {
                return;
            }
            const base::TimePoint now = clock_.now();
            for (std::size_t i = 0; i < peers_.size(); ++i) {
                if (polls_[kBeforePeers + i].revents != 0) {
                    step(peers_[i], now);
                }
            }
            std::erase_if(peers_, [now](const HttpPeer& peer) { return peer.is_over(now); });
            if (polls_[1].revents != 0) {
                accept_some(now);
            }
        }
    }

    void wait() {
        const base::TimePoint now = clock_.now();
        const bool rests = listen_again_ > now;
        base::TimePoint until = rests ? listen_again_ : base::TimePoint::max();
        polls_.assign({{wake_.number(), POLLIN, 0}, {rests ? -1 : listener_.number(), POLLIN, 0}});
        for (const HttpPeer& peer : peers_) {
            polls_.push_back({peer.socket(), peer.events(), 0});
            until = std::min(until, peer.until());
        }
        int limit_ms = -1;
        if (until != base::TimePoint::max()) {
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - now);
            limit_ms = static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 60'000));
        }
        if (::poll(polls_.data(), polls_.size(), limit_ms) < 0) {
            for (pollfd& each : polls_) {
                each.revents = 0;
            }
        }
    }

    void accept_some(base::TimePoint now) {
        for (int i = 0; i < kAcceptsPerTurn; ++i) {
            Socket socket(
                ::accept4(listener_.number(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
            if (socket.number() < 0) {
                if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED) {
                    listen_again_ = now + kAcceptPause;
                }
                return;
            }
            if (peers_.size() == peers_.capacity()) {
                peers_.erase(std::ranges::min_element(peers_, {}, &HttpPeer::claim));
            }
            // Most come with their request.
            step(peers_.emplace_back(std::move(socket), config_.timeout, now), now);
            if (peers_.back().is_over(now)) {
                peers_.pop_back();
            }
        }
    }

    void step(HttpPeer& peer, base::TimePoint now) {
        try {
            peer.step([this](std::string_view head) { return answer_to(head, pages_); },
                      config_.request_bytes_max, now);
        } catch (...) {
            peer.give_up();  // no memory for the request or its answer
        }
    }

    const HttpConfig config_;
    const std::vector<Page> pages_;
    const Socket listener_;
    const Socket wake_;
    const base::SteadyClock clock_;
    // The thread's. By age.
    std::vector<HttpPeer> peers_;
    std::vector<pollfd> polls_;
    base::TimePoint listen_again_{};
    std::thread thread_;
};

Http::Http(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Http::~Http() = default;

base::Result<std::unique_ptr<Http>> Http::start(const HttpConfig& config, std::vector<Page> pages) {
    Socket listener = listen_on(config.address);
    if (listener.number() < 0) {
        return base::fail("cannot serve HTTP on " + config.address +
                          ": give --http another HOST:PORT, or end what listens there");
    }
    return std::unique_ptr<Http>(
        new Http(std::make_unique<Impl>(config, std::move(pages), std::move(listener))));
}

int Http::port() const {
    const Address address = local_address(impl_->listener());
    return ntohs(address.any.sa_family == AF_INET6 ? address.v6.sin6_port : address.v4.sin_port);
}

bool Http::is_loopback() const {
    const Address address = local_address(impl_->listener());
    return address.any.sa_family == AF_INET6 ? IN6_IS_ADDR_LOOPBACK(&address.v6.sin6_addr) != 0
                                             : ntohl(address.v4.sin_addr.s_addr) >> 24U == 127;
}

}  // namespace outrider::telemetry
