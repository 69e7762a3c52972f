#include "outrider/search/survey_group.hpp"

#include <algorithm>
#include <utility>

#include "outrider/base/check.hpp"
#include "outrider/model/path.hpp"
#include "outrider/search/field_walk.hpp"
#include "outrider/search/first_step.hpp"

namespace outrider::search {

using model::Outcome;

namespace {

// A look at all units still waiting costs about as much as settling this many cells.
std::uint64_t look_after(std::size_t units) {
    constexpr std::uint64_t kLeast = 256;
    return std::max<std::uint64_t>(kLeast, units);
}

// Regions and neighbours of a start, against settling a cell.
constexpr std::uint64_t kCellsPerUnitSorted = 16;

}  // namespace

void GroupKernel::begin(const map::Layer& layer, const model::Survey& survey, Field& field) {
    layer_ = &layer;
    query_ = &std::get<model::GroupQuery>(survey.query);
    units_.begin(layer, *query_);
    sorted_ = false;
    wave_.use(field, survey.expansions_max);
    field.begin(layer);
    seeds_.begin(layer, units_.goal());
    regions_seeded_ = 0;
    unsettled_.clear();
    look_at_ = 0;
    order_.clear();
    written_ = 0;
    ready_.clear();
    needed_.clear();
    taken_ = 0;
    outcome_ = Outcome::kComplete;
}

bool GroupKernel::step(std::uint64_t cells_max, std::uint64_t& done) {
    while (done < cells_max) {
        if (!sorted_) {
            done += sort_units(cells_max - done);
        } else if (written_ < order_.size()) {
            done += write_next();
        } else if (ready_.size() == query_->starts.size()) {
            return true;
        } else if (!seeds_.done() || regions_seeded_ < units_.partial_regions().size()) {
            done += seed();
        } else {
            const std::uint64_t before = wave_.field().expansions();
            grow(cells_max - done);
            done += wave_.field().expansions() - before + 1;
        }
    }
    return sorted_ && written_ == order_.size() && ready_.size() == query_->starts.size();
}

std::uint64_t GroupKernel::sort_units(std::uint64_t cells_max) {
    const std::size_t before = units_.sorted();
    units_.step(std::max<std::uint64_t>(cells_max / kCellsPerUnitSorted, 1));
    if (units_.done()) {
        take_sorted();
    }
    return (units_.sorted() - before) * kCellsPerUnitSorted;
}

void GroupKernel::take_sorted() {
    sorted_ = true;
    for (std::uint32_t place = 0; place < units_.waiting().size(); ++place) {
        unsettled_.push_back(place);
    }
    ready_.assign(units_.answered().begin(), units_.answered().end());
    needed_.assign(ready_.size(), 0);
}

std::uint64_t GroupKernel::seed() {
    Field& field = wave_.field();
    if (!seeds_.done()) {
        return 1 + seeds_.step(field) / kLooksPerCell;
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

void GroupKernel::grow(std::uint64_t cells_max) {
    const std::uint64_t before = wave_.field().expansions();
    if (before < look_at_ && !wave_.ended()) {
        wave_.grow(std::min(cells_max, look_at_ - before));
        return;
    }
    look();
    look_at_ = before + look_after(unsettled_.size());
    if (wave_.ended() && written_ == order_.size() && !unsettled_.empty()) {
        OUTRIDER_CHECK(wave_.spent());
        outcome_ = Outcome::kBudget;
        fail_rest(Outcome::kBudget);
    }
}

model::Cost GroupKernel::distance_of(const WaitingUnit& unit) const {
    const Field& field = wave_.field();
    if (unit.first_moves == 0) {
        return field.distance(unit.cell);
    }
    model::Cost least = Field::kUnreached;
    for (std::size_t move = 0; move < kMoveCount; ++move) {
        if (((unit.first_moves >> move) & 1U) != 0) {
            const model::Cell to{unit.cell.x + kMoveX[move], unit.cell.y + kMoveY[move]};
            const model::Cost distance = field.distance(to);
            if (distance != Field::kUnreached) {
                least = std::min(least, distance + first_step(*layer_, to, move));
            }
        }
    }
    return least;
}

// Units that have become final since the last look are all farther than those before, so that
// sorting each look's sorts them all.
void GroupKernel::look() {
    const model::Cost settled = wave_.settled();
    const std::size_t before = order_.size();
    std::size_t left = 0;
    for (const std::uint32_t place : unsettled_) {
        const model::Cost distance = distance_of(units_.waiting()[place]);
        if (distance < settled) {
            order_.push_back({distance, place});
        } else {
            unsettled_[left++] = place;
        }
    }
    unsettled_.resize(left);
    std::sort(order_.begin() + static_cast<std::ptrdiff_t>(before), order_.end());
}

std::uint64_t GroupKernel::write_next() {
    const Settled& settled = order_[written_++];
    const WaitingUnit& unit = units_.waiting()[settled.place];
    model::UnitPath path;
    path.unit = unit.unit;
    path.outcome = unit.outcome;
    path.reason = unit.reason;
    path.cost = settled.distance * wave_.field().unit();
    points_.clear();
    std::size_t first = kMoveCount;
    model::Cell from = unit.cell;
    for (std::size_t move = 0; move < kMoveCount && unit.first_moves != 0; ++move) {
        const model::Cell to{unit.cell.x + kMoveX[move], unit.cell.y + kMoveY[move]};
        if (((unit.first_moves >> move) & 1U) != 0 &&
            wave_.field().distance(to) == settled.distance - first_step(*layer_, to, move)) {
            points_.push_back(unit.cell);
            first = move;
            from = to;
            break;
        }
    }
    const std::size_t cells = FieldWalk::walk(wave_.field(), from, points_, first);
    path.turning_points.assign(points_.begin(), points_.end());
    path.path_hash = model::path_hash(path.turning_points);
    ready_.push_back(std::move(path));
    needed_.push_back(wave_.expansions_for(settled.distance));
    return 1 + cells / kLooksPerCell;
}

void GroupKernel::fail(std::uint32_t unit, Outcome outcome, std::uint64_t needed) {
    model::UnitPath path;
    path.unit = unit;
    path.outcome = outcome;
    path.reason = outcome;
    ready_.push_back(std::move(path));
    needed_.push_back(needed);
}

void GroupKernel::fail_unsorted(Outcome outcome) {
    for (std::size_t unit = units_.sorted(); unit < query_->starts.size(); ++unit) {
        fail(static_cast<std::uint32_t>(unit), outcome, 0);
    }
}

void GroupKernel::fail_rest(Outcome outcome) {
    std::uint64_t needed = needed_.empty() ? 0 : needed_.back();
    if (outcome == Outcome::kBudget) {
        needed = wave_.field().expansions_for(wave_.settled() - 1);
    }
    for (; written_ < order_.size(); ++written_) {
        unsettled_.push_back(order_[written_].place);
    }
    std::ranges::sort(unsettled_);
    for (const std::uint32_t place : unsettled_) {
        fail(units_.waiting()[place].unit, outcome, needed);
    }
    unsettled_.clear();
}

model::SurveyResult GroupKernel::part(std::size_t units, Outcome outcome) {
    const auto from = ready_.begin() + static_cast<std::ptrdiff_t>(taken_);
    model::SurveyResult result;
    result.outcome = outcome;
    taken_ += units;
    result.expansions = taken_ == 0 ? 0 : needed_[taken_ - 1];
    model::GroupPaths paths;
    paths.units.assign(std::make_move_iterator(from),
                       std::make_move_iterator(from + static_cast<std::ptrdiff_t>(units)));
    result.body = std::move(paths);
    return result;
}

std::optional<model::SurveyResult> GroupKernel::take_part() {
    const std::size_t size = part_size(taken_);
    if (taken_ + size >= query_->starts.size() || taken_ + size > ready_.size()) {
        return std::nullopt;
    }
    return part(size, Outcome::kComplete);
}

model::SurveyResult GroupKernel::take_result(Outcome outcome) {
    if (outcome != Outcome::kComplete) {
        outcome_ = outcome;
        if (!sorted_) {
            take_sorted();
        }
        fail_rest(outcome);
        fail_unsorted(outcome);
    }
    return part(ready_.size() - taken_, outcome_);
}

std::size_t GroupKernel::bytes() const {
    return units_.bytes() + unsettled_.capacity() * sizeof(std::uint32_t) +
           order_.capacity() * sizeof(Settled) + ready_.capacity() * sizeof(model::UnitPath) +
           needed_.capacity() * sizeof(std::uint64_t) + points_.capacity() * sizeof(model::Cell);
}

}  // namespace outrider::search
