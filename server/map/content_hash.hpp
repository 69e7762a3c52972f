#pragma once
// What:     one number for what a snapshot holds: its size, its terrain and what each class sees.
//           Two maps with the same history of contents, whatever their versions, have the same.
// Threads:  any.
// Cost:     reads the whole map.

#include <cstdint>

#include "outrider/map/snapshot.hpp"

namespace outrider::map {

[[nodiscard]] std::uint64_t content_hash(const Snapshot& snapshot);

}  // namespace outrider::map
