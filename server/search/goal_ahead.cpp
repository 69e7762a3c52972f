#include "outrider/search/goal_ahead.hpp"

#include <algorithm>
#include <cstdlib>

#include "outrider/search/diagonal_run.hpp"
#include "outrider/search/jump.hpp"

namespace outrider::search {
namespace {

using Tiles = map::Layer::BitTiles;

// A diagonal run of so many steps is free. The first is legal, by the mask of moves.
template <Move kMove>
bool runs(const Tiles& tiles, model::Cell at, std::int32_t steps) {
    std::int32_t done = 0;
    bool goes_on = true;
    while (done < steps && goes_on) {
        const std::int32_t x = at.x + (done + 1) * kMoveX[kMove];
        const std::int32_t y = at.y + (done + 1) * kMoveY[kMove];
        const DiagonalRun run = diagonal_run<kMove>(tiles.row(y >> 6)[x >> 6], x, y, done == 0);
        done += run.cells;
        goes_on = run.goes_on;
    }
    return done >= steps;
}

// A straight jump comes as far as so many steps: to its stop, where that is open.
template <Move kMove>
bool jumps(const Tiles& tiles, model::Cell at, std::int32_t steps) {
    const auto [stop, open] = scan<kMove, false>(tiles, at.x, at.y);
    const std::int32_t to_stop = std::abs(stop - (kMove == kE || kMove == kW ? at.x : at.y));
    return steps < to_stop || (steps == to_stop && open);
}

bool runs(const Tiles& tiles, model::Cell at, Move move, std::int32_t steps) {
    switch (move) {
        case kNE: return runs<kNE>(tiles, at, steps);
        case kSE: return runs<kSE>(tiles, at, steps);
        case kSW: return runs<kSW>(tiles, at, steps);
        default: return runs<kNW>(tiles, at, steps);
    }
}

bool jumps(const Tiles& tiles, model::Cell at, Move move, std::int32_t steps) {
    switch (move) {
        case kN: return jumps<kN>(tiles, at, steps);
        case kE: return jumps<kE>(tiles, at, steps);
        case kS: return jumps<kS>(tiles, at, steps);
        default: return jumps<kW>(tiles, at, steps);
    }
}

}  // namespace

std::optional<model::Cell> goal_ahead(const Tiles& tiles, const GoalRegion& goal, model::Cell at,
                                      MoveMask moves) {
    if (goal.range() != 0) {
        return std::nullopt;
    }
    const model::Cell end{std::clamp(at.x, goal.columns().first, goal.columns().last),
                          std::clamp(at.y, goal.rows().first, goal.rows().last)};
    const std::int32_t dx = end.x - at.x;
    const std::int32_t dy = end.y - at.y;
    const std::int32_t diagonal = std::min(std::abs(dx), std::abs(dy));
    const std::int32_t straight = std::max(std::abs(dx), std::abs(dy)) - diagonal;
    const Move across = dx > 0 ? (dy < 0 ? kNE : kSE) : (dy < 0 ? kNW : kSW);
    const Move along = std::abs(dx) > std::abs(dy) ? (dx > 0 ? kE : kW) : (dy > 0 ? kS : kN);
    if (((moves >> (diagonal != 0 ? across : along)) & 1U) == 0) {
        return std::nullopt;
    }
    if (diagonal != 0 && !runs(tiles, at, across, diagonal)) {
        return std::nullopt;
    }
    const model::Cell bend{at.x + diagonal * kMoveX[across], at.y + diagonal * kMoveY[across]};
    if (straight != 0 && !jumps(tiles, bend, along, straight)) {
        return std::nullopt;
    }
    return end;
}

}  // namespace outrider::search
