#include "outrider/search/survey_group.hpp"

#include <algorithm>
#include <utility>

#include "outrider/model/path.hpp"

namespace outrider::search {

using model::Outcome;

namespace {

// Regions and neighbours of a start, against settling a cell.
constexpr std::uint64_t kCellsPerUnitSorted = 16;

}  // namespace

void GroupKernel::begin(const map::Layer& layer, const model::Survey& survey, Field& field) {
    layer_ = &layer;
    query_ = &std::get<model::GroupQuery>(survey.query);
    expansions_max_ = survey.expansions_max;
    units_.begin(layer, *query_);
    sorted_ = false;
    wave_.use(field);
    settler_ = nullptr;
    order_.clear();
    written_ = 0;
    ready_.clear();
    needed_.clear();
    taken_ = 0;
    outcome_ = Outcome::kComplete;
}

bool GroupKernel::step(std::uint64_t cells_max, std::uint64_t& done) {
    const auto all_ready = [this] { return ready_.size() == query_->starts.size(); };
    while (done < cells_max) {
        if (!sorted_) {
            done += sort_units(cells_max - done);
        } else if (written_ < order_.size()) {
            done += write_next();
        } else if (all_ready()) {
            return true;
        } else if (settler_->ended()) {
            outcome_ = Outcome::kBudget;
            fail_rest(Outcome::kBudget);
        } else {
            done += settler_->step(cells_max - done, order_);
        }
    }
    return sorted_ && all_ready();
}

std::uint64_t GroupKernel::sort_units(std::uint64_t cells_max) {
    const std::size_t before = units_.sorted();
    units_.step(std::max<std::uint64_t>(cells_max / kCellsPerUnitSorted, 1));
    if (units_.done()) {
        take_sorted();
        settler_ = &settler_of(choose_way(*layer_, units_));
        settler_->begin(*layer_, units_, expansions_max_);
    }
    return (units_.sorted() - before) * kCellsPerUnitSorted;
}

GroupSettler& GroupKernel::settler_of(GroupWay way) {
    switch (way) {
        case GroupWay::kJumps: return jumps_;
        case GroupWay::kLanes: return lanes_;
        case GroupWay::kWave: break;
    }
    return wave_;
}

void GroupKernel::take_sorted() {
    sorted_ = true;
    ready_.assign(units_.answered().begin(), units_.answered().end());
    needed_.assign(ready_.size(), 0);
}

std::uint64_t GroupKernel::write_next() {
    const SettledUnit& settled = order_[written_++];
    const WaitingUnit& unit = units_.waiting()[settled.place];
    model::UnitPath path;
    path.unit = unit.unit;
    path.outcome = unit.outcome;
    path.reason = unit.reason;
    path.cost = settled.distance * settler_->unit();
    points_.clear();
    const std::uint64_t looks = settler_->write_way(settled, points_);
    path.turning_points.assign(points_.begin(), points_.end());
    path.path_hash = model::path_hash(path.turning_points);
    ready_.push_back(std::move(path));
    needed_.push_back(settled.needed);
    return 1 + looks / kLooksPerCell;
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
        needed = settler_->expansions();
    }
    std::vector<bool> written(units_.waiting().size());
    for (std::size_t i = 0; i < written_; ++i) {
        written[order_[i].place] = true;
    }
    for (std::size_t place = 0; place < written.size(); ++place) {
        if (!written[place]) {
            fail(units_.waiting()[place].unit, outcome, needed);
        }
    }
    written_ = order_.size();
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
    return units_.bytes() + wave_.bytes() + jumps_.bytes() + lanes_.bytes() +
           order_.capacity() * sizeof(SettledUnit) + ready_.capacity() * sizeof(model::UnitPath) +
           needed_.capacity() * sizeof(std::uint64_t) + points_.capacity() * sizeof(model::Cell);
}

}  // namespace outrider::search
