#include "sim/engine_model.hpp"
#include "support/landmarks.hpp"

namespace outrider::sim {

// The mirror takes over what the engine made of its own accord.
void Model::follow_landmarks() {
    const std::shared_ptr<const map::Snapshot> newest = engine_->snapshot(map_);
    if (newest->version() < versions_.size()) {
        return;
    }
    ASSERT_EQ(newest->version(), versions_.size());
    const map::Landmarks* made = newest->layer({0})->landmarks();
    ASSERT_NE(made, nullptr) << "a version that nobody asked for";
    ASSERT_TRUE(mirror_->adopt_landmarks({0}, mirror_->snapshot()->version(),
                                         test::copy_of(*made, width_, height_)));
    versions_.push_back(mirror_->snapshot());
    alive_.push_back(newest);
}

}  // namespace outrider::sim
