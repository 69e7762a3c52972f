#include "outrider/search/target_bits.hpp"

#include <algorithm>

namespace outrider::search {

void TargetBits::begin(const map::Layer& layer) {
    for (const std::size_t used : used_) {
        lines_[used] = {};
    }
    used_.clear();
    tiles_.resize(1);
    across_ = static_cast<std::size_t>(map::chunks_over(layer.width()));
    const auto down = static_cast<std::size_t>(map::chunks_over(layer.height()));
    lines_.resize(std::max(lines_.size(), across_ * down));
    first_ = {map::chunks_over(layer.width()), map::chunks_over(layer.height())};
    last_ = {-1, -1};
}

void TargetBits::add(model::Cell cell) {
    const auto place = map::ChunkPlace::of(cell);
    Lines& lines = lines_[index(place)];
    if (lines.tile == 0) {
        lines.tile = static_cast<std::uint32_t>(tiles_.size());
        tiles_.push_back({});
        used_.push_back(index(place));
        first_ = {std::min(first_.x, place.x), std::min(first_.y, place.y)};
        last_ = {std::max(last_.x, place.x), std::max(last_.y, place.y)};
    }
    const std::int32_t x = cell.x & 63;
    const std::int32_t y = cell.y & 63;
    const std::uint64_t at_x = std::uint64_t{1} << x;
    const std::uint64_t at_y = std::uint64_t{1} << y;
    Tile& tile = tiles_[lines.tile];
    tile.rows[static_cast<std::size_t>(y)] |= at_x;
    tile.columns[static_cast<std::size_t>(x)] |= at_y;
    tile.falling[static_cast<std::size_t>(map::Diagonal::falling_by_y(x, y))] |= at_y;
    tile.rising[static_cast<std::size_t>(map::Diagonal::rising(x, y))] |= at_y;
    lines.rows |= at_y;
    lines.columns |= at_x;
}

void TargetBits::remove(model::Cell cell) {
    Lines& lines = lines_[index(map::ChunkPlace::of(cell))];
    const std::int32_t x = cell.x & 63;
    const std::int32_t y = cell.y & 63;
    const std::uint64_t at_x = std::uint64_t{1} << x;
    const std::uint64_t at_y = std::uint64_t{1} << y;
    Tile& tile = tiles_[lines.tile];
    std::uint64_t& row = tile.rows[static_cast<std::size_t>(y)];
    std::uint64_t& column = tile.columns[static_cast<std::size_t>(x)];
    row &= ~at_x;
    column &= ~at_y;
    tile.falling[static_cast<std::size_t>(map::Diagonal::falling_by_y(x, y))] &= ~at_y;
    tile.rising[static_cast<std::size_t>(map::Diagonal::rising(x, y))] &= ~at_y;
    lines.rows &= row == 0 ? ~at_y : ~std::uint64_t{0};
    lines.columns &= column == 0 ? ~at_x : ~std::uint64_t{0};
}

std::size_t TargetBits::bytes() const {
    return lines_.capacity() * sizeof(Lines) + used_.capacity() * sizeof(std::size_t) +
           tiles_.capacity() * sizeof(Tile);
}

}  // namespace outrider::search
