#pragma once
// What:     the benches that no job is on, kept warm for the next ones. Private to the engine room.
// Contract: a job gets one that has done its kind of work, path or survey, before, where there is
//           one, and of those the last that was put back: so few are warm, and what a rush needed
//           beyond lies still. What has lain still for kIdleMax is let go of, but for one a worker.
// Threads:  one at a time, under the engine's lock.
// Cost:     linear in the benches: at most those of workers and suspended searches.
// Source:   decisions/0037: without it, memory only ever rose towards the dearest rush so far.

#include <chrono>
#include <cstddef>
#include <memory>
#include <vector>

#include "outrider/base/clock.hpp"
#include "outrider/engine/job.hpp"

namespace outrider::engine {

class BenchRack {
  public:
    // A bench is warm again after its first search, which costs it some hundred microseconds of
    // fresh pages; armies set out every few seconds.
    static constexpr std::chrono::seconds kIdleMax{10};

    explicit BenchRack(std::size_t workers) : workers_(workers) {}

    // Null where none is left.
    [[nodiscard]] std::unique_ptr<Workbench> take(bool for_survey);
    // Without memory for its place it is freed. The bytes that went so.
    std::size_t put_back(std::unique_ptr<Workbench> bench, base::TimePoint now) noexcept;
    // Those that have lain still too long go to `idle`, to be freed where no lock is held. Their
    // bytes, as counted by the engine.
    std::size_t let_go(base::TimePoint now, std::vector<std::unique_ptr<Workbench>>& idle);
    // Frees all of them. Their bytes.
    std::size_t clear();
    [[nodiscard]] std::size_t size() const { return places_.size(); }

  private:
    struct Place {
        std::unique_ptr<Workbench> bench;
        base::TimePoint since;
    };
    const std::size_t workers_;
    std::vector<Place> places_;  // the longest still first
};

}  // namespace outrider::engine
