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
    bool found = false;
    for (std::uint16_t id = 0; id < newest->class_count(); ++id) {
        const map::Landmarks* made = newest->layer({id})->landmarks();
        if (made == nullptr || versions_.back()->layer({id})->landmarks() != nullptr) {
            continue;
        }
        ASSERT_FALSE(found) << "one class a version";
        found = true;
        ASSERT_TRUE(mirror_->adopt_landmarks({id}, mirror_->snapshot()->version(),
                                             test::copy_of(*made, width_, height_)));
    }
    ASSERT_TRUE(found) << "a version that nobody asked for";
    versions_.push_back(mirror_->snapshot());
    alive_.push_back(newest);
}

}  // namespace outrider::sim
