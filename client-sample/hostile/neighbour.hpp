#pragma once
// What:     the process next door: hostile peers, and afterwards, for comparison, somebody harmless
//           who keeps a processor as busy as they did. In a process of its own, so that a system
//           can let it have what the others leave, as if it were another machine.
// Contract: start() is called before the caller has any thread. Every order is answered once it is
//           carried out; by nothing when that process has ended. It ends with this object, and with
//           the caller's process, however that ends.
// Threads:  one at a time.

#include <memory>
#include <optional>

#include "hostile/crowd.hpp"

namespace outrider::hostile {

// What the process has done by now.
struct News {
    Counts crowd{};
    std::uint64_t seen{};  // of the peers
    double cpu_s{};
};

class Neighbour {
  public:
    // `niceness` as of nice(1), 0 to 19; without one it runs when nobody else wants to, and goes at
    // once when somebody does (SCHED_IDLE). Null when the system gives no process.
    [[nodiscard]] static std::unique_ptr<Neighbour> start(const Target& target,
                                                          const CrowdOptions& options,
                                                          std::optional<int> niceness);
    ~Neighbour();
    Neighbour(const Neighbour&) = delete;
    Neighbour& operator=(const Neighbour&) = delete;

    // The peers come.
    [[nodiscard]] std::optional<News> let_crowd_in();
    // They go, and one thread is busy for `share` of the time, 0 to 1.
    [[nodiscard]] std::optional<News> spin(double share);
    [[nodiscard]] std::optional<News> news();

  private:
    Neighbour(int process, int line) : process_(process), line_(line) {}

    int process_;
    int line_;
};

}  // namespace outrider::hostile
