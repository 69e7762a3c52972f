#include "outrider/engine/follows.hpp"

#include <algorithm>
#include <utility>

#include "outrider/engine/follow_rules.hpp"

namespace outrider::engine {
namespace {

using model::PushReason;

const map::Layer& layer_of(const Follow& follow, Newest& newest) {
    return *newest.of(*follow.map).layer(follow.query.movement_class);
}

std::optional<model::Cost> cost_of(const Follow& follow, const map::Layer& layer) {
    return follow.has_path() ? weigh(layer, follow.walk(), follow.query.leave_blocked_start)
                             : std::nullopt;
}

// An edit has changed what the path costs since it was found.
bool costs_another(const Follow& follow, const map::Layer& layer, const model::PathAnswer& answer) {
    const model::PathResult& path = *answer.result;
    return !path.turning_points.empty() && weigh(layer, PathWalk(path.turning_points),
                                                 follow.query.leave_blocked_start) != path.cost;
}

// What closed may stand again by the time that the answer is there, and the other way about.
PushReason reason_now(const Follow& follow, PushReason wanted,
                      const std::optional<model::Cost>& old_cost) {
    if (wanted == PushReason::kStrayed) {
        return wanted;
    }
    if (follow.has_path() && !old_cost) {
        return PushReason::kBroken;
    }
    if (wanted != PushReason::kBroken) {
        return wanted;
    }
    return old_cost.value_or(0) > follow.rest ? PushReason::kDearer : PushReason::kImproved;
}

}  // namespace

const map::Snapshot& Newest::of(const MapEntry& map) {
    if (map_ != &map) {
        kept_.push_back(map.store().snapshot());
        map_ = &map;
        newest_ = kept_.back().get();
    }
    return *newest_;
}

FollowSlot Follows::add(Follow follow) {
    const FollowSlot slot = follows_.take();
    follow.birth = ++births_;
    follow.bytes = sizeof(Follow);
    bytes_ += follow.bytes;
    follows_[slot] = std::move(follow);
    return slot;
}

void Follows::remove(FollowSlot slot) {
    Follow& follow = follows_[slot];
    if (follow.live) {
        strike(slot);
        Ground& ground = ground_of(follow);
        ground.index.erase(follow.chain);
        ground.ignoring -= follow.query.ignore_obstacle ? 1 : 0;
        if (--ground.count == 0) {
            grounds_.erase(follow.map.get());
        }
    }
    bytes_ -= follow.bytes;
    follow = Follow{};
    follows_.give(slot);
}

void Follows::begin(FollowSlot slot, model::PathAnswer answer, Newest& newest) {
    Follow& follow = follows_[slot];
    const map::Snapshot& snapshot = newest.of(*follow.map);
    const auto ground = grounds_.try_emplace(follow.map.get(), snapshot).first;
    ++ground->second.count;
    ground->second.ignoring += follow.query.ignore_obstacle ? 1 : 0;
    follow.live = true;
    // What was missed before is not known.
    follow.missed = 0;
    follow.missed_version = ground->second.seen;
    const model::Version version = answer.version;
    set_path(slot, std::move(answer));
    keep_bound(slot, newest);
    catch_up(slot, version, newest);
}

std::optional<PushReason> Follows::settle(FollowSlot slot, model::PathAnswer fresh,
                                          const map::Snapshot* ground, Newest& newest) {
    Follow& follow = follows_[slot];
    follow.replan = kNowhere;
    follow.afresh = false;
    const PushReason wanted = *std::exchange(follow.wanted, std::nullopt);
    // The path of a unit that ignores an obstacle stands on no other snapshot.
    const bool ignores = follow.query.ignore_obstacle && ground != nullptr;
    const map::Snapshot& seen = ignores ? *ground : newest.of(*follow.map);
    const map::Layer& layer = *seen.layer(follow.query.movement_class);
    const std::vector<model::Cell>& points = fresh.result->turning_points;
    const model::Cell place = follow.query.start;
    std::optional<PathWalk> walk;
    std::optional<model::Cost> cost;
    if (!points.empty()) {
        walk = find_on_path(points, PathWalk(points), place);
    }
    if (walk) {
        const bool as_found = fresh.version == seen.version() && place == points.front();
        cost = as_found ? std::optional(fresh.result->cost)
                        : weigh(layer, *walk, follow.query.leave_blocked_start);
    }
    const bool passed = points.empty() ? place != follow.asked_from : !walk;
    const bool closed = walk && !cost;
    if (passed || (closed && follow.retries++ < kRetriesMax)) {
        want(slot, wanted);
        return std::nullopt;
    }
    const bool known_broken = !ignores && follow.broken_on == seen.version();
    const std::optional<model::Cost> old_cost =
        known_broken ? std::nullopt : cost_of(follow, layer);
    const PushReason reason = reason_now(follow, wanted, old_cost);
    const bool unasked = reason == PushReason::kImproved && !follow.waits_for_better();
    const model::Version version = fresh.version;
    if (reason < PushReason::kBroken &&
        (unasked ||
         !is_better(follow.query, {*fresh.result, cost}, {*follow.answer.result, old_cost}))) {
        // What the old path costs more than when it was last looked at may have come after the
        // answer: catch_up() then asks again.
        if (version >= ground_of(follow).seen) {
            follow.rest = old_cost.value_or(0);
        }
        catch_up(slot, version, newest);
        return std::nullopt;
    }
    follow.retries = 0;
    const bool overtaken = version < ground_of(follow).seen && costs_another(follow, layer, fresh);
    set_path(slot, std::move(fresh));
    if (walk) {
        follow.next = walk->next();
        follow.rest = cost.value_or(follow.rest);
    }
    keep_bound(slot, newest);
    catch_up(slot, version, newest);
    if (overtaken) {
        want(slot, PushReason::kDearer);
    }
    return reason;
}

void Follows::report(FollowSlot slot, model::Cell cell, Newest& newest) {
    Follow& follow = follows_[slot];
    if (!follow.live || cell == follow.query.start) {
        return;  // its first path begins where its order said
    }
    if (!follow.has_path()) {
        follow.query.start = cell;
        look_for_better(slot, nullptr, newest);
        return;
    }
    const auto walk = find_on_path(follow.answer.result->turning_points, follow.walk(), cell);
    if (!walk) {
        follow.query.start = cell;
        follow.broken_on = 0;
        want(slot, PushReason::kStrayed);
        return;
    }
    const model::Cost walked =
        follow.query.ignore_obstacle
            ? ground_cost_until(newest.of(*follow.map), follow.query.movement_class, follow.walk(),
                                cell, follow.options.improve)
            : cost_until(layer_of(follow, newest), follow.walk(), cell);
    follow.rest -= std::min(walked, follow.rest);
    follow.next = walk->next();
    follow.query.start = cell;
    follow.broken_on = 0;  // the break may lie behind the unit
    // The budget led it as far as here; from here it leads on.
    if (follow.answer.result->outcome == model::Outcome::kBudget &&
        cell == follow.answer.result->turning_points.back()) {
        want(slot, PushReason::kImproved);
    }
}

bool Follows::at_goal(const Follow& follow) {
    return is_at_goal(follow.query, follow.query.start);
}

void Follows::set_path(FollowSlot slot, model::PathAnswer answer) {
    Follow& follow = follows_[slot];
    Ground& ground = ground_of(follow);
    ground.index.erase(std::exchange(follow.chain, kNowhere));
    follow.answer = std::move(answer);
    follow.next = 1;
    follow.rest = follow.answer.result->cost;
    bytes_ -= follow.bytes;
    follow.bytes = sizeof(Follow);
    follow.bound.reset();
    follow.broken_on = 0;
    if (follow.has_path()) {
        const std::vector<model::Cell>& points = follow.answer.result->turning_points;
        const std::size_t before = ground.index.entry_count();
        follow.chain = ground.index.insert(slot, points);
        follow.bytes += points.size() * sizeof(model::Cell) +
                        (ground.index.entry_count() - before) * sizeof(PathIndex::Entry);
    }
    bytes_ += follow.bytes;
    if (follow.waits_for_better()) {
        enlist(slot);
    } else {
        strike(slot);
    }
}

void Follows::enlist(FollowSlot slot) {
    Follow& follow = follows_[slot];
    if (follow.roster_place == kNowhere) {
        std::vector<FollowSlot>& roster = ground_of(follow).roster;
        follow.roster_place = static_cast<std::uint32_t>(roster.size());
        roster.push_back(slot);
    }
}

void Follows::strike(FollowSlot slot) {
    Follow& follow = follows_[slot];
    if (follow.roster_place == kNowhere) {
        return;
    }
    std::vector<FollowSlot>& roster = ground_of(follow).roster;
    const FollowSlot last = roster.back();
    roster.pop_back();
    if (last != slot) {
        roster[follow.roster_place] = last;
        follows_[last].roster_place = follow.roster_place;
    }
    follow.roster_place = kNowhere;
}

void Follows::want(FollowSlot slot, PushReason reason) {
    Follow& follow = follows_[slot];
    follow.wanted = std::max(follow.wanted.value_or(reason), reason);
    if (follow.replan == kNowhere) {
        queue(slot);
    }
}

// The mark comes last: without memory it is not queued, and may be again.
void Follows::queue(FollowSlot slot) {
    if (!follows_[slot].queued) {
        wanting_.push_back(slot);
        follows_[slot].queued = true;
    }
}

bool Follows::look_at(EditLook& look, Newest& newest) {
    if (!look.collected) {
        look.suspects.clear();
        collect(look);
        look.collected = true;
    }
    for (std::size_t i = 0; i < kLooksPerTurn && !look.suspects.empty(); ++i) {
        const EditLook::Suspect suspect = look.suspects.back();
        if (follows_[suspect.follow].birth != suspect.birth) {
            // it has ended between two turns
        } else if (suspect.better) {
            look_for_better(suspect.follow, suspect.boxes, newest);
        } else {
            look_at_path(suspect.follow, suspect.boxes, newest);
        }
        look.suspects.pop_back();
    }
    return !look.suspects.empty();
}

void Follows::collect(EditLook& look) {
    const auto found = grounds_.find(look.map);
    if (found == grounds_.end()) {
        return;
    }
    Ground& ground = found->second;
    note_opened(ground, look);
    ground.seen = std::max(ground.seen, look.version);
    for (const ClassChanges& change : look.changes) {
        const auto concerns = [&](const Follow& follow) {
            return follow.query.movement_class == change.movement_class &&
                   !follow.query.ignore_obstacle;
        };
        collect_better(ground, look, change.better, concerns);
        collect_worse(ground, look, change.worse, concerns);
    }
    if (ground.ignoring > 0) {
        const auto concerns = [](const Follow& follow) {
            return follow.query.ignore_obstacle.has_value();
        };
        collect_better(ground, look, look.touched, concerns);
        collect_worse(ground, look, look.touched, concerns);
    }
}

template <class Concerns>
void Follows::collect_better(Ground& ground, EditLook& look, const std::vector<model::Rect>& boxes,
                             Concerns concerns) {
    if (boxes.empty()) {
        return;
    }
    for (const FollowSlot slot : ground.roster) {
        if (concerns(follows_[slot])) {
            look.suspects.push_back({slot, follows_[slot].birth, &boxes, true});
        }
    }
}

template <class Concerns>
void Follows::collect_worse(Ground& ground, EditLook& look, const std::vector<model::Rect>& boxes,
                            Concerns concerns) {
    // Once a unit and class, however many squares its path shares with the edit.
    const std::uint64_t stamp = ++looks_;
    for (const model::Rect& box : boxes) {
        // A blocked cell also forbids the diagonal steps beside it.
        const model::Rect grown{box.x - 1, box.y - 1, box.width + 2, box.height + 2};
        ground.index.visit(grown, [&](FollowSlot slot) {
            Follow& follow = follows_[slot];
            if (concerns(follow) && std::exchange(follow.look, stamp) != stamp) {
                look.suspects.push_back({slot, follow.birth, &boxes, false});
            }
        });
    }
}

void Follows::look_at_path(FollowSlot slot, const std::vector<model::Rect>* worse, Newest& newest) {
    Follow& follow = follows_[slot];
    if (follow.replan != kNowhere || !follow.has_path()) {
        return;  // settle() looks
    }
    const map::Layer& layer = layer_of(follow, newest);
    // With one weight for all ground an edit closes a path, or leaves it what it costs.
    const bool by_boxes = worse != nullptr && layer.uniform();
    if (by_boxes && stands_in(layer, follow.answer.result->turning_points, follow.walk(), *worse,
                              follow.query.leave_blocked_start)) {
        return;
    }
    const std::optional<model::Cost> cost = by_boxes ? std::nullopt : cost_of(follow, layer);
    if (!cost) {
        follow.broken_on = newest.of(*follow.map).version();
        want(slot, PushReason::kBroken);
        return;
    }
    if (*cost > follow.rest) {
        want(slot, PushReason::kDearer);
    } else if (*cost < follow.rest && follow.waits_for_better()) {
        // A start that has been built on weighs as the cheapest ground: other first steps may win.
        want(slot, PushReason::kImproved);
    }
    follow.rest = *cost;
}

void Follows::look_for_better(FollowSlot slot, const std::vector<model::Rect>* better,
                              Newest& newest) {
    Follow& follow = follows_[slot];
    const map::Layer& layer = layer_of(follow, newest);
    model::Cost bound = kNoCost;
    if (better == nullptr || !follow.complete()) {
        bound = 0;
    } else {
        for (const model::Rect& box : *better) {
            bound = std::min(bound, bound_through(layer, follow.query, box));
        }
    }
    if (follow.replan != kNowhere) {
        follow.missed = std::min(follow.missed, bound);
        follow.missed_version = newest.of(*follow.map).version();
    } else if (follow.complete() ? bound < follow.rest
                                 : follow.query.ignore_obstacle || may_come_nearer(layer, follow)) {
        want(slot, PushReason::kImproved);
    }
}

void Follows::catch_up(FollowSlot slot, model::Version version, Newest& newest) {
    Follow& follow = follows_[slot];
    const model::Cost missed = std::exchange(follow.missed, kNoCost);
    const bool overtaken = version < ground_of(follow).seen;
    if (overtaken) {
        look_at_path(slot, nullptr, newest);
    }
    // Whose path was complete until now stood in no roster and noted nothing.
    const bool noted = version < follow.missed_version && missed < follow.answer.result->cost;
    if (follow.roster_place != kNowhere && (follow.complete() ? noted : overtaken)) {
        look_for_better(slot, nullptr, newest);
    }
}

}  // namespace outrider::engine
