#include "outrider/model/follow.hpp"

namespace outrider::model {

bool keeps_following(Outcome first) {
    switch (first) {
        case Outcome::kDeadline:
        case Outcome::kCancelled:
        case Outcome::kSuperseded: return false;
        default: return true;
    }
}

std::string_view name_of(PushReason reason) {
    switch (reason) {
        case PushReason::kImproved: return "IMPROVED";
        case PushReason::kDearer: return "DEARER";
        case PushReason::kBroken: return "BROKEN";
        case PushReason::kStrayed: return "STRAYED";
        case PushReason::kEnded: return "ENDED";
    }
    return "?";
}

}  // namespace outrider::model
