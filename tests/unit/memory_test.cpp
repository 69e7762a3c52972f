// The sums of server/DESIGN.md, "Memory", held against what is allocated.

#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "outrider/search/buffers.hpp"
#include "support/random.hpp"
#include "support/search_world.hpp"

namespace {
// Bytes that this program has from operator new and not yet given back.
std::int64_t bytes_held = 0;

void* counted(void* memory) {
    if (memory == nullptr) {
        throw std::bad_alloc{};
    }
    bytes_held += static_cast<std::int64_t>(malloc_usable_size(memory));
    return memory;
}
void give_back(void* memory) {
    bytes_held -= static_cast<std::int64_t>(memory == nullptr ? 0 : malloc_usable_size(memory));
    std::free(memory);
}
}  // namespace

// GCC looks through one half of the pair and not the other, and then sees free() meet new.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"

void* operator new(std::size_t bytes) {
    return counted(std::malloc(bytes));
}
void* operator new(std::size_t bytes, std::align_val_t align) {
    const auto to = static_cast<std::size_t>(align);
    return counted(std::aligned_alloc(to, (bytes + to - 1) / to * to));
}
void operator delete(void* memory) noexcept {
    give_back(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    give_back(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    give_back(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    give_back(memory);
}

namespace outrider::test {
namespace {

using model::Algorithm;
using model::Cell;

map::Grid noise(std::int32_t width, std::int32_t height, int percent) {
    Random random(static_cast<std::uint64_t>(percent));
    map::Grid grid{width, height, {}};
    for (std::int64_t i = 0; i < std::int64_t{width} * height; ++i) {
        grid.terrain.push_back(random.chance(percent) ? '@' : '.');
    }
    // One way from the first cell to the last: along the first row, down the last column.
    for (std::size_t i = 0; i < grid.terrain.size(); ++i) {
        const bool last = (i + 1) % static_cast<std::size_t>(width) == 0;
        grid.terrain[i] = i < static_cast<std::size_t>(width) || last ? '.' : grid.terrain[i];
    }
    return grid;
}

// What the sums are made of: whole chunks, and open runs of cells inside them.
struct Extent {
    std::int64_t cells;
    std::int64_t runs;
};

Extent extent_of(const map::Grid& grid, const model::MovementClass& who) {
    const WeightGrid weights = weights_of(grid, who);
    const auto across = (std::int64_t{grid.width} + 63) / 64;
    const auto down = (std::int64_t{grid.height} + 63) / 64;
    Extent extent{across * down * 64 * 64, 0};
    for (Cell cell{0, 0}; cell.y < grid.height; ++cell.y) {
        for (cell.x = 0; cell.x < grid.width; ++cell.x) {
            const bool begins = cell.x % 64 == 0 || !weights.open({cell.x - 1, cell.y});
            extent.runs += weights.open(cell) && begins ? 1 : 0;
        }
    }
    return extent;
}

// The rows of "Memory" as functions. Thousandths of a byte a cell; the last term is what even a map
// of one cell has: guard chunks, tables, heads.
constexpr std::int64_t kFixed = 12 * 1024;
// Tiles of planes that a class let go of; of terrain and weights there are as many, half as large.
constexpr std::int64_t kSpareTiles = map::TilePool::kSparesMax * 9 * 1024;
std::int64_t stated_map(const Extent& at) {
    return at.cells * 1060 / 1000 + kFixed;
}
std::int64_t stated_regions(const Extent& at) {
    return at.cells * 250 / 1000 + at.runs * 2200 / 1000;
}
std::int64_t stated_uniform_class(const Extent& at) {
    return at.cells * 2100 / 1000 + stated_regions(at) + kFixed;
}
std::int64_t stated_mixed_class(const Extent& at) {
    return at.cells * 12 / 8 + stated_regions(at) + kFixed;
}
std::int64_t stated_obstacles(const Extent& covered, std::int64_t count, std::int64_t masks) {
    return covered.cells * 4 * masks + count * 120 + kFixed;
}

// At most what is stated; and not far less, or the sum would be no use to anybody.
void expect_stated(std::int64_t measured, std::int64_t stated, const std::string& what) {
    EXPECT_LE(measured, stated) << what;
    EXPECT_GE(measured, stated * 8 / 10 - kFixed) << what;
}

std::int64_t bytes_of_map(const map::Grid& grid, const std::vector<model::MovementClass>& classes) {
    const std::int64_t before = bytes_held;
    const auto store = map::Store::create(grid, classes);
    EXPECT_TRUE(store.has_value());
    return bytes_held - before;
}

// If this failed, an operator who adds up the maps would run out of memory.
TEST(Memory, AMapAndItsClassesTakeWhatIsStated) {
    model::MovementClass other = model::ground_class();
    other.name = "other";
    other.footprint = 2;
    const model::MovementClass ground = model::ground_class();
    for (const Cell size : {Cell{512, 512}, Cell{1024, 256}, Cell{100, 100}, Cell{1, 1}}) {
        for (const int percent : {0, 10, 30}) {
            const map::Grid grid = noise(size.x, size.y, percent);
            const Extent extent = extent_of(grid, ground);
            const std::int64_t one = bytes_of_map(grid, {ground});
            const std::string what = std::to_string(size.x) + " x " + std::to_string(size.y) +
                                     ", blocked " + std::to_string(percent) + " %";
            expect_stated(one, stated_map(extent) + stated_uniform_class(extent), what);
            expect_stated(bytes_of_map(grid, {model::terrain_class()}),
                          stated_map(extent) + stated_mixed_class(extent), what + ", mixed class");
            // What a class has in common with another is there once.
            model::MovementClass team = ground;
            team.name = "team";
            team.team = 1;
            EXPECT_LE(bytes_of_map(grid, {ground, team}) - one,
                      2 * kFixed + kSpareTiles + extent.cells / 50)
                << what;
            // A footprint leaves islands: at the worst each run is a component of its own.
            const Extent of_other = extent_of(grid, other);
            EXPECT_LE(bytes_of_map(grid, {ground, other}) - one,
                      stated_uniform_class(of_other) + of_other.runs * 12)
                << what;
        }
    }
}

// If this failed, buildings would take more memory than is said, or give none of it back.
TEST(Memory, ObstaclesTakeWhatIsStated) {
    const map::Grid grid = noise(512, 512, 0);
    const auto store = map::Store::create(grid, {model::ground_class()}).value();
    model::EditBatch batch;
    for (std::int32_t i = 0; i < 64; ++i) {
        const model::Rect place{i % 8 * 64 + 20, i / 8 * 64 + 20, 5, 5};
        batch.edits.emplace_back(model::PlaceObstacle{{static_cast<std::uint64_t>(i) + 1}, place});
    }
    const std::int64_t before = bytes_held;
    ASSERT_TRUE(store->apply(std::move(batch)).has_value());
    expect_stated(bytes_held - before,
                  stated_obstacles(extent_of(grid, model::ground_class()), 64, 1) + kSpareTiles,
                  "obstacles");
}

// If this failed, a map that is edited while searches hold old snapshots would grow by whole
// copies.
TEST(Memory, AnOldSnapshotTakesTheTilesThatWereEdited) {
    const auto store = map::Store::create(noise(1024, 1024, 10), {model::ground_class()}).value();
    std::vector<std::shared_ptr<const map::Snapshot>> held;
    const auto build = [&](std::uint64_t id) {
        model::EditBatch batch;
        batch.edits.emplace_back(model::PlaceObstacle{{id}, {500, 500, 5, 5}});
        ASSERT_TRUE(store->apply(std::move(batch)).has_value());
        held.push_back(store->snapshot());
    };
    build(1);  // its chunk now counts obstacles
    const std::int64_t before = bytes_held;
    for (std::uint64_t id = 2; id <= 17; ++id) {
        build(id);
    }
    // One tile of planes, one of regions and its block, and tables.
    EXPECT_LE((bytes_held - before) / 16, 64 * 1024);
}

// If this failed, a map would keep the memory of every tile that an edit ever replaced.
TEST(Memory, OnlyTheLastTilesThatWentAreKept) {
    constexpr std::size_t kBytes = 4096;
    constexpr std::size_t kMax = map::TilePool::kSparesMax;
    for (const std::size_t count : {kMax - 1, kMax, kMax + 1}) {
        const std::int64_t before = bytes_held;
        {
            map::TilePool pool;
            std::vector<void*> blocks;
            for (std::size_t i = 0; i < count; ++i) {
                blocks.push_back(pool.take(kBytes));
            }
            for (void* block : blocks) {
                pool.give(block);
            }
            blocks = {};
            const auto kept = static_cast<std::size_t>(bytes_held - before) / kBytes;
            EXPECT_EQ(kept, std::min(count, kMax));
        }
        EXPECT_EQ(bytes_held, before);
    }
}

std::int64_t resident_bytes() {
    std::ifstream statm("/proc/self/statm");
    std::int64_t pages = 0;
    std::int64_t resident = -1;
    statm >> pages >> resident;
    return resident * 4096;
}

// If this failed, each worker of a server with one huge map would take a gigabyte for the first
// short walk.
TEST(Memory, AShortQueryOnAHugeMapTouchesFewPages) {
    constexpr std::int32_t kSide = 4096;
    SearchWorld world(map::Grid{kSide, kSide, std::vector<model::Terrain>(kSide * kSide, '.')},
                      model::ground_class());
#if defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "the sanitizer's shadow is resident, too";
#endif
    if (resident_bytes() < 0) {
        GTEST_SKIP() << "no /proc/self/statm here";
    }
    const std::int64_t before = resident_bytes();
    for (const Algorithm algorithm : kAllAlgorithms) {
        model::PathQuery query = query_of({2000, 2000}, {2012, 2009});
        query.algorithm = algorithm;
        EXPECT_EQ(world.ask(query).outcome, model::Outcome::kComplete);
    }
    // The table of nodes has 256 MiB. With huge pages a row or two of 2 MiB each become resident.
    EXPECT_GE(search::bytes_of(world.buffers()), std::size_t{kSide} * kSide * 16);
    EXPECT_LE(resident_bytes() - before, 24 << 20);
}

// If this failed, workers would hold memory that no sum mentions.
TEST(Memory, ASearchTakesWhatIsStatedAndTellsAllOfIt) {
    constexpr std::int32_t kSide = 300;
    SearchWorld world(noise(kSide, kSide, 20), model::ground_class());
    const std::int64_t before = bytes_held;
    const search::BuffersPtr buffers = search::make_buffers();
    for (const Algorithm algorithm : kAllAlgorithms) {
        model::PathQuery query = query_of({0, 0}, {kSide - 1, kSide - 1});
        query.leave_blocked_start = true;
        query.allow_partial = true;
        query.algorithm = algorithm;
        (void)search::run(world.layer(), query, *buffers);
    }
    const auto told = static_cast<std::int64_t>(search::bytes_of(*buffers));
    constexpr std::int64_t kCells = std::int64_t{kSide} * kSide;
    EXPECT_GE(told, bytes_held - before + kCells * 16 - kFixed);
    // At the worst every cell is open at once, in a list that has just doubled.
    EXPECT_LE(told, kCells * (16 + 2 * 24) + 64 * 1024);
}

}  // namespace
}  // namespace outrider::test
