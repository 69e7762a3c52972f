#pragma once
// What:     straight jumps along 64 lines of a chunk at once: which of them find anything.
// Contract: lines are rows for jumps east and west, columns for the others; bit i of a mask is line
//           i of the chunk. lines_beyond() and lines_beyond_portable() are the same function; the
//           first is quicker where the processor surely has SSE2.
// Cost:     some thirty instructions, and two for each chunk that a jump crosses.

#include <cstdint>

#include "outrider/map/layer.hpp"
#include "outrider/search/moves.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace outrider::search {

template <Move kMove>
inline constexpr map::Heading kHeadingOf = kMove == kE   ? map::Heading::kEast
                                           : kMove == kW ? map::Heading::kWest
                                           : kMove == kS ? map::Heading::kSouth
                                                         : map::Heading::kNorth;

// The cells of a diagonal, one a line: on line i at `from + i`, or falling back, at `from - i`.
struct Slanted {
    std::int32_t from;
    bool back;
};

// Lines on which the diagonal's cell is the last stop or lies beyond it.
template <bool kForward>
[[nodiscard]] inline std::uint64_t lines_beyond_portable(const std::int8_t* last_stops,
                                                         Slanted cells) {
    std::uint64_t lines = 0;
    for (std::int32_t i = 0; i < map::kChunkSide; ++i) {
        const std::int32_t at = cells.back ? cells.from - i : cells.from + i;
        const bool beyond = kForward ? at >= last_stops[i] : at <= last_stops[i];
        lines |= std::uint64_t{beyond} << i;
    }
    return lines;
}

template <bool kForward>
[[nodiscard]] inline std::uint64_t lines_beyond(const std::int8_t* last_stops, Slanted cells) {
#if defined(__SSE2__)
    // Places are within -63 .. 126, which signed bytes hold.
    const __m128i ascending = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m128i zero = _mm_setzero_si128();
    const __m128i step = cells.back ? _mm_sub_epi8(zero, ascending) : ascending;
    const int by = cells.back ? -16 : 16;
    std::uint64_t within = 0;
    for (int part = 0; part < 4; ++part) {
        const __m128i at =
            _mm_add_epi8(_mm_set1_epi8(static_cast<char>(cells.from + by * part)), step);
        const __m128i stops =
            _mm_load_si128(reinterpret_cast<const __m128i*>(last_stops + 16 * part));
        const __m128i before = kForward ? _mm_cmpgt_epi8(stops, at) : _mm_cmpgt_epi8(at, stops);
        within |= static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(before)))
                  << (16 * part);
    }
    return ~within;
#else
    return lines_beyond_portable<kForward>(last_stops, cells);
#endif
}

// `may`: lines on which the jump stops on an open cell of this chunk, or leaves it. Returns those
// on which it finds something, or one or two that are still to be tried.
template <Move kMove>
[[nodiscard, gnu::always_inline]] inline std::uint64_t lines_with_finds(
    const map::Layer::BitTiles& tiles, map::ChunkPlace place, std::uint64_t may, Slanted cells) {
    constexpr map::Heading kHeading = kHeadingOf<kMove>;
    // One or two are sooner tried than sifted.
    const std::uint64_t but_one = may & (may - 1);
    if ((but_one & (but_one - 1)) == 0) {
        return may;
    }
    const auto* last_stops =
        reinterpret_cast<const std::int8_t*>(tiles.at(place) + map::last_stops_at(kHeading));
    std::uint64_t leave = may & lines_beyond < kMove == kE || kMove == kS > (last_stops, cells);
    std::uint64_t found = may & ~leave;
    while (leave != 0) {
        place.x += kMoveX[kMove];
        place.y += kMoveY[kMove];
        const map::LineSummary summary = map::summary_of(tiles.at(place), kHeading);
        found |= leave & summary.first_open;
        leave &= summary.clear;
    }
    return found;
}

}  // namespace outrider::search
