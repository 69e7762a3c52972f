#include "demo/builder.hpp"

#include <algorithm>
#include <array>

namespace outrider::demo {
namespace {

// Far enough ahead that a viewer sees the column bend, near enough that it must.
constexpr std::int32_t kAheadMin = 5;
constexpr std::int32_t kAheadMax = 18;
constexpr std::int32_t kGoalDistance = 6;
constexpr int kTries = 24;
constexpr std::array<std::pair<std::int32_t, std::int32_t>, 4> kPlans{
    {{3, 3}, {2, 4}, {4, 2}, {2, 5}}};

bool is_free(const map::Layer& layer, const Army& army, const model::Rect& site) {
    for (std::int32_t y = site.y; y < site.end_y(); ++y) {
        for (std::int32_t x = site.x; x < site.end_x(); ++x) {
            if (!layer.open({x, y})) {
                return false;
            }
        }
    }
    const model::Rect shadow{site.x - 1, site.y - 1, site.width + 2, site.height + 2};
    const model::Rect plaza{site.x - kGoalDistance, site.y - kGoalDistance,
                            site.width + 2 * kGoalDistance, site.height + 2 * kGoalDistance};
    return std::ranges::none_of(army.units(), [&](const units::Unit& unit) {
        return shadow.contains(unit.at) || plaza.contains(unit.goal);
    });
}

}  // namespace

std::optional<model::Rect> Builder::find_site(const map::Layer& layer, const Army& army) {
    const std::span<const units::Unit> units = army.units();
    for (int attempt = 0; attempt < kTries && !units.empty(); ++attempt) {
        const std::size_t index = dice_.below(units.size());
        const auto way = units[index].way.rest();
        const auto ahead = static_cast<std::size_t>(dice_.between(kAheadMin, kAheadMax));
        const auto [width, height] = kPlans[dice_.below(kPlans.size())];
        if (!army.has_marched(index) || ahead >= way.size()) {
            continue;
        }
        const model::Cell centre = way[ahead].to;
        const model::Rect site{centre.x - width / 2, centre.y - height / 2, width, height};
        if (is_free(layer, army, site)) {
            return site;
        }
    }
    return std::nullopt;
}

model::EditBatch Builder::build(const map::Layer& layer, const Army& army) {
    const std::optional<model::Rect> site = find_site(layer, army);
    if (!site) {
        return {};
    }
    model::EditBatch batch;
    if (standing_.size() >= kBuildingsMax) {
        batch = demolish_oldest();
    }
    const model::ObstacleId id{next_id_++};
    standing_.push_back(id);
    batch.edits.emplace_back(model::PlaceObstacle{id, *site, 0});
    return batch;
}

model::EditBatch Builder::demolish_oldest() {
    model::EditBatch batch;
    if (!standing_.empty()) {
        batch.edits.emplace_back(model::RemoveObstacle{standing_.front()});
        standing_.pop_front();
    }
    return batch;
}

model::EditBatch Builder::demolish_all() {
    model::EditBatch batch;
    for (const model::ObstacleId id : standing_) {
        batch.edits.emplace_back(model::RemoveObstacle{id});
    }
    standing_.clear();
    return batch;
}

}  // namespace outrider::demo
