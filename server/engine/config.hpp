#pragma once
// What: the bounds of the engine that an operator sets, with their defaults. The sum of the memory
//       ones bounds the engine's memory (law 5); server/DESIGN.md, "Memory", adds them up.

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace outrider::engine {

struct Config {
    // 0: no threads; the caller pumps with run_for().
    unsigned workers{1};
    // Requests admitted and not yet answered, in all and for one client. Beyond: OVERLOADED.
    std::size_t requests_max{65536};
    std::size_t requests_per_client_max{16384};
    std::size_t clients_max{4096};
    // Searches suspended between slices, each with its own buffers. Beyond: long jobs wait
    // unstarted.
    std::size_t suspended_max{16};
    // Snapshots of one map alive at once. Beyond: the oldest jobs start again on the newest.
    std::size_t snapshots_per_map_max{64};
    std::uint64_t expansions_per_slice{2048};
    // Cap of PathQuery::expansions_max.
    std::uint64_t expansions_max{100'000'000};
    std::size_t cache_bytes_max{64U << 20U};
    // A waiting request rises by one priority class each time this passes.
    std::chrono::milliseconds ageing_step{200};
    // What a refusal for overload tells the client to wait.
    std::chrono::milliseconds retry_after{100};
};

}  // namespace outrider::engine
