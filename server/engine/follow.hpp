#pragma once
// What: one followed unit: its question, its present path, and what is to be done about it. Private
//       to the engine room.

#include <cstdint>
#include <limits>
#include <optional>

#include "outrider/engine/follow_repair.hpp"
#include "outrider/engine/map_table.hpp"
#include "outrider/engine/path_walk.hpp"
#include "outrider/engine/scheduler.hpp"
#include "outrider/model/follow.hpp"

namespace outrider::engine {

// Place in the table of follows.
using FollowSlot = std::uint32_t;
inline constexpr model::Cost kNoCost = std::numeric_limits<model::Cost>::max();

struct Follow {
    model::RequestId id;
    ClientIndex client{};
    MapPtr map;
    model::PathQuery query;  // normalised; its start is where the unit was last known to be
    model::UnitId unit;
    model::Priority priority{model::Priority::kNormal};
    std::uint8_t mark{};
    model::FollowOptions options;

    std::uint64_t birth{};  // tells it from the slot's earlier users
    bool live{false};       // its first answer is out
    // The present path, or why there is none; the turning point ahead of the unit; the cost from
    // the unit on, as last weighed.
    model::PathAnswer answer;
    std::size_t next{1};
    model::Cost rest{};

    std::uint32_t replan{kNowhere};  // the request under way
    model::Cell asked_from;          // and its start
    std::optional<Mend> mend;        // it asks for this stretch alone
    bool afresh{false};              // the next one asks for the whole path
    // What the present path proved; kept where it may be mended.
    std::optional<PathBound> bound;
    std::optional<model::PushReason> wanted;
    bool queued{false};  // waits for its replan to start
    // The version on which the rest of the present path, from where the unit stands, is closed.
    model::Version broken_on{};
    unsigned retries{};
    // The least bound through cells that became better while a replan was under way, and when.
    model::Cost missed{kNoCost};
    model::Version missed_version{};

    std::uint32_t chain{kNowhere};         // in the index of paths
    std::uint32_t roster_place{kNowhere};  // among those who wait for something better
    std::uint64_t look{};                  // the last look at an edit that met it
    std::size_t bytes{};

    [[nodiscard]] bool has_path() const { return !answer.result->turning_points.empty(); }
    [[nodiscard]] bool complete() const {
        return answer.result->outcome == model::Outcome::kComplete;
    }
    [[nodiscard]] bool waits_for_better() const { return options.improve || !complete(); }
    [[nodiscard]] PathWalk walk() const {
        return {answer.result->turning_points, next, query.start};
    }
};

}  // namespace outrider::engine
