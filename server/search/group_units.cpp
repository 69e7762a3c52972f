#include "outrider/search/group_units.hpp"

#include <algorithm>

#include "outrider/model/path.hpp"
#include "outrider/search/open_cells.hpp"
#include "outrider/search/plan.hpp"

namespace outrider::search {

using model::Outcome;

namespace {
// Against settling a cell: a look at the region of an open start, at those around a blocked one,
// and at the way from a region to a goal that is no single cell of it.
constexpr std::uint64_t kCellsPerOpenStart = 4;
constexpr std::uint64_t kCellsPerBlockedStart = 24;
constexpr std::uint64_t kCellsPerRegion = 64;
}  // namespace

void GroupUnits::begin(const map::Layer& layer, const model::GroupQuery& query) {
    layer_ = &layer;
    query_ = &query;
    goal_ = region_of(layer, query.goal);
    why_not_.reset();
    reach_.clear();
    answered_.clear();
    waiting_.clear();
    partial_.clear();
    sorted_ = 0;
}

void GroupUnits::step(std::size_t units_max) {
    const std::size_t end = std::min(query_->starts.size(), sorted_ + units_max);
    for (; sorted_ < end; ++sorted_) {
        sort_out(static_cast<std::uint32_t>(sorted_), query_->starts[sorted_]);
    }
}

std::uint64_t GroupUnits::step_for(std::uint64_t cells_max) {
    work_ = 0;
    while (!done() && work_ < cells_max) {
        step(1);
    }
    return work_;
}

void GroupUnits::sort_out(std::uint32_t unit, model::Cell cell) {
    if (!has_own_ends(*query_) && goal_.contains(cell.x, cell.y)) {
        work_ += kCellsPerOpenStart;
        stay(unit, Outcome::kComplete, Outcome::kComplete);
        return;
    }
    const bool open = layer_->open(cell);
    work_ += open ? kCellsPerOpenStart : kCellsPerBlockedStart;
    if (!open && !query_->leave_blocked_start) {
        answer(unit, Outcome::kStartBlocked, Outcome::kStartBlocked);
        return;
    }
    const StartComponents from(*layer_, cell);
    if (from.empty()) {
        answer(unit, Outcome::kStartBlocked, Outcome::kStartBlocked);
        return;
    }
    if (std::ranges::any_of(from, [&](map::Component one) { return reach_of(one).goal; })) {
        const MoveMask moves = open ? MoveMask{0} : moves_into(cell, std::nullopt);
        waiting_.push_back({unit, cell, Outcome::kComplete, Outcome::kComplete, moves});
    } else if (!query_->allow_partial) {
        answer(unit, why_not(), why_not());
    } else {
        wait_for_partial(unit, from);
    }
}

void GroupUnits::wait_for_partial(std::uint32_t unit, const StartComponents& from) {
    const model::Cell cell = query_->starts[unit];
    std::optional<model::Cost> nearest;
    for (const map::Component one : from) {
        const auto& distance = reach_of(one).distance;
        if (distance && (!nearest || *distance < *nearest)) {
            nearest = distance;
        }
    }
    if (!nearest) {
        answer(unit, why_not(), why_not());
        return;
    }
    if (!has_own_ends(*query_) && goal_.distance(cell.x, cell.y) <= *nearest) {
        stay(unit, Outcome::kPartial, why_not());
        return;
    }
    for (const map::Component one : from) {
        Reach& reach = reach_of(one);
        if (reach.distance == nearest && !reach.seeded) {
            reach.seeded = true;
            partial_.push_back({one, *nearest});
        }
    }
    const MoveMask moves = layer_->open(cell) ? MoveMask{0} : moves_into(cell, nearest);
    waiting_.push_back({unit, cell, Outcome::kPartial, why_not(), moves});
}

// Into components that reach the goal, or, with a distance, into those that come so near.
MoveMask GroupUnits::moves_into(model::Cell from, std::optional<model::Cost> distance) {
    const model::MovementClass& who = layer_->movement_class();
    unsigned moves =
        move_table(who.directions, who.corner_rule)[bits_around(*layer_, from.x, from.y)];
    for (std::size_t move = 0; move < kMoveCount; ++move) {
        if (((moves >> move) & 1U) != 0) {
            const Reach& reach = reach_of(
                layer_->regions().component({from.x + kMoveX[move], from.y + kMoveY[move]}));
            const bool wanted = distance ? reach.distance == distance : reach.goal;
            moves &= ~((wanted ? 0U : 1U) << move);
        }
    }
    return static_cast<MoveMask>(moves);
}

GroupUnits::Reach& GroupUnits::reach_of(map::Component component) {
    const auto [place, fresh] = reach_.try_emplace(component);
    Reach& reach = place->second;
    if (fresh) {
        const model::Rect& rect = goal_.rect();
        const map::Regions& regions = layer_->regions();
        const bool one_cell = rect.area() == 1 && goal_.range() == 0;
        reach.goal = rect.area() == 1 && regions.component({rect.x, rect.y}) == component;
        if (!reach.goal && (!one_cell || query_->allow_partial)) {
            work_ += kCellsPerRegion;
            reach.distance = regions.nearest_distance(component, rect);
            reach.goal = reach.distance && *reach.distance <= goal_.range();
        }
    }
    return reach;
}

Outcome GroupUnits::why_not() {
    if (!why_not_) {
        why_not_ = any_open(*layer_, goal_) ? Outcome::kUnreachable : Outcome::kGoalBlocked;
    }
    return *why_not_;
}

void GroupUnits::answer(std::uint32_t unit, Outcome outcome, Outcome reason) {
    model::UnitPath path;
    path.unit = unit;
    path.outcome = outcome;
    path.reason = reason;
    answered_.push_back(std::move(path));
}

void GroupUnits::stay(std::uint32_t unit, Outcome outcome, Outcome reason) {
    answer(unit, outcome, reason);
    answered_.back().turning_points = {query_->starts[unit]};
    answered_.back().path_hash = model::path_hash(answered_.back().turning_points);
}

std::size_t GroupUnits::bytes() const {
    // A node of the map: its value, hash link and bucket.
    constexpr std::size_t kNode = sizeof(Reach) + 4 * sizeof(void*);
    return answered_.capacity() * sizeof(model::UnitPath) +
           waiting_.capacity() * sizeof(WaitingUnit) + partial_.capacity() * sizeof(PartialRegion) +
           reach_.size() * kNode;
}

}  // namespace outrider::search
