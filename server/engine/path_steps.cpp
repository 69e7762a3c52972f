#include "outrider/engine/path_steps.hpp"

#include <algorithm>
#include <utility>

namespace outrider::engine {

search::Step PathSteps::run(const model::PathQuery& query) {
    for (;;) {
        const std::uint64_t work = report_.work;
        const LegStage stage = job_.leg_stage;
        if (stage == LegStage::kSought) {
            step_leg(query);
        } else if (step_path(query) == search::Step::kDone) {
            return search::Step::kDone;
        }
        const bool moved = report_.work != work || job_.leg_stage != stage;
        if (left_ == 0 || !moved) {
            return search::Step::kRunning;
        }
    }
}

search::Step PathSteps::step(std::uint64_t expansions_max) {
    search::Search& search = job_.bench->search;
    const search::Step step = search.step(expansions_max);
    const std::uint64_t done = search.expansions() - job_.expansions;
    job_.expansions = search.expansions();
    report_.work += done;
    left_ -= std::min(left_, done);
    return step;
}

search::Step PathSteps::step_path(const model::PathQuery& query) {
    search::Search& search = job_.bench->search;
    const std::uint64_t after = config_.first_leg_after;
    const bool open = job_.leg_wanted && job_.leg_stage == LegStage::kOpen;
    if (!open) {
        return step(left_);
    }
    if (query.algorithm == model::Algorithm::kFast) {
        const search::Step step = this->step(left_);
        if (job_.expansions > after) {
            if (auto leg = search.first_leg()) {
                note_leg(*std::move(leg));
            }
        }
        return step;
    }
    const search::Step step = this->step(std::min(left_, after - std::min(after, job_.expansions)));
    if (step == search::Step::kRunning && !search.seeks_path()) {
        job_.leg_stage = LegStage::kOver;
    } else if (step == search::Step::kRunning && job_.expansions >= after) {
        seek_leg(query);
    }
    return step;
}

void PathSteps::seek_leg(const model::PathQuery& query) {
    // No more than for the path itself, which its asker bounds.
    const std::uint64_t most = std::min(config_.first_leg_expansions_max, query.expansions_max);
    const auto leading = search::first_leg_query(layer_, query, most);
    if (!leading) {
        job_.leg_stage = LegStage::kOver;
        return;
    }
    restart(*leading);
    job_.leg_stage = LegStage::kSought;
}

void PathSteps::step_leg(const model::PathQuery& query) {
    search::Search& search = job_.bench->search;
    const search::Step step = this->step(left_);
    if (auto leg = search.first_leg()) {
        leg->binding = false;
        leg->expansions = config_.first_leg_after + job_.expansions;
        note_leg(*std::move(leg));
        restart(query);
    } else if (step == search::Step::kDone || !search.first_leg_may_come()) {
        job_.leg_stage = LegStage::kOver;
        restart(query);
    }
}

void PathSteps::restart(const model::PathQuery& query) {
    job_.bench->search.start(layer_, query, *job_.bench->buffers);
    job_.expansions = 0;
}

void PathSteps::note_leg(model::FirstLeg leg) {
    job_.leg_stage = LegStage::kOver;
    report_.leg = std::make_shared<const model::FirstLeg>(std::move(leg));
}

}  // namespace outrider::engine
