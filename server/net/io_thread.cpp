#include "outrider/net/io_thread.hpp"

#include <asio/co_spawn.hpp>
#include <asio/post.hpp>
#include <utility>

#include "outrider/telemetry/unless_without_memory.hpp"

namespace outrider::net {
namespace {

// With Share::kTurn, a crowd of newcomers has a fifth of the time.
constexpr std::chrono::milliseconds kNewcomerPace{1};

void note_failure(telemetry::Log& log) noexcept {
    telemetry::unless_without_memory([&] { log.warn_limited("a handler failed", {}); });
}

}  // namespace

IoThread::IoThread(Shared& shared, std::function<void(const AddressKey&)> on_end)
    : shared_(shared),
      on_end_(std::move(on_end)),
      work_(context_.get_executor()),
      ticker_(context_,
              {.period = [this] { return tools_.config->tick; },
               .gather =
                   [this](Ticker::Hearers& all) { all.assign(sessions_.begin(), sessions_.end()); },
               .on_failure = [this] { note_failure(shared_.parts.log); }}),
      tools_{{},
             {},
             Names(shared.parts.engine),
             std::make_shared<Config>(shared.config),
             TurnQueue(context_),
             TurnQueue(context_, kNewcomerPace)} {
    ticker_.start();
    thread_ = std::thread([this] { run(); });
}

IoThread::~IoThread() {
    stop();
}

void IoThread::stop() {
    if (!thread_.joinable()) {
        return;
    }
    asio::post(context_, [this] {
        stopping_ = true;
        ticker_.stop();
        hang_up_all();
    });
    work_.reset();
    thread_.join();
}

void IoThread::run() {
    while (true) {
        try {
            context_.run();
            return;
        } catch (...) {
            // The sessions see to their own failures: this handler's work is lost, no more.
            note_failure(shared_.parts.log);
        }
    }
}

void IoThread::add(Guest guest) {
    asio::post(context_, [this, moved = std::move(guest)]() mutable { begin(std::move(moved)); });
}

void IoThread::begin(Guest guest) {
    std::shared_ptr<Session> session;
    const AddressKey from = guest.from;
    try {
        session = std::make_shared<Session>(std::move(guest), shared_, tools_);
        sessions_.insert(session);
        note_handshake(session);
        start(session);
    } catch (...) {
        note_failure(shared_.parts.log);
        sessions_.erase(session);
        on_end_(from);
        return;
    }
    if (stopping_) {
        session->hang_up("server stopped");
    }
}

void IoThread::start(const std::shared_ptr<Session>& session) {
    asio::co_spawn(context_, Session::run(session),
                   [this, session](const std::exception_ptr& failure) {
                       if (failure) {
                           session->fail();
                       }
                       sessions_.erase(session);
                       on_end_(session->from());
                   });
}

void IoThread::begin_drain() {
    asio::post(context_, [this] {
        for (const auto& session : sessions_) {
            session->on_drain();
        }
    });
}

void IoThread::set_config(std::shared_ptr<const Config> config) {
    asio::post(context_, [this, moved = std::move(config)] {
        tools_.config = moved;
        for (const auto& session : sessions_) {
            session->on_new_config();
        }
    });
}

void IoThread::note_handshake(const std::shared_ptr<Session>& session) {
    if (!session->is_greeting()) {
        return;
    }
    const Config& config = *tools_.config;
    const std::size_t most =
        std::max<std::size_t>(config.handshakes_max / std::max(1U, config.io_threads), 1);
    if (handshakes_.size() >= most) {
        std::erase_if(handshakes_, [](const std::weak_ptr<Session>& entry) {
            const auto alive = entry.lock();
            return !alive || !alive->is_greeting();
        });
    }
    // One that drips its handshake is older than one that hurries.
    while (handshakes_.size() >= most) {
        if (const auto oldest = handshakes_.front().lock()) {
            oldest->hang_up("its place was needed: too many TLS handshakes are under way");
        }
        handshakes_.pop_front();
    }
    handshakes_.push_back(session);
}

void IoThread::hang_up_all() {
    for (const auto& session : sessions_) {
        try {
            session->hang_up("server stopped");
        } catch (...) {
            session->fail();
        }
    }
}

}  // namespace outrider::net
