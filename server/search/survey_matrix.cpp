#include "outrider/search/survey_matrix.hpp"

#include <algorithm>

namespace outrider::search {
namespace {

using model::Outcome;

std::size_t different(std::vector<model::Cell> cells) {
    std::ranges::sort(cells);
    return cells.size() - std::ranges::unique(cells).size();
}

}  // namespace

void MatrixKernel::begin(const map::Layer& layer, const model::Survey& survey, Field& field) {
    layer_ = &layer;
    query_ = &std::get<model::MatrixQuery>(survey.query);
    budget_ = survey.expansions_max;
    wave_.use(field, budget_);
    field.begin(layer);
    from_sends_ = different(query_->from) <= different(query_->to);
    const auto sites = [](const std::vector<model::Cell>& cells, std::vector<Site>& into) {
        into.clear();
        for (const model::Cell cell : cells) {
            into.push_back({cell, static_cast<std::uint32_t>(into.size())});
        }
        std::ranges::sort(into);
    };
    sites(from_sends_ ? query_->from : query_->to, sources_);
    sites(from_sends_ ? query_->to : query_->from, targets_);
    first_ = 0;
    next_ = 0;
    running_ = false;
    earlier_ = 0;
    needed_ = 0;
    outcome_ = Outcome::kComplete;
    costs_.assign(query_->from.size() * query_->to.size(), model::kCostUnknown);
}

model::Cost& MatrixKernel::at(const Site& source, const Site& target) {
    const std::size_t row = from_sends_ ? source.place : target.place;
    const std::size_t column = from_sends_ ? target.place : source.place;
    return costs_[row * query_->to.size() + column];
}

bool MatrixKernel::step(std::uint64_t cells_max, std::uint64_t& done) {
    while (done < cells_max) {
        if (!running_) {
            if (next_ == sources_.size()) {
                return true;
            }
            done += begin_wave();
        } else if (waiting_.empty()) {
            done += end_wave();
        } else if (wave_.field().expansions() >= look_at_ || wave_.ended()) {
            done += look();
        } else {
            const std::uint64_t before = wave_.field().expansions();
            wave_.grow(std::min(cells_max - done, look_at_ - before));
            done += wave_.field().expansions() - before + 1;
        }
    }
    return !running_ && next_ == sources_.size();
}

// What needs no wave is known at once.
std::uint64_t MatrixKernel::begin_wave() {
    first_ = next_;
    const Site source = sources_[first_];
    while (next_ < sources_.size() && sources_[next_].cell == source.cell) {
        ++next_;
    }
    running_ = true;
    waiting_.clear();
    look_at_ = 0;
    const map::Component home = layer_->regions().component(source.cell);
    for (std::uint32_t i = 0; i < targets_.size(); ++i) {
        const bool same = targets_[i].cell == source.cell;
        const bool waits = !same && home != map::kNoComponent &&
                           layer_->regions().component(targets_[i].cell) == home;
        at(source, targets_[i]) = same ? 0 : waits ? model::kCostUnknown : model::kNoWay;
        if (waits) {
            waiting_.push_back(i);
        }
    }
    needed_ = 0;
    if (!waiting_.empty() && budget_ != 0 && earlier_ >= budget_) {
        outcome_ = Outcome::kBudget;
        waiting_.clear();
    } else if (!waiting_.empty()) {
        wave_.use(wave_.field(), budget_ == 0 ? 0 : budget_ - earlier_);
        wave_.field().begin(*layer_, {{source.cell}});
    }
    return 1 + targets_.size() / kFarLooksPerCell;
}

std::uint64_t MatrixKernel::look() {
    constexpr std::uint64_t kLeast = 256;
    const model::Cost settled = wave_.settled();
    const std::size_t looks = waiting_.size();
    std::size_t left = 0;
    for (const std::uint32_t place : waiting_) {
        const model::Cost distance = wave_.field().distance(targets_[place].cell);
        if (distance < settled) {
            at(sources_[first_], targets_[place]) = distance * wave_.field().unit();
            needed_ = std::max(needed_, wave_.expansions_for(distance));
        } else {
            waiting_[left++] = place;
        }
    }
    waiting_.resize(left);
    look_at_ = wave_.field().expansions() + std::max<std::uint64_t>(kLeast, left);
    if (wave_.ended() && left != 0) {
        outcome_ = Outcome::kBudget;
        needed_ = wave_.field().expansions();
        waiting_.clear();
    }
    return 1 + looks / kFarLooksPerCell;
}

std::uint64_t MatrixKernel::end_wave() {
    for (std::size_t twin = first_ + 1; twin < next_; ++twin) {
        for (const Site& target : targets_) {
            at(sources_[twin], target) = at(sources_[first_], target);
        }
    }
    earlier_ += needed_;
    needed_ = 0;
    running_ = false;
    return 1 + (next_ - first_ - 1) * targets_.size() / kLooksPerCell;
}

model::SurveyResult MatrixKernel::take_result(Outcome outcome) {
    model::SurveyResult result;
    result.outcome = outcome == Outcome::kComplete ? outcome_ : outcome;
    result.expansions = earlier_ + needed_;
    model::CostMatrix matrix;
    if (outcome == Outcome::kComplete || outcome == Outcome::kDeadline) {
        matrix.costs = std::move(costs_);
    }
    result.body = std::move(matrix);
    return result;
}

std::size_t MatrixKernel::bytes() const {
    return (sources_.capacity() + targets_.capacity()) * sizeof(Site) +
           waiting_.capacity() * sizeof(std::uint32_t) + costs_.capacity() * sizeof(model::Cost);
}

}  // namespace outrider::search
