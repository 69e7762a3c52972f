#pragma once
// What:     what an operator wants to know of a running engine, as plain values: requests by kind
//           and end, where their time went, what waits, what each map does; and the story of a
//           request that was slow.
// Contract: counters only rise. A request is in exactly one of Metrics::requests once it has had
//           its last answer. Times are of requests that were searched for: the others are answered
//           inside submit(), where a reading of the clock would cost more than it tells.
// Threads:  values.
// Cost:     a count and three buckets a request, under the lock that its end holds anyway; no
//           reading of the clock that the engine did not need before.
// Source:   decisions/0028.

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "outrider/base/clock.hpp"
#include "outrider/model/cell.hpp"
#include "outrider/model/ids.hpp"
#include "outrider/model/outcome.hpp"
#include "outrider/model/request.hpp"

namespace outrider::engine {

// A path, or a survey in the order of model::Survey::query.
enum class RequestKind : std::uint8_t {
    kPath,
    kGroup,
    kNearest,
    kReach,
    kMatrix,
    kField,
    kConnected,
    kSight
};
inline constexpr std::size_t kKindCount = 8;
[[nodiscard]] RequestKind kind_of(const model::Survey& survey);
// Lower-case words, for labels and logs.
[[nodiscard]] std::string_view name_of(RequestKind kind);

// The same of a priority.
[[nodiscard]] std::string_view name_of(model::Priority priority);

// How a request ended: an outcome or a refusal.
using End = std::uint8_t;
inline constexpr std::size_t kEndCount = model::kOutcomeCount + model::kRefusalCodeCount;
[[nodiscard]] constexpr End end_of(model::Outcome outcome) {
    return static_cast<End>(outcome);
}
[[nodiscard]] constexpr End end_of(model::RefusalCode code) {
    return static_cast<End>(model::kOutcomeCount + static_cast<std::size_t>(code));
}
[[nodiscard]] constexpr bool is_refusal(std::size_t end) {
    return end >= model::kOutcomeCount;
}
// The protocol's word.
[[nodiscard]] std::string_view name_of_end(std::size_t end);

// Times in buckets. The first holds what took at most kFirst, each next one up to twice as much,
// the last the rest.
class Histogram {
  public:
    static constexpr std::chrono::microseconds kFirst{16};
    // Up to 16 s: a search of every cell of the largest map takes less.
    static constexpr std::size_t kBounds = 21;

    void add(base::Duration time);
    // Of the buckets before the last.
    [[nodiscard]] static constexpr std::chrono::microseconds bound(std::size_t bucket) {
        return kFirst * (std::int64_t{1} << bucket);
    }
    [[nodiscard]] const std::array<std::uint64_t, kBounds + 1>& buckets() const { return buckets_; }
    [[nodiscard]] std::uint64_t count() const { return count_; }
    [[nodiscard]] base::Duration sum() const { return sum_; }

  private:
    std::array<std::uint64_t, kBounds + 1> buckets_{};
    std::uint64_t count_{};
    base::Duration sum_{};
};

// Of one request that was searched for. `search` is what its job spent on a worker since the
// request came, so that wait + search is less than total where the job had to give way.
struct Times {
    base::Duration wait{};  // until a worker took it
    base::Duration search{};
    base::Duration total{};
};
struct TimesHistograms {
    Histogram wait, search, total;
};

struct MapMetrics {
    model::MapId id;
    std::string name;
    model::Version version{};
    std::uint64_t requests{}, expansions{}, edits{};
    std::size_t follows{}, watchers{}, snapshots{};
};

struct Metrics {
    std::array<std::array<std::uint64_t, kEndCount>, kKindCount> requests{};
    std::array<TimesHistograms, kEndCount> times{};
    // From the call of edit() to its return, of batches that were applied.
    Histogram edit_times;
    // Jobs that wait for a worker.
    std::array<std::size_t, model::kPriorityCount> queued{};
    std::vector<MapMetrics> maps;
};

// What became of one request that took Config::slow_request or longer.
struct SlowRequest {
    model::RequestId id;
    RequestKind kind{};
    End end{};
    model::Priority priority{};
    model::MapId map;
    model::ClassId movement_class;
    // Of a path, or of the survey's first start and first goal, as far as it has them.
    model::Cell from;
    model::Rect to;
    model::Version version{};
    Times times;
    // Of its job, from the beginning, whatever had to be done again.
    std::uint64_t slices{}, expansions{}, restarts{};
    // The cache was asked for its answer and had none. Of surveys, and of what ignores an obstacle,
    // it keeps none.
    bool looked_up{false};
    // An equal question was under way already.
    bool joined{false};
};

}  // namespace outrider::engine
