// Which ends there are, and whose they are.

#include <algorithm>
#include <bit>
#include <span>
#include <tuple>

#include "outrider/search/end_sharing.hpp"
#include "outrider/search/group_ends.hpp"
#include "outrider/search/open_cells.hpp"

namespace outrider::search {

using model::Cell;
using model::Outcome;

namespace {

std::uint64_t square(std::int32_t side) {
    return static_cast<std::uint64_t>(side) * static_cast<std::uint64_t>(side);
}

}  // namespace

map::Component OwnEndsKernel::component_of(const WaitingUnit& unit) const {
    Cell cell = unit.cell;
    if (unit.first_moves != 0) {
        const auto move = static_cast<std::size_t>(std::countr_zero(unit.first_moves));
        cell = {cell.x + kMoveX[move], cell.y + kMoveY[move]};
    }
    return layer_->regions().component(cell);
}

void OwnEndsKernel::form_troops() {
    for (std::uint32_t place = 0; place < units_.waiting().size(); ++place) {
        troops_[component_of(units_.waiting()[place])].places.push_back(place);
    }
    missing_ = units_.waiting().size();
    // A few units whose ends are not found by a wave need none.
    const bool waveless = alone() && !query_->formation.empty();
    phase_ = missing_ == 0 ? Phase::kDone : waveless ? Phase::kEnds : Phase::kSeed;
}

std::uint64_t OwnEndsKernel::seed_row() {
    Field& field = wave_.field();
    std::uint64_t cells = 0;
    if (row_ <= rows_on_map(*layer_, units_.goal()).last) {
        for_each_open_on(*layer_, row_, units_.goal().on_row(row_), [&](std::int32_t x) {
            if (troops_.contains(layer_->regions().component({x, row_}))) {
                field.add_source({x, row_});
            }
            ++cells;
        });
        ++row_;
        return 1 + cells / kLooksPerCell;
    }
    if (regions_seeded_ == units_.partial_regions().size()) {
        phase_ = Phase::kEnds;
        return 1;
    }
    const PartialRegion& part = units_.partial_regions()[regions_seeded_++];
    const GoalRegion region(units_.goal().rect(), part.distance);
    const Span rows = rows_on_map(*layer_, region);
    for (std::int32_t y = rows.first; y <= rows.last; ++y) {
        for_each_at_range_on(*layer_, region, y, [&](std::int32_t x) {
            if (layer_->regions().component({x, y}) == part.component) {
                field.add_source({x, y});
            }
        });
    }
    return 1 + static_cast<std::uint64_t>(rows.last - rows.first) / kLooksPerCell;
}

std::uint64_t OwnEndsKernel::find_ends(std::uint64_t cells_max) {
    const std::uint64_t before = wave_.field().expansions();
    const std::uint64_t wanted = missing_ * square(layer_->movement_class().footprint);
    wave_.grow(std::min(cells_max, std::max(kCellsPerLook, wanted)));
    const std::uint64_t looks = take_candidates();
    if (missing_ != 0 && wave_.ended() && wave_.spent()) {
        run_out();
    } else if (missing_ == 0 || wave_.ended()) {
        share_ends();
        begin_approach();
    }
    return 1 + wave_.field().expansions() - before + looks / kLooksPerCell;
}

// What the wave has settled since the last look: whole buckets, so that sorting each look's cells
// sorts them all.
std::uint64_t OwnEndsKernel::take_candidates() {
    const Field& field = wave_.field();
    const model::Cost final_below = wave_.settled();
    const model::Rect& goal = units_.goal().rect();
    // Twice the middle, which may lie between cells.
    const Cell middle{2 * goal.x + goal.width - 1, 2 * goal.y + goal.height - 1};
    const auto fresh = std::span(settled_).subspan(looked_at_);
    std::ranges::sort(fresh, {}, [&](Cell cell) {
        return std::tuple(field.distance(cell),
                          model::octile_distance(2 * cell.x - middle.x, 2 * cell.y - middle.y),
                          cell.y, cell.x);
    });
    for (const Cell cell : fresh) {
        if (missing_ == 0 || field.distance(cell) >= final_below) {
            break;
        }
        const auto troop = troops_.find(layer_->regions().component(cell));
        if (troop == troops_.end() || troop->second.ends.size() == troop->second.places.size() ||
            !taken_.is_free(cell)) {
            continue;
        }
        taken_.take(cell);
        troop->second.ends.push_back(cell);
        --missing_;
    }
    looked_at_ = settled_.size();
    return 2 * fresh.size();
}

void OwnEndsKernel::share_ends() {
    std::vector<Cell> starts;
    std::vector<std::uint32_t> homeless;
    for (const auto& [component, troop] : troops_) {
        starts.clear();
        for (std::size_t i = 0; i < troop.ends.size(); ++i) {
            starts.push_back(units_.waiting()[troop.places[i]].cell);
        }
        const std::vector<std::uint32_t> shared = share_out(starts, troop.ends);
        for (std::size_t i = 0; i < shared.size(); ++i) {
            walkers_.push_back({0, troop.places[i], troop.ends[shared[i]]});
        }
        homeless.insert(homeless.end(),
                        troop.places.begin() + static_cast<std::ptrdiff_t>(shared.size()),
                        troop.places.end());
    }
    // The table of regions has no order of its own.
    std::ranges::sort(walkers_, {}, &Walker::place);
    std::ranges::sort(homeless);
    for (const std::uint32_t place : homeless) {
        answer(units_.waiting()[place].unit, Outcome::kGoalBlocked);
    }
}

std::uint64_t OwnEndsKernel::choose_slot() {
    const auto place = static_cast<std::uint32_t>(slots_++);
    const WaitingUnit& unit = units_.waiting()[place];
    const Cell offset = query_->formation[unit.unit];
    const Cell wish{
        std::clamp(query_->goal.rect.x + offset.x, 0, layer_->width() - 1),
        std::clamp(query_->goal.rect.y + offset.y, 0, layer_->height() - 1),
    };
    scan_.begin(*layer_, component_of(unit), wish);
    if (const auto end = scan_.next(taken_)) {
        taken_.take(*end);
        walkers_.push_back({0, place, *end});
    } else {
        answer(unit.unit, Outcome::kGoalBlocked);
    }
    const std::uint64_t work = 1 + scan_.looks() / kLooksPerCell;
    spent_ += work;
    if (spent()) {
        run_out();
    } else if (slots_ == units_.waiting().size()) {
        begin_approach();
    }
    return work;
}

}  // namespace outrider::search
