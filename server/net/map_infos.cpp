#include "outrider/net/map_infos.hpp"

#include <utility>

namespace outrider::net {

codec::MapInfo info_of(engine::MapInfo&& info) {
    return {.id = info.id,
            .name = std::move(info.name),
            .width = info.width,
            .height = info.height,
            .version = info.version,
            .classes = std::move(info.classes),
            .landmarks = std::move(info.landmarks)};
}

void set_back(engine::MapInfo& info, map::State& state) {
    info.version = state.version;
    info.classes = std::move(state.classes);
    info.landmarks.resize(info.classes.size(), model::LandmarkState::kPending);
    for (std::size_t i = 0; i < info.classes.size(); ++i) {
        auto& landmarks = info.landmarks[i];
        if (state.landmarks[i]) {
            landmarks = model::LandmarkState::kReady;
        } else if (landmarks == model::LandmarkState::kReady) {
            landmarks = model::LandmarkState::kPending;
        }
    }
}

std::vector<codec::MapInfo> infos_of(std::vector<engine::MapInfo>&& maps) {
    std::vector<codec::MapInfo> infos;
    infos.reserve(maps.size());
    for (engine::MapInfo& map : maps) {
        infos.push_back(info_of(std::move(map)));
    }
    return infos;
}

}  // namespace outrider::net
