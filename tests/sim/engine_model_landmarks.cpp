#include "sim/engine_model.hpp"
#include "support/landmarks.hpp"

namespace outrider::sim {

// Sees every version by itself, before the next.
class Model::Watcher final : public engine::Sink {
  public:
    explicit Watcher(Model& model) : model_(model) {}
    void on_reply(model::PathReply) override { ADD_FAILURE() << "it asked for nothing"; }
    void on_edit(model::MapId, model::Version, std::shared_ptr<const model::EditBatch>) override {
        model_.follow_landmarks();
    }

  private:
    Model& model_;
};

void Model::connect_watcher() {
    const auto watcher = engine_->connect(std::make_shared<Watcher>(*this));
    ASSERT_TRUE(watcher && engine_->watch(*watcher, map_));
    watcher_ = *watcher;
}

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
    keep_version();
    alive_.push_back(newest);
}

}  // namespace outrider::sim
