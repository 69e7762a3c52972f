#include "outrider/net/names.hpp"

namespace outrider::net {

void Names::forget_what_has_changed() {
    const std::uint64_t changes = engine_.map_changes();
    if (std::exchange(changes_, changes) != changes) {
        maps_.clear();
        classes_.clear();
    }
}

std::expected<model::MapId, model::Refusal> Names::map(const std::string& name) {
    forget_what_has_changed();
    if (const auto known = maps_.find(name); known != maps_.end()) {
        return known->second;
    }
    const auto found = engine_.find_map(name);
    if (!found) {
        return std::unexpected(
            model::Refusal{.code = model::RefusalCode::kUnknownMap,
                           .field = "map_name",
                           .message = "no map of this name; Welcome and ListMaps tell the names",
                           .retry_after = {}});
    }
    maps_.emplace(name, *found);
    return *found;
}

std::expected<model::ClassId, model::Refusal> Names::movement_class(model::MapId map,
                                                                    const std::string& name) {
    forget_what_has_changed();
    const auto key = std::pair(map, name);
    if (const auto known = classes_.find(key); known != classes_.end()) {
        return known->second;
    }
    const auto info = engine_.map_info(map);
    if (!info) {
        return std::unexpected(info.error());
    }
    for (std::size_t i = 0; i < info->classes.size(); ++i) {
        if (info->classes[i].name == name) {
            const model::ClassId id{static_cast<std::uint16_t>(i)};
            classes_.emplace(key, id);
            return id;
        }
    }
    return std::unexpected(
        model::Refusal{.code = model::RefusalCode::kUnknownClass,
                       .field = "class_name",
                       .message = "the map has no class of this name; see its MapInfo",
                       .retry_after = {}});
}

std::expected<AskedPlace, model::Refusal> Names::place(AskedPlace ids, const std::string& map_name,
                                                       const std::string& class_name) {
    if (ids.map.value == 0 && !map_name.empty()) {
        const auto found = map(map_name);
        if (!found) {
            return std::unexpected(found.error());
        }
        ids.map = *found;
    }
    if (!class_name.empty()) {
        const auto found = movement_class(ids.map, class_name);
        if (!found) {
            return std::unexpected(found.error());
        }
        ids.movement_class = *found;
    }
    return ids;
}

}  // namespace outrider::net
