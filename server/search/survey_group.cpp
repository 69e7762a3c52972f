#include "outrider/search/survey_group.hpp"

#include <algorithm>
#include <utility>

#include "outrider/model/path.hpp"

namespace outrider::search {

using model::Outcome;

namespace {

// A unit that gets no path, against settling a cell.
constexpr std::uint64_t kCellsPerFailure = 4;

}  // namespace

void GroupKernel::begin(const map::Layer& layer, const model::Survey& survey, Field& field) {
    layer_ = &layer;
    query_ = &std::get<model::GroupQuery>(survey.query);
    expansions_max_ = survey.expansions_max;
    units_.begin(layer, *query_);
    answers_ = 0;
    wave_.use(field);
    settler_ = nullptr;
    order_.clear();
    written_ = 0;
    failing_ = false;
    stopped_ = false;
    failed_ = 0;
    has_answer_.assign(query_->starts.size(), false);
    parts_.begin(query_->starts.size());
    outcome_ = Outcome::kComplete;
}

bool GroupKernel::step(std::uint64_t cells_max, std::uint64_t& done) {
    while (done < cells_max && !parts_.all_ready()) {
        if (failing_) {
            done += fail_next();
        } else if (!units_.done()) {
            done += units_.step_for(cells_max - done);
            take_sorted();
        } else if (settler_ == nullptr) {
            begin_settling();
            done += 1 + units_.waiting().size() / kFarLooksPerCell;
        } else if (written_ < order_.size()) {
            done += write_next();
        } else if (settler_->ended()) {
            begin_failing(Outcome::kBudget);
        } else {
            done += settler_->step(cells_max - done, order_);
        }
    }
    return parts_.all_ready();
}

bool GroupKernel::stop(Outcome outcome) {
    stopped_ = true;
    begin_failing(outcome);
    return false;
}

void GroupKernel::begin_settling() {
    settler_ = &settler_of(choose_way(*layer_, units_));
    settler_->begin(*layer_, units_, expansions_max_);
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
    for (; answers_ < units_.answered().size(); ++answers_) {
        add(units_.answered()[answers_], 0);
    }
}

void GroupKernel::add(model::UnitPath path, std::uint64_t needed) {
    has_answer_[path.unit] = true;
    parts_.add(std::move(path), needed);
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
    add(std::move(path), settled.needed);
    return cells_for_way(looks) + points_.size() / kLooksPerCell;
}

void GroupKernel::begin_failing(Outcome outcome) {
    failing_ = true;
    outcome_ = outcome;
    needed_to_fail_ = parts_.needed();
    if (outcome == Outcome::kBudget) {
        needed_to_fail_ = settler_->expansions();
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

std::optional<model::SurveyResult> GroupKernel::take_part() {
    // Parts are the beginning of the whole answer; who ended with the run is no part of that.
    return stopped_ ? std::nullopt : parts_.take_part();
}

model::SurveyResult GroupKernel::take_result(Outcome /*outcome*/) {
    return parts_.take_rest(outcome_);
}

std::size_t GroupKernel::bytes() const {
    return units_.bytes() + wave_.bytes() + jumps_.bytes() + lanes_.bytes() +
           order_.capacity() * sizeof(SettledUnit) + parts_.bytes() + has_answer_.capacity() / 8 +
           points_.capacity() * sizeof(model::Cell);
}

}  // namespace outrider::search
