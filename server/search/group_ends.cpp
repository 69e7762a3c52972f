#include "outrider/search/group_ends.hpp"

#include <algorithm>
#include <utility>

#include "outrider/base/check.hpp"
#include "outrider/model/path.hpp"
#include "outrider/search/field_walk.hpp"
#include "outrider/search/own_ends.hpp"

namespace outrider::search {

using model::Cell;
using model::Outcome;

namespace {

// Regions and neighbours of a start, against settling a cell.
constexpr std::uint64_t kCellsPerUnitSorted = 16;
// A unit leaves the wave's way where it is so many times as far from the goal as its end, and so
// many cells more: nearer, the way would lead past the end; farther, the search takes longer.
constexpr model::Cost kNear = 4;
constexpr model::Cost kNearCells = 16;

}  // namespace

void OwnEndsKernel::begin(const map::Layer& layer, const model::Survey& survey, Field& field) {
    layer_ = &layer;
    query_ = &std::get<model::GroupQuery>(survey.query);
    class_ = survey.movement_class;
    budget_ = survey.expansions_max;
    spent_ = 0;
    phase_ = Phase::kSort;
    wave_.use(field, budget_);
    field.begin(layer);
    settled_.clear();
    field.record(&settled_);
    units_.begin(layer, *query_);
    parts_.begin(query_->starts.size());
    answered_.assign(query_->starts.size(), false);
    outcome_ = Outcome::kComplete;
    troops_.clear();
    row_ = std::max(units_.goal().rows().first, 0);
    regions_seeded_ = 0;
    looked_at_ = 0;
    missing_ = 0;
    taken_.begin(layer.movement_class().footprint);
    scan_.forget();
    slots_ = 0;
    walkers_.clear();
    pending_.clear();
    walked_ = 0;
    searching_ = false;
}

bool OwnEndsKernel::step(std::uint64_t cells_max, std::uint64_t& done) {
    while (done < cells_max && phase_ != Phase::kDone) {
        const std::uint64_t left = cells_max - done;
        switch (phase_) {
            case Phase::kSort: done += sort_units(left); break;
            case Phase::kSeed: done += seed_row(); break;
            case Phase::kEnds:
                done += query_->formation.empty() ? find_ends(left) : choose_slot();
                break;
            case Phase::kApproach: done += approach(left); break;
            case Phase::kWalk: done += walk(left); break;
            case Phase::kDone: break;
        }
    }
    return phase_ == Phase::kDone;
}

std::uint64_t OwnEndsKernel::sort_units(std::uint64_t cells_max) {
    const std::size_t before = units_.sorted();
    units_.step(std::max<std::uint64_t>(cells_max / kCellsPerUnitSorted, 1));
    if (units_.done()) {
        for (const model::UnitPath& path : units_.answered()) {
            answer(path.unit, path.outcome);
        }
        form_troops();
    }
    return (units_.sorted() - before) * kCellsPerUnitSorted;
}

void OwnEndsKernel::begin_approach() {
    if (walkers_.empty()) {
        phase_ = Phase::kDone;
        return;
    }
    for (std::uint32_t i = 0; i < walkers_.size() && !alone(); ++i) {
        pending_.push_back(i);
    }
    wave_.field().record(nullptr);
    phase_ = Phase::kApproach;
}

bool OwnEndsKernel::settled(const Walker& walker) const {
    const Field& field = wave_.field();
    const WaitingUnit& unit = units_.waiting()[walker.place];
    const model::Cost below = wave_.settled();
    return field.distance(walker.end) < below &&
           (unit.first_moves != 0 || field.distance(unit.cell) < below);
}

std::uint64_t OwnEndsKernel::approach(std::uint64_t cells_max) {
    const std::uint64_t before = wave_.field().expansions();
    const std::size_t looks = pending_.size();
    std::erase_if(pending_, [this](std::uint32_t i) { return settled(walkers_[i]); });
    if (pending_.empty()) {
        begin_walks();
    } else if (wave_.ended()) {
        OUTRIDER_CHECK(wave_.spent());
        run_out();
    } else {
        wave_.grow(std::min(cells_max, std::max<std::uint64_t>(kCellsPerLook, pending_.size())));
    }
    return 1 + wave_.field().expansions() - before + looks / kLooksPerCell;
}

void OwnEndsKernel::begin_walks() {
    const Field& field = wave_.field();
    model::Cost farthest = 0;
    for (Walker& walker : walkers_) {
        const WaitingUnit& unit = units_.waiting()[walker.place];
        if (alone() && !query_->formation.empty()) {
            continue;
        }
        farthest = std::max(farthest, field.distance(walker.end));
        if (!alone() && unit.first_moves == 0) {
            walker.distance = field.distance(unit.cell);
            farthest = std::max(farthest, walker.distance);
        }
    }
    spent_ += farthest == 0 ? 0 : wave_.expansions_for(farthest);
    std::ranges::sort(walkers_, {},
                      [](const Walker& one) { return std::pair(one.distance, one.place); });
    phase_ = Phase::kWalk;
}

std::uint64_t OwnEndsKernel::walk(std::uint64_t cells_max) {
    if (!searching_) {
        if (spent()) {
            run_out();
            return 1;
        }
        begin_search(true);
        return 1 + descent_.size() / kLooksPerCell;
    }
    const std::uint64_t before = search_.expansions();
    const bool done = search_.step(cells_max) == Step::kDone;
    const std::uint64_t work = search_.expansions() - before;
    if (done) {
        end_search();
    }
    return 1 + work;
}

void OwnEndsKernel::begin_search(bool may_descend) {
    const Field& field = wave_.field();
    const Walker& walker = walkers_[walked_];
    const WaitingUnit& unit = units_.waiting()[walker.place];
    descent_.clear();
    descent_cost_ = 0;
    Cell from = unit.cell;
    if (may_descend && walker.distance != 0) {
        const model::Cost margin =
            kNearCells * model::kStraight * 2 * model::Cost{layer_->weight_min()} / field.unit();
        const model::Cost near = kNear * field.distance(walker.end) + margin;
        while (field.distance(from) > near) {
            const std::size_t move = FieldWalk::down(field.arrivals(from));
            descent_.push_back(from);
            from = {from.x + kMoveX[move], from.y + kMoveY[move]};
        }
        descent_cost_ = (walker.distance - field.distance(from)) * field.unit();
    }
    model::PathQuery query;
    query.movement_class = class_;
    query.start = from;
    query.goal.rect = {walker.end.x, walker.end.y, 1, 1};
    query.leave_blocked_start = unit.first_moves != 0;
    query.expansions_max = budget_ == 0 ? 0 : budget_ - spent_;
    if (buffers_ == nullptr) {
        buffers_ = make_buffers();
    }
    search_.start(*layer_, query, *buffers_);
    searching_ = true;
}

void OwnEndsKernel::end_search() {
    searching_ = false;
    spent_ += search_.expansions();
    const Walker& walker = walkers_[walked_];
    const WaitingUnit& unit = units_.waiting()[walker.place];
    const model::PathResult found = search_.take_result();
    if (found.outcome == Outcome::kBudget) {
        return run_out();
    }
    OUTRIDER_CHECK(found.outcome == Outcome::kComplete);
    model::UnitPath path;
    path.cost = descent_cost_ + found.cost;
    path.bound_percent = descent_.empty() ? 100 : bound_of(walker, path.cost);
    if (path.bound_percent > kOwnEndBoundPercent) {
        // The way down and back up again is too long: all of the way in one search.
        return spent() ? run_out() : begin_search(false);
    }
    path.unit = unit.unit;
    path.outcome = unit.outcome;
    path.reason = unit.reason;
    descent_.insert(descent_.end(), found.turning_points.begin(), found.turning_points.end());
    path.turning_points = model::turning_points_of(descent_);
    path.path_hash = model::path_hash(path.turning_points);
    answered_[unit.unit] = true;
    parts_.add(std::move(path), spent_);
    if (++walked_ == walkers_.size()) {
        phase_ = Phase::kDone;
    }
}

// Whoever gets to the end could go on to the goal: no way there costs less than what the unit is
// farther from the goal.
std::uint32_t OwnEndsKernel::bound_of(const Walker& walker, model::Cost cost) const {
    const Field& field = wave_.field();
    const Cell from = units_.waiting()[walker.place].cell;
    const model::Cost nearer = field.distance(walker.end);
    const model::Cost least =
        std::max((walker.distance - std::min(walker.distance, nearer)) * field.unit(),
                 model::octile_distance(walker.end.x - from.x, walker.end.y - from.y) * 2 *
                     model::Cost{layer_->weight_min()});
    return least == 0
               ? kOwnEndBoundPercent + 1
               : std::max(100U, static_cast<std::uint32_t>((100 * cost + least - 1) / least));
}

void OwnEndsKernel::answer(std::uint32_t unit, Outcome outcome) {
    model::UnitPath path;
    path.unit = unit;
    path.outcome = outcome;
    path.reason = outcome;
    answered_[unit] = true;
    parts_.add(std::move(path), spent_);
}

void OwnEndsKernel::answer_rest(Outcome outcome) {
    for (std::uint32_t unit = 0; unit < answered_.size(); ++unit) {
        if (!answered_[unit]) {
            answer(unit, outcome);
        }
    }
    phase_ = Phase::kDone;
}

void OwnEndsKernel::run_out() {
    outcome_ = Outcome::kBudget;
    spent_ = budget_;
    answer_rest(Outcome::kBudget);
}

model::SurveyResult OwnEndsKernel::take_result(Outcome outcome) {
    if (outcome != Outcome::kComplete) {
        outcome_ = outcome;
        answer_rest(outcome);
    }
    return parts_.take_rest(outcome_);
}

std::size_t OwnEndsKernel::bytes() const {
    // A node of the table: its value, link and bucket, and the lists of its troop.
    const std::size_t troops =
        troops_.size() * (sizeof(map::Component) + sizeof(Troop) + 3 * sizeof(void*)) +
        units_.waiting().size() * (sizeof(std::uint32_t) + sizeof(Cell)) * 2;
    return units_.bytes() + parts_.bytes() + answered_.capacity() / 8 + troops + taken_.bytes() +
           scan_.bytes() + (settled_.capacity() + descent_.capacity()) * sizeof(Cell) +
           walkers_.capacity() * sizeof(Walker) + pending_.capacity() * sizeof(std::uint32_t) +
           (buffers_ == nullptr ? 0 : bytes_of(*buffers_));
}

}  // namespace outrider::search
