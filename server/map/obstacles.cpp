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

template <class Visit>
void CountPlane::for_each_chunk(const model::Rect& rect, Visit visit) {
    if (rect.empty()) {
        return;
    }
    const std::int32_t end_x = rect.x + rect.width;
    const std::int32_t end_y = rect.y + rect.height;
    for (std::int32_t cy = rect.y >> 6; cy <= (end_y - 1) >> 6; ++cy) {
        for (std::int32_t cx = rect.x >> 6; cx <= (end_x - 1) >> 6; ++cx) {
            visit(chunks_[static_cast<std::size_t>(cy * chunks_across_ + cx)],
                  model::intersect(rect, {cx * 64, cy * 64, 64, 64}));
        }
    }
}

void CountPlane::make_room(const model::Rect& rect) {
    for_each_chunk(rect, [this](std::unique_ptr<Chunk>& chunk, const model::Rect&) {
        if (!chunk) {
            chunk = spare_ ? std::move(spare_) : std::make_unique<Chunk>();
        }
    });
}

void CountPlane::add(const model::Rect& rect, std::int32_t change) noexcept {
    for_each_chunk(rect, [change](std::unique_ptr<Chunk>& chunk, const model::Rect& part) {
        add_in_chunk(*chunk, part, change);
    });
}

void CountPlane::let_go(const model::Rect& rect) noexcept {
    for_each_chunk(rect, [this](std::unique_ptr<Chunk>& chunk, const model::Rect&) {
        if (chunk && chunk->covered == 0) {
            spare_ = std::move(chunk);
        }
    });
}

void CountPlane::add_in_chunk(Chunk& chunk, const model::Rect& part, std::int32_t change) noexcept {
    for (std::int32_t y = part.y; y < part.y + part.height; ++y) {
        for (std::int32_t x = part.x; x < part.x + part.width; ++x) {
            std::uint32_t& count = chunk.counts[static_cast<std::size_t>((y & 63) * 64 + (x & 63))];
            const bool was_covered = count != 0;
            OUTRIDER_DCHECK(was_covered || change > 0);
            count += static_cast<std::uint32_t>(change);
            chunk.covered += static_cast<std::int32_t>(count != 0) - was_covered;
        }
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
    TeamPlane fresh{team, CountPlane(width_, height_)};
    for (const auto& [id, obstacle] : by_id_) {
        if (obstacle.passing_teams != 0 && blocks(obstacle, team)) {
            fresh.counts.make_room(clip(obstacle.footprint));
            add_parts(obstacle, fresh.counts, 1);
            fresh.counts.let_go(clip(obstacle.footprint));
        }
    }
    gates_.push_back(std::move(fresh));
}

Obstacles::Node Obstacles::place(const model::PlaceObstacle& obstacle) {
    // A node of its own, since the one that is there must be able to come back.
    std::map<model::ObstacleId, model::PlaceObstacle> fresh;
    fresh.emplace(obstacle.id, obstacle);
    const model::Rect inside = clip(obstacle.footprint);
    for_each_plane(obstacle, [&](CountPlane& plane) { plane.make_room(inside); });
    Node before = remove(obstacle.id);
    by_id_.merge(fresh);
    mask_bytes_ += obstacle.mask.size();
    count(obstacle, 1);
    return before;
}

Obstacles::Node Obstacles::remove(model::ObstacleId id) noexcept {
    Node node = by_id_.extract(id);
    if (!node.empty()) {
        count(node.mapped(), -1);
        mask_bytes_ -= node.mapped().mask.size();
    }
    return node;
}

void Obstacles::undo(model::ObstacleId id, Node before) noexcept {
    (void)remove(id);
    if (!before.empty()) {
        const auto back = by_id_.insert(std::move(before)).position;
        mask_bytes_ += back->second.mask.size();
        count(back->second, 1);
    }
}

void Obstacles::let_go(const model::Rect& rect) noexcept {
    solid_.let_go(rect);
    for (TeamPlane& plane : gates_) {
        plane.counts.let_go(rect);
    }
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

template <class Visit>
void Obstacles::for_each_plane(const model::PlaceObstacle& obstacle, Visit visit) {
    if (obstacle.passing_teams == 0) {
        return visit(solid_);
    }
    for (TeamPlane& plane : gates_) {
        if (blocks(obstacle, plane.team)) {
            visit(plane.counts);
        }
    }
}

void Obstacles::count(const model::PlaceObstacle& obstacle, std::int32_t change) noexcept {
    for_each_plane(obstacle, [&](CountPlane& plane) { add_parts(obstacle, plane, change); });
}

void Obstacles::add_parts(const model::PlaceObstacle& obstacle, CountPlane& counts,
                          std::int32_t change) const noexcept {
    model::for_each_part(obstacle, {0, 0, width_, height_},
                         [&](const model::Rect& part) { counts.add(part, change); });
}

}  // namespace outrider::map
