#include <string>
#include <utility>

#include "outrider/base/limits.hpp"
#include "outrider/map/layer_writer.hpp"
#include "outrider/map/obstacles.hpp"
#include "outrider/map/store.hpp"

namespace outrider::map {
namespace {

// While it lives the obstacle covers nothing; nobody but the writer turn can see that.
class Absence {
  public:
    Absence(Obstacles& obstacles, const model::PlaceObstacle& obstacle)
        : obstacles_(obstacles), obstacle_(obstacle) {
        obstacles_.lift(obstacle_);
    }
    ~Absence() { obstacles_.put_back(obstacle_); }
    Absence(const Absence&) = delete;
    Absence& operator=(const Absence&) = delete;

  private:
    Obstacles& obstacles_;
    const model::PlaceObstacle& obstacle_;
};

model::Refusal too_large(std::int64_t cells) {
    return {.code = model::RefusalCode::kInvalidArgument,
            .field = "path.ignore_obstacle_id",
            .message = "the obstacle lies on " + std::to_string(cells) +
                       " cells of the map, and one of at most " +
                       std::to_string(base::limits::kIgnoredCellsMax) +
                       " can be ignored; place what stands still as another obstacle"};
}

}  // namespace

std::expected<std::shared_ptr<const Snapshot>, model::Refusal> Store::snapshot_without(
    model::ClassId id, model::ObstacleId obstacle) {
    const base::Lock lock(writer_);
    std::shared_ptr<const Snapshot> newest = snapshot();
    const model::PlaceObstacle* known = obstacles_->find(obstacle);
    const model::Rect place =
        known == nullptr ? model::Rect{0, 0, 0, 0} : obstacles_->clip(known->footprint);
    if (place.empty()) {
        return newest;
    }
    if (place.area() > base::limits::kIgnoredCellsMax) {
        return std::unexpected(too_large(place.area()));
    }
    Snapshot::Parts parts = newest->parts();
    parts.alive = views_alive_;
    parts.view = true;
    parts.changed.clear();
    auto& layer = parts.layers[id.value];
    const Absence absence(*obstacles_, *known);
    // The other layers show the obstacle.
    const World world{*parts.terrain, *obstacles_, parts.width, parts.height, {}};
    layer = refresh_layer(layer, world, {&place, 1});
    return std::make_shared<const Snapshot>(std::move(parts));
}

std::size_t Store::views_alive() const {
    return views_alive_->load();
}

}  // namespace outrider::map
