#include <algorithm>
#include <bit>
#include <tuple>

#include "units/troops.hpp"

namespace outrider::units {
namespace {

// A friend who walks on is gone by then; around one who does not a way is looked for at once.
// Who found none looks again after twice the time, but for ever.
constexpr std::uint32_t kAroundFirst = 4;
constexpr std::uint32_t kAroundEvery = 32;
// Who cannot go around sends aside whom it may.
constexpr std::uint32_t kAsideEvery = 8;
// How much of its way one wants free of whom it sends aside: well within the local search.
constexpr std::size_t kClearedSteps = 16;
// A way around ends on the old one at most so many steps ahead...
constexpr std::size_t kRejoinSteps = 20;
// ...and is at most so much longer: beyond some cells waiting is better.
constexpr std::uint32_t kDetourMax = 12 * static_cast<std::uint32_t>(model::kStraight);
// Out of somebody's way it goes up to here.
constexpr std::uint32_t kAsideMax = 48 * static_cast<std::uint32_t>(model::kStraight);
// A place that is free is better than one that another must leave first.
constexpr std::uint32_t kHeldPenalty = 4 * static_cast<std::uint32_t>(model::kStraight);
// In a dead end nobody can leave but past whoever wants in, who then goes back first. Likewise, who
// leaves over the place where the other will stay could only come back by sending that one aside,
// and so on for ever.
constexpr std::uint32_t kPusherPenalty = 16 * static_cast<std::uint32_t>(model::kStraight);
// A cell nearer to a goal that is taken is worth so many on the way there.
constexpr std::uint32_t kNearerFactor = 4;
// Whoever was let pass has passed by then, or never will.
constexpr std::uint32_t kHoldTicksMax = 96;
// One that is sent aside sends others: as many as stand in a queue.
constexpr std::uint32_t kChainMax = 64;

bool looks_around(std::uint32_t held_ticks) {
    return held_ticks % kAroundEvery == 0 ||
           (held_ticks >= kAroundFirst && std::has_single_bit(held_ticks));
}

std::span<const Step> ahead(const Way& way, std::size_t count) {
    return way.rest().first(std::min(count, way.rest().size()));
}

}  // namespace

std::tuple<int, UnitIndex, int> Troops::rank(UnitIndex index) const {
    // Orders before ways back from letting somebody pass, and those before rest.
    const auto own = [this](UnitIndex who, int after) {
        const Unit& unit = units_[who];
        return std::tuple(unit.moves() ? (unit.done ? 1 : 0) : 2, who, after);
    };
    const UnitIndex pusher = units_[index].sent_by;
    if (pusher == kNobody) {
        return own(index, 0);
    }
    // Who was at rest goes back after whom it lets pass, whatever its own rank: else the two would
    // send each other aside for ever.
    if (units_[index].done && units_[pusher].moves()) {
        return own(pusher, 1);
    }
    return std::min(own(index, 0), own(pusher, 1));
}

bool Troops::outranks(UnitIndex index, UnitIndex other) const {
    return rank(index) < rank(other);
}

// Whom it lets pass has passed.
bool Troops::may_go_on(UnitIndex index) const {
    const Unit& unit = units_[index];
    const Unit& passing = units_[unit.yields_to];
    if (!passing.moves() || unit.held_ticks >= kHoldTicksMax) {
        return true;
    }
    if (passing.way.holds() && outranks(index, unit.yields_to)) {
        return true;  // each lets the other pass
    }
    const auto in_the_way = [&](model::Cell place) {
        return std::ranges::any_of(ahead(unit.way, kClearedSteps), [&](const Step& step) {
            return overlap(step.to, unit.side, place, passing.side);
        });
    };
    return !in_the_way(passing.at) &&
           std::ranges::none_of(ahead(passing.way, kClearedSteps),
                                [&](const Step& step) { return in_the_way(step.to); });
}

bool Troops::settles_beside(const Unit& unit, const Unit& other) const {
    const bool at_rest = other.state == State::kArrived || other.state == State::kIdle;
    if (!at_rest || unit.at_end != State::kArrived) {
        return false;
    }
    const bool same_goal = other.state == State::kArrived && other.goal == unit.goal;
    return same_goal ||
           (unit.done && overlap(unit.way.rest().back().to, unit.side, other.at, other.side));
}

void Troops::wait_for(UnitIndex index, UnitIndex other, const map::Snapshot& snapshot) {
    Unit& unit = units_[index];
    const Unit& blocker = units_[other];
    ++unit.held_ticks;
    if (settles_beside(unit, blocker)) {
        settle(index, *snapshot.layer(unit.traits.movement_class));
        return;
    }
    const bool head_on = blocker.moves() && !blocker.way.over() &&
                         overlap(blocker.way.next().to, blocker.side, unit.at, unit.side);
    const bool stays = !blocker.moves() || blocker.way.holds();
    const bool at_once = stays || (head_on && outranks(other, index));
    const bool rested = unit.sidestepped + kAroundFirst <= tick_;
    if (rested && (unit.held_ticks == 1 ? at_once : looks_around(unit.held_ticks)) &&
        go_around(index, *snapshot.layer(unit.traits.movement_class))) {
        return;
    }
    const bool stuck = stays || head_on || blocker.held_ticks >= kAsideEvery;
    if (stuck && unit.held_ticks % kAsideEvery == 2 && outranks(index, other)) {
        send_aside(index, other, snapshot);
        return;
    }
    if (unit.held_ticks % kPatienceTicks == 0 && !unit.done) {
        want(index);
    }
}

// The free cell nearest to the goal, or here.
void Troops::settle(UnitIndex index, const map::Layer& layer) {
    Unit& unit = units_[index];
    const auto distance = [&](model::Cell cell) {
        return kNearerFactor * static_cast<std::uint32_t>(model::octile_distance(
                                   cell.x - unit.goal.x, cell.y - unit.goal.y));
    };
    LocalSearch::Rules rules;
    rules.enter = free_cells(index);
    rules.end = [&](model::Cell cell) { return std::optional(distance(cell)); };
    rules.cost_max = distance(unit.at) - 1;
    const std::vector<model::Cell> cells =
        unit.done ? std::vector<model::Cell>{} : search_.find(layer, unit.at, rules);
    if (cells.empty()) {
        arrive(index, true);
        return;
    }
    unit.way.go_to(unit.at, cells);
    unit.beside = true;
}

LocalSearch::Cost Troops::free_cells(UnitIndex index) const {
    return [this, index](model::Cell cell) {
        return ground_.free_for(index, cell, units_[index].side) ? std::optional<std::uint32_t>(0)
                                                                 : std::nullopt;
    };
}

bool Troops::go_around(UnitIndex index, const map::Layer& layer) {
    Unit& unit = units_[index];
    if (unit.yields_to != kNobody) {
        return false;  // it is out of its way as it is
    }
    const auto window = ahead(unit.way, kRejoinSteps);
    std::vector<std::uint32_t> behind(window.size());  // from each step to the end of the window
    std::uint32_t length = 0;
    for (std::size_t at = window.size(); at-- > 0;) {
        behind[at] = length;
        length += window[at].length;
    }
    const auto place_of = [&](model::Cell cell) {
        return static_cast<std::size_t>(std::ranges::find(window, cell, &Step::to) -
                                        window.begin());
    };
    LocalSearch::Rules rules;
    rules.enter = free_cells(index);
    rules.end = [&](model::Cell cell) -> std::optional<std::uint32_t> {
        const std::size_t at = place_of(cell);
        return at < window.size() ? std::optional(behind[at]) : std::nullopt;
    };
    rules.cost_max = length + kDetourMax;
    rules.towards = window.back().to;
    const std::vector<model::Cell> cells = search_.find(layer, unit.at, rules);
    if (cells.empty()) {
        return false;
    }
    unit.way.go_around(unit.at, cells, place_of(cells.back()));
    unit.sidestepped = tick_;
    return true;
}

void Troops::send_aside(UnitIndex pusher, UnitIndex other, const map::Snapshot& snapshot) {
    const Unit& unit = units_[pusher];
    ++pushes_;
    ground_.forget_marks();
    ground_.mark(unit.at, unit.side);
    for (const Step& step : ahead(unit.way, kClearedSteps)) {
        ground_.mark(step.to, unit.side);
    }
    // Where it does not work, both wait on.
    static_cast<void>(step_aside(other, {pusher, snapshot}, pusher, 0));
}

std::vector<model::Cell> Troops::find_aside(UnitIndex index, UnitIndex pusher,
                                            const map::Layer& layer) {
    const Unit& unit = units_[index];
    const Unit& coming = units_[pusher];
    const auto coming_way = coming.way.rest();
    const bool will_stay = index != pusher && coming_way.size() <= kClearedSteps;
    LocalSearch::Rules rules;
    rules.enter = [&](model::Cell anchor) -> std::optional<std::uint32_t> {
        std::uint32_t penalty = 0;
        if (will_stay && overlap(anchor, unit.side, coming_way.back().to, coming.side)) {
            penalty = kPusherPenalty;
        }
        for (model::Cell cell = anchor; cell.y < anchor.y + unit.side; ++cell.y) {
            for (cell.x = anchor.x; cell.x < anchor.x + unit.side; ++cell.x) {
                const UnitIndex holder = ground_.holder(cell);
                if (holder == kNobody || holder == index) {
                    continue;
                }
                // Whoever is asked already waits for this one, or cannot leave.
                if (units_[holder].sent_aside == pushes_ ||
                    (holder != pusher && !outranks(pusher, holder))) {
                    return std::nullopt;
                }
                penalty += holder == pusher ? kPusherPenalty : kHeldPenalty;
            }
        }
        return penalty;
    };
    rules.end = [&](model::Cell anchor) {
        return ground_.any_marked(anchor, unit.side) ? std::nullopt
                                                     : std::optional<std::uint32_t>(0);
    };
    rules.cost_max = kAsideMax;
    return search_.find(layer, unit.at, rules);
}

// Those who stand on the cells go first.
bool Troops::clear_cells(UnitIndex index, std::span<const model::Cell> cells, const Push& push,
                         std::uint32_t depth) {
    const std::int32_t side = units_[index].side;
    for (const model::Cell anchor : cells) {
        ground_.mark(anchor, side);
    }
    for (const model::Cell anchor : cells) {
        for (model::Cell cell = anchor; cell.y < anchor.y + side; ++cell.y) {
            for (cell.x = anchor.x; cell.x < anchor.x + side; ++cell.x) {
                const UnitIndex holder = ground_.holder(cell);
                if (holder != kNobody && holder != index &&
                    !step_aside(holder, push, index, depth + 1)) {
                    return false;
                }
            }
        }
    }
    return true;
}

bool Troops::step_aside(UnitIndex index, const Push& push, UnitIndex for_whom,
                        std::uint32_t depth) {
    Unit& unit = units_[index];
    if (unit.sent_aside == pushes_) {
        return !unit.refused;
    }
    unit.sent_aside = pushes_;
    unit.refused = true;
    if (depth == kChainMax || (index != push.pusher && !outranks(push.pusher, index))) {
        return false;
    }
    const map::Layer& layer = *push.snapshot.layer(unit.traits.movement_class);
    ground_.mark(unit.at, unit.side);
    std::vector<model::Cell> cells;
    do {
        // Whoever could not leave is a wall the next time.
        cells = find_aside(index, push.pusher, layer);
        if (cells.empty()) {
            return false;
        }
    } while (!clear_cells(index, cells, push, depth));
    // Who stands on its goal comes back to it; who just stands there may stand elsewhere.
    const bool comes_back = unit.moves() || (unit.state == State::kArrived && unit.at == unit.goal);
    if (!unit.moves()) {
        unit.at_end = unit.state;
    }
    unit.way.step_aside(unit.at, cells, comes_back);
    unit.state = State::kWalking;
    unit.refused = false;
    unit.yields_to = for_whom;
    unit.sent_by = index == push.pusher ? kNobody : push.pusher;
    unit.held_ticks = 0;
    return true;
}

}  // namespace outrider::units
