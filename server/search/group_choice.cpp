#include "outrider/search/group_choice.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "outrider/search/cell_boxes.hpp"

namespace outrider::search {
namespace {

// Expanding a jump point takes as long as so many cells of a wave. Measured: 16 by instructions and
// 7 to 9 by time, since a wave waits more for memory.
constexpr std::uint64_t kCellsPerExpansion = 8;
// Samples a side. Fewer miss the lane between the goal and a small army.
constexpr std::int32_t kSide = 8;

// Units that stand together, and how far from the goal the farthest of them.
struct Troop {
    GoalRegion box;
    model::Cost farthest;
};

std::vector<Troop> troops_of(const GroupUnits& units) {
    std::vector<model::Cell> cells;
    cells.reserve(units.waiting().size());
    for (const WaitingUnit& unit : units.waiting()) {
        cells.push_back(unit.cell);
    }
    CellBoxes boxes;
    boxes.sort(cells);
    std::vector<Troop> troops(boxes.count());
    for (std::size_t i = 0; i < troops.size(); ++i) {
        troops[i] = {GoalRegion(boxes.rect(i), 0), 0};
        for (const std::uint32_t cell : boxes.cells_of(i)) {
            troops[i].farthest =
                std::max(troops[i].farthest, units.goal().distance(cells[cell].x, cells[cell].y));
        }
        // Ways round things are a little longer.
        troops[i].farthest += troops[i].farthest / 16;
    }
    return troops;
}

}  // namespace

bool jumps_are_sooner(const map::Layer& layer, const GroupUnits& units) {
    if (units.waiting().empty()) {
        return true;
    }
    const std::vector<Troop> troops = troops_of(units);
    const model::Cost farthest = std::ranges::max(troops, {}, &Troop::farthest).farthest;
    const model::Rect& goal = units.goal().rect();
    const auto reach =
        static_cast<std::int32_t>(std::min<model::Cost>(farthest / model::kStraight, 1U << 14U));
    const model::Rect within = model::intersect(
        {goal.x - reach, goal.y - reach, goal.width + 2 * reach, goal.height + 2 * reach},
        {0, 0, layer.width(), layer.height()});
    std::uint64_t near = 0;    // open cells up to the farthest unit
    std::uint64_t stops = 0;   // at which jumps west or east end, among them
    std::uint64_t on_way = 0;  // open cells on the way to some troop
    for (std::int32_t i = 0; i < kSide * kSide; ++i) {
        const std::int32_t x = within.x + within.width * (2 * (i % kSide) + 1) / (2 * kSide);
        const std::int32_t y = within.y + within.height * (2 * (i / kSide) + 1) / (2 * kSide);
        const model::Cost from_goal = units.goal().distance(x, y);
        if (from_goal > farthest) {
            continue;
        }
        const std::uint64_t* tile = layer.bits().at({x >> 6, y >> 6});
        const auto word = [&](map::Plane plane) { return map::plane_of(tile, plane)[y & 63]; };
        const std::uint64_t open = word(map::Plane::kRows);
        const auto cells = static_cast<std::uint64_t>(std::popcount(open));
        near += cells;
        stops += static_cast<std::uint64_t>(std::popcount(open & word(map::Plane::kStopsEast)) +
                                            std::popcount(open & word(map::Plane::kStopsWest)));
        const bool on_way_to_any = std::ranges::any_of(troops, [&](const Troop& troop) {
            return from_goal + troop.box.distance(x, y) <= troop.farthest;
        });
        on_way += on_way_to_any ? cells : 0;
    }
    // Two stops are about one jump point.
    return on_way * stops * kCellsPerExpansion / 2 <= near * near;
}

}  // namespace outrider::search
