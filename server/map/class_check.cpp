#include "outrider/map/class_check.hpp"

#include <algorithm>

#include "outrider/base/limits.hpp"
#include "outrider/map/store.hpp"

namespace outrider::map {
namespace {

namespace limits = base::limits;

std::unexpected<model::Refusal> refuse(std::string field, std::string message) {
    return std::unexpected(model::Refusal{model::RefusalCode::kInvalidArgument,
                                          "movement_class." + std::move(field),
                                          std::move(message),
                                          {}});
}

}  // namespace

std::expected<void, model::Refusal> check_class(const model::MovementClass& movement_class) {
    if (movement_class.name.empty() || movement_class.name.size() > limits::kNameBytesMax) {
        return refuse("name",
                      "give a name of 1 to " + std::to_string(limits::kNameBytesMax) + " bytes");
    }
    if (std::ranges::any_of(movement_class.name,
                            [](unsigned char c) { return c < 0x20 || c == 0x7F; })) {
        return refuse("name", "holds a control character: leave it out");
    }
    if (std::ranges::all_of(movement_class.weights, [](auto weight) { return weight == 0; })) {
        return refuse("weights", "every terrain is blocked; give at least one a weight above 0");
    }
    if (movement_class.footprint < 1 || movement_class.footprint > limits::kFootprintMax) {
        return refuse("footprint", "a footprint is 1 to " + std::to_string(limits::kFootprintMax) +
                                       " cells wide");
    }
    if (movement_class.team > limits::kTeamMax) {
        return refuse("team",
                      "a team is 1 to " + std::to_string(limits::kTeamMax) + ", or 0 for none");
    }
    if (movement_class.directions != model::Directions::kFour &&
        movement_class.directions != model::Directions::kEight) {
        return refuse("directions", "use 4 or 8 directions");
    }
    if (movement_class.corner_rule > model::CornerRule::kNoneOpen) {
        return refuse("corner_rule", "use BOTH_OPEN, ONE_OPEN or NONE_OPEN");
    }
    return {};
}

base::Result<void> check_classes(const std::vector<model::MovementClass>& classes) {
    if (classes.empty() || classes.size() > limits::kClassesPerMapMax) {
        return base::fail("a map needs 1 to " + std::to_string(limits::kClassesPerMapMax) +
                          " movement classes, not " + std::to_string(classes.size()));
    }
    for (std::size_t i = 0; i < classes.size(); ++i) {
        if (const auto status = check_class(classes[i]); !status) {
            return base::fail("movement class " + std::to_string(i) + " `" + classes[i].name +
                              "`: " + status.error().field + ": " + status.error().message);
        }
        const auto same_name = [&](const auto& other) { return other.name == classes[i].name; };
        if (std::any_of(classes.begin(), classes.begin() + static_cast<std::ptrdiff_t>(i),
                        same_name)) {
            return base::fail("two movement classes are named `" + classes[i].name +
                              "`; rename one");
        }
    }
    return {};
}

}  // namespace outrider::map
