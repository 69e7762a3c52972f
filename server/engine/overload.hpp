#pragma once
// What:     how long a request would wait, and whether to take it: load that lasts is refused at
//           the door, so that what is taken is answered in good time. Pure policy over plain data.
//           Private to the engine room.
// Contract: Estimates learn from the searches that ended: time by distance for each map and
//           algorithm, time by kind for surveys. Without history everything costs nothing.
//           DoorKeeper, one a client: a queue is short while its wait is at most `queue_wait`, or
//           what the request that asks would take itself, where that is more: who asks for a
//           second of work does not mind a second's wait. One that has not been short for
//           `patience` stands: then a request is refused whose wait is above its priority's bound:
//           half of that for low, once for normal, twice and four times as much for high and
//           urgent. That ends when nothing had to be refused for kCalm. So a wave of orders passes
//           whole, and lasting overload does not. At no time is a request taken that would wait for
//           longer than `wait_max`, or its own work where that is more: nobody has use for it then.
// Threads:  one at a time, under the engine's lock.
// Cost:     a few additions.
// Source:   decisions/0030, 0039 and 0043; CoDel (Nichols, Jacobson 2012) for the difference
//           between a burst and a standing queue.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "outrider/base/clock.hpp"
#include "outrider/engine/job.hpp"
#include "outrider/model/per_map.hpp"
#include "outrider/model/request.hpp"

namespace outrider::engine {

class Estimates {
  public:
    [[nodiscard]] base::Duration of(model::MapId map, const Work& work) const;
    // What one such job took on workers, waits left out and what was done again included.
    void note(model::MapId map, const Work& work, base::Duration busy);

  private:
    // One a path algorithm, and one a kind of survey.
    static constexpr std::size_t kKinds = 16;
    // Sums over the past that fade by a sixty-fourth a search.
    struct Rate {
        std::uint64_t busy_ns{};
        std::uint64_t size{};
    };
    struct Size {
        std::size_t kind{};
        std::uint64_t size{};
    };
    [[nodiscard]] static Size size_of(const Work& work);

    model::PerMap<std::array<Rate, kKinds>> rates_{};
};

// What a request is let in by.
struct Errand {
    base::Duration wait{};      // until it would be served
    base::Duration estimate{};  // of its own work
    model::Priority priority{model::Priority::kNormal};
};

struct DoorRules {
    base::Duration queue_wait{};  // zero: overload that lasts refuses nothing
    base::Duration patience{};
    base::Duration wait_max{};  // zero: a wave may be as long as it likes
    [[nodiscard]] bool always_open() const {
        return queue_wait == base::Duration::zero() && wait_max == base::Duration::zero();
    }
    // A wait for which nobody is refused, whatever he asks for.
    [[nodiscard]] base::Duration harmless() const {
        const auto bound = [](base::Duration of) {
            return of > base::Duration::zero() ? of : base::Duration::max();
        };
        return std::min(bound(queue_wait) / 2, bound(wait_max));
    }
};

class DoorKeeper {
  public:
    // No refusal for so long: the overload is over.
    static constexpr std::chrono::milliseconds kCalm{250};

    // For how long to stay away, or nothing: come in.
    [[nodiscard]] std::optional<base::Duration> refuses(const DoorRules& rules,
                                                        const Errand& errand, base::TimePoint now);

  private:
    // The same where only a queue that stands refuses.
    [[nodiscard]] std::optional<base::Duration> sheds_off(const DoorRules& rules,
                                                          const Errand& errand,
                                                          base::TimePoint now);

    std::optional<base::TimePoint> short_at_;  // when the queue was last seen short
    base::TimePoint refused_at_;
    bool sheds_{false};
};

}  // namespace outrider::engine
