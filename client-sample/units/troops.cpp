#include "units/troops.hpp"

#include <algorithm>

#include "outrider/base/check.hpp"

namespace outrider::units {

bool Troops::add(const map::Snapshot& snapshot, const Traits& traits, model::Cell at) {
    const map::Layer* layer = snapshot.layer(traits.movement_class);
    OUTRIDER_CHECK(layer != nullptr && traits.speed > 0);
    const std::int32_t side = layer->movement_class().footprint;
    const auto index = static_cast<UnitIndex>(units_.size());
    if (!layer->open(at) || !ground_.free_for(index, at, side)) {
        return false;
    }
    Unit unit;
    unit.traits = traits;
    unit.side = side;
    unit.at = unit.goal = at;
    ground_.hold(index, at, side);
    units_.push_back(std::move(unit));
    wants_.push_back(false);
    return true;
}

void Troops::want(UnitIndex unit) {
    wants_[unit] = true;
}

void Troops::rest(Unit& unit, State state) {
    unit.way.clear();
    unit.state = state;
    unit.credit = 0;
    unit.held_ticks = 0;
    unit.yields_to = unit.sent_by = kNobody;
}

void Troops::order(UnitIndex index, model::Cell goal) {
    Unit& unit = units_[index];
    rest(unit, State::kAwaiting);
    unit.goal = goal;
    unit.done = unit.beside = false;
    unit.waited_ticks = 0;
    wants_[index] = false;
}

void Troops::take_path(UnitIndex index, model::Outcome outcome,
                       std::span<const model::Cell> points) {
    Unit& unit = units_[index];
    if (unit.done) {
        return;  // it was there before the path was
    }
    if (points.empty()) {
        rest(unit, State::kStranded);
        return;
    }
    std::vector<Step> steps = steps_of(points);
    if (points.front() != unit.at) {
        const auto found = std::ranges::find(steps, unit.at, &Step::to);
        if (found == steps.end()) {
            rest(unit, State::kAwaiting);
            want(index);
            return;
        }
        steps.erase(steps.begin(), found + 1);
    }
    const std::uint32_t held = unit.held_ticks;
    const model::Cost credit = unit.credit;
    rest(unit, State::kWalking);
    unit.held_ticks = held;
    unit.credit = credit;
    unit.at_end = outcome == model::Outcome::kComplete ? State::kArrived : State::kStranded;
    unit.beside = false;
    unit.way.set(std::move(steps));
    if (unit.way.over()) {
        end_way(index);
    }
}

void Troops::try_again(UnitIndex index) {
    if (units_[index].state == State::kStranded) {
        units_[index].state = State::kAwaiting;
        want(index);
    }
}

void Troops::arrive(UnitIndex index, bool beside) {
    Unit& unit = units_[index];
    if (!unit.done) {
        arrivals_.push_back({index, unit.waited_ticks, beside});
    }
    unit.done = true;
    rest(unit, State::kArrived);
}

void Troops::end_way(UnitIndex index) {
    Unit& unit = units_[index];
    if (unit.at_end == State::kArrived) {
        arrive(index, unit.beside);
        return;
    }
    rest(unit, unit.at_end);
    if (unit.state == State::kAwaiting) {
        want(index);
    }
}

void Troops::lose_way(UnitIndex index) {
    Unit& unit = units_[index];
    if (unit.done) {
        // It was on its way back from letting somebody pass.
        rest(unit, unit.at_end);
        return;
    }
    rest(unit, State::kAwaiting);
    want(index);
}

void Troops::stop_the_broken(const map::Snapshot& snapshot) {
    for (UnitIndex index = 0; index < units_.size(); ++index) {
        const Unit& unit = units_[index];
        const map::Layer& layer = *snapshot.layer(unit.traits.movement_class);
        model::Cell from = unit.at;
        for (const Step& next : unit.way.rest()) {
            if (!is_legal(layer, from, next.to)) {
                lose_way(index);
                break;
            }
            from = next.to;
        }
    }
}

void Troops::step(UnitIndex index, const Step& step) {
    Unit& unit = units_[index];
    unit.heading = heading_of(unit.at, step.to);
    ground_.leave(unit.at, unit.side);
    unit.at = step.to;
    ground_.hold(index, unit.at, unit.side);
    unit.way.advance();
    unit.state = State::kWalking;
    unit.held_ticks = 0;
}

void Troops::tick(const map::Snapshot& snapshot) {
    ++tick_;
    for (UnitIndex index = 0; index < units_.size(); ++index) {
        Unit& unit = units_[index];
        if (tick_ < unit.traits.departs) {
            continue;
        }
        const model::Cell before = unit.at;
        if (unit.moves()) {
            if (unit.way.holds() && !may_go_on(index)) {
                unit.state = State::kHeld;
                ++unit.held_ticks;
            } else {
                if (unit.way.holds()) {
                    unit.way.go_on();
                    unit.yields_to = unit.sent_by = kNobody;
                    unit.held_ticks = 0;
                }
                unit.credit += unit.traits.speed;
                walk(index, *snapshot.layer(unit.traits.movement_class));
                if (unit.state == State::kHeld) {
                    const UnitIndex other =
                        ground_.other_than(index, unit.way.next().to, unit.side);
                    wait_for(index, other, snapshot);
                }
            }
        }
        const bool stands = unit.state == State::kHeld || unit.state == State::kAwaiting;
        unit.waited_ticks += !unit.done && stands && unit.at == before ? 1 : 0;
    }
}

// As far as what it has paid goes. Held: the next cell is another's.
void Troops::walk(UnitIndex index, const map::Layer& layer) {
    Unit& unit = units_[index];
    unit.state = State::kWalking;
    while (!unit.way.over() && !unit.way.holds()) {
        const Step next = unit.way.next();
        if (!is_legal(layer, unit.at, next.to)) {
            lose_way(index);
            return;
        }
        const model::Cost cost =
            cost_of(layer, unit.at, next) +
            unit.traits.turn * turn_between(unit.heading, heading_of(unit.at, next.to));
        if (unit.credit < cost) {
            return;
        }
        if (!ground_.free_for(index, next.to, unit.side)) {
            // Who waits does not save up for a leap.
            unit.credit = cost;
            unit.state = State::kHeld;
            return;
        }
        unit.credit -= cost;
        step(index, next);
    }
    if (unit.way.over()) {
        end_way(index);
    }
}

std::vector<UnitIndex> Troops::take_wanting() {
    std::vector<UnitIndex> wanting;
    for (UnitIndex index = 0; index < units_.size(); ++index) {
        if (wants_[index]) {
            wanting.push_back(index);
            wants_[index] = false;
        }
    }
    return wanting;
}

}  // namespace outrider::units
