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

void Model::check_same_as_alone(model::PathQuery query, const model::PathAnswer& answer) {
    ASSERT_LT(answer.version, versions_.size());
    EXPECT_EQ(*answer.result, alone(query, answer.version));
}

model::PathResult Model::alone(model::PathQuery query, model::Version version) {
    const std::uint64_t cap = config_.expansions_max;
    query.expansions_max = query.expansions_max == 0 ? cap : std::min(query.expansions_max, cap);
    const std::shared_ptr<const map::Layer> layer = layer_of(query, version);
    const auto verdict = search::verdict(*layer, query);
    return verdict ? *verdict : search::run(*layer, query, *buffers_);
}

}  // namespace outrider::sim
