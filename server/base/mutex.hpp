#pragma once
// What:   a mutex, a scoped lock and a condition that clang's -Wthread-safety can follow.
// Source: the annotations of clang's "Thread Safety Analysis" page.

#include <chrono>
#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define OUTRIDER_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define OUTRIDER_THREAD_ANNOTATION(x)
#endif

#define OUTRIDER_GUARDED_BY(x) OUTRIDER_THREAD_ANNOTATION(guarded_by(x))
#define OUTRIDER_REQUIRES(...) OUTRIDER_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
#define OUTRIDER_EXCLUDES(...) OUTRIDER_THREAD_ANNOTATION(locks_excluded(__VA_ARGS__))

namespace outrider::base {

class OUTRIDER_THREAD_ANNOTATION(capability("mutex")) Mutex {
  public:
    void lock() OUTRIDER_THREAD_ANNOTATION(acquire_capability()) { mutex_.lock(); }
    void unlock() OUTRIDER_THREAD_ANNOTATION(release_capability()) { mutex_.unlock(); }

  private:
    friend class Condition;
    std::mutex mutex_;
};

class OUTRIDER_THREAD_ANNOTATION(scoped_lockable) Lock {
  public:
    explicit Lock(Mutex& mutex) OUTRIDER_THREAD_ANNOTATION(acquire_capability(mutex))
        : mutex_(mutex) {
        mutex_.lock();
    }
    ~Lock() OUTRIDER_THREAD_ANNOTATION(release_capability()) { mutex_.unlock(); }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

  private:
    Mutex& mutex_;
};

// Waits are always inside a loop over the guarded condition, since a wake-up may be spurious.
class Condition {
  public:
    void wait(Mutex& mutex) OUTRIDER_REQUIRES(mutex) {
        std::unique_lock lock(mutex.mutex_, std::adopt_lock);
        condition_.wait(lock);
        lock.release();
    }
    // False when `limit` passed without a notification.
    bool wait_for(Mutex& mutex, std::chrono::nanoseconds limit) OUTRIDER_REQUIRES(mutex) {
        std::unique_lock lock(mutex.mutex_, std::adopt_lock);
        const bool notified = condition_.wait_for(lock, limit) == std::cv_status::no_timeout;
        lock.release();
        return notified;
    }
    void notify_one() { condition_.notify_one(); }
    void notify_all() { condition_.notify_all(); }

  private:
    std::condition_variable condition_;
};

}  // namespace outrider::base
