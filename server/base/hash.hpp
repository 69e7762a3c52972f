#pragma once
// What:   the project's one hash: XXH64, seed 0, over little-endian bytes, so that any client
//         language can compute the same value.
// Source: xxHash (libxxhash).

#include <cstddef>
#include <cstdint>
#include <span>

namespace outrider::base {

[[nodiscard]] std::uint64_t hash64(std::span<const std::byte> bytes);

}  // namespace outrider::base
