#include "outrider/map/anchor_sweep.hpp"

#include <algorithm>

namespace outrider::map {
namespace {

void take_maxima(std::uint8_t* into, const std::uint8_t* other, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        into[i] = std::max(into[i], other[i]);
    }
}

}  // namespace

AnchorSweep::AnchorSweep(const World& world, const model::MovementClass& movement_class)
    : world_(world), footprint_(movement_class.footprint), team_(movement_class.team) {
    for (std::size_t terrain = 0; terrain < shifted_.size(); ++terrain) {
        shifted_[terrain] = static_cast<std::uint8_t>(movement_class.weights[terrain] - 1);
    }
}

void AnchorSweep::start(const model::Rect& anchors) {
    anchors_ = anchors;
    y_ = anchors.y;
    for (std::int32_t y = y_; y < y_ + footprint_ - 1; ++y) {
        load(y);
    }
}

std::span<const std::uint8_t> AnchorSweep::next() {
    load(y_ + footprint_ - 1);
    const auto count = static_cast<std::size_t>(anchors_.width);
    std::copy_n(ring_row(y_), count, out_.data());
    for (std::int32_t y = y_ + 1; y < y_ + footprint_; ++y) {
        take_maxima(out_.data(), ring_row(y), count);
    }
    ++y_;
    return {out_.data(), count};
}

void AnchorSweep::load(std::int32_t y) {
    std::uint8_t* row = ring_row(y);
    const std::int32_t wanted = anchors_.width + footprint_ - 1;
    const std::int32_t inside = y < world_.height ? std::min(wanted, world_.width - anchors_.x) : 0;
    const auto count = static_cast<std::size_t>(inside);
    if (inside > 0) {
        load_terrain({anchors_.x, y}, {row, count});
        world_.obstacles.mark_blocked({anchors_.x, y}, team_, {row, count}, kBlocked);
    }
    std::fill(row + count, row + wanted, kBlocked);
    // Windows double: after each round an entry covers `covered` cells to its right.
    std::int32_t covered = 1;
    while (covered < footprint_) {
        const std::int32_t step = std::min(covered, footprint_ - covered);
        take_maxima(row, row + step, static_cast<std::size_t>(wanted - step));
        covered += step;
    }
}

void AnchorSweep::load_terrain(model::Cell first, std::span<std::uint8_t> row) const {
    for (std::size_t done = 0; done < row.size();) {
        const model::Cell cell{first.x + static_cast<std::int32_t>(done), first.y};
        const model::Terrain* terrain =
            world_.terrain.at(ChunkPlace::of(cell)) + index_in_chunk(cell);
        const auto left = static_cast<std::size_t>(kChunkSide - (cell.x & (kChunkSide - 1)));
        const std::size_t count = std::min(row.size() - done, left);
        for (std::size_t i = 0; i < count; ++i) {
            row[done + i] = shifted_[terrain[i]];
        }
        done += count;
    }
}

}  // namespace outrider::map
