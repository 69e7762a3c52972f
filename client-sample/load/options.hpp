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
    double group_share{0.3};
    std::uint64_t seed{1};
    bool verify{false};
    // Requests name their unit, so that a unit's newer order takes the place of its older one.
    bool supersede{false};
    // Orders are followed: paths are kept alive, and pushes are counted, timed and checked too.
    bool follow{false};
    // Cells a second that a followed unit walks; 0: it stands.
    double speed{5.0};
    bool progress{false};
};

// After the last request is sent: a request without an answer for this long, while no answer at
// all came, is lost.
inline constexpr std::chrono::seconds kGrace{10};

}  // namespace outrider::load
