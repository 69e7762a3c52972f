#pragma once
// What:     the one door to every kernel: start a query on a layer, step it with a budget of
//           expansions, take the result.
// Contract: the answer depends on layer and query alone: not on the budget of the steps, on time,
//           or on what the buffers were used for before. start() answers at once what needs no
//           search (bounds excepted: validate() first). An answer without a `bound_percent` above
//           100 costs exactly what Dijkstra finds. Landmarks are part of the layer: with others, or
//           none, a path may be another one of the same cost, and expansions differ. A path that is
//           made smooth is the same as without; only its expansions count that too.
//           The layer must outlive the search.
// Threads:  one thread at a time; a suspended search may move to another thread with its buffers.
// Cost:     after warm-up of its buffers a step allocates nothing; the result's vectors are
//           allocated once at the end.
// Source:   one page a kernel: server/search/README.md.

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <vector>

#include "outrider/base/limits.hpp"
#include "outrider/map/layer.hpp"
#include "outrider/map/snapshot.hpp"
#include "outrider/model/outcome.hpp"
#include "outrider/model/query.hpp"
#include "outrider/model/scope.hpp"

namespace outrider::search {

// Node pools and open lists, sized lazily to the largest map they meet, cleared by generation
// stamps. One a running or suspended search.
class Buffers;
struct BuffersDeleter {
    void operator()(Buffers* buffers) const;
};
using BuffersPtr = std::unique_ptr<Buffers, BuffersDeleter>;
[[nodiscard]] BuffersPtr make_buffers();
[[nodiscard]] std::size_t bytes_of(const Buffers& buffers);

enum class Step : std::uint8_t { kRunning, kDone };

// Bounds, class, weight, goal: what may be wrong with a query as such. `field` is spelt as in the
// protocol.
[[nodiscard]] std::expected<void, model::Refusal> validate(const map::Snapshot& snapshot,
                                                           const model::PathQuery& query);

// The answer where no search is needed: same cell, blocked ends, no connection (and no partial path
// wanted). Constant time. Needs a valid query.
[[nodiscard]] std::optional<model::PathResult> verdict(const map::Layer& layer,
                                                       const model::PathQuery& query);

// The verdict, or else what a kernel would be sent for.
struct Outlook {
    std::optional<model::PathResult> answer;
    model::Aim aim;
};
[[nodiscard]] Outlook look_ahead(const map::Layer& layer, const model::PathQuery& query);

// The query whose search has a first leg soon, long before that of `query` has a path; it leads to
// the same goal, though perhaps not along the same path. Takes at most `expansions_max`. Nothing
// where the goal is so near that there is no such leg.
[[nodiscard]] std::optional<model::PathQuery> first_leg_query(const map::Layer& layer,
                                                              const model::PathQuery& query,
                                                              std::uint64_t expansions_max);

class Search {
  public:
    Search();
    ~Search();
    Search(Search&&) noexcept;
    Search& operator=(Search&&) noexcept;

    // Needs a valid query. Forgets whatever ran before.
    void start(const map::Layer& layer, const model::PathQuery& query, Buffers& buffers);
    // Expands at most `expansions_max` nodes, at least one; fewer, and kRunning, when the first leg
    // has just been found.
    [[nodiscard]] Step step(std::uint64_t expansions_max);
    [[nodiscard]] std::uint64_t expansions() const;
    // Before take_result(), for kFast: the beginning of the path, as soon as it stands, cut to
    // `points_max` turning points, at least two. Whatever comes after, the path of the result
    // begins with these cells.
    [[nodiscard]] std::optional<model::FirstLeg> first_leg(
        std::size_t points_max = base::limits::kFirstLegPointsMax) const;
    // Whether there may yet be one.
    [[nodiscard]] bool first_leg_may_come() const;
    // The path is still to be found: what is left is not only to make it smooth.
    [[nodiscard]] bool seeks_path() const;
    // After kDone, once.
    [[nodiscard]] model::PathResult take_result();
    // After kDone: as long as look_ahead() gives the same aim and the scope touches no changed
    // cell, the same query gets the same answer on a later snapshot. Nothing where start() had the
    // answer.
    [[nodiscard]] std::optional<model::Scope> scope() const;
    // Before kDone: stops here with the best partial path so far (kDeadline), or with no path
    // (kCancelled, kSuperseded).
    [[nodiscard]] model::PathResult stop(model::Outcome outcome);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

// start + step to the end, for callers without slices.
[[nodiscard]] model::PathResult run(const map::Layer& layer, const model::PathQuery& query,
                                    Buffers& buffers);

}  // namespace outrider::search
