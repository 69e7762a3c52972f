#include <algorithm>
#include <utility>

#include "outrider/engine/follow_rules.hpp"
#include "outrider/engine/follows.hpp"
#include "outrider/model/path.hpp"

namespace outrider::engine {
namespace {

bool may_be_mended(const Follow& follow) {
    return follow.options.repair_percent > 0 && follow.complete() && follow.has_path() &&
           !follow.query.ignore_obstacle;  // what it sees is known to its searches alone
}

bool within(model::Cost cost, model::Cost least, std::uint32_t percent) {
    return cost * 100 <= least * percent;
}

}  // namespace

model::PathQuery Follows::question(FollowSlot slot, Newest& newest) {
    Follow& follow = follows_[slot];
    follow.mend.reset();
    const map::Layer& layer = *newest.of(*follow.map).layer(follow.query.movement_class);
    const bool broken = follow.wanted == model::PushReason::kBroken;
    if (!broken || follow.afresh || !may_be_mended(follow) || !layer.open(follow.query.start)) {
        return follow.query;
    }
    const std::optional<Mend> mend = find_mend(layer, follow.walk());
    if (!mend) {
        return follow.query;
    }
    const model::Cost steps =
        model::octile_distance(mend->to.x - mend->from.x, mend->to.y - mend->from.y);
    const model::Cost hoped = mend->kept + 2 * model::Cost{layer.weight_min()} * steps;
    if (!within(hoped, least_cost(follow, layer, follow.walk()), follow.options.repair_percent)) {
        return follow.query;
    }
    follow.mend = mend;
    return stretch_query(follow.query, *mend);
}

std::optional<model::PathAnswer> Follows::answer_to(FollowSlot slot, model::PathAnswer answer,
                                                    Newest& newest) {
    Follow& follow = follows_[slot];
    const std::optional<Mend> mend = std::exchange(follow.mend, std::nullopt);
    if (!mend) {
        return answer;
    }
    const map::Snapshot& snapshot = newest.of(*follow.map);
    const map::Layer& layer = *snapshot.layer(follow.query.movement_class);
    // What is proven holds on the newest version, and only where its edits have been looked at.
    const bool known =
        answer.version == snapshot.version() && answer.version == ground_of(follow).seen;
    if (known && answer.result->outcome == model::Outcome::kComplete) {
        const PathWalk rest(follow.answer.result->turning_points, mend->next, follow.asked_from);
        auto mended = std::make_shared<model::PathResult>(*answer.result);
        mended->turning_points = mended_path(rest, *mend, answer.result->turning_points);
        const auto cost = weigh(layer, PathWalk(mended->turning_points), false);
        const model::Cost least = least_cost(follow, layer, rest);
        if (cost && least > 0 && within(*cost, least, follow.options.repair_percent)) {
            mended->cost = *cost;
            mended->path_hash = model::path_hash(mended->turning_points);
            mended->bound_percent =
                std::max(100U, static_cast<std::uint32_t>((*cost * 100 + least - 1) / least));
            return model::PathAnswer{answer.version, std::move(mended)};
        }
    }
    follow.replan = kNowhere;
    follow.afresh = true;
    queue(slot);
    return std::nullopt;
}

void Follows::note_opened(Ground& ground, const EditLook& look) {
    // Looks follow one another version by version, unless two writers' threads overtook each other
    // or the ground began between two versions.
    if (look.version > ground.seen && look.before != ground.seen) {
        ++ground.epoch;
    }
    for (const ClassChanges& change : look.changes) {
        for (const model::Rect& box : change.better) {
            const Opened opened{change.movement_class, box};
            if (ground.opened.size() < kOpenedMax) {
                ground.opened.push_back(opened);
            } else {
                ground.opened[ground.opened_count % kOpenedMax] = opened;
            }
            ++ground.opened_count;
        }
    }
}

void Follows::keep_bound(FollowSlot slot, Newest& newest) {
    Follow& follow = follows_[slot];
    if (!may_be_mended(follow)) {
        return;
    }
    const map::Snapshot& snapshot = newest.of(*follow.map);
    const Ground& ground = ground_of(follow);
    const model::Version version = follow.answer.version;
    if (version != snapshot.version() || version != ground.seen) {
        return;
    }
    const model::PathResult& path = *follow.answer.result;
    follow.bound = bound_of(*snapshot.layer(follow.query.movement_class), path.turning_points,
                            path.bound_percent, follow.query.leave_blocked_start);
    follow.bound->opened = ground.opened_count;
    follow.bound->epoch = ground.epoch;
    const std::size_t bytes = follow.bound->to_go.size() * sizeof(model::Cost);
    follow.bytes += bytes;
    bytes_ += bytes;
}

model::Cost Follows::least_cost(const Follow& follow, const map::Layer& layer,
                                PathWalk from) const {
    model::PathQuery query = follow.query;
    query.start = from.cell();
    const model::Cost straight = bound_through(layer, query, {from.cell().x, from.cell().y, 1, 1});
    const Ground& ground = grounds_.at(follow.map.get());
    if (!follow.bound || follow.bound->epoch != ground.epoch ||
        ground.opened_count - follow.bound->opened > kOpenedMax) {
        return straight;
    }
    model::Cost least = least_from(*follow.bound, follow.answer.result->turning_points, from.next(),
                                   from.cell(), layer.weight_min());
    for (std::uint64_t i = follow.bound->opened; i < ground.opened_count; ++i) {
        const Opened& opened = ground.opened[i % kOpenedMax];
        if (opened.movement_class == follow.query.movement_class) {
            least = std::min(least, bound_through(layer, query, opened.box));
        }
    }
    return std::max(least, straight);
}

}  // namespace outrider::engine
