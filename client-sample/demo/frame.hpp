#pragma once
// What: one frame of the demo as text: a title, the map with units and the fresh paths, counters.

#include <string>

#include "cli/terminal.hpp"
#include "demo/army.hpp"
#include "outrider/map/snapshot.hpp"

namespace outrider::demo {

struct Tally {
    std::uint64_t requests{};
    std::uint64_t replans{};
    std::uint64_t edits{};
    model::Version version{};
    std::size_t buildings{};
    double last_ms{};  // slowest answer of the last round
    double p50_ms{};
    double p99_ms{};
};

// Lines around the map: title, counters twice, legend.
inline constexpr int kTextLines = 4;

[[nodiscard]] std::string frame(const map::Snapshot& snapshot, const Army& army, const Tally& tally,
                                std::uint32_t tick, const cli::Terminal& terminal);
// "60 of 60 units arrived; 143 paths planned anew around 38 edits ..."
[[nodiscard]] std::string summary(const Army& army, const Tally& tally);

}  // namespace outrider::demo
