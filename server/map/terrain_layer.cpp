#include "outrider/map/terrain_layer.hpp"

#include "outrider/map/layer_writer.hpp"
#include "outrider/map/obstacles.hpp"

namespace outrider::map {

std::shared_ptr<const Layer> make_terrain_layer(const Snapshot& snapshot, model::ClassId id) {
    const model::MovementClass& movement_class = snapshot.layer(id)->movement_class();
    Obstacles none(snapshot.width(), snapshot.height());
    none.watch_team(movement_class.team);
    return build_layer(movement_class,
                       {*snapshot.parts().terrain, none, snapshot.width(), snapshot.height(), {}});
}

}  // namespace outrider::map
