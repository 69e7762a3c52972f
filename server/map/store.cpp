#include "outrider/map/store.hpp"

#include <algorithm>
#include <array>

#include "outrider/base/limits.hpp"
#include "outrider/map/batch_check.hpp"
#include "outrider/map/batch_writer.hpp"
#include "outrider/map/class_check.hpp"
#include "outrider/map/layer_writer.hpp"
#include "outrider/map/obstacles.hpp"
#include "outrider/map/row_parts.hpp"

namespace outrider::map {
namespace {

namespace limits = base::limits;

using TerrainTiles = Snapshot::TerrainTiles;

TerrainTiles make_terrain(const Grid& grid) {
    const std::array<model::Terrain, kChunkSide * kChunkSide> outside{};
    TerrainTiles tiles(chunks_over(grid.width), chunks_over(grid.height), outside);
    const auto fill = [&](model::Cell from, model::Terrain* to, std::int32_t count) {
        const std::int64_t index = std::int64_t{from.y} * grid.width + from.x;
        std::copy_n(grid.terrain.data() + index, count, to);
    };
    for_each_row_part(tiles, {0, 0, grid.width, grid.height}, fill);
    return tiles;
}

base::Result<void> check_masks(std::span<const model::PlaceObstacle> obstacles) {
    std::size_t bytes = 0;
    for (const model::PlaceObstacle& obstacle : obstacles) {
        const std::string name = "obstacle " + std::to_string(obstacle.id.value);
        if (const auto status = check_mask(obstacle, name); !status) {
            return base::fail(status.error().field + ": " + status.error().message);
        }
        bytes += obstacle.mask.size();
    }
    if (bytes > limits::kMaskBytesPerMapMax) {
        return base::fail("the masks of a map's obstacles hold at most " +
                          std::to_string(limits::kMaskBytesPerMapMax) + " bytes");
    }
    return {};
}

}  // namespace

Store::Store(const Grid& grid)
    : obstacles_(std::make_unique<Obstacles>(grid.width, grid.height)),
      alive_(std::make_shared<std::atomic<std::size_t>>(0)),
      views_alive_(std::make_shared<std::atomic<std::size_t>>(0)) {}

Store::~Store() = default;

base::Result<std::unique_ptr<Store>> Store::create(Grid grid,
                                                   std::vector<model::MovementClass> classes) {
    return restore({1, std::move(grid), {}, std::move(classes)});
}

base::Result<std::unique_ptr<Store>> Store::restore(State state) {
    if (auto status = check_grid(state.grid); !status) {
        return std::unexpected(status.error());
    }
    if (auto status = check_classes(state.classes); !status) {
        return std::unexpected(status.error());
    }
    if (state.version == 0 || state.obstacles.size() > limits::kObstaclesPerMapMax) {
        return base::fail("a map's version starts at 1 and it holds at most " +
                          std::to_string(limits::kObstaclesPerMapMax) + " obstacles");
    }
    if (auto status = check_masks(state.obstacles); !status) {
        return std::unexpected(status.error());
    }
    std::unique_ptr<Store> store(new Store(state.grid));
    store->load(state);
    return store;
}

base::Result<void> Store::check_grid(const Grid& grid) {
    if (grid.width < 1 || grid.height < 1 || grid.width > limits::kMapSideMax ||
        grid.height > limits::kMapSideMax) {
        return base::fail("a map's sides are 1 to " + std::to_string(limits::kMapSideMax) +
                          " cells, not " + std::to_string(grid.width) + " x " +
                          std::to_string(grid.height));
    }
    if (grid.terrain.size() !=
        static_cast<std::size_t>(grid.width) * static_cast<std::size_t>(grid.height)) {
        return base::fail("a map needs one terrain value a cell");
    }
    return {};
}

void Store::load(const State& state) {
    const base::Lock lock(writer_);
    for (const model::PlaceObstacle& obstacle : state.obstacles) {
        obstacles_->place(obstacle);
    }
    Snapshot::Parts parts{state.version,
                          state.grid.width,
                          state.grid.height,
                          std::make_shared<const TerrainTiles>(make_terrain(state.grid)),
                          {},
                          alive_};
    for (const model::MovementClass& movement_class : state.classes) {
        obstacles_->watch_team(movement_class.team);
        parts.layers.push_back(build_layer(movement_class, world_of(parts, *obstacles_)));
        parts.cheapened.push_back(0);
    }
    (void)publish(std::move(parts), nullptr);
}

std::shared_ptr<const Snapshot> Store::snapshot() const {
    const base::Lock lock(newest_mutex_);
    return newest_;
}

// The old snapshot is handed back, so that it is freed where no lock is held.
std::shared_ptr<const Snapshot> Store::publish(
    Snapshot::Parts parts, const std::shared_ptr<const model::EditBatch>& batch) {
    const auto fresh = std::make_shared<const Snapshot>(std::move(parts));
    std::shared_ptr<const Snapshot> other = fresh;
    const auto swap = [this, &other] {
        const base::Lock lock(newest_mutex_);
        newest_.swap(other);
    };
    if (listener_) {
        listener_(fresh, batch, swap);
    } else {
        swap();
    }
    return other;
}

std::expected<model::EditReceipt, model::Refusal> Store::apply(model::EditBatch batch) {
    const auto shared = std::make_shared<const model::EditBatch>(std::move(batch));
    std::shared_ptr<const Snapshot> parent;
    std::shared_ptr<const Snapshot> old;
    const base::Lock lock(writer_);
    if (auto status = check_batch(*shared, *obstacles_); !status) {
        return std::unexpected(status.error());
    }
    parent = snapshot();
    BatchWriter writer(*parent, *obstacles_, *shared);
    old = publish(writer.write(), shared);
    writer.keep(snapshot()->changed());
    return model::EditReceipt{parent->version() + 1, writer.take_unknown()};
}

std::expected<std::pair<model::ClassId, model::Version>, model::Refusal> Store::add_class(
    model::MovementClass movement_class) {
    if (auto status = check_class(movement_class); !status) {
        return std::unexpected(status.error());
    }
    std::shared_ptr<const Snapshot> old;
    const base::Lock lock(writer_);
    const std::shared_ptr<const Snapshot> parent = snapshot();
    const auto refuse = [](std::string field, std::string message) {
        return std::unexpected(model::Refusal{
            model::RefusalCode::kInvalidArgument, std::move(field), std::move(message), {}});
    };
    for (std::uint16_t id = 0; id < parent->class_count(); ++id) {
        const model::MovementClass& known = parent->layer({id})->movement_class();
        if (known == movement_class) {
            return std::pair{model::ClassId{id}, parent->version()};
        }
        if (known.name == movement_class.name) {
            return refuse("movement_class.name",
                          "another class of this map has this name; choose a new one");
        }
    }
    if (parent->class_count() >= limits::kClassesPerMapMax) {
        return refuse("movement_class", "the map has " + std::to_string(limits::kClassesPerMapMax) +
                                            " classes already; use one of them");
    }
    Snapshot::Parts parts = parent->parts();
    ++parts.version;
    parts.changed.clear();
    obstacles_->watch_team(movement_class.team);
    parts.layers.push_back(build_layer(movement_class, world_of(parts, *obstacles_)));
    parts.cheapened.push_back(0);
    const std::pair added{model::ClassId{parent->class_count()}, parts.version};
    model::EditBatch announced{{}, std::move(movement_class), {}};
    old = publish(std::move(parts), std::make_shared<const model::EditBatch>(std::move(announced)));
    return added;
}

std::optional<model::Version> Store::adopt_landmarks(model::ClassId id, model::Version measured_on,
                                                     std::shared_ptr<const Landmarks> landmarks) {
    std::shared_ptr<const Snapshot> old;
    const base::Lock lock(writer_);
    const std::shared_ptr<const Snapshot> parent = snapshot();
    if (parent->cheapened(id) > measured_on) {
        return std::nullopt;
    }
    Snapshot::Parts parts = parent->parts();
    auto& layer = parts.layers[id.value];
    layer = layer->with_landmarks(std::move(landmarks));
    return publish_unchanged(std::move(parts), id, old);
}

model::Version Store::publish_unchanged(Snapshot::Parts parts, std::optional<model::ClassId> got,
                                        std::shared_ptr<const Snapshot>& old) {
    const model::Version version = ++parts.version;
    parts.changed.clear();
    old = publish(std::move(parts),
                  std::make_shared<const model::EditBatch>(model::EditBatch{{}, {}, got}));
    return version;
}

std::expected<model::Version, model::Refusal> Store::replay(model::EditBatch announced) {
    if (announced.edits.empty() && !announced.added_class) {
        std::shared_ptr<const Snapshot> old;
        const base::Lock lock(writer_);
        return publish_unchanged(snapshot()->parts(), announced.landmarks_of, old);
    }
    if (announced.added_class) {
        const auto added = add_class(*std::move(announced.added_class));
        if (!added) {
            return std::unexpected(added.error());
        }
        return added->second;
    }
    const auto receipt = apply(std::move(announced));
    if (!receipt) {
        return std::unexpected(receipt.error());
    }
    return receipt->version;
}

State Store::state() const {
    std::shared_ptr<const Snapshot> at;
    std::vector<model::PlaceObstacle> obstacles;
    {
        const base::Lock lock(writer_);
        at = snapshot();
        obstacles = obstacles_->all();
    }
    return state_of(*at, std::move(obstacles));
}

void Store::listen(Listener listener) {
    const base::Lock lock(writer_);
    listener_.swap(listener);
}

State Store::state_of(const Snapshot& snapshot, std::vector<model::PlaceObstacle> obstacles) {
    State state{snapshot.version(),
                {snapshot.width(), snapshot.height(), {}},
                std::move(obstacles),
                {},
                {}};
    state.grid.terrain = terrain_rows(snapshot);
    for (const auto& layer : snapshot.parts().layers) {
        state.classes.push_back(layer->movement_class());
        state.landmarks.push_back(layer->landmarks() != nullptr);
    }
    return state;
}

std::size_t Store::snapshots_alive() const {
    return alive_->load();
}

}  // namespace outrider::map
