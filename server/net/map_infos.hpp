#pragma once
// What: what the engine says of its maps, as the protocol says it.

#include <vector>

#include "outrider/codec/messages.hpp"
#include "outrider/engine/engine.hpp"

namespace outrider::net {

[[nodiscard]] codec::MapInfo info_of(engine::MapInfo&& info);
[[nodiscard]] std::vector<codec::MapInfo> infos_of(std::vector<engine::MapInfo>&& maps);
// The map as it was when its state was copied, whatever has happened since; takes its classes.
void set_back(engine::MapInfo& info, map::State& state);

}  // namespace outrider::net
