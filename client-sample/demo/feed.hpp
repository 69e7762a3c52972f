#pragma once
// What:     the new paths that the server pushes to the army, unit by unit.
// Contract: keeps the newest push of each unit. May be outlived by the client's callbacks, which
//           share what they fill.
// Threads:  follow() hands out callbacks for the client's I/O thread; the rest from any.

#include <memory>
#include <optional>
#include <vector>

#include "outrider/base/mutex.hpp"
#include "outrider/client/client.hpp"

namespace outrider::demo {

class Feed {
  public:
    explicit Feed(std::size_t units) : state_(std::make_shared<State>()) {
        const base::Lock lock(state_->mutex);
        state_->newest.resize(units);
        ids_.resize(units);
    }

    [[nodiscard]] client::Follow follow(std::size_t unit) const;
    void began(std::size_t unit, model::RequestId id) { ids_[unit] = id; }
    // Zero before its first order.
    [[nodiscard]] model::RequestId id_of(std::size_t unit) const { return ids_[unit]; }
    // Its newest push, when that starts at the cell and is on this version or a later one.
    [[nodiscard]] std::optional<client::PathPush> wait_for_start(
        std::size_t unit, model::Cell start, model::Version version,
        std::chrono::nanoseconds limit) const;
    // A push to the unit on this version or a later one; nothing when none came in time.
    [[nodiscard]] std::optional<client::PathPush> wait_for(std::size_t unit, model::Version version,
                                                           std::chrono::nanoseconds limit) const;

  private:
    template <class Fits>
    [[nodiscard]] std::optional<client::PathPush> wait_until(std::size_t unit, Fits fits,
                                                             std::chrono::nanoseconds limit) const;
    struct State {
        base::Mutex mutex;
        base::Condition changed;
        std::vector<std::optional<client::PathPush>> newest OUTRIDER_GUARDED_BY(mutex);
    };

    std::shared_ptr<State> state_;
    std::vector<model::RequestId> ids_;
};

}  // namespace outrider::demo
