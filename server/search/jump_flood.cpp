#include "outrider/search/jump_flood.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "outrider/search/many_jumps.hpp"

// As in jps.cpp.
#define OUTRIDER_HOT [[gnu::always_inline]] inline

namespace outrider::search {
namespace {

template <Move kMove>
inline constexpr bool kAlongRow = kMove == kE || kMove == kW;
template <Move kMove>
inline constexpr bool kForward = kMove == kE || kMove == kS;

// Bits ahead of one, it not included.
template <bool kUp>
std::uint64_t beyond(std::int32_t bit) {
    return kUp ? ~std::uint64_t{1} << bit : ~(~std::uint64_t{0} << bit);
}
// Up to the nearest of `bits`, it included, coming from the near end; all where there is none.
template <bool kUp>
std::uint64_t up_to_first(std::uint64_t bits) {
    if (kUp) {
        return bits ^ (bits - 1);
    }
    return bits == 0 ? ~std::uint64_t{0} : ~std::uint64_t{0} << (63 - std::countl_zero(bits));
}

}  // namespace

void JumpFlood::begin(const map::Layer& layer, const TargetBits& targets,
                      const TargetsBound& bound) {
    layer_ = &layer;
    targets_ = &targets;
    bound_ = &bound;
    width_ = static_cast<model::CellIndex>(layer.width());
    pool_.prepare(static_cast<std::size_t>(layer.width()) *
                  static_cast<std::size_t>(layer.height()));
    nodes_ = pool_.data();
    generation_ = pool_.generation();
    found_count_ = 0;
    ways_.begin();
    any_source_ = false;
    open_.reset(0);
}

// What the open list has bits for: a smaller estimate is one too.
OUTRIDER_HOT model::Cost JumpFlood::estimate(std::int32_t x, std::int32_t y) const {
    return std::min(bound_->estimate(x, y), OpenJump::kEstimateMax);
}

OUTRIDER_HOT void JumpFlood::find(std::int32_t x, std::int32_t y, model::Cost g,
                                  Arrivals arrivals) {
    if (found_count_ == kFoundJumpsMax) [[unlikely]] {
        reach_found();
    }
    const model::CellIndex cell = index_of(x, y);
    __builtin_prefetch(&nodes_[cell], 1);
    bound_->prefetch(x, y);
    found_[found_count_++] = {g, cell, static_cast<std::uint16_t>(x), static_cast<std::uint16_t>(y),
                              arrivals};
}

void JumpFlood::reach_found() {
    for (std::size_t i = 0; i < found_count_; ++i) {
        reach(found_[i]);
    }
    found_count_ = 0;
}

OUTRIDER_HOT void JumpFlood::reach(const FoundJump& at) {
    if (!JumpNode(nodes_[at.cell]).reach(at, generation_, ways_.last())) {
        return;
    }
    const model::Cost h = estimate(at.x, at.y);
    open_.push({(at.g + h) << OpenJump::kEstimateBits | h, at.cell, at.x, at.y});
}

// Whether targets may lie ahead on a line through the chunk at (line, along): those behind, or
// beyond the last chunk that holds any, matter to nobody.
template <Move kMove>
OUTRIDER_HOT bool JumpFlood::may_report(std::int32_t line, std::int32_t along) const {
    const map::ChunkPlace& first = targets_->first();
    const map::ChunkPlace& last = targets_->last();
    const bool on_line =
        kAlongRow<kMove> ? line >= first.y && line <= last.y : line >= first.x && line <= last.x;
    return on_line && (kForward<kMove> ? along <= (kAlongRow<kMove> ? last.x : last.y)
                                       : along >= (kAlongRow<kMove> ? first.x : first.y));
}

// Every target from `at` on to the first stop, that included: a stop that is blocked is no target.
template <Move kMove>
void JumpFlood::report_line(const Origin& at) {
    constexpr bool kRow = kAlongRow<kMove>;
    constexpr bool kUp = kForward<kMove>;
    constexpr map::Plane kStops = kMove == kE   ? map::Plane::kStopsEast
                                  : kMove == kW ? map::Plane::kStopsWest
                                  : kMove == kS ? map::Plane::kStopsSouth
                                                : map::Plane::kStopsNorth;
    const std::int32_t line = kRow ? at.y & 63 : at.x & 63;
    const std::int32_t from = kRow ? at.x : at.y;
    std::uint64_t ahead = beyond<kUp>(from & 63);
    map::ChunkPlace place = map::ChunkPlace::of({at.x, at.y});
    while (may_report<kMove>(kRow ? place.y : place.x, kRow ? place.x : place.y)) {
        const TargetBits::Tile& tile = targets_->tile(place);
        const std::uint64_t stops = map::plane_of(layer_->bits().at(place), kStops)[line] & ahead;
        std::uint64_t hits = (kRow ? tile.rows : tile.columns)[static_cast<std::size_t>(line)] &
                             ahead & up_to_first<kUp>(stops);
        const std::int32_t base = (kRow ? place.x : place.y) * 64;
        for (; hits != 0; hits &= hits - 1) {
            const std::int32_t to = base + std::countr_zero(hits);
            const model::Cost g =
                at.g + static_cast<model::Cost>(std::abs(to - from)) * model::kStraight;
            find(kRow ? to : at.x, kRow ? at.y : to, g, kTargetHere);
        }
        if (stops != 0) {
            return;
        }
        ahead = ~std::uint64_t{0};
        place.x += kMoveX[kMove];
        place.y += kMoveY[kMove];
    }
}

template <Move kMove>
OUTRIDER_HOT void JumpFlood::jump_straight(const Origin& at) {
    const map::ChunkPlace place = map::ChunkPlace::of({at.x, at.y});
    constexpr bool kRow = kAlongRow<kMove>;
    if (may_report<kMove>(kRow ? place.y : place.x, kRow ? place.x : place.y)) {
        report_line<kMove>(at);
    }
    const auto [stop, open] = scan<kMove, false>(layer_->bits(), at.x, at.y);
    if (open) {
        const std::int32_t steps = std::abs(stop - (kRow ? at.x : at.y));
        find(kRow ? stop : at.x, kRow ? at.y : stop,
             at.g + static_cast<model::Cost>(steps) * model::kStraight, 1U << kMove);
    }
}

// Of the straight jumps beside the cells of a diagonal, those that may pass over a target: here, or
// in the chunks that they go on to.
template <Move kMove>
OUTRIDER_HOT std::uint64_t JumpFlood::lines_with_targets(map::ChunkPlace place, std::uint64_t lines,
                                                         bool falling, std::int32_t from) const {
    constexpr bool kRow = kAlongRow<kMove>;
    constexpr map::Heading kHeading = kHeadingOf<kMove>;
    const auto lines_here = [&] {
        const TargetBits::Lines& here = targets_->lines(place);
        return kRow ? here.rows : here.columns;
    };
    std::uint64_t seen = lines & lines_here();
    const auto goes_on = [&] {
        return may_report<kMove>(kRow ? place.y : place.x,
                                 (kRow ? place.x : place.y) + (kForward<kMove> ? 1 : -1));
    };
    if (!goes_on()) {
        return seen;
    }
    const auto* last_stops = reinterpret_cast<const std::int8_t*>(layer_->bits().at(place) +
                                                                  map::last_stops_at(kHeading));
    std::uint64_t leave =
        lines & lines_beyond<kForward<kMove>>(last_stops, Slanted{from, !falling});
    while (leave != 0 && goes_on()) {
        place.x += kMoveX[kMove];
        place.y += kMoveY[kMove];
        seen |= leave & lines_here();
        leave &= map::summary_of(layer_->bits().at(place), kHeading).clear;
    }
    return seen;
}

// The targets on the part of a diagonal run that lies in one chunk, and beside it.
template <Move kMove>
void JumpFlood::report_run(const Origin& first, map::ChunkPlace place, std::int32_t cells) {
    constexpr std::int32_t kDx = kMoveX[kMove];
    constexpr std::int32_t kDy = kMoveY[kMove];
    constexpr Move kBeside = kDy < 0 ? kN : kS;
    constexpr Move kAlong = kDx < 0 ? kW : kE;
    constexpr bool kFalling = kDx == kDy;
    const std::int32_t x = first.x & 63;
    const std::int32_t y = first.y & 63;
    const std::uint64_t rows = bits_from<(kDy > 0)>(y, cells);
    if (targets_->lines(place).rows != 0) {
        const TargetBits::Tile& tile = targets_->tile(place);
        std::uint64_t on_run =
            rows &
            (kFalling ? tile.falling[static_cast<std::size_t>(map::Diagonal::falling_by_y(x, y))]
                      : tile.rising[static_cast<std::size_t>(map::Diagonal::rising(x, y))]);
        for (; on_run != 0; on_run &= on_run - 1) {
            const Origin at = first.after<kMove>(std::abs(std::countr_zero(on_run) - y));
            find(at.x, at.y, at.g, kTargetHere);
        }
    }
    if (may_report<kAlong>(place.y, place.x)) {
        std::uint64_t seen =
            lines_with_targets<kAlong>(place, rows, kFalling, kFalling ? x - y : x + y);
        for (; seen != 0; seen &= seen - 1) {
            report_line<kAlong>(first.after<kMove>(std::abs(std::countr_zero(seen) - y)));
        }
    }
    if (may_report<kBeside>(place.x, place.y)) {
        std::uint64_t seen = lines_with_targets<kBeside>(place, bits_from<(kDx > 0)>(x, cells),
                                                         kFalling, kFalling ? y - x : x + y);
        for (; seen != 0; seen &= seen - 1) {
            report_line<kBeside>(first.after<kMove>(std::abs(std::countr_zero(seen) - x)));
        }
    }
}

// As JpsKernel's, without a goal.
template <Move kMove>
void JumpFlood::jump_diagonal(const Origin& origin) {
    constexpr std::int32_t kDx = kMoveX[kMove];
    constexpr std::int32_t kDy = kMoveY[kMove];
    constexpr Move kBeside = kDy < 0 ? kN : kS;
    constexpr Move kAlong = kDx < 0 ? kW : kE;
    constexpr bool kFalling = kDx == kDy;
    const auto jump_past = [&]<Move kStraightMove>(const Origin& at) {
        constexpr bool kRow = kAlongRow<kStraightMove>;
        const auto [stop, open] = scan<kStraightMove, true>(layer_->bits(), at.x, at.y);
        if (open) {
            const std::int32_t steps = std::abs(stop - (kRow ? at.x : at.y));
            find(kRow ? stop : at.x, kRow ? at.y : stop,
                 at.g + static_cast<model::Cost>(steps) * model::kStraight, 1U << kStraightMove);
        }
    };
    std::int32_t step = 1;
    bool goes_on = true;
    while (goes_on) {
        const Origin first = origin.after<kMove>(step);
        const map::ChunkPlace place = map::ChunkPlace::of({first.x, first.y});
        DiagonalRun run =
            diagonal_run<kMove>(layer_->bits().at(place), first.x, first.y, step == 1);
        goes_on = run.goes_on;
        // A part without cells may lie on a guard.
        if (run.cells != 0) {
            report_run<kMove>(first, place, run.cells);
        }
        const std::int32_t x = first.x & 63;
        const std::int32_t y = first.y & 63;
        run.rows = lines_with_finds<kAlong>(layer_->bits(), place, run.rows,
                                            {kFalling ? x - y : x + y, !kFalling});
        run.columns = lines_with_finds<kBeside>(layer_->bits(), place, run.columns,
                                                {kFalling ? y - x : x + y, !kFalling});
        for (; run.rows != 0; run.rows &= run.rows - 1) {
            jump_past.template operator()<kAlong>(
                first.after<kMove>(std::abs(std::countr_zero(run.rows) - y)));
        }
        for (; run.columns != 0; run.columns &= run.columns - 1) {
            jump_past.template operator()<kBeside>(
                first.after<kMove>(std::abs(std::countr_zero(run.columns) - x)));
        }
        step += run.cells;
    }
}

void JumpFlood::expand_from(const Origin& origin, MoveMask moves) {
    for (; moves != 0; moves = static_cast<MoveMask>(moves & (moves - 1))) {
        switch (std::countr_zero(moves)) {
            case kN: jump_straight<kN>(origin); break;
            case kE: jump_straight<kE>(origin); break;
            case kS: jump_straight<kS>(origin); break;
            case kW: jump_straight<kW>(origin); break;
            case kNE: jump_diagonal<kNE>(origin); break;
            case kSE: jump_diagonal<kSE>(origin); break;
            case kSW: jump_diagonal<kSW>(origin); break;
            default: jump_diagonal<kNW>(origin); break;
        }
    }
    reach_found();
}

void JumpFlood::add_source(model::Cell cell, MoveMask moves) {
    if (!any_source_) {
        any_source_ = true;
        open_.reset(estimate(cell.x, cell.y));
    }
    const model::CellIndex index = index_of(cell.x, cell.y);
    // Done but for a target: a unit may step off a blocked cell onto a source.
    constexpr auto kLeft = static_cast<Arrivals>(~kTargetHere);
    ways_.add_source(cell.x, cell.y);
    JumpNode(nodes_[index]).leave(kLeft, generation_, ways_.last());
    if (targets_->has(cell)) {
        find(cell.x, cell.y, 0, kTargetHere);
    }
    expand_from({cell.x, cell.y, 0}, moves);
}

bool JumpFlood::next(Met& met) {
    while (!open_.empty()) {
        const OpenJump top = open_.pop();
        JumpNode node(nodes_[top.cell]);
        const model::Cost g = top.g();
        if (!node.waits_at(g)) {
            continue;
        }
        const Arrivals pending = node.pending();
        if (bound_->grown() != 0) {
            // It waits until it comes up by the bound of today. What is in the list is no larger,
            // so that the list still begins with its least.
            const model::Cost h = estimate(top.x, top.y);
            if (h > top.h()) {
                open_.push({(g + h) << OpenJump::kEstimateBits | h, top.cell, top.x, top.y});
                continue;
            }
        }
        const Arrivals done = node.done();
        node.close(g);
        MoveMask moves = 0;
        if ((pending & kStraightArrivals) != 0) {
            const unsigned around = bits_around(*layer_, top.x, top.y);
            moves = kJumpTable[pending & kStraightArrivals][around];
            if ((done & kStraightArrivals) != 0) [[unlikely]] {
                moves =
                    static_cast<MoveMask>(moves & ~kJumpTable[done & kStraightArrivals][around]);
            }
        }
        met = {top.f(), g, top.cell, top.x, top.y, (pending & kTargetHere) != 0, moves};
        return true;
    }
    return false;
}

void JumpFlood::expand(const Met& met) {
    ways_.add(met.x, met.y, nodes_[met.cell].link);
    expand_from({met.x, met.y, met.g}, met.moves);
}

}  // namespace outrider::search
