#include "outrider/map/plane_maker.hpp"

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
    const Neighbours along_rows = neighbours_along(rows);
    const Neighbours along_columns = neighbours_along(columns);
    make_stops(rows, along_rows, plane_of(tile, Plane::kStopsEast),
               plane_of(tile, Plane::kStopsWest));
    make_stops(columns, along_columns, plane_of(tile, Plane::kStopsSouth),
               plane_of(tile, Plane::kStopsNorth));
    for (std::size_t i = 1; i <= kLines; ++i) {
        plane_of(tile, Plane::kFree2x2)[i - 1] =
            rows.words[i] & along_rows.after[i] & rows.words[i + 1] & along_rows.after[i + 1];
    }
}

}  // namespace outrider::map
