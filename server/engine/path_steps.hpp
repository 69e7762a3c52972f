#pragma once
// What:     a slice's worth of steps of a path's search, and where its first leg is wanted of the
//           search for that. Private to the engine room.
// Contract: the leg comes where the search has no path after Config::first_leg_after expansions,
//           whatever the slices. `fast` finds it on its way, and its path begins with it. For any
//           other query the search is thrown away at that point, one for the leg takes its place on
//           the same buffers, and then the search begins again: what it comes to is the same, and a
//           job never has more than one search's memory.
// Threads:  the worker's.
// Cost:     a long search that is led costs first_leg_after and the search for the leg besides.
// Source:   decisions/0034.

#include "outrider/engine/config.hpp"
#include "outrider/engine/job.hpp"

namespace outrider::engine {

class PathSteps {
  public:
    // The job's search has been started on the layer.
    PathSteps(Job& job, const map::Layer& layer, const Config& config, SliceReport& report)
        : job_(job), layer_(layer), config_(config), report_(report) {}

    // kDone when the job's own search has done. Notes work and leg in the report.
    [[nodiscard]] search::Step run(const model::PathQuery& query);

  private:
    [[nodiscard]] search::Step step(std::uint64_t expansions_max);
    [[nodiscard]] search::Step step_path(const model::PathQuery& query);
    void step_leg(const model::PathQuery& query);
    void seek_leg(const model::PathQuery& query);
    void restart(const model::PathQuery& query);
    void note_leg(model::FirstLeg leg);

    Job& job_;
    const map::Layer& layer_;
    const Config& config_;
    SliceReport& report_;
    std::uint64_t left_{config_.expansions_per_slice};
};

}  // namespace outrider::engine
