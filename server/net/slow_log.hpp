#pragma once
// What:     the log's line of a slow request, with its whole story.
// Contract: at most kSlowLinesMax lines in LogConfig::repeat_interval; the next one tells how many
//           were left out. Nothing that a client may take for a secret stands in it: ids, cells,
//           names of maps and classes, counts and times. A line for which there is no memory is
//           left out: the engine, which tells of it, goes on with its replies.
// Threads:  any, with no lock of the engine held.

#include "outrider/engine/engine.hpp"
#include "outrider/net/server.hpp"

namespace outrider::net {

// Enough to see a pattern, too few to fill a disk: under a kilobyte a second.
inline constexpr unsigned kSlowLinesMax = 20;

void log_slow(const engine::SlowRequest& request, std::uint64_t session,
              const Server::Parts& parts) noexcept;

}  // namespace outrider::net
