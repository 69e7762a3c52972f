#pragma once
// What:     what a soak does beside its orders: surveys of every kind, each checked; requests that
//           are cancelled at once; clients that leave with their questions open; connections that
//           come and go.
// Contract: every cancelled request must still get its one final reply within kReplyPatience.
//           A refusal for overload is counted and is no fault; anything else that fails is one.
// Threads:  a thread of its own, from construction to stop().

#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include "cli/options.hpp"
#include "outrider/base/mutex.hpp"

namespace outrider::soak {

inline constexpr std::chrono::seconds kReplyPatience{20};

struct SideCounts {
    std::uint64_t connections{};
    std::uint64_t surveys{};
    std::uint64_t checked{};
    std::uint64_t cancels{};
    std::uint64_t left_open{};  // requests of clients that left
    std::uint64_t refused{};
    std::uint64_t wrong{};
    std::uint64_t lost{};
    std::uint64_t failed{};
};

struct SideOptions {
    cli::ServerOptions server;
    std::string map;
    std::uint64_t seed{1};
    // Between two steps; a step is one survey, or one wave of requests.
    std::chrono::milliseconds pause{20};
};

class SideTraffic {
  public:
    explicit SideTraffic(SideOptions options);
    ~SideTraffic();
    SideTraffic(const SideTraffic&) = delete;
    SideTraffic& operator=(const SideTraffic&) = delete;

    // Finishes the step under way.
    SideCounts stop();

  private:
    struct Seat;

    void run();
    [[nodiscard]] bool goes_on(std::chrono::milliseconds pause);
    void step(Seat& seat);
    void ask(Seat& seat);
    void cancel_some(Seat& seat);
    void leave_amid(const Seat& seat);
    void note_failure(const client::Failure& failure);

    const SideOptions options_;
    SideCounts counts_;  // the thread's until it is joined
    base::Mutex mutex_;
    base::Condition wake_;
    bool stopped_ OUTRIDER_GUARDED_BY(mutex_){false};
    std::thread thread_;
};

}  // namespace outrider::soak
