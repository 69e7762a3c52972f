#include "outrider/model/follow.hpp"

namespace outrider::model {

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
