#include "outrider/model/outcome.hpp"

namespace outrider::model {

std::string_view name_of(Outcome outcome) {
    switch (outcome) {
        case Outcome::kComplete: return "COMPLETE";
        case Outcome::kPartial: return "PARTIAL";
        case Outcome::kUnreachable: return "UNREACHABLE";
        case Outcome::kStartBlocked: return "START_BLOCKED";
        case Outcome::kGoalBlocked: return "GOAL_BLOCKED";
        case Outcome::kBudget: return "BUDGET";
        case Outcome::kDeadline: return "DEADLINE";
        case Outcome::kCancelled: return "CANCELLED";
        case Outcome::kSuperseded: return "SUPERSEDED";
    }
    return "?";
}

std::string_view name_of(RefusalCode code) {
    switch (code) {
        case RefusalCode::kInvalidArgument: return "INVALID_ARGUMENT";
        case RefusalCode::kOutOfBounds: return "OUT_OF_BOUNDS";
        case RefusalCode::kUnknownMap: return "UNKNOWN_MAP";
        case RefusalCode::kUnknownClass: return "UNKNOWN_CLASS";
        case RefusalCode::kNotReady: return "NOT_READY";
        case RefusalCode::kOverloaded: return "OVERLOADED";
        case RefusalCode::kUnauthenticated: return "UNAUTHENTICATED";
        case RefusalCode::kPermissionDenied: return "PERMISSION_DENIED";
        case RefusalCode::kFrameTooLarge: return "FRAME_TOO_LARGE";
        case RefusalCode::kShuttingDown: return "SHUTTING_DOWN";
        case RefusalCode::kInternal: return "INTERNAL";
    }
    return "?";
}

}  // namespace outrider::model
