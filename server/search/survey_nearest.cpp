#include "outrider/search/survey_nearest.hpp"

#include <algorithm>

#include "outrider/model/path.hpp"
#include "outrider/search/field_walk.hpp"

namespace outrider::search {

using model::Outcome;

bool reaches(const StartComponents& from, const GoalRegion& region) {
    const model::Rect& rect = region.rect();
    if (rect.area() == 1 && from.holds({rect.x, rect.y})) {
        return true;
    }
    if (rect.area() == 1 && region.range() == 0) {
        return false;
    }
    const auto nearest = from.nearest_distance(rect);
    return nearest && *nearest <= region.range();
}

void NearestKernel::begin(const map::Layer& layer, const model::Survey& survey, Field& field) {
    layer_ = &layer;
    query_ = &std::get<model::NearestQuery>(survey.query);
    wave_.use(field, survey.expansions_max);
    sorted_out_ = 0;
    waiting_.clear();
    found_.clear();
    certain_ = 0;
    look_at_ = 0;
    looked_cells_ = 0;
    looked_ = 0;
    kept_ = 0;
    mid_goal_ = false;
    writing_ = false;
    wanted_ = 0;
    goals_ = {};
    field.begin(layer);
    from_.reset();
    if (layer.open(query_->start)) {
        field.add_source(query_->start);
        from_.emplace(layer, query_->start);
    } else if (query_->leave_blocked_start) {
        field.add_blocked(query_->start);
        from_.emplace(layer, query_->start);
    }
}

std::size_t NearestKernel::wanted() const {
    return std::min<std::size_t>(std::max<std::uint32_t>(query_->count, 1),
                                 found_.size() + waiting_.size());
}

bool NearestKernel::step(std::uint64_t cells_max, std::uint64_t& done) {
    while (done < cells_max) {
        if (writing_ && goals_.goals.size() == found_.size()) {
            return true;
        }
        if (writing_) {
            done += write_next();
        } else if (sorted_out_ < query_->goals.size()) {
            done += sort_out_next();
        } else if (looked_ < waiting_.size() &&
                   (wave_.field().expansions() >= look_at_ || wave_.ended())) {
            done += look_next();
        } else if (looked_ == waiting_.size() && (looked_ != 0 || found_.size() >= wanted())) {
            end_look();
            ++done;
        } else {
            const std::uint64_t before = wave_.field().expansions();
            wave_.grow(std::min(cells_max - done, look_at_ - before));
            done += wave_.field().expansions() - before + 1;
        }
    }
    return writing_ && goals_.goals.size() == found_.size();
}

bool NearestKernel::stop(Outcome outcome) {
    if (outcome == Outcome::kDeadline && !writing_) {
        begin_writing();
    }
    return outcome != Outcome::kDeadline || goals_.goals.size() == found_.size();
}

std::uint64_t NearestKernel::sort_out_next() {
    // A cell's own region is known; which one is nearest to a rectangle is not.
    constexpr std::uint64_t kCellsPerCellGoal = 4;
    constexpr std::uint64_t kCellsPerWideGoal = 48;
    const std::uint32_t goal = sorted_out_++;
    const GoalRegion region = region_of(*layer_, query_->goals[goal]);
    if (region.contains(query_->start.x, query_->start.y)) {
        found_.push_back({0, goal, query_->start});
        certain_ = found_.size();
    } else if (from_ && reaches(*from_, region)) {
        waiting_.push_back({goal, region});
    }
    return region.rect().area() == 1 && region.range() == 0 ? kCellsPerCellGoal : kCellsPerWideGoal;
}

// The cheapest of the cells by which one can come into the region, row by row.
std::uint64_t NearestKernel::look_at_row(const GoalRegion& region) {
    std::uint64_t cells = 1;
    for_each_rim_on(*layer_, region, row_, [&](std::int32_t x) {
        ++cells;
        const model::Cost distance = wave_.field().distance({x, row_});
        if (distance < best_.distance) {
            best_.distance = distance;
            best_.end = {x, row_};
        }
    });
    ++row_;
    return cells;
}

std::uint64_t NearestKernel::look_next() {
    const Waiting waiting = waiting_[looked_];
    const Span rows = rows_on_map(*layer_, waiting.region);
    if (!mid_goal_) {
        mid_goal_ = true;
        row_ = rows.first;
        best_ = {Field::kUnreached, waiting.goal, {}};
    }
    const std::uint64_t cells = look_at_row(waiting.region);
    looked_cells_ += cells;
    if (row_ > rows.last) {
        mid_goal_ = false;
        ++looked_;
        if (best_.distance < wave_.settled()) {
            found_.push_back(best_);
        } else {
            waiting_[kept_++] = waiting;
        }
    }
    return 1 + cells / kFarLooksPerCell;
}

void NearestKernel::end_look() {
    // So that looking stays cheap beside growing.
    constexpr std::uint64_t kLeast = 128;
    waiting_.resize(kept_);
    certain_ = found_.size();
    look_at_ = wave_.field().expansions() + std::max(kLeast, looked_cells_);
    looked_cells_ = 0;
    looked_ = 0;
    kept_ = 0;
    if (found_.size() >= wanted() || wave_.ended()) {
        begin_writing();
    }
}

void NearestKernel::begin_writing() {
    writing_ = true;
    wanted_ = wanted();
    found_.resize(certain_, Found{});
    std::ranges::sort(found_);
    found_.resize(std::min(found_.size(), wanted_));
    goals_.goals.reserve(found_.size());
}

std::uint64_t NearestKernel::write_next() {
    const Found& found = found_[goals_.goals.size()];
    points_.clear();
    std::size_t steps = 0;
    if (found.distance == 0) {
        points_.push_back(query_->start);
    } else {
        steps = FieldWalk::walk(wave_.field(), found.end, points_);
    }
    model::NearestGoal goal;
    goal.goal = found.goal;
    goal.cost = found.distance * wave_.field().unit();
    goal.turning_points.assign(points_.rbegin(), points_.rend());
    goal.path_hash = model::path_hash(goal.turning_points);
    goals_.goals.push_back(std::move(goal));
    return cells_for_way(steps);
}

model::SurveyResult NearestKernel::take_result(Outcome outcome) {
    model::SurveyResult result;
    const bool ended = outcome == Outcome::kComplete;
    result.outcome = !ended                    ? outcome
                     : found_.size() < wanted_ ? Outcome::kBudget
                                               : Outcome::kComplete;
    const bool whole = result.outcome == Outcome::kComplete;
    result.expansions = !whole           ? wave_.field().expansions()
                        : found_.empty() ? 0
                                         : wave_.expansions_for(found_.back().distance);
    if (ended || outcome == Outcome::kDeadline) {
        result.body = std::move(goals_);
    } else {
        result.body = model::NearestGoals{};
    }
    return result;
}

std::size_t NearestKernel::bytes() const {
    return waiting_.capacity() * sizeof(Waiting) + found_.capacity() * sizeof(Found) +
           points_.capacity() * sizeof(model::Cell);
}

}  // namespace outrider::search
