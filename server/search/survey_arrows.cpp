#include "outrider/search/survey_arrows.hpp"

#include <algorithm>

#include "outrider/base/check.hpp"
#include "outrider/search/field_walk.hpp"
#include "outrider/search/plan.hpp"

namespace outrider::search {

using model::FieldStep;
using model::Outcome;

void ArrowsKernel::begin(const map::Layer& layer, const model::Survey& survey, Field& field) {
    layer_ = &layer;
    query_ = &std::get<model::FieldQuery>(survey.query);
    wave_.use(field, survey.expansions_max);
    field.begin(layer);
    goal_ = region_of(layer, query_->goal);
    seeds_.begin(layer, goal_);
    components_.clear();
    rect_ = model::intersect(query_->rect, {0, 0, layer.width(), layer.height()});
    look_ = {rect_.x, rect_.y};
    writing_ = false;
    row_ = rect_.y;
    waits_ = false;
    cells_ = 0;
    farthest_ = 0;
    outcome_ = any_open(layer, goal_) ? Outcome::kComplete : Outcome::kGoalBlocked;
    arrows_ = {};
    arrows_.rect = rect_;
}

bool ArrowsKernel::step(std::uint64_t cells_max, std::uint64_t& done) {
    while (done < cells_max) {
        if (!seeds_.done()) {
            const std::int32_t row = seeds_.row();
            done += 1 + seeds_.step(wave_.field()) / kLooksPerCell;
            note_components(row);
        } else if (!writing_) {
            done += 1 + look((cells_max - done) * kLooksPerCell) / kLooksPerCell;
            if (look_.y == rect_.end_y()) {
                begin_writing();
            } else if (waits_) {
                done += grow(cells_max - std::min(cells_max, done));
            }
        } else if (row_ < rect_.end_y()) {
            write_row();
            done += 1 + static_cast<std::uint64_t>(rect_.width) / kFarLooksPerCell;
        } else {
            return true;
        }
    }
    return writing_ && row_ == rect_.end_y();
}

void ArrowsKernel::note_components(std::int32_t row) {
    std::int32_t last = -2;
    for_each_rim_on(*layer_, goal_, row, [&](std::int32_t x) {
        if (x != last + 1) {
            const map::Component component = layer_->regions().component({x, row});
            const auto place = std::ranges::lower_bound(components_, component);
            if (place == components_.end() || *place != component) {
                components_.insert(place, component);
            }
        }
        last = x;
    });
}

bool ArrowsKernel::can_come_to(model::Cell cell) const {
    return std::ranges::binary_search(components_, layer_->regions().component(cell));
}

// On to the first cell that the wave has still to come to.
std::uint64_t ArrowsKernel::look(std::uint64_t looks_max) {
    const Field& field = wave_.field();
    const model::Cost settled = wave_.settled();
    std::uint64_t looks = 0;
    waits_ = false;
    while (look_.y < rect_.end_y() && looks < looks_max) {
        ++looks;
        if (field.distance(look_) >= settled && layer_->open(look_) && can_come_to(look_)) {
            waits_ = true;
            return looks;
        }
        if (++look_.x == rect_.end_x()) {
            look_ = {rect_.x, look_.y + 1};
        }
    }
    return looks;
}

std::uint64_t ArrowsKernel::grow(std::uint64_t cells_max) {
    constexpr std::uint64_t kBetweenLooks = 64;
    if (wave_.ended()) {
        OUTRIDER_CHECK(wave_.spent());
        outcome_ = Outcome::kBudget;
        begin_writing();
        return 0;
    }
    const std::uint64_t before = wave_.field().expansions();
    wave_.grow(std::min(cells_max, kBetweenLooks));
    return wave_.field().expansions() - before;
}

// All the memory at once: to grow it as rows come would move megabytes within a slice.
void ArrowsKernel::begin_writing() {
    writing_ = true;
    const auto cells = static_cast<std::size_t>(rect_.area());
    arrows_.steps.reserve((cells + 1) / 2);
    arrows_.costs.reserve(query_->costs ? cells : 0);
}

bool ArrowsKernel::stop(Outcome outcome) {
    if (outcome != Outcome::kDeadline || !seeds_.done()) {
        return true;
    }
    if (!writing_) {
        begin_writing();
    }
    return row_ == rect_.end_y();
}

void ArrowsKernel::write_row() {
    const Field& field = wave_.field();
    const model::Cost settled = wave_.settled();
    for (model::Cell cell{rect_.x, row_}; cell.x < rect_.end_x(); ++cell.x) {
        const model::Cost distance = field.distance(cell);
        FieldStep step = FieldStep::kNone;
        model::Cost cost = model::kNoWay;
        if (!layer_->open(cell)) {
            // As above.
        } else if (goal_.contains(cell.x, cell.y)) {
            step = FieldStep::kAtGoal;
            cost = 0;
        } else if (distance < settled) {
            step = static_cast<FieldStep>(FieldWalk::down(field.arrivals(cell)));
            cost = distance * field.unit();
            farthest_ = std::max(farthest_, distance);
        } else if (can_come_to(cell)) {
            step = FieldStep::kUnknown;
            cost = model::kCostUnknown;
        }
        push(step, cost);
    }
    ++row_;
}

void ArrowsKernel::push(FieldStep step, model::Cost cost) {
    const auto half = static_cast<unsigned>(step);
    if (cells_ % 2 == 0) {
        arrows_.steps.push_back(static_cast<std::uint8_t>(half));
    } else {
        arrows_.steps.back() = static_cast<std::uint8_t>(arrows_.steps.back() | half << 4U);
    }
    ++cells_;
    if (query_->costs) {
        arrows_.costs.push_back(cost);
    }
}

model::SurveyResult ArrowsKernel::take_result(Outcome outcome) {
    model::SurveyResult result;
    result.outcome = outcome == Outcome::kComplete ? outcome_ : outcome;
    result.expansions = result.outcome == Outcome::kComplete ? wave_.expansions_for(farthest_)
                                                             : wave_.field().expansions();
    const bool written = outcome == Outcome::kComplete || outcome == Outcome::kDeadline;
    if (!written || row_ < rect_.end_y()) {
        arrows_ = {};
        arrows_.rect = {rect_.x, rect_.y, 0, 0};
    }
    result.body = std::move(arrows_);
    return result;
}

std::size_t ArrowsKernel::bytes() const {
    return components_.capacity() * sizeof(map::Component) + arrows_.steps.capacity() +
           arrows_.costs.capacity() * sizeof(model::Cost);
}

}  // namespace outrider::search
