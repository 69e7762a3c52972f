#include "outrider/search/survey.hpp"

#include <algorithm>
#include <iterator>

#include "outrider/base/check.hpp"
#include "outrider/search/group_ends.hpp"
#include "outrider/search/plan.hpp"
#include "outrider/search/sight.hpp"
#include "outrider/search/survey_arrows.hpp"
#include "outrider/search/survey_group.hpp"
#include "outrider/search/survey_matrix.hpp"
#include "outrider/search/survey_nearest.hpp"
#include "outrider/search/survey_reach.hpp"

namespace outrider::search {
namespace {

using model::Outcome;
using model::SurveyResult;
using Verdict = std::optional<SurveyResult>;

// A verdict comes on the asker's thread: a large group is sorted out in slices.
constexpr std::size_t kUnitsPerVerdict = 64;

Verdict verdict_of(const map::Layer& layer, const model::GroupQuery& query) {
    if (query.starts.size() > kUnitsPerVerdict || has_own_ends(query)) {
        return std::nullopt;
    }
    GroupUnits units;
    units.begin(layer, query);
    units.step(kUnitsPerVerdict);
    if (!units.waiting().empty()) {
        return std::nullopt;
    }
    return SurveyResult{Outcome::kComplete, 0, model::GroupPaths{units.answered()}};
}

// Whom a start that cannot be left still reaches: goals that it stands in.
Verdict verdict_of(const map::Layer& layer, const model::NearestQuery& query) {
    const StartComponents from(layer, query.start);
    const bool walks = layer.open(query.start) || (query.leave_blocked_start && !from.empty());
    bool any_open_goal = false;
    for (const model::Goal& goal : query.goals) {
        const GoalRegion region = region_of(layer, goal);
        if (region.contains(query.start.x, query.start.y) || (walks && reaches(from, region))) {
            return std::nullopt;
        }
        any_open_goal = any_open_goal || any_open(layer, region);
    }
    const Outcome outcome = !walks          ? Outcome::kStartBlocked
                            : any_open_goal ? Outcome::kUnreachable
                                            : Outcome::kGoalBlocked;
    return SurveyResult{outcome, 0, model::NearestGoals{}};
}

Verdict verdict_of(const map::Layer& layer, const model::ReachQuery& query) {
    const bool any = std::ranges::any_of(query.starts, [&](model::Cell start) {
        return layer.open(start) ||
               (query.leave_blocked_start && !StartComponents(layer, start).empty());
    });
    if (any) {
        return std::nullopt;
    }
    model::Reach nothing;
    nothing.cost_max = query.cost_max;
    return SurveyResult{Outcome::kStartBlocked, 0, std::move(nothing)};
}

Verdict verdict_of(const map::Layer&, const model::MatrixQuery&) {
    return std::nullopt;
}

Verdict verdict_of(const map::Layer&, const model::FieldQuery&) {
    return std::nullopt;
}

Verdict verdict_of(const map::Layer& layer, const model::ConnectedQuery& query) {
    model::PathQuery path;
    path.start = query.start;
    path.goal = query.goal;
    path.leave_blocked_start = query.leave_blocked_start;
    const auto answer = verdict(layer, path);
    const bool connected = !answer || answer->outcome == Outcome::kComplete;
    return SurveyResult{connected ? Outcome::kComplete : answer->outcome, 0,
                        model::Connection{connected}};
}

Verdict verdict_of(const map::Layer& layer, const model::SightQuery& query) {
    return SurveyResult{Outcome::kComplete, 0, model::Sight{in_sight(layer, query.from, query.to)}};
}

}  // namespace

std::optional<SurveyResult> verdict(const map::Layer& layer, const model::Survey& survey) {
    return std::visit([&](const auto& query) { return verdict_of(layer, query); }, survey.query);
}

struct SurveySearch::State {
    Field field;
    GroupKernel group;
    OwnEndsKernel own_ends;
    NearestKernel nearest;
    ReachKernel reach;
    MatrixKernel matrix;
    ArrowsKernel arrows;
    SurveyKernel* kernel{nullptr};  // null where the verdict was the answer
    std::optional<SurveyResult> answer;
    std::uint64_t work{0};
    bool done{false};
    Outcome outcome{Outcome::kComplete};  // or that of stop()

