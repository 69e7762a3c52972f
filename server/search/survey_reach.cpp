#include "outrider/search/survey_reach.hpp"

#include <algorithm>

#include "outrider/base/limits.hpp"
#include "outrider/search/start_components.hpp"

namespace outrider::search {

using model::Outcome;

namespace {
constexpr std::uint64_t kCellsMax = base::limits::kReachCellsMax;
}  // namespace

void ReachKernel::begin(const map::Layer& layer, const model::Survey& survey, Field& field) {
    layer_ = &layer;
    query_ = &std::get<model::ReachQuery>(survey.query);
    // One more than an answer holds, so that the wave is seen to be too large.
    const std::uint64_t asked = survey.expansions_max;
    wave_.use(field, asked == 0 ? kCellsMax + 1 : std::min(asked, kCellsMax + 1));
    field.begin(layer);
    for (const model::Cell start : query_->starts) {
        if (layer.open(start)) {
            field.add_source(start);
        } else if (query_->leave_blocked_start && !StartComponents(layer, start).empty()) {
            field.add_blocked(start);
        }
    }
    until_ = query_->cost_max / field.unit();
    writing_ = false;
    outcome_ = Outcome::kComplete;
    expansions_ = 0;
    reach_ = {};
}

bool ReachKernel::step(std::uint64_t cells_max, std::uint64_t& done) {
    while (done < cells_max) {
        if (!writing_) {
            const std::uint64_t before = wave_.field().expansions();
            wave_.grow(cells_max - done, until_);
            done += wave_.field().expansions() - before + 1;
            if (wave_.settled() > until_ || wave_.ended()) {
                end_wave(Outcome::kBudget);
            }
        } else if (row_ < box_.end_y()) {
            write_row();
            done += 1 + static_cast<std::uint64_t>(box_.width) / kLooksPerCell;
        } else {
            return true;
        }
    }
    return writing_ && row_ >= box_.end_y();
}

// Fixes up to which cost the answer goes: where the wave ended before its end, whole buckets alone,
// so that there are no more cells than were settled and than an answer may hold.
void ReachKernel::end_wave(Outcome outcome) {
    const Field& field = wave_.field();
    writing_ = true;
    expansions_ = field.expansions();
    reach_.cost_max = query_->cost_max;
    if (wave_.settled() <= until_) {
        outcome_ = outcome;
        const model::Cost end = field.reach_of(std::min(expansions_, kCellsMax));
        until_ = end == 0 ? 0 : end - 1;
        reach_.cost_max = end == 0 ? 0 : end * field.unit() - 1;
    }
    box_ = reachable_box();
    row_ = box_.y;
}

model::Rect ReachKernel::reachable_box() const {
    const model::Cost cheapest = layer_->uniform() ? 1 : 2 * model::Cost{layer_->weight_min()};
    const auto sides = static_cast<model::Cost>(std::max(layer_->width(), layer_->height()));
    const auto steps =
        static_cast<std::int32_t>(std::min(until_ / (cheapest * model::kStraight) + 1, sides));
    model::Rect box{query_->starts.front().x, query_->starts.front().y, 1, 1};
    for (const model::Cell start : query_->starts) {
        const model::Rect both[] = {box, {start.x, start.y, 1, 1}};
        box = model::box_of(both);
    }
    return model::intersect(
        {box.x - steps, box.y - steps, box.width + 2 * steps, box.height + 2 * steps},
        {0, 0, layer_->width(), layer_->height()});
}

void ReachKernel::write_row() {
    const Field& field = wave_.field();
    const auto end = static_cast<std::int32_t>(box_.end_x());
    bool running = false;
    for (std::int32_t x = box_.x; x < end; ++x) {
        const model::Cost distance = field.distance({x, row_});
        const bool inside = distance != Field::kUnreached && distance <= until_;
        if (inside && !running) {
            reach_.runs.push_back({row_, x, 0});
        }
        if (inside) {
            ++reach_.runs.back().length;
            if (query_->costs) {
                reach_.costs.push_back(distance * field.unit());
            }
        }
        running = inside;
    }
    ++row_;
}

model::SurveyResult ReachKernel::take_result(Outcome outcome) {
    model::SurveyResult result;
    if (outcome == Outcome::kDeadline) {
        if (!writing_) {
            end_wave(outcome);
        }
        while (row_ < box_.end_y()) {
            write_row();
        }
        outcome_ = outcome;
    } else if (outcome != Outcome::kComplete) {
        outcome_ = outcome;
        reach_ = {};
    }
    result.outcome = outcome_;
    result.expansions = writing_ ? expansions_ : wave_.field().expansions();
    result.body = std::move(reach_);
    return result;
}

}  // namespace outrider::search
