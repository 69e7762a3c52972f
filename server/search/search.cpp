#include "outrider/search/search.hpp"

#include <algorithm>

#include "outrider/base/check.hpp"
#include "outrider/model/path.hpp"
#include "outrider/search/buffers.hpp"
#include "outrider/search/fast.hpp"
#include "outrider/search/jps.hpp"
#include "outrider/search/plan.hpp"
#include "outrider/search/scope_of.hpp"
#include "outrider/search/terrain.hpp"
#include "outrider/search/textbook.hpp"

namespace outrider::search {

struct Search::State {
    TextbookKernel textbook;
    JpsKernel jps;
    FastKernel fast;
    TerrainKernel terrain;
    Kernel* kernel{nullptr};  // null where the plan knew the answer
    Buffers* buffers{nullptr};
    Plan plan;
    model::Smoothing smoothing;
    Progress progress{Progress::kRunning};
    // What is being made smooth.
    std::optional<model::PathResult> found;
    model::Rect smoothed_over{0, 0, 0, 0};

    [[nodiscard]] Kernel& kernel_of(model::Algorithm algorithm);
    [[nodiscard]] model::PathResult result(model::Outcome outcome, model::Outcome reason,
                                           bool with_path);
    [[nodiscard]] std::uint32_t bound_percent(model::Outcome outcome) const;
    // After the kernel has done.
    [[nodiscard]] model::PathResult result_of_kernel();
    [[nodiscard]] Step smooth(std::uint64_t expansions_max);
};

Kernel& Search::State::kernel_of(model::Algorithm algorithm) {
    if (algorithm == model::Algorithm::kFast) {
        fast.use(kernel_of(plan.exact), plan.exact);
        return fast;
    }
    if (algorithm == model::Algorithm::kJps) {
        return jps;
    }
    if (algorithm == model::Algorithm::kTerrain) {
        return terrain;
    }
    return textbook;
}

std::uint32_t Search::State::bound_percent(model::Outcome outcome) const {
    if (kernel != &fast) {
        return plan.task.weight_percent;
    }
    const Closed& end = kernel->best();
    const bool at_goal =
        outcome == model::Outcome::kComplete || outcome == model::Outcome::kPartial;
    const model::Cell cell = plan.task.cell_of(end.cell);
    return fast.bound_percent(end.g,
                              at_goal ? plan.task.goal : GoalRegion({cell.x, cell.y, 1, 1}, 0));
}

model::PathResult Search::State::result(model::Outcome outcome, model::Outcome reason,
                                        bool with_path) {
    model::PathResult result = pathless(outcome, plan.task.algorithm);
    result.reason = reason;
    result.bound_percent = with_path ? bound_percent(outcome) : plan.task.weight_percent;
    result.expansions = kernel->expansions();
    result.explored.assign(buffers->explored.begin(), buffers->explored.end());
    if (with_path) {
        const Closed& end = kernel->best();
        std::vector<model::Cell>& points = buffers->points;
        points.clear();
        const model::Cost cost = kernel->trail(end.cell, points);
        std::reverse(points.begin(), points.end());
        result.turning_points = model::turning_points_of(points);
        result.path_hash = model::path_hash(result.turning_points);
        result.cost = cost * kernel->unit();
    }
    return result;
}

Search::Search() : state_(std::make_unique<State>()) {}
Search::~Search() = default;
Search::Search(Search&&) noexcept = default;
Search& Search::operator=(Search&&) noexcept = default;

void Search::start(const map::Layer& layer, const model::PathQuery& query, Buffers& buffers) {
    State& state = *state_;
    state.plan = make_plan(layer, query);
    state.buffers = &buffers;
    state.smoothing = query.smoothing;
    state.progress = Progress::kRunning;
    state.found.reset();
    state.smoothed_over = {0, 0, 0, 0};
    state.kernel = nullptr;
    if (state.plan.answer) {
        return;
    }
    buffers.explored.clear();
    state.kernel = &state.kernel_of(state.plan.task.algorithm);
    state.kernel->begin(state.plan.task, buffers);
}

Step Search::step(std::uint64_t expansions_max) {
    State& state = *state_;
    std::uint64_t left = std::max<std::uint64_t>(expansions_max, 1);
    if (state.kernel != nullptr && state.progress == Progress::kRunning) {
        const std::uint64_t before = state.kernel->expansions();
        state.progress = state.kernel->step(left);
        if (state.progress == Progress::kRunning) {
            return Step::kRunning;
        }
        left -= std::min(left, state.kernel->expansions() - before);
        if (state.smoothing.grade != model::Grade::kNone &&
            state.progress != Progress::kExhausted) {
            state.found = state.result_of_kernel();
            state.buffers->smoother.begin(*state.plan.task.layer, state.found->turning_points,
                                          state.smoothing);
        }
    }
    return state.found ? state.smooth(left) : Step::kDone;
}

Step Search::State::smooth(std::uint64_t expansions_max) {
    Smoother& smoother = buffers->smoother;
    if (!smoother.step(expansions_max)) {
        return Step::kRunning;
    }
    if (found->smooth.points.empty()) {
        Smoothed smoothed = smoother.take();
        smoothed_over = smoothed.looked_at;
        found->smooth = std::move(smoothed);
        found->expansions += smoother.expansions();
    }
    return Step::kDone;
}

std::uint64_t Search::expansions() const {
    return (state_->kernel != nullptr ? state_->kernel->expansions() : 0) +
           (state_->found ? state_->buffers->smoother.expansions() : 0);
}

std::optional<model::FirstLeg> Search::first_leg(std::size_t points_max) const {
    const State& state = *state_;
    if (state.kernel != &state.fast || state.fast.first_leg_points() == 0) {
        return std::nullopt;
    }
    model::FirstLeg leg;
    leg.turning_points =
        model::turning_points_of(state.fast.walked().first(state.fast.first_leg_points()));
    leg.cost = state.fast.first_leg_cost();
    if (leg.turning_points.size() > points_max) {
        leg.turning_points.resize(points_max);
        leg.cost = state.fast.cost_along(leg.turning_points);
    }
    return leg;
}

bool Search::first_leg_may_come() const {
    return state_->kernel == &state_->fast && state_->fast.first_leg_may_come();
}

bool Search::seeks_path() const {
    return state_->kernel != nullptr && state_->progress == Progress::kRunning;
}

model::PathResult Search::take_result() {
    State& state = *state_;
    if (state.plan.answer) {
        return std::move(*state.plan.answer);
    }
    OUTRIDER_CHECK(state.progress != Progress::kRunning);
    if (state.found) {
        OUTRIDER_CHECK(!state.found->smooth.points.empty());
        return std::move(*state.found);
    }
    return state.result_of_kernel();
}

model::PathResult Search::State::result_of_kernel() {
    switch (progress) {
        case Progress::kReached: return result(plan.outcome, plan.reason, true);
        case Progress::kBudget:
            return result(model::Outcome::kBudget, model::Outcome::kBudget, true);
        case Progress::kRunning:
        case Progress::kExhausted: break;
    }
    return result(model::Outcome::kUnreachable, model::Outcome::kUnreachable, false);
}

std::optional<model::Scope> Search::scope() const {
    const State& state = *state_;
    if (state.kernel == nullptr) {
        return std::nullopt;
    }
    OUTRIDER_CHECK(state.progress != Progress::kRunning);
    model::Scope scope =
        scope_of(state.plan, state.progress, state.kernel->best().g * state.kernel->unit());
    scope.also = state.smoothed_over;
    return scope;
}

model::PathResult Search::stop(model::Outcome outcome) {
    State& state = *state_;
    if (state.kernel == nullptr) {
        return pathless(outcome, state.plan.task.algorithm);
    }
    model::PathResult stopped =
        state.result(outcome, outcome, outcome == model::Outcome::kDeadline);
    stopped.expansions = expansions();
    return stopped;
}

model::PathResult run(const map::Layer& layer, const model::PathQuery& query, Buffers& buffers) {
    Search search;
    search.start(layer, query, buffers);
    while (search.step(~std::uint64_t{0}) == Step::kRunning) {
    }
    return search.take_result();
}

}  // namespace outrider::search
