// What an edit changes of a chunk, against the same chunk made from nothing.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "outrider/map/chunk_regions.hpp"
#include "support/random.hpp"

namespace outrider::map {
namespace {

using test::Random;

constexpr Connectivity kConnectivities[] = {Connectivity::kFour, Connectivity::kEight};

// Noise of any density, rooms with doors, or combs whose teeth hang together at one end.
ChunkRegions::Rows random_rows(Random& random) {
    ChunkRegions::Rows rows{};
    const auto kind = random.between(0, 2);
    const auto blocked = static_cast<int>(random.between(0, 60));
    const std::int64_t every = random.between(2, 12);
    for (std::int64_t y = 0; y < kChunkSide; ++y) {
        for (std::int64_t x = 0; x < kChunkSide; ++x) {
            const bool wall = kind == 1 ? x % every == 0 || y % every == 0
                                        : x % every == 0 && y % (kChunkSide - 1) != 0;
            const bool open = kind == 0 ? !random.chance(blocked) : !wall || random.chance(4);
            rows[static_cast<std::size_t>(y)] |= std::uint64_t{open} << x;
        }
    }
    return rows;
}

// A building placed, pulled down or moved, or some cells of it.
void edit(Random& random, ChunkRegions::Rows& rows) {
    const std::int64_t longest = random.chance(80) ? 6 : 24;
    const std::int64_t left = random.between(0, kChunkSide - 1);
    const std::int64_t top = random.between(0, kChunkSide - 1);
    const std::int64_t right =
        std::min<std::int64_t>(kChunkSide, left + random.between(1, longest));
    const std::int64_t bottom =
        std::min<std::int64_t>(kChunkSide, top + random.between(1, longest));
    const auto kind = random.between(0, 3);
    for (std::int64_t y = top; y < bottom; ++y) {
        std::uint64_t& row = rows[static_cast<std::size_t>(y)];
        for (std::int64_t x = left; x < right; ++x) {
            const std::uint64_t bit = std::uint64_t{1} << x;
            const bool open = kind == 0 || (kind == 1 && random.chance(50)) ||
                              (kind == 2 && (x - left) * 2 < right - left);
            row = open ? row | bit : row & ~bit;
        }
    }
}

// If this failed, the parts of a chunk after a building would depend on what stood there before:
// a unit would be sent through a wall, or told that its goal cannot be reached.
TEST(EditedChunk, LabelsEqualThoseMadeFromNothing) {
    Random random(61);
    for (std::uint64_t round = 0; round < test::rounds(400); ++round) {
        ChunkRegions::Rows rows = random_rows(random);
        for (const Connectivity connectivity : kConnectivities) {
            ChunkRegions edited(rows, connectivity);
            for (int i = 0; i < 40; ++i) {
                edit(random, rows);
                edited = ChunkRegions(rows, connectivity, edited);
                ASSERT_TRUE(edited == ChunkRegions(rows, connectivity))
                    << "round " << round << ", edit " << i;
            }
        }
    }
}

}  // namespace
}  // namespace outrider::map
