#pragma once
// What: what a load run is asked for.

#include <chrono>
#include <cstdint>

namespace outrider::load {

struct LoadOptions {
    std::uint32_t connections{4};
    std::uint32_t units{500};
    double rate{1000.0};  // requests a second
    double seconds{10.0};
    double edits_per_second{0.0};
    // Of the requests: group requests, each for an army. With some 30 units to an army, about a
    // third of all units' paths come by group requests.
    double group_share{0.02};
    std::uint64_t seed{1};
    bool verify{false};
    // Requests name their unit, so that a unit's newer order takes the place of its older one.
    bool supersede{false};
    // Orders are followed: paths are kept alive, and pushes are counted, timed and checked too.
    bool follow{false};
    // Cells a second that units walk; 0: they do not walk, but stand some way along their path by
    // their next order.
    double speed{5.0};
    bool progress{false};
};

// Units walk and report as often as a game's servers tick.
inline constexpr std::chrono::milliseconds kWalkEvery{100};

// After the last request is sent: a request without an answer for this long, while no answer at
// all came, is lost.
inline constexpr std::chrono::seconds kGrace{10};

}  // namespace outrider::load
