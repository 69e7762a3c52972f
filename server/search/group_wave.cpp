#include "outrider/search/group_wave.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "outrider/base/check.hpp"
#include "outrider/search/field_walk.hpp"
#include "outrider/search/first_step.hpp"

namespace outrider::search {
namespace {

// A look at all units still waiting costs about as much as settling this many cells.
std::uint64_t look_after(std::size_t units) {
    constexpr std::uint64_t kLeast = 256;
    return std::max<std::uint64_t>(kLeast, units);
}

}  // namespace

void GroupWave::begin(const map::Layer& layer, const GroupUnits& units,
                      std::uint64_t expansions_max) {
    layer_ = &layer;
    units_ = &units;
    wave_.use(*field_, expansions_max);
    field_->begin(layer);
    seeds_.begin(layer, units.goal());
    regions_seeded_ = 0;
    region_row_ = 0;
    unsettled_.resize(units.waiting().size());
    std::iota(unsettled_.begin(), unsettled_.end(), 0U);
    look_at_ = 0;
    looking_ = false;
    looked_at_end_ = false;
    found_.clear();
    ended_ = unsettled_.empty();
}

std::uint64_t GroupWave::step(std::uint64_t cells_max, std::vector<SettledUnit>& settled) {
    if (!seeds_.done() || regions_seeded_ < units_->partial_regions().size()) {
        return seed();
    }
    if (looking_) {
        return look_some(cells_max * kFarLooksPerCell);
    }
    if (!found_.empty()) {
        return hand_out(cells_max, settled);
    }
    const std::uint64_t before = field_->expansions();
    if (before < look_at_ && !wave_.ended()) {
        wave_.grow(std::min(cells_max, look_at_ - before));
        return field_->expansions() - before + 1;
    }
    ended_ = unsettled_.empty() || looked_at_end_;
    OUTRIDER_CHECK(unsettled_.empty() || !ended_ || wave_.spent());
    if (!ended_) {
        begin_look();
    }
    return 1;
}

std::uint64_t GroupWave::seed() {
    if (!seeds_.done()) {
        return 1 + seeds_.step(*field_) / kFarLooksPerCell;
    }
    const PartialRegion& part = units_->partial_regions()[regions_seeded_];
    const GoalRegion region(units_->goal().rect(), part.distance);
    const Span rows = rows_on_map(*layer_, region);
    const std::int32_t y = rows.first + region_row_++;
    std::uint64_t cells = 1;
    if (y <= rows.last) {
        for_each_at_range_on(*layer_, region, y, [&](std::int32_t x) {
            ++cells;
            if (layer_->regions().component({x, y}) == part.component) {
                field_->add_source({x, y});
            }
        });
    }
    if (y >= rows.last) {
        ++regions_seeded_;
        region_row_ = 0;
    }
    return 1 + cells / kFarLooksPerCell;
}

model::Cost GroupWave::distance_of(const WaitingUnit& unit) const {
    if (unit.first_moves == 0) {
        return field_->distance(unit.cell);
    }
    model::Cost least = Field::kUnreached;
    for (std::size_t move = 0; move < kMoveCount; ++move) {
        if (((unit.first_moves >> move) & 1U) != 0) {
            const model::Cell to{unit.cell.x + kMoveX[move], unit.cell.y + kMoveY[move]};
            const model::Cost distance = field_->distance(to);
            if (distance != Field::kUnreached) {
                least = std::min(least, distance + first_step(*layer_, to, move));
            }
        }
    }
    return least;
}

void GroupWave::begin_look() {
    looking_ = true;
    looked_ = 0;
    kept_ = 0;
    looked_at_end_ = wave_.ended();
    look_at_ = field_->expansions() + look_after(unsettled_.size());
}

// The wave stands still meanwhile.
std::uint64_t GroupWave::look_some(std::uint64_t looks_max) {
    const model::Cost final_below = wave_.settled();
    const std::size_t end =
        looked_ + std::min<std::uint64_t>(unsettled_.size() - looked_, looks_max);
    const std::uint64_t looks = end - looked_;
    for (; looked_ < end; ++looked_) {
        const std::uint32_t place = unsettled_[looked_];
        const model::Cost distance = distance_of(units_->waiting()[place]);
        if (distance < final_below) {
            found_.push_back({distance, place, wave_.expansions_for(distance)});
            std::ranges::push_heap(found_, std::greater{});
        } else {
            unsettled_[kept_++] = place;
        }
    }
    if (looked_ == unsettled_.size()) {
        unsettled_.resize(kept_);
        looking_ = false;
    }
    return 1 + looks / kFarLooksPerCell;
}

// Units that have become final since the last look are all farther than those before, and those
// have all been handed out: so the heap brings all by distance.
std::uint64_t GroupWave::hand_out(std::uint64_t units_max, std::vector<SettledUnit>& settled) {
    const std::uint64_t end = settled.size() + std::max<std::uint64_t>(units_max / 4, 1);
    const std::size_t before = settled.size();
    while (!found_.empty() && settled.size() < end) {
        std::ranges::pop_heap(found_, std::greater{});
        settled.push_back(found_.back());
        found_.pop_back();
    }
    return 1 + 4 * (settled.size() - before);
}

std::uint64_t GroupWave::write_way(const SettledUnit& settled, std::vector<model::Cell>& points) {
    const WaitingUnit& unit = units_->waiting()[settled.place];
    std::size_t first = kMoveCount;
    model::Cell from = unit.cell;
    for (std::size_t move = 0; move < kMoveCount && unit.first_moves != 0; ++move) {
        const model::Cell to{unit.cell.x + kMoveX[move], unit.cell.y + kMoveY[move]};
        if (((unit.first_moves >> move) & 1U) != 0 &&
            field_->distance(to) == settled.distance - first_step(*layer_, to, move)) {
            points.push_back(unit.cell);
            first = move;
            from = to;
            break;
        }
    }
    return FieldWalk::walk(*field_, from, points, first);
}

std::uint64_t GroupWave::expansions() const {
    return field_->expansions_for(wave_.settled() - 1);
}

std::size_t GroupWave::bytes() const {
    return unsettled_.capacity() * sizeof(std::uint32_t) + found_.capacity() * sizeof(SettledUnit);
}

}  // namespace outrider::search
