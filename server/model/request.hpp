#pragma once
// What: a query plus who asks, how urgently and until when; and the one reply to it.

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>

#include "outrider/base/clock.hpp"
#include "outrider/model/ids.hpp"
#include "outrider/model/outcome.hpp"
#include "outrider/model/query.hpp"

namespace outrider::model {

enum class Priority : std::uint8_t { kLow, kNormal, kHigh, kUrgent };
inline constexpr int kPriorityCount = 4;

struct PathRequest {
    RequestId id;
    MapId map;
    PathQuery query;
    Priority priority{Priority::kNormal};
    std::optional<base::TimePoint> deadline;
    // A later request for the same unit of the same client supersedes this one.
    UnitId unit{};
    // The asker's own; comes back in the reply as it went.
    std::uint8_t mark{};
};

struct PathAnswer {
    Version version{};
    // Shared with the cache and with joined requests; never null.
    std::shared_ptr<const PathResult> result;
};

struct PathReply {
    RequestId id;
    std::expected<PathAnswer, Refusal> body;
    std::uint8_t mark{};
};

}  // namespace outrider::model
