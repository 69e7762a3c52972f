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
    seeded_ = 0;
    until_ = query_->cost_max / field.unit();
    stopped_ = false;
    writing_ = false;
    outcome_ = Outcome::kComplete;
    expansions_ = 0;
    reach_ = {};
}

bool ReachKernel::step(std::uint64_t cells_max, std::uint64_t& done) {
    while (done < cells_max) {
        if (seeded_ < query_->starts.size()) {
            done += seed_next();
        } else if (!writing_ && stopped_) {
            end_wave();
        } else if (!writing_) {
            const std::uint64_t before = wave_.field().expansions();
            wave_.grow(cells_max - done, until_);
            done += wave_.field().expansions() - before + 1;
            if (wave_.settled() > until_ || wave_.ended()) {
                end_wave();
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

std::uint64_t ReachKernel::seed_next() {
    constexpr std::uint64_t kCellsPerBlockedStart = 16;
    const model::Cell start = query_->starts[seeded_++];
    if (layer_->open(start)) {
        wave_.field().add_source(start);
        return 1;
    }
    if (query_->leave_blocked_start && !StartComponents(*layer_, start).empty()) {
        wave_.field().add_blocked(start);
    }
    return kCellsPerBlockedStart;
}

bool ReachKernel::stop(Outcome outcome) {
    stopped_ = true;
    return outcome != Outcome::kDeadline;
}

// Fixes up to which cost the answer goes: where the wave ended before its end, whole buckets alone,
// so that there are no more cells than were settled and than an answer may hold.
void ReachKernel::end_wave() {
    const Field& field = wave_.field();
    writing_ = true;
    expansions_ = field.expansions();
    if (query_->costs) {
        // At once: to grow it as rows come would move megabytes within a slice.
        reach_.costs.reserve(std::min(expansions_, kCellsMax));
    }
    reach_.cost_max = query_->cost_max;
    if (wave_.settled() <= until_) {
        outcome_ = Outcome::kBudget;
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
    if (outcome != Outcome::kComplete) {
        outcome_ = outcome;
    }
    if (outcome != Outcome::kComplete && outcome != Outcome::kDeadline) {
        reach_ = {};
    }
    result.outcome = outcome_;
    result.expansions = writing_ ? expansions_ : wave_.field().expansions();
    result.body = std::move(reach_);
    return result;
}

}  // namespace outrider::search
