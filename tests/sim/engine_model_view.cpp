#include <algorithm>

#include "sim/engine_model.hpp"

namespace outrider::sim {

void Model::keep_version() {
    versions_.push_back(mirror_->snapshot());
    obstacles_.resize(versions_.size());
    obstacles_.back() = mirror_->state().obstacles;
}

std::shared_ptr<const map::Layer> Model::layer_of(const model::PathQuery& query,
                                                  model::Version version) {
    const std::shared_ptr<const map::Snapshot>& snapshot = versions_[version];
    const std::uint16_t who = query.movement_class.value;
    if (!query.ignore_obstacle) {
        return snapshot->parts().layers[who];
    }
    std::shared_ptr<const map::Layer>& view = views_[{version, who, query.ignore_obstacle->value}];
    if (!view) {
        map::State state{
            version, {width_, height_, map::terrain_rows(*snapshot)}, obstacles_[version], {}};
        std::erase_if(state.obstacles, [&](const model::PlaceObstacle& obstacle) {
            return obstacle.id == *query.ignore_obstacle;
        });
        for (const auto& layer : snapshot->parts().layers) {
            state.classes.push_back(layer->movement_class());
        }
        const auto store = map::Store::restore(std::move(state));
        // Which of equally good paths is found depends on the landmarks.
        const std::shared_ptr<const map::Landmarks> landmarks(snapshot,
                                                              snapshot->layer({who})->landmarks());
        view = (*store)->snapshot()->layer({who})->with_landmarks(landmarks);
    }
    return view;
}

}  // namespace outrider::sim
