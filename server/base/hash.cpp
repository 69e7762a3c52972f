#include "outrider/base/hash.hpp"

#include <xxhash.h>

namespace outrider::base {

std::uint64_t hash64(std::span<const std::byte> bytes) {
    return XXH64(bytes.data(), bytes.size(), 0);
}

}  // namespace outrider::base
