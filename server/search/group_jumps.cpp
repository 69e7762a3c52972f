#include "outrider/search/group_jumps.hpp"

#include <algorithm>
#include <functional>

#include "outrider/base/check.hpp"
#include "outrider/search/first_step.hpp"
#include "outrider/search/open_cells.hpp"
#include "outrider/search/survey_kernel.hpp"

namespace outrider::search {
namespace {

// Against settling a cell of a wave: to expand a jump point, to find room for a unit, and to make a
// cell a source.
constexpr std::uint64_t kCellsPerExpansion = 10;
constexpr std::uint64_t kCellsPerUnit = 6;
constexpr std::uint64_t kCellsPerSource = 4;

// The moves that a shortest way out of the region may begin with at one of its cells: those that
// leave it, and a diagonal one only where both cells beside it lie outside too, since from either
// its end is nearer.
MoveMask moves_out(const map::Layer& layer, const GoalRegion& region, model::Cell cell) {
    unsigned moves = kJumpTable[kAnyMove][bits_around(layer, cell.x, cell.y)];
    for (std::size_t move = 0; move < kMoveCount; ++move) {
        const bool leaves = !region.contains(cell.x + kMoveX[move], cell.y + kMoveY[move]) &&
                            !region.contains(cell.x + kMoveX[move], cell.y) &&
                            !region.contains(cell.x, cell.y + kMoveY[move]);
        const bool straight_out =
            move < kNE && !region.contains(cell.x + kMoveX[move], cell.y + kMoveY[move]);
        moves &= ~((leaves || straight_out ? 0U : 1U) << move);
    }
    return static_cast<MoveMask>(moves);
}

}  // namespace

void GroupJumps::begin(const map::Layer& layer, const GroupUnits& units,
                       std::uint64_t expansions_max) {
    goal_ = units.goal();
    waiting_ = units.waiting();
    first_place_ = 0;
    regions_ = units.partial_regions();
    begin_with(layer, expansions_max);
}

void GroupJumps::begin_one(const map::Layer& layer, const GroupUnits& units, std::uint32_t place,
                           std::uint64_t expansions_max) {
    goal_ = units.goal();
    waiting_ = std::span(units.waiting()).subspan(place, 1);
    first_place_ = place;
    regions_ = {};
    begin_with(layer, expansions_max);
}

void GroupJumps::begin_with(const map::Layer& layer, std::uint64_t expansions_max) {
    layer_ = &layer;
    unit_ = 2 * model::Cost{layer.weight_min()};
    budget_ = expansions_max == 0 ? ~std::uint64_t{0} : expansions_max;
    expansions_ = 0;
    ended_ = waiting_.empty();
    prepared_ = 0;
    cells_.clear();
    targets_.clear();
    bits_.begin(layer);
    best_.assign(waiting_.size(), {~model::Cost{0}, {}, false});
    candidates_.clear();
    reached_ = 0;
    settled_ = 0;
}

std::uint64_t GroupJumps::step(std::uint64_t cells_max, std::vector<SettledUnit>& settled) {
    if (!prepared()) {
        return prepare(cells_max);
    }
    if (!seeded()) {
        return seed();
    }
    std::uint64_t work = 0;
    do {
        const std::uint64_t expanded = expansions_;
        const std::size_t handed_out = settled_;
        meet_next(settled);
        work += 1 + (expansions_ - expanded) * kCellsPerExpansion +
                (settled_ - handed_out) * kCellsPerUnit;
    } while (!ended_ && work < cells_max);
    return work;
}

std::uint64_t GroupJumps::prepare(std::uint64_t cells_max) {
    if (prepared_ == 0) {
        std::size_t targets = 0;
        for (const WaitingUnit& unit : waiting_) {
            targets += unit.first_moves == 0
                           ? 1
                           : static_cast<std::size_t>(std::popcount(unit.first_moves));
        }
        on_cell_.reserve(targets);
    }
    const std::size_t before = prepared_;
    do {
        add_unit(static_cast<std::uint32_t>(prepared_++));
    } while (!prepared() && (prepared_ - before) * kCellsPerUnit < cells_max);
    std::uint64_t work = (prepared_ - before) * kCellsPerUnit;
    if (prepared()) {
        begin_search();
        work += prepared_ / kFarLooksPerCell;
    }
    return work;
}

void GroupJumps::add_unit(std::uint32_t place) {
    const WaitingUnit& unit = waiting_[place];
    if (unit.first_moves == 0) {
        add_target(unit.cell, place, 0);
        return;
    }
    for (std::size_t move = 0; move < kMoveCount; ++move) {
        if (((unit.first_moves >> move) & 1U) != 0) {
            const model::Cell to{unit.cell.x + kMoveX[move], unit.cell.y + kMoveY[move]};
            add_target(to, place, first_step(*layer_, to, move));
        }
    }
}

void GroupJumps::add_target(model::Cell cell, std::uint32_t place, model::Cost step) {
    const auto index = static_cast<model::CellIndex>(cell.y * layer_->width() + cell.x);
    const std::uint32_t twin = on_cell_.first(index);
    targets_.push_back({place,
                        twin == CellChains::kNone ? static_cast<std::uint32_t>(cells_.size())
                                                  : targets_[twin].cell,
                        step});
    on_cell_.add(index);
    if (twin == CellChains::kNone) {
        cells_.push_back(cell);
        bits_.add(cell);
    }
}

void GroupJumps::begin_search() {
    const model::Rect& rect = goal_.rect();
    bound_.begin(*layer_, {rect.x, rect.y}, cells_);
    cells_left_ = cells_.size();
    flood_.begin(*layer_, bits_, bound_);
    // Nobody waits for sources that only the others could have reached.
    const bool any = std::ranges::any_of(waiting_, [](const WaitingUnit& unit) {
        return unit.outcome == model::Outcome::kComplete;
    });
    seed_from(goal_);
    if (!any) {
        row_ = rows_.last + 1;
    }
    component_ = map::kNoComponent;
    regions_seeded_ = 0;
}

void GroupJumps::seed_from(const GoalRegion& region) {
    region_ = region;
    rows_ = rows_on_map(*layer_, region);
    row_ = rows_.first;
}

void GroupJumps::add_source(model::Cell cell) {
    ++expansions_;
    flood_.add_source(cell, moves_out(*layer_, region_, cell));
}

std::uint64_t GroupJumps::seed() {
    if (row_ > rows_.last) {
        // Of the component's cells the region holds those alone that are nearest to the goal.
        const PartialRegion& part = regions_[regions_seeded_++];
        seed_from(GoalRegion(goal_.rect(), part.distance));
        component_ = part.component;
        return 1;
    }
    const std::uint64_t before = expansions_;
    const std::int32_t y = row_++;
    if (component_ == map::kNoComponent) {
        for_each_rim_on(*layer_, region_, y, [&](std::int32_t x) { add_source({x, y}); });
    } else {
        for_each_at_range_on(*layer_, region_, y, [&](std::int32_t x) {
            if (layer_->regions().component({x, y}) == component_) {
                add_source({x, y});
            }
        });
    }
    return (expansions_ - before) * kCellsPerSource + 1;
}

void GroupJumps::meet_next(std::vector<SettledUnit>& settled) {
    JumpFlood::Met met;
    if (!flood_.next(met)) {
        settle_below(~model::Cost{0}, settled);
        OUTRIDER_CHECK(settled_ == best_.size());
        ended_ = true;
        return;
    }
    settle_below(met.f, settled);
    if (met.target) {
        meet_target(met);
        if (cells_left_ == 0) {
            settle_below(~model::Cost{0}, settled);
        } else if (reached_ == best_.size()) {
            settle_below(met.f + 1, settled);
        }
    }
    if (settled_ == best_.size()) {
        ended_ = true;
    } else if (met.moves != 0) {
        if (expansions_ >= budget_) {
            ended_ = true;
            return;
        }
        ++expansions_;
        flood_.expand(met);
    }
}

void GroupJumps::meet_target(const JumpFlood::Met& met) {
    std::uint32_t item = on_cell_.first(met.cell);
    bits_.remove({met.x, met.y});
    bound_.meet(targets_[item].cell);
    --cells_left_;
    for (; item != CellChains::kNone; item = on_cell_.next(item)) {
        const Target& target = targets_[item];
        Best& best = best_[target.place];
        const model::Cost distance = met.g + target.step;
        if (distance < best.distance) {
            reached_ += best.distance == ~model::Cost{0} ? 1 : 0;
            best.distance = distance;
            best.cell = {met.x, met.y};
            candidates_.push_back({distance, target.place});
            std::ranges::push_heap(candidates_, std::greater{});
        }
    }
}

// A candidate below all that is still open is final, and so is its place in the order: whoever is
// met later is farther.
void GroupJumps::settle_below(model::Cost f, std::vector<SettledUnit>& settled) {
    while (!candidates_.empty() && candidates_.front().distance < f) {
        std::ranges::pop_heap(candidates_, std::greater{});
        const Candidate nearest = candidates_.back();
        candidates_.pop_back();
        Best& best = best_[nearest.place];
        if (!best.settled && best.distance == nearest.distance) {
            best.settled = true;
            ++settled_;
            settled.push_back({nearest.distance, first_place_ + nearest.place, expansions_});
        }
    }
}

std::uint64_t GroupJumps::write_way(const SettledUnit& settled, std::vector<model::Cell>& points) {
    const std::uint32_t place = settled.place - first_place_;
    points.push_back(waiting_[place].cell);
    return flood_.write_way(best_[place].cell, points);
}

std::size_t GroupJumps::bytes() const {
    return cells_.capacity() * sizeof(model::Cell) + targets_.capacity() * sizeof(Target) +
           on_cell_.bytes() + bits_.bytes() + bound_.bytes() + flood_.bytes() +
           best_.capacity() * sizeof(Best) + candidates_.capacity() * sizeof(Candidate);
}

}  // namespace outrider::search
