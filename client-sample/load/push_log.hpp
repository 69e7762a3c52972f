#pragma once
// What:    the pushes of a watched map, in order of arrival: for who walks on the map, and for the
//          replay after the run.
// Threads: add() and end() from the I/O thread, the rest from any.

#include <algorithm>
#include <chrono>
#include <vector>

#include "outrider/base/mutex.hpp"
#include "outrider/codec/messages.hpp"

namespace outrider::load {

class PushLog {
  public:
    void add(const codec::MapEdited& edited) {
        const base::Lock lock(mutex_);
        batches_.push_back(edited);
        arrived_.notify_all();
    }
    // The map was dropped: no push comes any more.
    void end() {
        const base::Lock lock(mutex_);
        ended_ = true;
        arrived_.notify_all();
    }
    [[nodiscard]] bool ended() const {
        const base::Lock lock(mutex_);
        return ended_;
    }
    [[nodiscard]] std::size_t count() const {
        const base::Lock lock(mutex_);
        return batches_.size();
    }
    [[nodiscard]] std::vector<codec::MapEdited> batches() const {
        const base::Lock lock(mutex_);
        return batches_;
    }
    // Those from number `first` on.
    [[nodiscard]] std::vector<codec::MapEdited> batches_from(std::size_t first) const {
        const base::Lock lock(mutex_);
        return {batches_.begin() + static_cast<std::ptrdiff_t>(std::min(first, batches_.size())),
                batches_.end()};
    }
    // False when the push of that version has not come within `limit`, or does not come any more.
    [[nodiscard]] bool wait_for(model::Version version, std::chrono::nanoseconds limit) const {
        const auto end = std::chrono::steady_clock::now() + limit;
        const base::Lock lock(mutex_);
        while (batches_.empty() || batches_.back().version < version) {
            const auto left = end - std::chrono::steady_clock::now();
            if (left.count() <= 0 || ended_) {
                return false;
            }
            arrived_.wait_for(mutex_, left);
        }
        return true;
    }

  private:
    mutable base::Mutex mutex_;
    mutable base::Condition arrived_;
    std::vector<codec::MapEdited> batches_ OUTRIDER_GUARDED_BY(mutex_);
    bool ended_ OUTRIDER_GUARDED_BY(mutex_){false};
};

}  // namespace outrider::load
