#include "hostile/neighbour.hpp"

#include <sched.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <thread>

namespace outrider::hostile {
namespace {

struct Order {
    enum class Kind : std::uint8_t { kNews, kCrowd, kSpin };
    Kind kind{};
    double share{};
};

// Between two looks at the time: short beside a slice of any scheduler.
constexpr std::chrono::microseconds kSpinStep{100};
constexpr std::chrono::microseconds kSpinPause{500};

// Both ends are the same program, so that values go over as they lie in memory.
template <class Value>
bool put(int line, const Value& value) {
    return ::send(line, &value, sizeof value, MSG_NOSIGNAL) == ssize_t{sizeof value};
}

template <class Value>
std::optional<Value> take(int line) {
    Value value;
    if (::recv(line, &value, sizeof value, MSG_WAITALL) != ssize_t{sizeof value}) {
        return std::nullopt;
    }
    return value;
}

double process_cpu_s() {
    timespec used{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

// Busy for a share of the time, until it goes.
class Spinner {
  public:
    explicit Spinner(double share) : thread_([this, share] { run(share); }) {}
    ~Spinner() {
        ended_ = true;
        thread_.join();
    }
    Spinner(const Spinner&) = delete;
    Spinner& operator=(const Spinner&) = delete;

  private:
    using Clock = std::chrono::steady_clock;

    void run(double share) const {
        const auto begin = Clock::now();
        const double cpu_begin_s = process_cpu_s();
        while (!ended_) {
            const auto now = Clock::now();
            const std::chrono::duration<double> passed = now - begin;
            if (process_cpu_s() - cpu_begin_s >= share * passed.count()) {
                std::this_thread::sleep_for(kSpinPause);
                continue;
            }
            while (Clock::now() - now < kSpinStep) {
            }
        }
    }

    std::atomic<bool> ended_{false};
    std::thread thread_;
};

void serve(int line, const Target& target, const CrowdOptions& options) {
    std::optional<Crowd> crowd;
    std::optional<Spinner> spinner;
    News news;
    while (const auto order = take<Order>(line)) {
        if (order->kind == Order::Kind::kCrowd) {
            crowd.emplace(target, options);
        } else if (order->kind == Order::Kind::kSpin) {
            crowd.reset();
            spinner.emplace(order->share);
        }
        if (crowd) {
            news.crowd = crowd->counts();
            news.seen = crowd->seen();
        }
        news.cpu_s = process_cpu_s();
        if (!put(line, news)) {
            return;
        }
    }
}

std::optional<News> ask(int line, const Order& order) {
    return put(line, order) ? take<News>(line) : std::nullopt;
}

// Where the system does not let it, the process only takes more than was meant.
void step_back(std::optional<int> niceness) {
    if (niceness) {
        (void)::setpriority(PRIO_PROCESS, 0, *niceness);
        return;
    }
    const sched_param none{};
    (void)::sched_setscheduler(0, SCHED_IDLE, &none);
}

}  // namespace

std::unique_ptr<Neighbour> Neighbour::start(const Target& target, const CrowdOptions& options,
                                            std::optional<int> niceness) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        return nullptr;
    }
    const pid_t process = ::fork();
    if (process == 0) {
        ::close(ends[0]);
        step_back(niceness);
        serve(ends[1], target, options);
        // What the caller had in its buffers is the caller's to write.
        std::_Exit(0);
    }
    ::close(ends[1]);
    if (process < 0) {
        ::close(ends[0]);
        return nullptr;
    }
    return std::unique_ptr<Neighbour>(new Neighbour(process, ends[0]));
}

Neighbour::~Neighbour() {
    ::close(line_);
    ::waitpid(process_, nullptr, 0);
}

std::optional<News> Neighbour::let_crowd_in() {
    return ask(line_, {Order::Kind::kCrowd, 0.0});
}

std::optional<News> Neighbour::spin(double share) {
    return ask(line_, {Order::Kind::kSpin, share});
}

std::optional<News> Neighbour::news() {
    return ask(line_, {Order::Kind::kNews, 0.0});
}

}  // namespace outrider::hostile
