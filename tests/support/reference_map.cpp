#include "support/reference_map.hpp"

#include <algorithm>

#include "outrider/base/check.hpp"
#include "outrider/model/obstacle_mask.hpp"

namespace outrider::test {
namespace {

bool lets_through(const model::PlaceObstacle& obstacle, std::uint8_t team) {
    return team != 0 && ((obstacle.passing_teams >> team) & 1) != 0;
}

}  // namespace

ReferenceMap::ReferenceMap(std::int32_t width, std::int32_t height,
                           std::vector<model::Terrain> terrain)
    : width_(width), height_(height), terrain_(std::move(terrain)) {
    OUTRIDER_CHECK(terrain_.size() ==
                   static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
}

void ReferenceMap::apply(const model::EditBatch& batch) {
    for (const model::Edit& edit : batch.edits) {
        std::visit([&](const auto& kind) { apply(kind); }, edit);
    }
}

void ReferenceMap::apply(const model::TerrainEdit& edit) {
    for (std::int32_t y = 0; y < height_; ++y) {
        for (std::int32_t x = 0; x < width_; ++x) {
            if (edit.rect.contains({x, y})) {
                const std::int64_t value = edit.terrain.size() == 1
                                               ? 0
                                               : (std::int64_t{y} - edit.rect.y) * edit.rect.width +
                                                     (std::int64_t{x} - edit.rect.x);
                terrain_[static_cast<std::size_t>(y * width_ + x)] =
                    edit.terrain[static_cast<std::size_t>(value)];
            }
        }
    }
}

WeightGrid ReferenceMap::weights(const model::MovementClass& movement_class) const {
    WeightGrid cells{width_, height_, {}};
    for (std::int32_t y = 0; y < height_; ++y) {
        for (std::int32_t x = 0; x < width_; ++x) {
            const bool blocked = std::ranges::any_of(obstacles_, [&](const auto& entry) {
                return model::covers(entry.second, {x, y}) &&
                       !lets_through(entry.second, movement_class.team);
            });
            cells.weights.push_back(
                blocked ? std::uint8_t{0} : movement_class.weights[terrain_[cells.weights.size()]]);
        }
    }
    WeightGrid anchors{width_, height_, {}};
    for (std::int32_t y = 0; y < height_; ++y) {
        for (std::int32_t x = 0; x < width_; ++x) {
            std::uint8_t dearest = 0;
            bool open = true;
            for (std::int32_t dy = 0; dy < movement_class.footprint; ++dy) {
                for (std::int32_t dx = 0; dx < movement_class.footprint; ++dx) {
                    dearest = std::max(dearest, cells.at({x + dx, y + dy}));
                    open = open && cells.open({x + dx, y + dy});
                }
            }
            anchors.weights.push_back(open ? dearest : std::uint8_t{0});
        }
    }
    return anchors;
}

std::vector<std::int32_t> flood_fill(const WeightGrid& grid,
                                     const model::MovementClass& movement_class) {
    std::vector<std::int32_t> component(grid.weights.size(), -1);
    const auto at = [&](model::Cell cell) -> std::int32_t& {
        return component[static_cast<std::size_t>(cell.y * grid.width + cell.x)];
    };
    std::int32_t next = 0;
    std::vector<model::Cell> open_list;
    for (std::int32_t y = 0; y < grid.height; ++y) {
        for (std::int32_t x = 0; x < grid.width; ++x) {
            if (!grid.open({x, y}) || at({x, y}) >= 0) {
                continue;
            }
            at({x, y}) = next;
            open_list.push_back({x, y});
            while (!open_list.empty()) {
                const model::Cell from = open_list.back();
                open_list.pop_back();
                for (std::int32_t i = 0; i < 9; ++i) {
                    const model::Cell to{from.x + i % 3 - 1, from.y + i / 3 - 1};
                    if (legal_step(grid, movement_class.directions, movement_class.corner_rule,
                                   from, to) &&
                        at(to) < 0) {
                        at(to) = next;
                        open_list.push_back(to);
                    }
                }
            }
            ++next;
        }
    }
    return component;
}

}  // namespace outrider::test
