#include <gtest/gtest.h>

#include <latch>
#include <memory>
#include <thread>
#include <vector>

#include "outrider/map/store.hpp"
#include "support/random.hpp"

namespace outrider::map {
namespace {

Grid noise_grid(std::int32_t width, std::int32_t height) {
    test::Random random(5);
    Grid grid{width, height, {}};
    for (std::int32_t i = 0; i < width * height; ++i) {
        grid.terrain.push_back(random.chance(20) ? '@' : '.');
    }
    return grid;
}

// All costs of all portals, asked for by one thread.
std::vector<std::uint32_t> all_costs(const Layer& layer) {
    const auto scratch = std::make_unique<ChunkSearch>();
    std::vector<std::uint32_t> costs;
    for_each_chunk({0, 0, layer.width(), layer.height()}, [&](ChunkPlace place) {
        const ChunkPortals& portals = layer.portals(place);
        for (std::uint32_t i = 0; i < portals.count(); ++i) {
            const std::uint32_t* row = portals.row(layer, place, i, *scratch);
            costs.insert(costs.end(), row, row + portals.count());
        }
    });
    return costs;
}

// If this failed, two workers that come to a chunk at once would plan by different costs.
TEST(Portals, ThreadsThatAskAtOnceGetTheSameCosts) {
    const auto store = std::move(*Store::create(noise_grid(200, 150), {model::ground_class()}));
    const auto snapshot = store->snapshot();
    constexpr std::size_t kThreads = 4;
    std::vector<std::vector<std::uint32_t>> costs(kThreads);
    {
        std::latch together(kThreads);
        std::vector<std::jthread> threads;
        for (auto& mine : costs) {
            threads.emplace_back([&] {
                together.arrive_and_wait();
                mine = all_costs(*snapshot->layer({0}));
            });
        }
    }
    for (const auto& other : costs) {
        EXPECT_EQ(other, costs.front());
    }
    EXPECT_GT(costs.front().size(), 1000U);
}

// If this failed, every building would make the server search chunks anew that it never touched.
TEST(Portals, AnEditDropsThePortalsOfItsChunkAlone) {
    const auto store = std::move(*Store::create(
        {320, 320, std::vector<model::Terrain>(320 * 320, '.')}, {model::ground_class()}));
    const auto before = store->snapshot();
    ASSERT_TRUE(store->apply({{model::PlaceObstacle{{1}, {150, 150, 5, 5}, 0}}, {}}).has_value());
    const auto inside = store->snapshot();
    ASSERT_TRUE(store->apply({{model::PlaceObstacle{{2}, {190, 150, 5, 5}, 0}}, {}}).has_value());
    const auto border = store->snapshot();
    const auto shared = [](const Snapshot& a, const Snapshot& b, ChunkPlace place) {
        return a.layer({0})->portal_table().shares(b.layer({0})->portal_table(), place);
    };
    for (ChunkPlace place{0, 0}; place.y < 5; ++place.y) {
        for (place.x = 0; place.x < 5; ++place.x) {
            const bool own = place == ChunkPlace{2, 2};
            EXPECT_EQ(shared(*before, *inside, place), !own);
            // Over the border between (2, 2) and (3, 2): those two, and all that border on them.
            const bool near = place.x >= 1 && place.y >= 1 && place.y <= 3;
            EXPECT_EQ(shared(*inside, *border, place), !near);
        }
    }
}

}  // namespace
}  // namespace outrider::map
