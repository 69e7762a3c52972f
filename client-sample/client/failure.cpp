#include "outrider/client/failure.hpp"

namespace outrider::client {

Failure failure_of(model::Refusal refusal) {
    std::string message(model::name_of(refusal.code));
    if (!refusal.field.empty()) {
        message += " (" + refusal.field + ")";
    }
    if (!refusal.message.empty()) {
        message += ": " + refusal.message;
    }
    if (refusal.retry_after.count() > 0) {
        message += " (retry after " + std::to_string(refusal.retry_after.count()) + " ms)";
    }
    return {FailureKind::kRefused, std::move(message), std::move(refusal)};
}

}  // namespace outrider::client
