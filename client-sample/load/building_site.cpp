#include "load/building_site.hpp"

namespace outrider::load {
namespace {

constexpr std::int32_t kSideMin = 2;
constexpr std::int32_t kSideMax = 4;
constexpr std::int32_t kSpread = 3;

}  // namespace

model::EditBatch BuildingSite::next(model::Cell path_cell) {
    model::EditBatch batch;
    if (standing_.size() >= kBuildingsMax) {
        batch.edits.emplace_back(model::RemoveObstacle{standing_.front()});
        standing_.pop_front();
    }
    const model::Rect site{path_cell.x + dice_.between(-kSpread, kSpread),
                           path_cell.y + dice_.between(-kSpread, kSpread),
                           dice_.between(kSideMin, kSideMax), dice_.between(kSideMin, kSideMax)};
    const model::ObstacleId id{next_id_++};
    standing_.push_back(id);
    batch.edits.emplace_back(model::PlaceObstacle{id, site, 0});
    return batch;
}

model::EditBatch BuildingSite::clear() {
    model::EditBatch batch;
    for (const model::ObstacleId id : standing_) {
        batch.edits.emplace_back(model::RemoveObstacle{id});
    }
    standing_.clear();
    return batch;
}

}  // namespace outrider::load
