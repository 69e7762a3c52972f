#pragma once
// What:     questions that one wave over the map answers for many cells at once, and two that need
//           no search at all (connected, sight). No time, no client, no priority.
// Contract: as for a path: the answer depends on snapshot and survey alone. Costs are symmetric, so
//           that a wave from a goal tells the way from each cell to it. A wave that ends before it
//           has done (kBudget, kDeadline) answers for the cells that it had settled, and says so.
// Source:   search/field.hpp; server/search/README.md.

#include <cstdint>
#include <limits>
#include <string_view>
#include <variant>
#include <vector>

#include "outrider/model/cell.hpp"
#include "outrider/model/cost.hpp"
#include "outrider/model/ids.hpp"
#include "outrider/model/outcome.hpp"
#include "outrider/model/query.hpp"

namespace outrider::model {

// There is no way, and: the wave ended before it could tell.
inline constexpr Cost kNoWay = std::numeric_limits<Cost>::max();
inline constexpr Cost kCostUnknown = kNoWay - 1;

// --- questions

// Many units to one goal.
struct GroupQuery {
    std::vector<Cell> starts;
    Goal goal;
    // Each unit ends on a cell of its own, no two units overlapping: the free cells nearest to the
    // goal by path, shared out so that units keep their places beside one another.
    bool own_ends{false};
    // Empty, or one for each unit: it ends at the free cell nearest to the goal's first cell moved
    // by this much. Implies own_ends.
    std::vector<Cell> formation;
    bool allow_partial{false};
    bool leave_blocked_start{false};
    friend bool operator==(const GroupQuery&, const GroupQuery&) = default;
};

// The cheapest to reach of many goals.
struct NearestQuery {
    Cell start;
    std::vector<Goal> goals;
    // How many of them to name, cheapest first.
    std::uint32_t count{1};
    bool leave_blocked_start{false};
    friend bool operator==(const NearestQuery&, const NearestQuery&) = default;
};

// All cells that cost at most `cost_max` from the nearest of the starts.
struct ReachQuery {
    std::vector<Cell> starts;
    Cost cost_max{};
    // Say also what each cell costs.
    bool costs{false};
    bool leave_blocked_start{false};
    friend bool operator==(const ReachQuery&, const ReachQuery&) = default;
};

// What it costs from each of some cells to each of others.
struct MatrixQuery {
    std::vector<Cell> from;
    std::vector<Cell> to;
    friend bool operator==(const MatrixQuery&, const MatrixQuery&) = default;
};

// Where to step from each cell of a rectangle, to get to the goal.
struct FieldQuery {
    Goal goal;
    Rect rect;
    // Say also what it costs from each cell.
    bool costs{false};
    friend bool operator==(const FieldQuery&, const FieldQuery&) = default;
};

struct ConnectedQuery {
    Cell start;
    Goal goal;
    bool leave_blocked_start{false};
    friend bool operator==(const ConnectedQuery&, const ConnectedQuery&) = default;
};

// A straight walk between the centres of two cells.
struct SightQuery {
    Cell from;
    Cell to;
    friend bool operator==(const SightQuery&, const SightQuery&) = default;
};

struct Survey {
    ClassId movement_class;
    // 0: the engine's cap. A larger value than the cap is lowered to it.
    std::uint64_t expansions_max{0};
    std::variant<GroupQuery, NearestQuery, ReachQuery, MatrixQuery, FieldQuery, ConnectedQuery,
                 SightQuery>
        query;
    friend bool operator==(const Survey&, const Survey&) = default;
};

// --- answers, in the order of the questions

struct UnitPath {
    // Index in the group's starts.
    std::uint32_t unit{};
    Outcome outcome{Outcome::kUnreachable};
    // As in PathResult.
    Outcome reason{Outcome::kUnreachable};
    // `cost` is at most this many percent of the optimum to the end that the unit was given.
    std::uint32_t bound_percent{100};
    Cost cost{};
    std::vector<Cell> turning_points;
    std::uint64_t path_hash{};
    friend bool operator==(const UnitPath&, const UnitPath&) = default;
};

// Comes in parts: each unit stands in exactly one of them, those near the goal first.
struct GroupPaths {
    std::vector<UnitPath> units;
    friend bool operator==(const GroupPaths&, const GroupPaths&) = default;
};

struct NearestGoal {
    // Index in the query's goals.
    std::uint32_t goal{};
    Cost cost{};
    std::vector<Cell> turning_points;
    std::uint64_t path_hash{};
    friend bool operator==(const NearestGoal&, const NearestGoal&) = default;
};
// By cost, then by index. Goals that cannot be reached are not named.
struct NearestGoals {
    std::vector<NearestGoal> goals;
    friend bool operator==(const NearestGoals&, const NearestGoals&) = default;
};

// Cells y, x .. x + length - 1.
struct Run {
    std::int32_t y{};
    std::int32_t x{};
    std::int32_t length{};
    friend bool operator==(const Run&, const Run&) = default;
};
struct Reach {
    // Every cell up to this cost is there: the query's, or less where the wave ended before.
    Cost cost_max{};
    // By row, then from the left; no two touch.
    std::vector<Run> runs;
    // One a cell of the runs, in their order; empty unless asked for.
    std::vector<Cost> costs;
    friend bool operator==(const Reach&, const Reach&) = default;
};

// Row by row: from[0] to each of `to`, from[1], ...
struct CostMatrix {
    std::vector<Cost> costs;
    friend bool operator==(const CostMatrix&, const CostMatrix&) = default;
};

enum class FieldStep : std::uint8_t {
    // In this order: N, E, S, W, NE, SE, SW, NW.
    kFirstMove = 0,
    kLastMove = 7,
    kAtGoal = 8,
    kUnknown = 14,  // the wave ended before it came here
    kNone = 15,     // blocked, or no way
};
// To the goal, or at it.
[[nodiscard]] constexpr bool leads(FieldStep step) {
    return step <= FieldStep::kAtGoal;
}
// What a cell costs whose step does not lead.
[[nodiscard]] constexpr Cost cost_without_way(FieldStep step) {
    return step == FieldStep::kUnknown ? kCostUnknown : kNoWay;
}
struct FieldArrows {
    // The part of the query's rectangle that lies inside the map.
    Rect rect;
    // Row by row, two cells a byte, the first in the low half.
    std::vector<std::uint8_t> steps;
    // Row by row; empty unless asked for.
    std::vector<Cost> costs;
    friend bool operator==(const FieldArrows&, const FieldArrows&) = default;

    [[nodiscard]] FieldStep step(std::size_t cell) const {
        return static_cast<FieldStep>((steps[cell / 2] >> (cell % 2 * 4)) & 15U);
    }
};

struct Connection {
    bool connected{false};
    friend bool operator==(const Connection&, const Connection&) = default;
};

struct Sight {
    bool clear{false};
    friend bool operator==(const Sight&, const Sight&) = default;
};

struct SurveyResult {
    // kComplete: answered, whatever the answer is. kStartBlocked, kGoalBlocked and kUnreachable
    // where that is the whole answer; of a group each unit has its own outcome.
    Outcome outcome{Outcome::kComplete};
    // Cells that the waves settled. A part of a group that is not the last: so far.
    std::uint64_t expansions{};
    std::variant<GroupPaths, NearestGoals, Reach, CostMatrix, FieldArrows, Connection, Sight> body;
    friend bool operator==(const SurveyResult&, const SurveyResult&) = default;
};

// "group", "nearest", "reach", "matrix", "field", "connected", "sight": as the protocol spells it.
[[nodiscard]] std::string_view name_of(const Survey& survey);

}  // namespace outrider::model
