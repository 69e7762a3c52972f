#include "outrider/map/plane_maker.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "outrider/map/bits.hpp"

namespace outrider::map {
namespace {

constexpr std::size_t kLines = kChunkSide;

// Rows -1 .. 64 of a chunk, or its columns, and of each the bit before and after it.
struct ChunkLines {
    std::array<std::uint64_t, kLines + 2> words;
    std::array<std::uint64_t, kLines + 2> before;  // 0 or 1
    std::array<std::uint64_t, kLines + 2> after;   // 0 or 1
};

// A line beside the chunk, and the corners before and after it.
struct LineBeside {
    std::uint64_t word;
    std::uint64_t before;
    std::uint64_t after;
};

// `before`, `after`: bit i is the cell before, after line i.
ChunkLines lines_of(const std::uint64_t* words, std::uint64_t before, std::uint64_t after,
                    const LineBeside& first, const LineBeside& last) {
    ChunkLines lines;
    const auto set = [&](std::size_t at, const LineBeside& line) {
        lines.words[at] = line.word;
        lines.before[at] = line.before;
        lines.after[at] = line.after;
    };
    set(0, first);
    for (std::size_t line = 0; line < kLines; ++line) {
        lines.words[line + 1] = words[line];
        lines.before[line + 1] = before >> line & 1;
        lines.after[line + 1] = after >> line & 1;
    }
    set(kLines + 1, last);
    return lines;
}

ChunkLines rows_of(const std::uint64_t* tile, const Surroundings& around) {
    return lines_of(plane_of(tile, Plane::kRows), around.west, around.east,
                    {around.north, around.north_west, around.north_east},
                    {around.south, around.south_west, around.south_east});
}

ChunkLines columns_of(const std::uint64_t* tile, const Surroundings& around) {
    return lines_of(plane_of(tile, Plane::kColumns), around.north, around.south,
                    {around.west, around.north_west, around.south_west},
                    {around.east, around.north_east, around.south_east});
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

void make_stops(const ChunkLines& lines, const Neighbours& along, LineRange range,
                std::uint64_t* forward, std::uint64_t* backward) {
    const auto& words = lines.words;
    for (std::size_t i = range.first + 1; i <= range.last; ++i) {
        forward[i - 1] = ~words[i] | (words[i - 1] & ~along.before[i - 1]) |
                         (words[i + 1] & ~along.before[i + 1]);
        backward[i - 1] =
            ~words[i] | (words[i - 1] & ~along.after[i - 1]) | (words[i + 1] & ~along.after[i + 1]);
    }
}

// Bit i of word x becomes bit x of lines[i], for the lines in the range.
void write_turned(bits::Block& lines, LineRange range, std::uint64_t* to) {
    if (range.all()) {
        bits::transpose(lines);
        std::ranges::copy(lines, to);
        return;
    }
    for (std::size_t first = range.first; first < range.last; first += 8) {
        std::array<std::uint64_t, 8> eight;
        std::copy_n(lines.data() + first, eight.size(), eight.data());
        bits::write_eight_turned(eight, first, to);
    }
}

// Lines of a chunk to its diagonals: bit i of word d is line i's cell on diagonal d.
enum class Slope : std::uint8_t { kFalling, kRising };

void write_by_diagonal(const bits::Block& lines, LineRange range, Slope slope, std::uint64_t* to) {
    bits::Block turned;
    for (std::size_t i = range.first; i < range.last; ++i) {
        const int by = static_cast<int>(i);
        turned[i] = slope == Slope::kFalling ? std::rotr(lines[i], by) : std::rotl(lines[i], by);
    }
    write_turned(turned, range, to);
}

// The cells from which the first stop along the line is open or beyond the chunk. A cell leads
// nowhere when its next is a blocked cell, or when its next is no stop and leads nowhere: the
// latter spreads in rounds of doubled length.
template <bool kForward>
bits::Block finds(const std::uint64_t* stops, const std::uint64_t* cells, LineRange range) {
    const auto back = [](std::uint64_t word, int by) { return kForward ? word >> by : word << by; };
    bits::Block may;
    for (std::size_t i = range.first; i < range.last; ++i) {
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
void make_summary(const std::uint64_t* stops, const std::uint64_t* cells, LineRange range,
                  Heading heading, std::uint64_t* tile) {
    LineSummary summary = summary_of(tile, heading);
    LastStops last;
    std::memcpy(last.data(), tile + last_stops_at(heading), sizeof last);
    const std::uint64_t others = ~bits::mask(static_cast<std::int32_t>(range.first),
                                             static_cast<std::int32_t>(range.last - range.first));
    summary.clear &= others;
    summary.first_open &= others;
    for (std::size_t i = range.first; i < range.last; ++i) {
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

struct JumpHeading {
    Heading heading;
    Plane stops;
    Plane cells;
    Plane falling;
    Plane rising;
};

template <bool kForward>
void make_heading(const JumpHeading& of, LineRange range, std::uint64_t* tile) {
    const std::uint64_t* stops = plane_of(tile, of.stops);
    const std::uint64_t* cells = plane_of(tile, of.cells);
    const bits::Block may = finds<kForward>(stops, cells, range);
    write_by_diagonal(may, range, Slope::kFalling, plane_of(tile, of.falling));
    write_by_diagonal(may, range, Slope::kRising, plane_of(tile, of.rising));
    make_summary<kForward>(stops, cells, range, of.heading, tile);
}

void make_steps(const ChunkLines& rows, const Neighbours& along, LineRange range,
                std::uint64_t* tile) {
    bits::Block falling;
    bits::Block rising;
    // All four cells of the square below each pair of rows are open.
    const auto free2x2 = [&](std::size_t i) {
        return rows.words[i] & along.after[i] & rows.words[i + 1] & along.after[i + 1];
    };
    for (std::size_t i = range.first; i < range.last; ++i) {
        falling[i] = free2x2(i + 1);
        rising[i] = free2x2(i);
    }
    write_by_diagonal(falling, range, Slope::kFalling, plane_of(tile, Plane::kStepsFalling));
    write_by_diagonal(rising, range, Slope::kRising, plane_of(tile, Plane::kStepsRising));
}

}  // namespace

LineRange LineRange::around(std::int32_t first, std::int32_t last) {
    // Beyond half of the lines all of them are turned as quickly.
    constexpr std::size_t kPatchMax = 32;
    const auto count = (static_cast<std::size_t>(last - first) + 7) / 8 * 8;
    if (count > kPatchMax) {
        return {};
    }
    const std::size_t begin = std::min(static_cast<std::size_t>(first), kLines - count);
    return {begin, begin + count};
}

void make_columns(const std::uint64_t* rows, LineRange rows_changed, std::uint64_t* columns) {
    bits::Block lines;
    std::copy_n(rows, kLines, lines.data());
    write_turned(lines, rows_changed, columns);
}

Surroundings surroundings_of(const Layer::BitTiles& tiles, ChunkPlace place) {
    const auto row_of = [](const std::uint64_t* tile, std::size_t y) {
        return plane_of(tile, Plane::kRows)[y];
    };
    const auto column_of = [](const std::uint64_t* tile, std::size_t x) {
        return plane_of(tile, Plane::kColumns)[x];
    };
    constexpr std::size_t kLast = kLines - 1;
    const std::uint64_t* const* above = tiles.row(place.y - 1) + place.x;
    const std::uint64_t* const* here = tiles.row(place.y) + place.x;
    const std::uint64_t* const* below = tiles.row(place.y + 1) + place.x;
    return {.north = row_of(above[0], kLast),
            .south = row_of(below[0], 0),
            .west = column_of(here[-1], kLast),
            .east = column_of(here[1], 0),
            .north_west = row_of(above[-1], kLast) >> kLast,
            .north_east = row_of(above[1], kLast) & 1,
            .south_west = row_of(below[-1], 0) >> kLast,
            .south_east = row_of(below[1], 0) & 1};
}

void make_jump_planes(const Surroundings& around, LineRange rows_changed, LineRange columns_changed,
                      std::uint64_t* tile) {
    using enum Plane;
    const auto plane = [tile](Plane which) { return plane_of(tile, which); };
    const ChunkLines rows = rows_of(tile, around);
    const ChunkLines columns = columns_of(tile, around);
    const Neighbours along_rows = neighbours_along(rows);
    const Neighbours along_columns = neighbours_along(columns);
    make_stops(rows, along_rows, rows_changed, plane(kStopsEast), plane(kStopsWest));
    make_stops(columns, along_columns, columns_changed, plane(kStopsSouth), plane(kStopsNorth));
    make_steps(rows, along_rows, rows_changed, tile);
    make_heading<true>({Heading::kEast, kStopsEast, kRows, kFindsEastFalling, kFindsEastRising},
                       rows_changed, tile);
    make_heading<false>({Heading::kWest, kStopsWest, kRows, kFindsWestFalling, kFindsWestRising},
                        rows_changed, tile);
    make_heading<true>(
        {Heading::kSouth, kStopsSouth, kColumns, kFindsSouthFalling, kFindsSouthRising},
        columns_changed, tile);
    make_heading<false>(
        {Heading::kNorth, kStopsNorth, kColumns, kFindsNorthFalling, kFindsNorthRising},
        columns_changed, tile);
}

}  // namespace outrider::map
