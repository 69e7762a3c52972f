#pragma once
// What:     the units of a run that follows: each walks along its newest path at one speed and
//           says where it is.
// Contract: a unit stands on cells of paths that the server gave, and on no others. A pushed path
//           that passes its place is walked on from there; on one that does not it waits for the
//           path that its report brings. A follow is forgotten with its end.
// Threads:  any; the functions lock.
// Cost:     a cell a unit and step walked.

#include <chrono>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "outrider/base/mutex.hpp"
#include "outrider/model/follow.hpp"

namespace outrider::load {

class March {
  public:
    // `key` is the run's own number of the follow.
    struct Place {
        std::uint32_t unit{};
        std::size_t connection{};
        model::Progress progress;
    };

    // The server's id, known once the order is sent; its first path may be there before.
    void sent(std::uint64_t key, std::size_t connection, model::RequestId id)
        OUTRIDER_EXCLUDES(mutex_);
    void take_path(std::uint64_t key, std::uint32_t unit, std::vector<model::Cell> cells)
        OUTRIDER_EXCLUDES(mutex_);
    void end(std::uint64_t key, bool arrived) OUTRIDER_EXCLUDES(mutex_);
    // Every unit that has a path goes on so many cells; where those are that moved.
    [[nodiscard]] std::vector<Place> walk(std::size_t steps) OUTRIDER_EXCLUDES(mutex_);
    [[nodiscard]] std::uint64_t arrivals() const OUTRIDER_EXCLUDES(mutex_);

  private:
    struct Walker {
        std::uint32_t unit{};
        std::size_t connection{};
        model::RequestId id;  // 0 until it is known
        std::vector<model::Cell> cells;
        std::size_t at{0};
        bool over{false};  // ended before its id was known
    };

    mutable base::Mutex mutex_;
    std::unordered_map<std::uint64_t, Walker> walkers_ OUTRIDER_GUARDED_BY(mutex_);
    std::uint64_t arrivals_ OUTRIDER_GUARDED_BY(mutex_){0};
};

}  // namespace outrider::load
