#pragma once
// What:     how long after an edit the new paths come that it made necessary.
// Contract: a push counts from the moment when the edit that made the version it names was due.
//           Pushes on versions that another client made are counted, not timed. A push may come
//           before the acknowledgement of its edit.
// Threads:  any: pushes may still come when the run is over.
// Cost:     16 bytes a push, until it is settled.

#include <chrono>
#include <unordered_map>
#include <vector>

#include "load/latency_histogram.hpp"
#include "outrider/base/mutex.hpp"
#include "outrider/model/ids.hpp"

namespace outrider::load {

class PushWatch {
  public:
    using TimePoint = std::chrono::steady_clock::time_point;

    void edited(model::Version version, TimePoint due) {
        const base::Lock lock(mutex_);
        due_.emplace(version, due);
    }
    void pushed(model::Version version, TimePoint now) {
        const base::Lock lock(mutex_);
        pushes_.push_back({version, now});
    }
    [[nodiscard]] std::uint64_t count() const {
        const base::Lock lock(mutex_);
        return pushes_.size();
    }
    // All that can be timed.
    void settle(LatencyHistogram& latency) const {
        const base::Lock lock(mutex_);
        for (const Push& push : pushes_) {
            if (const auto found = due_.find(push.version); found != due_.end()) {
                latency.add(push.arrived - found->second);
            }
        }
    }

  private:
    struct Push {
        model::Version version{};
        TimePoint arrived;
    };
    mutable base::Mutex mutex_;
    std::unordered_map<model::Version, TimePoint> due_ OUTRIDER_GUARDED_BY(mutex_);
    std::vector<Push> pushes_ OUTRIDER_GUARDED_BY(mutex_);
};

}  // namespace outrider::load
