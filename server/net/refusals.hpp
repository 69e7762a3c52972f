#pragma once
// What: refusals as a session words them.

#include <string>
#include <string_view>
#include <utility>

#include "outrider/model/outcome.hpp"

namespace outrider::net {

[[nodiscard]] inline model::Refusal refusal(model::RefusalCode code, std::string field,
                                            std::string message) {
    return {
        .code = code, .field = std::move(field), .message = std::move(message), .retry_after = {}};
}

// The engine knows no messages: what it calls `map` is the map_id of whichever one asked.
[[nodiscard]] inline model::Refusal named_in(std::string_view message, model::Refusal refusal) {
    if (refusal.field == "map") {
        refusal.field = std::string(message) + ".map_id";
    } else if (refusal.field == "name" || refusal.field.starts_with("movement_class") ||
               refusal.field == "map_name" || refusal.field == "class_name") {
        refusal.field = std::string(message) + "." + refusal.field;
    }
    return refusal;
}

}  // namespace outrider::net
