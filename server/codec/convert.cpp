#include "outrider/codec/convert.hpp"

#include <algorithm>

namespace outrider::codec {
namespace {

// The wire's Outcome and RefusalCode are the model's plus one, and its other plain enums too: the
// tests hold each pair side by side.
template <class Wire, class Model>
Wire shifted(Model value) {
    return static_cast<Wire>(static_cast<int>(value) + 1);
}

template <class Model, class Wire>
std::optional<Model> unshifted(Wire value, Model last) {
    const int number = static_cast<int>(value);
    if (number < 1 || number > static_cast<int>(last) + 1) {
        return std::nullopt;
    }
    return static_cast<Model>(number - 1);
}

bool fits_int32(std::uint32_t value) {
    return value <= static_cast<std::uint32_t>(std::numeric_limits<std::int32_t>::max());
}

Checked<std::uint8_t> byte_from_wire(std::uint32_t value, std::string field) {
    if (value > 255) {
        return invalid(std::move(field), "is " + std::to_string(value) + "; send 0 .. 255");
    }
    return static_cast<std::uint8_t>(value);
}

}  // namespace

std::unexpected<model::Refusal> invalid(std::string field, std::string message) {
    return std::unexpected(model::Refusal{.code = model::RefusalCode::kInvalidArgument,
                                          .field = std::move(field),
                                          .message = std::move(message),
                                          .retry_after = {}});
}

v1::Outcome to_wire(model::Outcome outcome) {
    return shifted<v1::Outcome>(outcome);
}
v1::RefusalCode to_wire(model::RefusalCode code) {
    return shifted<v1::RefusalCode>(code);
}
v1::Algorithm to_wire(model::Algorithm algorithm) {
    return shifted<v1::Algorithm>(algorithm);
}
v1::Priority to_wire(model::Priority priority) {
    return shifted<v1::Priority>(priority);
}
v1::PathFormat to_wire(PathFormat format) {
    return shifted<v1::PathFormat>(format);
}
v1::ExploredKind to_wire(model::ExploredKind kind) {
    return shifted<v1::ExploredKind>(kind);
}
v1::SmoothGrade to_wire(model::Grade grade) {
    return shifted<v1::SmoothGrade>(grade);
}
v1::PushReason to_wire(model::PushReason reason) {
    return shifted<v1::PushReason>(reason);
}

std::optional<model::Outcome> from_wire(v1::Outcome outcome) {
    return unshifted(outcome, model::Outcome::kSuperseded);
}

std::optional<model::RefusalCode> from_wire(v1::RefusalCode code) {
    return unshifted(code, model::RefusalCode::kInternal);
}

std::optional<model::Algorithm> from_wire(v1::Algorithm algorithm) {
    if (algorithm == v1::ALGORITHM_UNSPECIFIED) {
        return model::Algorithm::kAuto;
    }
    return unshifted(algorithm, model::Algorithm::kTerrain);
}

std::optional<model::Priority> from_wire(v1::Priority priority) {
    if (priority == v1::PRIORITY_UNSPECIFIED) {
        return model::Priority::kNormal;
    }
    return unshifted(priority, model::Priority::kUrgent);
}

std::optional<PathFormat> from_wire(v1::PathFormat format) {
    if (format == v1::PATH_FORMAT_UNSPECIFIED) {
        return PathFormat::kTurningPoints;
    }
    return unshifted(format, PathFormat::kCells);
}

std::optional<model::ExploredKind> from_wire(v1::ExploredKind kind) {
    return unshifted(kind, model::ExploredKind::kJumpPoint);
}

std::optional<model::Grade> from_wire(v1::SmoothGrade grade) {
    if (grade == v1::SMOOTH_GRADE_UNSPECIFIED) {
        return model::Grade::kNone;
    }
    return unshifted(grade, model::Grade::kCorners);
}

std::optional<model::PushReason> from_wire(v1::PushReason reason) {
    return unshifted(reason, model::PushReason::kEnded);
}

void to_wire(const model::Refusal& refusal, v1::Refusal& out) {
    out.set_code(to_wire(refusal.code));
    out.set_field(refusal.field);
    out.set_message(refusal.message);
    out.set_retry_after_ms(static_cast<std::uint32_t>(std::clamp<std::int64_t>(
        refusal.retry_after.count(), 0, std::numeric_limits<std::uint32_t>::max())));
}

model::Refusal from_wire(const v1::Refusal& refusal) {
    return {.code = from_wire(refusal.code()).value_or(model::RefusalCode::kInternal),
            .field = refusal.field(),
            .message = refusal.message(),
            .retry_after = std::chrono::milliseconds(refusal.retry_after_ms())};
}

void to_wire(const model::Goal& goal, v1::Goal& out) {
    out.set_x(goal.rect.x);
    out.set_y(goal.rect.y);
    out.set_width(static_cast<std::uint32_t>(goal.rect.width));
    out.set_height(static_cast<std::uint32_t>(goal.rect.height));
    out.set_range(goal.range);
}

Checked<model::Goal> from_wire(const v1::Goal& goal, const std::string& field) {
    if (!fits_int32(goal.width())) {
        return invalid(field + ".width", "does not fit 31 bits");
    }
    if (!fits_int32(goal.height())) {
        return invalid(field + ".height", "does not fit 31 bits");
    }
    return model::Goal{{goal.x(), goal.y(), std::max(static_cast<std::int32_t>(goal.width()), 1),
                        std::max(static_cast<std::int32_t>(goal.height()), 1)},
                       goal.range()};
}

void to_wire(const model::Smoothing& smoothing, v1::Smoothing& out) {
    out.set_grade(to_wire(smoothing.grade));
    out.set_clearance(static_cast<std::uint32_t>(smoothing.clearance));
}

Checked<model::Smoothing> from_wire(const v1::Smoothing& smoothing, const std::string& field) {
    const auto grade = from_wire(smoothing.grade());
    if (!grade) {
        return invalid(field + ".grade", "is unknown to this server");
    }
    if (!fits_int32(smoothing.clearance())) {
        return invalid(field + ".clearance", "does not fit 31 bits");
    }
    const auto clearance = static_cast<std::int32_t>(smoothing.clearance());
    return model::Smoothing{*grade, clearance == 0 ? model::kClearanceMax : clearance};
}

void to_wire(const model::Rect& rect, v1::Rect& out) {
    out.set_x(rect.x);
    out.set_y(rect.y);
    out.set_width(static_cast<std::uint32_t>(std::max(rect.width, 0)));
    out.set_height(static_cast<std::uint32_t>(std::max(rect.height, 0)));
}

Checked<model::Rect> from_wire(const v1::Rect& rect, const std::string& field) {
    if (!fits_int32(rect.width())) {
        return invalid(field + ".width", "does not fit 31 bits");
    }
    if (!fits_int32(rect.height())) {
        return invalid(field + ".height", "does not fit 31 bits");
    }
    return model::Rect{rect.x(), rect.y(), static_cast<std::int32_t>(rect.width()),
                       static_cast<std::int32_t>(rect.height())};
}

void to_wire(const model::MovementClass& movement_class, v1::MovementClass& out) {
    out.set_name(movement_class.name);
    for (std::uint32_t terrain = 0; terrain < movement_class.weights.size(); ++terrain) {
        if (movement_class.weights[terrain] != 0) {
            v1::TerrainWeight& weight = *out.add_weights();
            weight.set_terrain(terrain);
            weight.set_weight_tenths(movement_class.weights[terrain]);
        }
    }
    out.set_directions(static_cast<v1::Directions>(movement_class.directions));
    out.set_corner_rule(shifted<v1::CornerRule>(movement_class.corner_rule));
    out.set_footprint(movement_class.footprint);
    out.set_team(movement_class.team);
}

namespace {

Checked<void> weights_from_wire(const v1::MovementClass& in, const std::string& field,
                                model::MovementClass& out) {
    for (int i = 0; i < in.weights_size(); ++i) {
        const std::string at = field + ".weights[" + std::to_string(i) + "]";
        const auto terrain = byte_from_wire(in.weights(i).terrain(), at + ".terrain");
        if (!terrain) {
            return std::unexpected(terrain.error());
        }
        const auto weight = byte_from_wire(in.weights(i).weight_tenths(), at + ".weight_tenths");
        if (!weight) {
            return std::unexpected(weight.error());
        }
        out.weights[*terrain] = *weight;
    }
    return {};
}

}  // namespace

Checked<model::MovementClass> from_wire(const v1::MovementClass& in, const std::string& field) {
    model::MovementClass out;
    if (in.name().size() > base::limits::kNameBytesMax) {
        return invalid(field + ".name",
                       "is longer than " + std::to_string(base::limits::kNameBytesMax) + " bytes");
    }
    out.name = in.name();
    if (const auto weights = weights_from_wire(in, field, out); !weights) {
        return std::unexpected(weights.error());
    }
    switch (in.directions()) {
        case v1::DIRECTIONS_UNSPECIFIED:
        case v1::DIRECTIONS_EIGHT: out.directions = model::Directions::kEight; break;
        case v1::DIRECTIONS_FOUR: out.directions = model::Directions::kFour; break;
        default: return invalid(field + ".directions", "is unknown; send FOUR or EIGHT");
    }
    const auto rule = in.corner_rule() == v1::CORNER_RULE_UNSPECIFIED
                          ? model::CornerRule::kBothOpen
                          : unshifted(in.corner_rule(), model::CornerRule::kNoneOpen);
    if (!rule) {
        return invalid(field + ".corner_rule", "is unknown");
    }
    out.corner_rule = *rule;
    const auto footprint = byte_from_wire(in.footprint(), field + ".footprint");
    if (!footprint) {
        return std::unexpected(footprint.error());
    }
    out.footprint = std::max<std::uint8_t>(*footprint, 1);
    const auto team = byte_from_wire(in.team(), field + ".team");
    if (!team) {
        return std::unexpected(team.error());
    }
    out.team = *team;
    return out;
}

void to_wire(const MapInfo& info, v1::MapInfo& out) {
    out.set_map_id(info.id.value);
    out.set_name(info.name);
    out.set_width(static_cast<std::uint32_t>(info.width));
    out.set_height(static_cast<std::uint32_t>(info.height));
    out.set_version(info.version);
    for (const model::MovementClass& movement_class : info.classes) {
        to_wire(movement_class, *out.add_classes());
    }
    for (const model::LandmarkState state : info.landmarks) {
        out.add_landmarks(shifted<v1::LandmarkState>(state));
    }
}

Checked<MapInfo> from_wire(const v1::MapInfo& info, const std::string& field) {
    constexpr auto kSideMax = static_cast<std::uint32_t>(base::limits::kMapSideMax);
    if (info.width() < 1 || info.width() > kSideMax || info.height() < 1 ||
        info.height() > kSideMax) {
        return invalid(field, "has sides of " + std::to_string(info.width()) + " and " +
                                  std::to_string(info.height()) + " cells");
    }
    MapInfo out{.id = {info.map_id()},
                .name = info.name(),
                .width = static_cast<std::int32_t>(info.width()),
                .height = static_cast<std::int32_t>(info.height()),
                .version = info.version(),
                .classes = {}};
    for (int i = 0; i < info.classes_size(); ++i) {
        auto movement_class =
            from_wire(info.classes(i), field + ".classes[" + std::to_string(i) + "]");
        if (!movement_class) {
            return std::unexpected(movement_class.error());
        }
        out.classes.push_back(*std::move(movement_class));
    }
    for (const int state : info.landmarks()) {
        const auto known =
            unshifted(static_cast<v1::LandmarkState>(state), model::LandmarkState::kReady);
        if (!known) {
            return invalid(field + ".landmarks", "is unknown");
        }
        out.landmarks.push_back(*known);
    }
    if (!out.landmarks.empty() && out.landmarks.size() != out.classes.size()) {
        return invalid(field + ".landmarks", "is not one a class");
    }
    return out;
}

void to_wire(const model::PlaceObstacle& obstacle, v1::PlaceObstacle& out) {
    out.set_obstacle_id(obstacle.id.value);
    to_wire(obstacle.footprint, *out.mutable_footprint());
    out.set_passing_teams(obstacle.passing_teams);
    out.mutable_mask()->assign(obstacle.mask.begin(), obstacle.mask.end());
}

Checked<model::PlaceObstacle> from_wire(const v1::PlaceObstacle& obstacle,
                                        const std::string& field) {
    const auto footprint = from_wire(obstacle.footprint(), field + ".footprint");
    if (!footprint) {
        return std::unexpected(footprint.error());
    }
    const std::string& mask = obstacle.mask();
    return model::PlaceObstacle{
        {obstacle.obstacle_id()}, *footprint, obstacle.passing_teams(), {mask.begin(), mask.end()}};
}

void to_wire(const model::Edit& edit, v1::Edit& out) {
    if (const auto* terrain = std::get_if<model::TerrainEdit>(&edit)) {
        v1::TerrainEdit& wire = *out.mutable_terrain();
        to_wire(terrain->rect, *wire.mutable_rect());
        wire.mutable_terrain()->assign(terrain->terrain.begin(), terrain->terrain.end());
    } else if (const auto* place = std::get_if<model::PlaceObstacle>(&edit)) {
        to_wire(*place, *out.mutable_place());
    } else {
        out.mutable_remove()->set_obstacle_id(std::get<model::RemoveObstacle>(edit).id.value);
    }
}

namespace {

Checked<model::Edit> terrain_from_wire(const v1::TerrainEdit& edit, const std::string& field) {
    const auto rect = from_wire(edit.rect(), field + ".terrain.rect");
    if (!rect) {
        return std::unexpected(rect.error());
    }
    const auto bytes = static_cast<std::int64_t>(edit.terrain().size());
    if (bytes != 1 && bytes != rect->area()) {
        return invalid(field + ".terrain.terrain",
                       "holds " + std::to_string(bytes) +
                           " bytes; send one for all cells or one a cell of the rectangle");
    }
    return model::TerrainEdit{*rect, {edit.terrain().begin(), edit.terrain().end()}};
}

}  // namespace

Checked<model::Edit> from_wire(const v1::Edit& edit, const std::string& field) {
    switch (edit.kind_case()) {
        case v1::Edit::kTerrain: return terrain_from_wire(edit.terrain(), field);
        case v1::Edit::kPlace: return from_wire(edit.place(), field + ".place");
        case v1::Edit::kRemove: return model::RemoveObstacle{{edit.remove().obstacle_id()}};
        case v1::Edit::KIND_NOT_SET: break;
    }
    return invalid(field, "is no known kind of edit; send terrain, place or remove");
}

}  // namespace outrider::codec
