#pragma once
// What:     the one piece of arithmetic on the eight distances of a cell that landmarks need.
// Contract: farthest() and farthest_portable() are the same function; the first is quicker where
//           the processor surely has SSE2.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "outrider/map/landmarks.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace outrider::search {

// The largest of low - at and at - high over the lanes, at least 0. Needs low <= high.
[[nodiscard]] inline std::uint16_t farthest_portable(const map::Landmarks::Quanta& at,
                                                     const map::Landmarks::Quanta& low,
                                                     const map::Landmarks::Quanta& high) {
    std::uint16_t most = 0;
    for (std::size_t i = 0; i < map::Landmarks::kCount; ++i) {
        const std::uint16_t d = at.lanes[i];
        const auto below = static_cast<std::uint16_t>(low.lanes[i] - std::min(d, low.lanes[i]));
        const auto above = static_cast<std::uint16_t>(d - std::min(d, high.lanes[i]));
        most = std::max({most, below, above});
    }
    return most;
}

[[nodiscard]] inline std::uint16_t farthest(const map::Landmarks::Quanta& at,
                                            const map::Landmarks::Quanta& low,
                                            const map::Landmarks::Quanta& high) {
#if defined(__SSE2__)
    const auto d = std::bit_cast<__m128i>(at);
    // Saturating: one of the two is zero, if not both.
    __m128i apart = _mm_or_si128(_mm_subs_epu16(std::bit_cast<__m128i>(low), d),
                                 _mm_subs_epu16(d, std::bit_cast<__m128i>(high)));
    // SSE2 knows the maximum of signed lanes alone.
    const __m128i sign = _mm_set1_epi16(-0x8000);
    apart = _mm_xor_si128(apart, sign);
    apart = _mm_max_epi16(apart, _mm_shuffle_epi32(apart, 0x4E));
    apart = _mm_max_epi16(apart, _mm_shuffle_epi32(apart, 0xB1));
    apart = _mm_max_epi16(apart, _mm_shufflelo_epi16(apart, 0xB1));
    return static_cast<std::uint16_t>(_mm_cvtsi128_si32(_mm_xor_si128(apart, sign)) & 0xFFFF);
#else
    return farthest_portable(at, low, high);
#endif
}

}  // namespace outrider::search
