#pragma once
// What:     paths that are kept alive: what a follow asks for, what is pushed to it, and how the
//           unit's progress comes back.
// Contract: a path request with FollowOptions gets its one reply as any other. When that is an
//           answer that depends on the question alone (COMPLETE, PARTIAL, UNREACHABLE,
//           START_BLOCKED, GOAL_BLOCKED, BUDGET) the follow lives from then on, until exactly one
//           push says kEnded. Every other push is the answer to the same question asked anew from
//           `start` on the version that it names, or with `repair_percent` a mended path whose cost
//           is at most `bound_percent` of that answer's; it takes the place of everything before
//           it.

#include <cstdint>
#include <expected>
#include <string_view>

#include "outrider/model/cell.hpp"
#include "outrider/model/request.hpp"

namespace outrider::model {

enum class PushReason : std::uint8_t {
    kImproved,  // a cheaper path, or a way where there was none, has opened
    kDearer,    // the old path still stands but costs more than this one
    kBroken,    // an edit closed the old path
    kStrayed,   // the unit reported a cell that is not on what was left of its path
    kEnded,     // the last push. The answer has no path: COMPLETE (arrived), CANCELLED, SUPERSEDED
};

struct PathPush {
    RequestId id;  // of the request that asked to follow
    PushReason reason{PushReason::kEnded};
    // Where the unit was last known to be: the answer's first cell, where it has a path.
    Cell start;
    // A refusal only with kEnded: kShuttingDown, kOverloaded, kInternal, or kInvalidArgument where
    // the obstacle that the unit ignores has become too large for that.
    std::expected<PathAnswer, Refusal> body;
    std::uint8_t mark{};
};

// Whether a follow lives on after a first answer with this outcome: not where that depended on time
// or on other requests.
[[nodiscard]] bool keeps_following(Outcome first);

// The followed unit stands on `cell`.
struct Progress {
    RequestId follow;
    Cell cell;
    friend bool operator==(const Progress&, const Progress&) = default;
};

// Upper-case words as in the protocol.
[[nodiscard]] std::string_view name_of(PushReason reason);

}  // namespace outrider::model
