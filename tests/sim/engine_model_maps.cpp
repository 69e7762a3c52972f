#include <algorithm>

#include "sim/engine_model.hpp"

namespace outrider::sim {

map::Grid Model::any_grid(test::Random& random) {
    // A first leg needs more than two chunks.
    const bool wide = random.chance(25);
    map::Grid grid = test::open_grid(static_cast<std::int32_t>(wide ? random.between(140, 200)  //
                                                                    : random.between(1, 20)),
                                     static_cast<std::int32_t>(random.between(1, wide ? 8 : 20)));
    const auto percent = static_cast<int>(random.between(0, wide ? 8 : 35));
    for (model::Terrain& cell : grid.terrain) {
        cell = random.chance(percent) ? '@' : random.chance(10) ? 'C' : '.';
    }
    return grid;
}

std::vector<model::MovementClass> Model::classes() {
    return {model::ground_class(), model::terrain_class()};
}

void Model::begin_on(model::MapId map, const map::Grid& grid) {
    map_ = map;
    width_ = grid.width;
    height_ = grid.height;
    mirror_ = *map::Store::create(grid, classes());
    versions_ = {nullptr};
    obstacles_.clear();
    views_.clear();
    keep_version();
    alive_ = {engine_->snapshot(map_)};
}

void Model::swap(test::Random& random) {
    const map::Grid grid = any_grid(random);
    const model::MapId old = map_;
    swapping_ = true;
    const auto loaded = engine_->load_map({"map", grid, classes(), true});
    swapping_ = false;
    ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
    EXPECT_EQ(loaded->replaced, old);
    EXPECT_EQ(open_total(), 0U) << "the old map's requests have had no end";
    EXPECT_EQ(follows_total(), 0U) << "the old map's follows have had no end";
    EXPECT_TRUE(std::ranges::all_of(alive_, [](const auto& one) { return one.expired(); }))
        << "the old map is held";
    EXPECT_EQ(engine_->edit(old, {{model::RemoveObstacle{{1}}}}).error().code,
              model::RefusalCode::kUnknownMap);
    begin_on(loaded->id, grid);
    ASSERT_TRUE(engine_->watch(watcher_, map_).has_value());
    for (const auto& client : clients_) {
        if (client->connected) {
            EXPECT_EQ(client->drops, 1U) << "told once";
            client->drops = 0;
            client->watched = engine_->watch(client->id, map_)->version;
        }
    }
}

void Model::on_map_dropped(Client& client, model::MapId map, model::MapId successor) {
    EXPECT_TRUE(swapping_ && client.connected);
    EXPECT_EQ(map, map_);
    EXPECT_EQ(engine_->find_map("map"), successor);
    ++client.drops;
}

}  // namespace outrider::sim
