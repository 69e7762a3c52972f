#pragma once
// What:     asks for memory ahead of its use. An edit goes where nobody has looked for long: what
//           it reads lies outside the caches, most of it behind several pointers. So all tables of
//           all layers are walked at once, one pointer deep a step, and their waits overlap.
// Contract: changes nothing but times.
// Cost:     an instruction a cache line.

#include <cstddef>
#include <cstdint>

namespace outrider::map {

// What lies behind the pointers that the step before asked for.
enum class WarmStep : std::uint8_t { kRow, kTables, kGroups, kEntries, kLabels };

inline constexpr std::size_t kCacheLineBytes = 64;

inline void warm(const void* at) {
    __builtin_prefetch(at);
    // GCC 12 takes a function that only prefetches for one without effect, and drops its calls.
    asm volatile("" : : "r"(at));
}

inline void warm_bytes(const void* first, std::size_t bytes) {
    const auto* at = static_cast<const std::byte*>(first);
    for (std::size_t offset = 0; offset < bytes; offset += kCacheLineBytes) {
        warm(at + offset);
    }
}

// The count of references of what was made by std::make_shared lies before it.
inline void warm_count(const void* shared) {
    warm(static_cast<const std::byte*>(shared) - sizeof(std::uint64_t));
}

}  // namespace outrider::map
