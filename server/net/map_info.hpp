#pragma once
// What: a map's particulars as the protocol tells them.

#include <utility>

#include "outrider/codec/messages.hpp"
#include "outrider/engine/engine.hpp"

namespace outrider::net {

[[nodiscard]] inline codec::MapInfo info_of(engine::MapInfo info) {
    return {.id = info.id,
            .name = std::move(info.name),
            .width = info.width,
            .height = info.height,
            .version = info.version,
            .classes = std::move(info.classes)};
}

}  // namespace outrider::net
