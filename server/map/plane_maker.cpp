#include "outrider/map/plane_maker.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "outrider/map/bits.hpp"

namespace outrider::map {
namespace {

constexpr std::size_t kLines = kChunkSide;

ChunkLines lines_around(const std::array<const std::uint64_t*, 9>& tiles, Plane plane) {
    // Tiles before, beside and after in the direction across the lines; each in the order before,
    // here, after along a line.
    ChunkLines lines;
    const auto set = [&](std::size_t to, std::size_t tile, std::size_t from) {
        lines.before[to] = plane_of(tiles[tile], plane)[from] >> 63;
        lines.words[to] = plane_of(tiles[tile + 1], plane)[from];
        lines.after[to] = plane_of(tiles[tile + 2], plane)[from] & 1;
    };
    set(0, 0, kLines - 1);
    for (std::size_t line = 0; line < kLines; ++line) {
        set(line + 1, 3, line);
    }
    set(kLines + 1, 6, 0);
    return lines;
}

struct Neighbours {
    std::array<std::uint64_t, kLines + 2> before;  // bit i: the cell before cell i
    std::array<std::uint64_t, kLines + 2> after;
};

Neighbours neighbours_along(const ChunkLines& lines) {
    Neighbours along;
    for (std::size_t i = 0; i < lines.words.size(); ++i) {
        along.before[i] = lines.words[i] << 1 | lines.before[i];
        along.after[i] = lines.words[i] >> 1 | lines.after[i] << 63;
    }
    return along;
}

void make_stops(const ChunkLines& lines, const Neighbours& along, std::uint64_t* forward,
                std::uint64_t* backward) {
    const auto& words = lines.words;
    for (std::size_t i = 1; i <= kLines; ++i) {
        forward[i - 1] = ~words[i] | (words[i - 1] & ~along.before[i - 1]) |
                         (words[i + 1] & ~along.before[i + 1]);
        backward[i - 1] =
            ~words[i] | (words[i - 1] & ~along.after[i - 1]) | (words[i + 1] & ~along.after[i + 1]);
    }
}

// Lines of a chunk to its diagonals: bit i of word d is line i's cell on diagonal d.
enum class Slope : std::uint8_t { kFalling, kRising };

void write_by_diagonal(const bits::Block& lines, Slope slope, std::uint64_t* to) {
    bits::Block turned;
    for (std::size_t i = 0; i < kLines; ++i) {
        const int by = static_cast<int>(i);
        turned[i] = slope == Slope::kFalling ? std::rotr(lines[i], by) : std::rotl(lines[i], by);
    }
    bits::transpose(turned);
    std::ranges::copy(turned, to);
}

// The cells from which the first stop along the line is open or beyond the chunk. A cell leads
// nowhere when its next is a blocked cell, or when its next is no stop and leads nowhere: the
// latter spreads in rounds of doubled length.
template <bool kForward>
bits::Block finds(const std::uint64_t* stops, const std::uint64_t* cells) {
    const auto back = [](std::uint64_t word, int by) { return kForward ? word >> by : word << by; };
    bits::Block may;
    for (std::size_t i = 0; i < kLines; ++i) {
        std::uint64_t nowhere = back(stops[i] & ~cells[i], 1);
        std::uint64_t passes = back(~stops[i], 1);
        for (int by = 1; by < kChunkSide; by *= 2) {
            nowhere |= passes & back(nowhere, by);
            passes &= back(passes, by);
        }
        may[i] = ~nowhere;
    }
    return may;
}

template <bool kForward>
void make_summary(const std::uint64_t* stops, const std::uint64_t* cells, Heading heading,
                  std::uint64_t* tile) {
    LineSummary summary{};
    LastStops last;
    for (std::size_t i = 0; i < kLines; ++i) {
        const std::uint64_t first =
            kForward ? stops[i] & (~stops[i] + 1) : std::bit_floor(stops[i]);
        summary.clear |= std::uint64_t{stops[i] == 0} << i;
        summary.first_open |= std::uint64_t{(first & cells[i]) != 0} << i;
        const int at = kForward ? 63 - std::countl_zero(stops[i]) : std::countr_zero(stops[i]);
        last[i] = stops[i] == 0 ? no_stop(heading) : static_cast<std::int8_t>(at);
    }
    tile[summary_at(heading)] = summary.clear;
    tile[summary_at(heading) + 1] = summary.first_open;
    std::memcpy(tile + last_stops_at(heading), last.data(), sizeof last);
}

template <bool kForward>
void make_finds(std::uint64_t* tile, Plane stops, Plane cells, Plane falling, Plane rising) {
    const bits::Block may = finds<kForward>(plane_of(tile, stops), plane_of(tile, cells));
    write_by_diagonal(may, Slope::kFalling, plane_of(tile, falling));
    write_by_diagonal(may, Slope::kRising, plane_of(tile, rising));
}

void make_steps(const ChunkLines& rows, const Neighbours& along, std::uint64_t* tile) {
    bits::Block falling;
    bits::Block rising;
    // All four cells of the square below each pair of rows are open.
    const auto free2x2 = [&](std::size_t i) {
        return rows.words[i] & along.after[i] & rows.words[i + 1] & along.after[i + 1];
    };
    for (std::size_t i = 0; i < kLines; ++i) {
        falling[i] = free2x2(i + 1);
        rising[i] = free2x2(i);
    }
    write_by_diagonal(falling, Slope::kFalling, plane_of(tile, Plane::kStepsFalling));
    write_by_diagonal(rising, Slope::kRising, plane_of(tile, Plane::kStepsRising));
}

}  // namespace

ChunkLines rows_around(const Layer::BitTiles& tiles, ChunkPlace place) {
    const std::uint64_t* const* above = tiles.row(place.y - 1) + place.x;
    const std::uint64_t* const* here = tiles.row(place.y) + place.x;
    const std::uint64_t* const* below = tiles.row(place.y + 1) + place.x;
    return lines_around(
        {above[-1], above[0], above[1], here[-1], here[0], here[1], below[-1], below[0], below[1]},
        Plane::kRows);
}

ChunkLines columns_around(const Layer::BitTiles& tiles, ChunkPlace place) {
    const std::uint64_t* const* above = tiles.row(place.y - 1) + place.x;
    const std::uint64_t* const* here = tiles.row(place.y) + place.x;
    const std::uint64_t* const* below = tiles.row(place.y + 1) + place.x;
    return lines_around(
        {above[-1], here[-1], below[-1], above[0], here[0], below[0], above[1], here[1], below[1]},
        Plane::kColumns);
}

void make_jump_planes(const ChunkLines& rows, const ChunkLines& columns, std::uint64_t* tile) {
    std::copy_n(rows.words.data() + 1, kLines, plane_of(tile, Plane::kRows));
    std::copy_n(columns.words.data() + 1, kLines, plane_of(tile, Plane::kColumns));
    const Neighbours along_rows = neighbours_along(rows);
    const Neighbours along_columns = neighbours_along(columns);
    make_stops(rows, along_rows, plane_of(tile, Plane::kStopsEast),
               plane_of(tile, Plane::kStopsWest));
    make_stops(columns, along_columns, plane_of(tile, Plane::kStopsSouth),
               plane_of(tile, Plane::kStopsNorth));
    make_steps(rows, along_rows, tile);
    using enum Plane;
    make_finds<true>(tile, kStopsEast, kRows, kFindsEastFalling, kFindsEastRising);
    make_finds<false>(tile, kStopsWest, kRows, kFindsWestFalling, kFindsWestRising);
    make_finds<true>(tile, kStopsSouth, kColumns, kFindsSouthFalling, kFindsSouthRising);
    make_finds<false>(tile, kStopsNorth, kColumns, kFindsNorthFalling, kFindsNorthRising);
    const auto plane = [tile](Plane which) { return plane_of(tile, which); };
    make_summary<true>(plane(kStopsEast), plane(kRows), Heading::kEast, tile);
    make_summary<false>(plane(kStopsWest), plane(kRows), Heading::kWest, tile);
    make_summary<true>(plane(kStopsSouth), plane(kColumns), Heading::kSouth, tile);
    make_summary<false>(plane(kStopsNorth), plane(kColumns), Heading::kNorth, tile);
}

}  // namespace outrider::map