    SurveyKernel& kernel_of(const model::Survey& survey) {
        if (const auto* query = std::get_if<model::GroupQuery>(&survey.query)) {
            return has_own_ends(*query) ? static_cast<SurveyKernel&>(own_ends) : group;
        }
        if (std::holds_alternative<model::NearestQuery>(survey.query)) {
            return nearest;
        }
        if (std::holds_alternative<model::ReachQuery>(survey.query)) {
            return reach;
        }
        if (std::holds_alternative<model::MatrixQuery>(survey.query)) {
            return matrix;
        }
        OUTRIDER_CHECK(std::holds_alternative<model::FieldQuery>(survey.query));
        return arrows;
    }
};

SurveySearch::SurveySearch() : state_(std::make_unique<State>()) {}
SurveySearch::~SurveySearch() = default;
SurveySearch::SurveySearch(SurveySearch&&) noexcept = default;
SurveySearch& SurveySearch::operator=(SurveySearch&&) noexcept = default;

void SurveySearch::start(const map::Layer& layer, const model::Survey& survey) {
    State& state = *state_;
    state.answer = verdict(layer, survey);
    state.kernel = nullptr;
    state.work = 0;
    state.outcome = Outcome::kComplete;
    state.done = state.answer.has_value();
    if (!state.done) {
        state.kernel = &state.kernel_of(survey);
        state.kernel->begin(layer, survey, state.field);
    }
}

Step SurveySearch::step(std::uint64_t expansions_max) {
    State& state = *state_;
    if (!state.done) {
        std::uint64_t done = 0;
        state.done = state.kernel->step(std::max<std::uint64_t>(expansions_max, 1), done);
        state.work += done;
    }
    return state.done ? Step::kDone : Step::kRunning;
}

std::uint64_t SurveySearch::expansions() const {
    return state_->work;
}

std::optional<SurveyResult> SurveySearch::take_part() {
    return state_->kernel == nullptr ? std::nullopt : state_->kernel->take_part();
}

SurveyResult SurveySearch::take_result() {
    State& state = *state_;
    OUTRIDER_CHECK(state.done);
    return state.kernel == nullptr ? std::move(*state.answer)
                                   : state.kernel->take_result(state.outcome);
}

Step SurveySearch::stop(Outcome outcome) {
    State& state = *state_;
    OUTRIDER_CHECK(!state.done && outcome != Outcome::kComplete);
    state.outcome = outcome;
    state.done = state.kernel->stop(outcome);
    return state.done ? Step::kDone : Step::kRunning;
}

std::size_t SurveySearch::bytes() const {
    const State& state = *state_;
    std::size_t bytes = sizeof(State) + state.field.bytes();
    for (const SurveyKernel* kernel :
         std::initializer_list<const SurveyKernel*>{&state.group, &state.own_ends, &state.nearest,
                                                    &state.reach, &state.matrix, &state.arrows}) {
        bytes += kernel->bytes();
    }
    return bytes;
}

SurveyResult run(const map::Layer& layer, const model::Survey& survey) {
    SurveySearch search;
    search.start(layer, survey);
    while (search.step(~std::uint64_t{0}) == Step::kRunning) {
    }
    model::GroupPaths paths;
    while (auto part = search.take_part()) {
        std::ranges::move(std::get<model::GroupPaths>(part->body).units,
                          std::back_inserter(paths.units));
    }
    SurveyResult result = search.take_result();
    if (auto* last = std::get_if<model::GroupPaths>(&result.body)) {
        std::ranges::move(last->units, std::back_inserter(paths.units));
        last->units = std::move(paths.units);
    }
    return result;
}

}  // namespace outrider::search
