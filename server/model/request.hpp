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
#include "outrider/model/survey.hpp"

namespace outrider::model {

enum class Priority : std::uint8_t { kLow, kNormal, kHigh, kUrgent };
inline constexpr int kPriorityCount = 4;

// What a request wants that keeps its unit's path alive; see model/follow.hpp.
struct FollowOptions {
    // Push a cheaper path too when an edit opens one, not only when the present one breaks.
    bool improve{false};
    // 0: every push is the answer to the question asked anew. From 100: a break may be mended by
    // rejoining the old path beyond it, where that provably costs at most so many percent of the
    // optimum; which of the paths within that bound comes then depends on the old one.
    std::uint32_t repair_percent{0};
    friend bool operator==(const FollowOptions&, const FollowOptions&) = default;
};

struct PathRequest {
    RequestId id;
    MapId map;
    PathQuery query;
    Priority priority{Priority::kNormal};
    std::optional<base::TimePoint> deadline;
    // A later request for the same unit of the same client supersedes this one.
    UnitId unit{};
    // The asker's own; comes back in the reply, and in every push, as it went.
    std::uint8_t mark{};
    // Set: keep the unit's path alive.
    std::optional<FollowOptions> follow{};
    // Tell where the path begins, ahead of the reply, if its search takes long.
    bool first_leg{false};
};

// Ahead of the reply to a request that wanted it: at most one, and never after the reply. Not to be
// had where the search is short or the goal near, nor from the cache.
struct LegPush {
    RequestId id;
    Version version{};
    // Shared with joined requests; never null.
    std::shared_ptr<const FirstLeg> leg;
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
    // False: it was plain to see or kept from an earlier question, and cost no search.
    bool searched{true};
};

struct SurveyRequest {
    RequestId id;
    MapId map;
    Survey survey;
    Priority priority{Priority::kNormal};
    std::optional<base::TimePoint> deadline;
    // As in PathRequest.
    std::uint8_t mark{};
};

struct SurveyAnswer {
    Version version{};
    // Never null.
    std::shared_ptr<const SurveyResult> result;
};

// A group's comes in parts; exactly one is the last, a refusal always.
struct SurveyReply {
    RequestId id;
    std::expected<SurveyAnswer, Refusal> body;
    bool last{true};
    std::uint8_t mark{};
};

}  // namespace outrider::model
