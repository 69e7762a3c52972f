#include "outrider/net/map_thread.hpp"

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

#include <utility>

namespace outrider::net {
namespace {

// A map is of small blocks too, which the C library would keep: a large one that went would stay in
// the process, beside what --memory-max counts.
void give_back_memory() {
#if defined(__GLIBC__)
    (void)malloc_trim(0);
#endif
}

}  // namespace

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
    if (waiting_.size() >= kWaitingMax) {
        return false;
    }
    if (!thread_.joinable()) {
        thread_ = std::thread([this] { run(); });
    }
    waiting_.push_back(std::move(work));
    changed_.notify_all();
    return true;
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
        give_back_memory();
    }
}

}  // namespace outrider::net
