#pragma once
// What:    what all sessions of a server have in common.
// Threads: counters and allowances from any; the rest does not change after the start. What an
//          operator may change later stands in each thread's own copy of the configuration.

#include <array>
#include <atomic>
#include <cstdint>

#include "outrider/net/allowances.hpp"
#include "outrider/net/config.hpp"
#include "outrider/net/map_thread.hpp"
#include "outrider/net/server.hpp"

namespace outrider::net {

struct Counters {
    std::atomic<std::uint64_t> sessions_opened{0}, sessions_refused{0}, sessions_open{0};
    std::atomic<std::uint64_t> edits{0}, pushes{0};
    std::array<std::atomic<std::uint64_t>, kMessageKindCount> messages{};
    std::array<std::atomic<std::uint64_t>, model::kRefusalCodeCount> refusals{}, goodbyes{};
    std::array<std::atomic<std::uint64_t>, kRoles.size()> roles{};
    std::atomic<std::uint64_t> bytes_in{0}, bytes_out{0};
    std::atomic<std::uint64_t> outbox_bytes{0};
    std::atomic<std::uint64_t> map_states{0};
};

struct Shared {
    Config config;
    Server::Parts parts;
    Counters counters{};
    Allowances allowances{};
    std::atomic<bool> draining{false};
    MapThread maps{};
};

// The counter of one code.
template <std::size_t kCount>
std::atomic<std::uint64_t>& at(std::array<std::atomic<std::uint64_t>, kCount>& counters,
                               model::RefusalCode code) {
    return counters[static_cast<std::size_t>(code)];
}

inline void count(std::atomic<std::uint64_t>& counter, std::uint64_t more = 1) {
    counter.fetch_add(more, std::memory_order_relaxed);
}

}  // namespace outrider::net
