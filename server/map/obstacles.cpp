#include "outrider/map/obstacles.hpp"

#include <algorithm>

#include "outrider/base/check.hpp"
#include "outrider/model/obstacle_mask.hpp"

namespace outrider::map {
namespace {

bool blocks(const model::PlaceObstacle& gate, std::uint8_t team) {
    return team == 0 || ((gate.passing_teams >> team) & 1) == 0;
}

}  // namespace

CountPlane::CountPlane(std::int32_t width, std::int32_t height)
    : chunks_across_((width + 63) >> 6),
      chunks_(static_cast<std::size_t>(chunks_across_) *
              static_cast<std::size_t>((height + 63) >> 6)) {}

void CountPlane::add(const model::Rect& rect, std::int32_t change) {
    if (rect.empty()) {
        return;
    }
    const std::int32_t end_x = rect.x + rect.width;
    const std::int32_t end_y = rect.y + rect.height;
    for (std::int32_t cy = rect.y >> 6; cy <= (end_y - 1) >> 6; ++cy) {
        for (std::int32_t cx = rect.x >> 6; cx <= (end_x - 1) >> 6; ++cx) {
            const model::Rect part = model::intersect(rect, {cx * 64, cy * 64, 64, 64});
            add_in_chunk(static_cast<std::size_t>(cy * chunks_across_ + cx), part, change);
        }
    }
}

void CountPlane::add_in_chunk(std::size_t index, const model::Rect& part, std::int32_t change) {
    auto& chunk = chunks_[index];
    if (!chunk) {
        chunk = spare_ ? std::move(spare_) : std::make_unique<Chunk>();
    }
    for (std::int32_t y = part.y; y < part.y + part.height; ++y) {
        for (std::int32_t x = part.x; x < part.x + part.width; ++x) {
            std::uint32_t& count =
                chunk->counts[static_cast<std::size_t>((y & 63) * 64 + (x & 63))];
            const bool was_covered = count != 0;
            OUTRIDER_DCHECK(was_covered || change > 0);
            count += static_cast<std::uint32_t>(change);
            chunk->covered += static_cast<std::int32_t>(count != 0) - was_covered;
        }
    }
    if (chunk->covered == 0) {
        spare_ = std::move(chunk);
    }
}

void CountPlane::mark(std::int32_t x, std::int32_t y, std::span<std::uint8_t> out,
                      std::uint8_t mark) const {
    const std::int32_t end = x + static_cast<std::int32_t>(out.size());
    for (std::int32_t start = x; start < end;) {
        const std::int32_t stop = std::min(end, (start | 63) + 1);
        const auto& chunk =
            chunks_[static_cast<std::size_t>((y >> 6) * chunks_across_ + (start >> 6))];
        if (chunk) {
            const std::uint32_t* counts = &chunk->counts[static_cast<std::size_t>((y & 63) * 64)];
            for (std::int32_t cell = start; cell < stop; ++cell) {
                if (counts[cell & 63] != 0) {
                    out[static_cast<std::size_t>(cell - x)] = mark;
                }
            }
        }
        start = stop;
    }
}

Obstacles::Obstacles(std::int32_t width, std::int32_t height)
    : width_(width), height_(height), solid_(width, height) {}

void Obstacles::watch_team(std::uint8_t team) {
    if (std::ranges::any_of(gates_, [&](const TeamPlane& plane) { return plane.team == team; })) {
        return;
    }
    gates_.push_back({team, CountPlane(width_, height_)});
    for (const auto& [id, obstacle] : by_id_) {
        if (obstacle.passing_teams != 0 && blocks(obstacle, team)) {
            add_parts(obstacle, gates_.back().counts, 1);
        }
    }
}

model::Rect Obstacles::place(const model::PlaceObstacle& obstacle) {
    const model::Rect before = remove(obstacle.id);
    by_id_.emplace(obstacle.id, obstacle);
    mask_bytes_ += obstacle.mask.size();
    count(obstacle, 1);
    return before;
}

model::Rect Obstacles::remove(model::ObstacleId id) {
    const auto found = by_id_.find(id);
    if (found == by_id_.end()) {
        return {0, 0, 0, 0};
    }
    count(found->second, -1);
    mask_bytes_ -= found->second.mask.size();
    const model::Rect before = clip(found->second.footprint);
    by_id_.erase(found);
    return before;
}

const model::PlaceObstacle* Obstacles::find(model::ObstacleId id) const {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? nullptr : &found->second;
}

std::vector<model::PlaceObstacle> Obstacles::all() const {
    std::vector<model::PlaceObstacle> list;
    list.reserve(by_id_.size());
    for (const auto& [id, obstacle] : by_id_) {
        list.push_back(obstacle);
    }
    return list;
}

void Obstacles::mark_blocked(model::Cell first, std::uint8_t team, std::span<std::uint8_t> out,
                             std::uint8_t mark) const {
    solid_.mark(first.x, first.y, out, mark);
    for (const TeamPlane& plane : gates_) {
        if (plane.team == team) {
            plane.counts.mark(first.x, first.y, out, mark);
        }
    }
}

model::Rect Obstacles::clip(const model::Rect& rect) const {
    return model::intersect(rect, {0, 0, width_, height_});
}

void Obstacles::count(const model::PlaceObstacle& obstacle, std::int32_t change) {
    if (obstacle.passing_teams == 0) {
        add_parts(obstacle, solid_, change);
        return;
    }
    for (TeamPlane& plane : gates_) {
        if (blocks(obstacle, plane.team)) {
            add_parts(obstacle, plane.counts, change);
        }
    }
}

void Obstacles::add_parts(const model::PlaceObstacle& obstacle, CountPlane& counts,
                          std::int32_t change) const {
    model::for_each_part(obstacle, {0, 0, width_, height_},
                         [&](const model::Rect& part) { counts.add(part, change); });
}

}  // namespace outrider::map
