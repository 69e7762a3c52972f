#include "outrider/net/io_thread.hpp"

#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/experimental/as_tuple.hpp>
#include <asio/post.hpp>
#include <asio/use_awaitable.hpp>
#include <utility>
#include <vector>

namespace outrider::net {
namespace {

constexpr auto kAwait = asio::experimental::as_tuple(asio::use_awaitable);

}  // namespace

IoThread::IoThread(Shared& shared, std::function<void()> on_end)
    : shared_(shared),
      on_end_(std::move(on_end)),
      work_(context_.get_executor()),
      timer_(context_),
      tools_{{}, {}, Names(shared.parts.engine)} {
    asio::co_spawn(context_, tick(*this), asio::detached);
    thread_ = std::thread([this] { context_.run(); });
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
        timer_.cancel();
        hang_up_all();
    });
    work_.reset();
    thread_.join();
}

void IoThread::add(asio::ip::tcp::socket socket, std::uint64_t number) {
    asio::post(context_, [this, number, moved = std::move(socket)]() mutable {
        const auto session = std::make_shared<Session>(std::move(moved), shared_, tools_, number);
        sessions_.insert(session);
        asio::co_spawn(context_, Session::run(session),
                       [this, session](const std::exception_ptr& failure) {
                           if (failure) {
                               shared_.parts.log.warn_limited("session failed", {});
                               session->hang_up("internal failure");
                           }
                           sessions_.erase(session);
                           on_end_();
                       });
        if (stopping_) {
            session->hang_up("server stopped");
        }
    });
}

void IoThread::begin_drain() {
    asio::post(context_, [this] {
        for (const auto& session : std::vector(sessions_.begin(), sessions_.end())) {
            session->on_drain();
        }
    });
}

void IoThread::hang_up_all() {
    for (const auto& session : std::vector(sessions_.begin(), sessions_.end())) {
        session->hang_up("server stopped");
    }
}

asio::awaitable<void> IoThread::tick(IoThread& thread) {
    while (!thread.stopping_) {
        thread.timer_.expires_after(thread.shared_.config.tick);
        co_await thread.timer_.async_wait(kAwait);
        for (const auto& session : std::vector(thread.sessions_.begin(), thread.sessions_.end())) {
            session->on_tick();
        }
    }
}

}  // namespace outrider::net
