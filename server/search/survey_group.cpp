#include "outrider/search/survey_group.hpp"

#include <algorithm>
#include <functional>
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

// A unit that gets no path, against settling a cell.
constexpr std::uint64_t kCellsPerFailure = 4;

}  // namespace

void GroupKernel::begin(const map::Layer& layer, const model::Survey& survey, Field& field) {
    layer_ = &layer;
    query_ = &std::get<model::GroupQuery>(survey.query);
    units_.begin(layer, *query_);
    places_ = 0;
    answers_ = 0;
    wave_.use(field, survey.expansions_max);
    field.begin(layer);
    seeds_.begin(layer, units_.goal());
    regions_seeded_ = 0;
    region_row_ = 0;
    unsettled_.clear();
    look_at_ = 0;
    looking_ = false;
    looked_at_end_ = false;
    order_.clear();
    failing_ = false;
    stopped_ = false;
    failed_ = 0;
    has_answer_.assign(query_->starts.size(), false);
    ready_.clear();
    ready_.reserve(query_->starts.size());
    needed_.clear();
    taken_ = 0;
    outcome_ = Outcome::kComplete;
}

bool GroupKernel::step(std::uint64_t cells_max, std::uint64_t& done) {
    while (done < cells_max && ready_.size() < query_->starts.size()) {
        if (failing_) {
            done += fail_next();
        } else if (!units_.done()) {
            done += units_.step_for(cells_max - done);
            take_sorted();
        } else if (looking_) {
            done += look_some((cells_max - done) * kFarLooksPerCell);
        } else if (!order_.empty()) {
            done += write_next();
        } else if (!seeds_.done() || regions_seeded_ < units_.partial_regions().size()) {
            done += seed();
        } else {
            const std::uint64_t before = wave_.field().expansions();
            grow(cells_max - done);
            done += wave_.field().expansions() - before + 1;
        }
    }
    return ready_.size() == query_->starts.size();
}

bool GroupKernel::stop(Outcome outcome) {
    stopped_ = true;
    begin_failing(outcome);
    return false;
}

void GroupKernel::take_sorted() {
    for (; places_ < units_.waiting().size(); ++places_) {
        unsettled_.push_back(static_cast<std::uint32_t>(places_));
    }
    for (; answers_ < units_.answered().size(); ++answers_) {
        add(units_.answered()[answers_], 0);
    }
}

void GroupKernel::add(model::UnitPath path, std::uint64_t needed) {
    has_answer_[path.unit] = true;
    ready_.push_back(std::move(path));
    needed_.push_back(needed);
}

std::uint64_t GroupKernel::seed() {
    Field& field = wave_.field();
    if (!seeds_.done()) {
        return 1 + seeds_.step(field) / kFarLooksPerCell;
    }
    const PartialRegion& part = units_.partial_regions()[regions_seeded_];
    const GoalRegion region(units_.goal().rect(), part.distance);
    const Span rows = rows_on_map(*layer_, region);
    const std::int32_t y = rows.first + region_row_++;
    std::uint64_t cells = 1;
    if (y <= rows.last) {
        for_each_at_range_on(*layer_, region, y, [&](std::int32_t x) {
            ++cells;
            if (layer_->regions().component({x, y}) == part.component) {
                field.add_source({x, y});
            }
        });
    }
    if (y >= rows.last) {
        ++regions_seeded_;
        region_row_ = 0;
    }
    return 1 + cells / kFarLooksPerCell;
}

void GroupKernel::grow(std::uint64_t cells_max) {
    const std::uint64_t before = wave_.field().expansions();
    if (before < look_at_ && !wave_.ended()) {
        wave_.grow(std::min(cells_max, look_at_ - before));
        return;
    }
    if (wave_.ended() && looked_at_end_) {
        OUTRIDER_CHECK(wave_.spent());
        begin_failing(Outcome::kBudget);
        return;
    }
    begin_look();
    looked_at_end_ = wave_.ended();
    look_at_ = before + look_after(unsettled_.size());
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

void GroupKernel::begin_look() {
    looking_ = true;
    looked_ = 0;
    kept_ = 0;
}

// The wave stands still meanwhile. Units that have become final since the last look are all farther
// than those before, and those were all written: so the heap brings all by distance.
std::uint64_t GroupKernel::look_some(std::uint64_t looks_max) {
    const model::Cost settled = wave_.settled();
    const std::size_t end =
        looked_ + std::min<std::uint64_t>(unsettled_.size() - looked_, looks_max);
    const std::uint64_t looks = end - looked_;
    for (; looked_ < end; ++looked_) {
        const std::uint32_t place = unsettled_[looked_];
        const model::Cost distance = distance_of(units_.waiting()[place]);
        if (distance < settled) {
            order_.push_back({distance, place});
            std::ranges::push_heap(order_, std::greater{});
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

std::uint64_t GroupKernel::write_next() {
    std::ranges::pop_heap(order_, std::greater{});
    const Settled settled = order_.back();
    order_.pop_back();
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
    add(std::move(path), wave_.expansions_for(settled.distance));
    return cells_for_way(cells);
}

void GroupKernel::begin_failing(Outcome outcome) {
    failing_ = true;
    outcome_ = outcome;
    needed_to_fail_ = needed_.empty() ? 0 : needed_.back();
    if (outcome == Outcome::kBudget) {
        needed_to_fail_ = wave_.field().expansions_for(wave_.settled() - 1);
    }
}

std::uint64_t GroupKernel::fail_next() {
    while (has_answer_[failed_]) {
        ++failed_;
    }
    model::UnitPath path;
    path.unit = static_cast<std::uint32_t>(failed_);
    path.outcome = outcome_;
    path.reason = outcome_;
    add(std::move(path), needed_to_fail_);
    return kCellsPerFailure;
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
    // Parts are the beginning of the whole answer; who ended with the run is no part of that.
    if (stopped_ || taken_ + size >= query_->starts.size() || taken_ + size > ready_.size()) {
        return std::nullopt;
    }
    return part(size, Outcome::kComplete);
}

model::SurveyResult GroupKernel::take_result(Outcome /*outcome*/) {
    return part(ready_.size() - taken_, outcome_);
}

std::size_t GroupKernel::bytes() const {
    return units_.bytes() + unsettled_.capacity() * sizeof(std::uint32_t) +
           order_.capacity() * sizeof(Settled) + ready_.capacity() * sizeof(model::UnitPath) +
           needed_.capacity() * sizeof(std::uint64_t) + has_answer_.capacity() / 8 +
           points_.capacity() * sizeof(model::Cell);
}

}  // namespace outrider::search
