#include "outrider/client/landmark_news.hpp"

#include <algorithm>

#include "outrider/map/landmarks.hpp"

namespace outrider::client {

LandmarkNews::LandmarkNews(const codec::MapInfo& info) : told_(!info.landmarks.empty()) {
    for (const model::LandmarkState state : info.landmarks) {
        const bool ready = state == model::LandmarkState::kReady;
        ready_since_.push_back(ready ? std::optional(info.version) : std::nullopt);
    }
}

void LandmarkNews::note(const codec::MapEdited& edited) {
    if (const auto id = edited.batch.landmarks_of) {
        ready_since_.resize(std::max<std::size_t>(ready_since_.size(), id->value + std::size_t{1}));
        ready_since_[id->value] = edited.version;
    }
}

bool LandmarkNews::decides(const map::Snapshot& snapshot, model::ClassId id) const {
    if (!told_) {
        return static_cast<std::uint64_t>(snapshot.width()) *
                   static_cast<std::uint64_t>(snapshot.height()) >=
               map::Landmarks::kMapCellsMin;
    }
    const auto since = id.value < ready_since_.size() ? ready_since_[id.value] : std::nullopt;
    // An edit that made a cell cheaper for the class has undone them.
    return since && *since <= snapshot.version() && snapshot.cheapened(id) <= *since;
}

}  // namespace outrider::client
