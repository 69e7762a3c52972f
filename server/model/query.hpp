#pragma once
// What: a pure question to the search, and its answer. No time, no client, no priority.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "outrider/model/cell.hpp"
#include "outrider/model/cost.hpp"
#include "outrider/model/ids.hpp"
#include "outrider/model/outcome.hpp"
#include "outrider/model/smoothing.hpp"

namespace outrider::model {

enum class Algorithm : std::uint8_t { kAuto, kDijkstra, kAstar, kJps, kFast, kTerrain };

// Any cell of `rect`, or any cell whose octile distance from it is at most `range` cells.
struct Goal {
    Rect rect;
    std::uint32_t range{0};
    friend bool operator==(const Goal&, const Goal&) = default;
};

struct PathQuery {
    ClassId movement_class;
    Cell start;
    Goal goal;
    Algorithm algorithm{Algorithm::kAuto};
    // Weighted A*: the path may cost up to this many percent of the optimum. 100 = optimal; more
    // than 100 needs kAuto or kAstar.
    std::uint32_t weight_percent{100};
    // When the goal cannot be reached: answer kPartial with the path to the nearest reachable cell.
    bool allow_partial{false};
    // A unit that stands on a blocked cell may walk off it (the cell then weighs as the class's
    // cheapest terrain).
    bool leave_blocked_start{false};
    // Return what the search looked at, up to kExploredCellsMax cells.
    bool explain{false};
    // An obstacle that is not there for this question: that of the unit itself. Whatever else
    // covers its cells stays; an id that no obstacle has changes nothing.
    std::optional<ObstacleId> ignore_obstacle{};
    // 0: the engine's cap. A larger value than the cap is lowered to it.
    std::uint64_t expansions_max{0};
    // The answer then holds a smooth path besides, when there is a path.
    Smoothing smoothing{};

    friend bool operator==(const PathQuery&, const PathQuery&) = default;
};

enum class ExploredKind : std::uint8_t { kOpened, kClosed, kJumpPoint };

struct Explored {
    Cell cell;
    ExploredKind kind{};
    Cost g{};
    Cost h{};
    friend bool operator==(const Explored&, const Explored&) = default;
};

struct PathResult {
    Outcome outcome{Outcome::kUnreachable};
    // For kPartial: why the goal itself was not reached (kUnreachable or kGoalBlocked). Else equal
    // to `outcome`.
    Outcome reason{Outcome::kUnreachable};
    // The kernel that ran, never kAuto.
    Algorithm algorithm{Algorithm::kAuto};
    // `cost` is at most this many percent of the optimum; 100 = optimal.
    std::uint32_t bound_percent{100};
    Cost cost{};
    // With smoothing: what that took too, in expansions' worth.
    std::uint64_t expansions{};
    // Start, each cell where the direction changes, end. Between two neighbours in this list the
    // path runs straight or diagonal. Empty when there is no path, never on success.
    std::vector<Cell> turning_points;
    std::uint64_t path_hash{};
    std::vector<Explored> explored;
    // Where the query asked for one and the answer did not come early (kDeadline): of the path
    // above. It counts for no hash and no bound.
    SmoothPath smooth;

    friend bool operator==(const PathResult&, const PathResult&) = default;
};

// Where a path begins, for a unit that walks before all of the path is known. At most
// kFirstLegPointsMax turning points from the start on; the last one is where the leg ends and need
// not be a turning point of the path.
struct FirstLeg {
    std::vector<Cell> turning_points;
    Cost cost{};
    // The path that the search comes to on the same version begins with this leg. Else the leg
    // leads towards the goal, but the path may be another.
    bool binding{true};
    // What it took besides the search for the path.
    std::uint64_t expansions{};

    friend bool operator==(const FirstLeg&, const FirstLeg&) = default;
};

// Upper-case words as in the protocol.
[[nodiscard]] std::string_view name_of(Algorithm algorithm);

}  // namespace outrider::model
