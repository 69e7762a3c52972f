#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>

#include "outrider/map/store.hpp"

namespace outrider::map {
namespace {

using model::Cell;

constexpr std::int32_t kSide = 192;
constexpr std::int32_t kHouse = 5;
// A building moves between these: chunks of their own, a border, the corner of four chunks.
constexpr std::array<Cell, 6> kSites = {
    {{8, 8}, {62, 20}, {100, 62}, {126, 126}, {150, 9}, {30, 150}}};

std::vector<model::MovementClass> three_classes() {
    std::vector<model::MovementClass> classes(2, model::ground_class());
    classes[1].name = "wide";
    classes[1].footprint = 3;
    classes.push_back(model::terrain_class());
    return classes;
}

// The building stands on one site, whole, for all classes alike.
bool stands_once(const Snapshot& snapshot) {
    std::array<int, 3> closed{};
    for (std::uint16_t id = 0; id < 3; ++id) {
        const Layer& layer = *snapshot.layer({id});
        for (const Cell site : kSites) {
            int cells = 0;
            for (std::int32_t i = 0; i < kHouse * kHouse; ++i) {
                const Cell cell{site.x + i % kHouse, site.y + i / kHouse};
                cells += layer.open(cell) ? 0 : 1;
                const bool named = layer.regions().component(cell) != kNoComponent;
                if (named != layer.open(cell) || named != (layer.weight(cell) != 0)) {
                    return false;
                }
            }
            if (cells != 0 && cells != kHouse * kHouse) {
                return false;
            }
            closed[id] += cells;
        }
    }
    constexpr int kOne = kHouse * kHouse;
    return closed == std::array{kOne, kOne, kOne};
}

// If this failed, a unit could see half of an edit, or a search read a tile that the next edit is
// writing: readers let go of snapshots, and their tiles go to the writer for its next edit.
TEST(Store, OneWriterAndEightReadersSeeWholeEdits) {
    constexpr int kBatches = 1000;
    constexpr int kLooks = 100;
    constexpr int kReaders = 8;
    Grid grid{kSide, kSide, std::vector<model::Terrain>(kSide * kSide, '.')};
    const auto store = Store::create(std::move(grid), three_classes()).value();
    const auto move_to = [&](Cell site) {
        model::EditBatch batch;
        batch.edits.emplace_back(model::PlaceObstacle{{1}, {site.x, site.y, kHouse, kHouse}});
        return store->apply(std::move(batch)).has_value();
    };
    ASSERT_TRUE(move_to(kSites[0]));
    std::atomic<int> reading{kReaders};
    std::vector<std::thread> readers;
    for (int reader = 0; reader < kReaders; ++reader) {
        readers.emplace_back([&] {
            model::Version newest = 0;
            std::array<std::shared_ptr<const Snapshot>, 3> held;
            for (std::size_t look = 0; look < kLooks; ++look) {
                auto& snapshot = held[look % held.size()];
                snapshot = store->snapshot();
                EXPECT_GE(snapshot->version(), newest);
                newest = snapshot->version();
                EXPECT_TRUE(stands_once(*snapshot));
            }
            --reading;
        });
    }
    int batches = 0;
    for (; batches < kBatches || reading > 0; ++batches) {
        EXPECT_TRUE(move_to(kSites[static_cast<std::size_t>(batches + 1) % kSites.size()]));
    }
    for (std::thread& reader : readers) {
        reader.join();
    }
    EXPECT_EQ(store->snapshot()->version(), 2U + static_cast<unsigned>(batches));
    EXPECT_EQ(store->snapshots_alive(), 1U);
}

}  // namespace
}  // namespace outrider::map
