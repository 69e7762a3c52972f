#include "outrider/net/map_thread.hpp"

#include <system_error>
#include <utility>

namespace outrider::net {

MapThread::~MapThread() {
    std::thread thread;
    {
        const base::Lock lock(mutex_);
        stopped_ = true;
        thread = std::move(thread_);
        changed_.notify_all();
    }
    if (thread.joinable()) {
        thread.join();
    }
}

bool MapThread::post(Work work) {
    const base::Lock lock(mutex_);
    if (waiting_.size() >= kWaitingMax || !begin()) {
        return false;
    }
    waiting_.push_back(std::move(work));
    changed_.notify_all();
    return true;
}

bool MapThread::begin() {
    if (thread_.joinable()) {
        return true;
    }
    try {
        thread_ = std::thread([this] { run(); });
        return true;
    } catch (const std::system_error&) {
        return false;  // the system gives no more threads
    }
}

void MapThread::run() {
    for (;;) {
        Work work;
        {
            const base::Lock lock(mutex_);
            while (!stopped_ && waiting_.empty()) {
                changed_.wait(mutex_);
            }
            if (stopped_) {
                return;
            }
            work = std::move(waiting_.front());
            waiting_.pop_front();
        }
        work();
        work = nullptr;
    }
}

}  // namespace outrider::net
