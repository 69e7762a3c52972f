#pragma once
// What:     model values to and from their protobuf messages; both halves of the codec use it.
// Contract: from_wire() checks ranges before it narrows. `field` is the dotted name of the value in
//           the request, for the refusal.

#include <expected>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "outrider/base/limits.hpp"
#include "outrider/codec/messages.hpp"
#include "outrider/v1/common.pb.h"
#include "outrider/v1/map.pb.h"
#include "outrider/v1/path.pb.h"

namespace outrider::codec {

template <class T>
using Checked = std::expected<T, model::Refusal>;

[[nodiscard]] std::unexpected<model::Refusal> invalid(std::string field, std::string message);

// What is wrong with the names, the class id or the deadline of a question to a map; `message` is
// its name in ClientMessage ("path").
template <class Question>
[[nodiscard]] Checked<void> check_addressee(const Question& in, const std::string& message) {
    for (const auto& [name, field] :
         {std::pair(&in.map_name(), ".map_name"), std::pair(&in.class_name(), ".class_name")}) {
        if (name->size() > base::limits::kNameBytesMax) {
            return invalid(
                message + field,
                "is longer than " + std::to_string(base::limits::kNameBytesMax) + " bytes");
        }
    }
    if (in.class_id() > std::numeric_limits<std::uint16_t>::max()) {
        return std::unexpected(model::Refusal{.code = model::RefusalCode::kUnknownClass,
                                              .field = message + ".class_id",
                                              .message = "no class has an id above 65535",
                                              .retry_after = {}});
    }
    if (in.deadline_us() > kDeadlineUsMax) {
        return invalid(message + ".deadline_us",
                       "is above " + std::to_string(kDeadlineUsMax) + "; send 0 for none");
    }
    return {};
}

[[nodiscard]] v1::Outcome to_wire(model::Outcome outcome);
[[nodiscard]] v1::RefusalCode to_wire(model::RefusalCode code);
[[nodiscard]] v1::Algorithm to_wire(model::Algorithm algorithm);
[[nodiscard]] v1::Priority to_wire(model::Priority priority);
[[nodiscard]] v1::PathFormat to_wire(PathFormat format);
[[nodiscard]] v1::ExploredKind to_wire(model::ExploredKind kind);
[[nodiscard]] v1::SmoothGrade to_wire(model::Grade grade);
[[nodiscard]] v1::PushReason to_wire(model::PushReason reason);

// Nothing for a value that this version of the protocol does not know. An unspecified algorithm,
// priority, format or grade is its default; an unspecified outcome, code or kind is unknown.
[[nodiscard]] std::optional<model::Outcome> from_wire(v1::Outcome outcome);
[[nodiscard]] std::optional<model::RefusalCode> from_wire(v1::RefusalCode code);
[[nodiscard]] std::optional<model::Algorithm> from_wire(v1::Algorithm algorithm);
[[nodiscard]] std::optional<model::Priority> from_wire(v1::Priority priority);
[[nodiscard]] std::optional<PathFormat> from_wire(v1::PathFormat format);
[[nodiscard]] std::optional<model::ExploredKind> from_wire(v1::ExploredKind kind);
[[nodiscard]] std::optional<model::Grade> from_wire(v1::SmoothGrade grade);
[[nodiscard]] std::optional<model::PushReason> from_wire(v1::PushReason reason);

void to_wire(const model::Refusal& refusal, v1::Refusal& out);
[[nodiscard]] model::Refusal from_wire(const v1::Refusal& refusal);

void to_wire(const model::Goal& goal, v1::Goal& out);
// A side of 0 means 1.
[[nodiscard]] Checked<model::Goal> from_wire(const v1::Goal& goal, const std::string& field);

void to_wire(const model::Smoothing& smoothing, v1::Smoothing& out);
// A clearance of 0 means the default.
[[nodiscard]] Checked<model::Smoothing> from_wire(const v1::Smoothing& smoothing,
                                                  const std::string& field);

void to_wire(const model::Rect& rect, v1::Rect& out);
[[nodiscard]] Checked<model::Rect> from_wire(const v1::Rect& rect, const std::string& field);

void to_wire(const model::MovementClass& movement_class, v1::MovementClass& out);
[[nodiscard]] Checked<model::MovementClass> from_wire(const v1::MovementClass& movement_class,
                                                      const std::string& field);

void to_wire(const MapInfo& info, v1::MapInfo& out);
[[nodiscard]] Checked<MapInfo> from_wire(const v1::MapInfo& info, const std::string& field);

void to_wire(const model::PlaceObstacle& obstacle, v1::PlaceObstacle& out);
[[nodiscard]] Checked<model::PlaceObstacle> from_wire(const v1::PlaceObstacle& obstacle,
                                                      const std::string& field);

void to_wire(const model::Edit& edit, v1::Edit& out);
[[nodiscard]] Checked<model::Edit> from_wire(const v1::Edit& edit, const std::string& field);

}  // namespace outrider::codec
