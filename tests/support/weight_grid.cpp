#include "support/weight_grid.hpp"

#include "outrider/base/check.hpp"

namespace outrider::test {

bool legal_step(const WeightGrid& grid, model::Directions directions, model::CornerRule rule,
                model::Cell from, model::Cell to) {
    const std::int32_t dx = to.x - from.x;
    const std::int32_t dy = to.y - from.y;
    if (std::abs(dx) > 1 || std::abs(dy) > 1 || (dx == 0 && dy == 0) || !grid.open(to)) {
        return false;
    }
    if (dx == 0 || dy == 0) {
        return true;
    }
    if (directions == model::Directions::kFour) {
        return false;
    }
    const int open_sides =
        (grid.open({from.x + dx, from.y}) ? 1 : 0) + (grid.open({from.x, from.y + dy}) ? 1 : 0);
    switch (rule) {
        case model::CornerRule::kBothOpen: return open_sides == 2;
        case model::CornerRule::kOneOpen: return open_sides >= 1;
        case model::CornerRule::kNoneOpen: return true;
    }
    return false;
}

std::vector<model::Terrain> terrain_of(std::initializer_list<std::string_view> rows) {
    std::vector<model::Terrain> terrain;
    for (const std::string_view row : rows) {
        OUTRIDER_CHECK(row.size() == rows.begin()->size());
        terrain.insert(terrain.end(), row.begin(), row.end());
    }
    return terrain;
}

}  // namespace outrider::test
