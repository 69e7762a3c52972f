#pragma once
// What: how a search ends, and why a request is refused. A request gets exactly one of the two.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace outrider::model {

enum class Outcome : std::uint8_t {
    kComplete,     // the path ends at the goal
    kPartial,      // the path ends at the reachable cell nearest to the goal
    kUnreachable,  // known from the regions, before any search
    kStartBlocked,
    kGoalBlocked,
    kBudget,    // expansions ran out; the best partial path so far, if any
    kDeadline,  // time ran out; the same
    kCancelled,
    kSuperseded,  // a newer order for the same unit took its place
};
inline constexpr std::size_t kOutcomeCount = 9;

enum class RefusalCode : std::uint8_t {
    kInvalidArgument,  // `field` names the culprit
    kOutOfBounds,
    kUnknownMap,
    kUnknownClass,
    kNotReady,
    kOverloaded,  // `retry_after` says when to try again
    kUnauthenticated,
    kPermissionDenied,
    kFrameTooLarge,
    kShuttingDown,
    kInternal,
};
inline constexpr std::size_t kRefusalCodeCount = 11;

struct Refusal {
    RefusalCode code{RefusalCode::kInternal};
    std::string field;    // as the protocol spells it; empty where no field is to blame
    std::string message;  // what is wrong and how to mend it
    std::chrono::milliseconds retry_after{0};
};

// Upper-case words as in the protocol, for logs, tables and JSON.
[[nodiscard]] std::string_view name_of(Outcome outcome);
[[nodiscard]] std::string_view name_of(RefusalCode code);

}  // namespace outrider::model
