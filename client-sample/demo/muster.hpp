#pragma once
// What:     the army before the march: units at the west edge, a place for each at the east edge.
// Contract: the same layer, count and seed give the same army. Starts are distinct open cells, and
//           so are goals; fewer units than asked for when the edges have no more room.

#include <cstdint>

#include "demo/army.hpp"

namespace outrider::demo {

[[nodiscard]] std::vector<Post> muster(const map::Layer& layer, std::uint32_t count,
                                       std::uint64_t seed);

}  // namespace outrider::demo
