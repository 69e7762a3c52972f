#include "outrider/search/end_picker.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <functional>

#include "outrider/search/open_cells.hpp"

namespace outrider::search {

using model::Cell;

void TakenGround::begin(std::int32_t footprint) {
    footprint_ = footprint;
    anchors_.clear();
}

std::uint64_t TakenGround::key_of(std::int32_t column, std::int32_t row) {
    return std::uint64_t{static_cast<std::uint32_t>(row)} << 32U |
           static_cast<std::uint32_t>(column);
}

bool TakenGround::is_free(Cell anchor) const {
    const std::int32_t column = anchor.x / footprint_;
    const std::int32_t row = anchor.y / footprint_;
    for (std::int32_t y = row - 1; y <= row + 1; ++y) {
        for (std::int32_t x = column - 1; x <= column + 1; ++x) {
            const auto found = anchors_.find(key_of(x, y));
            if (found != anchors_.end() && std::abs(found->second.x - anchor.x) < footprint_ &&
                std::abs(found->second.y - anchor.y) < footprint_) {
                return false;
            }
        }
    }
    return true;
}

void TakenGround::take(Cell anchor) {
    anchors_.emplace(key_of(anchor.x / footprint_, anchor.y / footprint_), anchor);
}

std::size_t TakenGround::bytes() const {
    // A node of the map: its value, link and bucket.
    return anchors_.size() * (sizeof(std::pair<std::uint64_t, Cell>) + 3 * sizeof(void*));
}

void SlotScan::begin(const map::Layer& layer, map::Component component, Cell wish) {
    looks_ = 0;
    if (layer_ == &layer && component_ == component && wish_ == wish) {
        return;
    }
    layer_ = &layer;
    component_ = component;
    wish_ = wish;
    found_.clear();
    const auto nearest = layer.regions().nearest_distance(component, {wish.x, wish.y, 1, 1});
    rings_ = nearest ? 1 + std::max({wish.x, layer.width() - 1 - wish.x, wish.y,
                                     layer.height() - 1 - wish.y})
                     : 0;
    // No cell of a ring is farther than its corners.
    ring_ = nearest ? static_cast<std::int32_t>(*nearest / model::kDiagonal) : 0;
}

std::optional<Cell> SlotScan::next(const TakenGround& taken) {
    for (;;) {
        // No cell of the rings to come is nearer than those straight across from the wish.
        const auto at_least = static_cast<model::Cost>(ring_) * model::kStraight;
        while (!found_.empty() && (ring_ >= rings_ || found_.front().first < at_least)) {
            const auto width = static_cast<model::CellIndex>(layer_->width());
            const model::CellIndex index = found_.front().second;
            std::ranges::pop_heap(found_, std::greater{});
            found_.pop_back();
            ++looks_;
            const Cell cell{static_cast<std::int32_t>(index % width),
                            static_cast<std::int32_t>(index / width)};
            if (taken.is_free(cell)) {
                return cell;
            }
        }
        if (ring_ >= rings_) {
            return std::nullopt;
        }
        scan_ring();
        ++ring_;
    }
}

void SlotScan::scan_ring() {
    scan_row(wish_.y - ring_);
    if (ring_ == 0) {
        return;
    }
    scan_row(wish_.y + ring_);
    scan_column(wish_.x - ring_);
    scan_column(wish_.x + ring_);
}

void SlotScan::scan_row(std::int32_t y) {
    if (y < 0 || y >= layer_->height()) {
        return;
    }
    looks_ += 1 + static_cast<std::uint64_t>(ring_) / 32;
    for_each_open_on(*layer_, y, {wish_.x - ring_, wish_.x + ring_},
                     [&](std::int32_t x) { add({x, y}); });
}

// Without the corners, which belong to the rows.
void SlotScan::scan_column(std::int32_t x) {
    if (x < 0 || x >= layer_->width()) {
        return;
    }
    looks_ += 1 + static_cast<std::uint64_t>(ring_) / 32;
    const std::int32_t first = std::max(wish_.y - ring_ + 1, 0);
    const std::int32_t last = std::min(wish_.y + ring_ - 1, layer_->height() - 1);
    for (std::int32_t word = first >> 6; first <= last && word <= last >> 6; ++word) {
        std::uint64_t bits = layer_->column_word(word, x);
        if (word == first >> 6) {
            bits &= ~std::uint64_t{0} << static_cast<unsigned>(first & 63);
        }
        if (word == last >> 6) {
            bits &= ~std::uint64_t{0} >> static_cast<unsigned>(63 - (last & 63));
        }
        for (; bits != 0; bits &= bits - 1) {
            add({x, word * 64 + std::countr_zero(bits)});
        }
    }
}

void SlotScan::add(Cell cell) {
    ++looks_;
    if (layer_->regions().component(cell) == component_) {
        const auto width = static_cast<model::CellIndex>(layer_->width());
        found_.emplace_back(
            model::octile_distance(cell.x - wish_.x, cell.y - wish_.y),
            static_cast<model::CellIndex>(cell.y) * width + static_cast<model::CellIndex>(cell.x));
        std::ranges::push_heap(found_, std::greater{});
    }
}

}  // namespace outrider::search
