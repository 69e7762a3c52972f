#include <algorithm>

#include "cli/path_check.hpp"
#include "load/runner.hpp"
#include "outrider/model/follow.hpp"

namespace outrider::load {
namespace {

using Clock = std::chrono::steady_clock;

// Without a battle, a unit has walked at most this many turning points by its next order.
constexpr std::size_t kPointsWalked = 3;

}  // namespace

bool Runner::count(const Errand& errand, const client::Failure* failure) {
    const TimePoint now = Clock::now();
    last_answer_ns_.store((now - begin_).count(), std::memory_order_relaxed);
    if (failure != nullptr) {
        const bool refused = failure->kind == client::FailureKind::kRefused;
        (refused ? refused_ : failed_).fetch_add(1, std::memory_order_relaxed);
        return false;
    }
    latency_.add(now - errand.due);
    return true;
}

void Runner::tell(std::uint32_t unit, std::uint64_t key, const model::PathResult& result) {
    if (battle_) {
        battle_->told({unit, key, result.outcome, result.turning_points});
    }
    move_along(unit, result.turning_points);
}

void Runner::on_answer(const Order& order, const Errand& errand,
                       const client::Result<client::PathAnswer>& answer) {
    const bool followed = answer && model::keeps_following(answer->result.outcome);
    if (battle_ && options_.follow && !followed) {
        battle_->ended(order.unit, errand.key);
    }
    if (!count(errand, answer ? nullptr : &answer.error())) {
        tell(order.unit, errand.key, {});
        return;
    }
    complete_.fetch_add(answer->arrived() ? 1 : 0, std::memory_order_relaxed);
    if (options_.verify) {
        recorder_.add(order, errand.version_floor, *answer);
    }
    tell(order.unit, errand.key, answer->result);
    answered_.fetch_add(1, std::memory_order_release);
}

void Runner::on_group_part(const GroupOrder& order, const Errand& errand,
                           const client::GroupArrival& part) {
    for (const model::UnitPath& path : part.units) {
        if (path.unit >= order.units.size()) {
            continue;  // the watch has seen it
        }
        const model::PathResult result = cli::path_of(path);
        if (options_.verify) {
            recorder_.add_of_group({order.units[path.unit], order.starts[path.unit], order.goal},
                                   errand.version_floor, {part.version, result, {}});
        }
        tell(order.units[path.unit], errand.key, result);
        group_paths_.fetch_add(1, std::memory_order_relaxed);
    }
}

void Runner::on_group_end(const GroupOrder& order, const Errand& errand, const GroupWatch& watch,
                          const client::Result<client::SurveyAnswer>& answer) {
    for (const std::size_t unit : watch.missing()) {
        tell(order.units[unit], errand.key, {});
    }
    if (!count(errand, answer ? nullptr : &answer.error())) {
        return;
    }
    group_latency_.add(Clock::now() - errand.due);
    complete_.fetch_add(answer->result.outcome == model::Outcome::kComplete ? 1 : 0,
                        std::memory_order_relaxed);
    groups_wrong_.fetch_add(watch.right(answer->version) ? 0 : 1, std::memory_order_relaxed);
    answered_.fetch_add(1, std::memory_order_release);
}

void Runner::on_path_push(Order order, std::uint64_t key, const client::PathPush& push) {
    if (push.ended()) {
        const bool arrived = !push.failure && push.answer.arrived();
        arrivals_.fetch_add(arrived ? 1 : 0, std::memory_order_relaxed);
        if (battle_) {
            battle_->ended(order.unit, key);
        }
        return;
    }
    tell(order.unit, key, push.answer.result);
    if (!recording_) {
        return;
    }
    push_watch_.pushed(push.answer.version, Clock::now());
    if (options_.verify) {
        order.start = push.start;
        recorder_.add(order, 0, push.answer);
    }
}

// Only cells of the path that the server gave, so that a unit never stands where it cannot walk.
void Runner::move_along(std::uint32_t unit, const std::vector<model::Cell>& points) {
    if (points.empty()) {
        return;
    }
    const model::Cell to = points[std::min(points.size() - 1, kPointsWalked)];
    const base::Lock lock(moves_mutex_);
    moves_.push_back({unit, to});
}

std::uint64_t Runner::finished() const {
    return answered_.load(std::memory_order_acquire) + refused_.load() + failed_.load();
}

void Runner::on_edit_reply(TimePoint begin, const client::Result<codec::EditReply>& reply) {
    if (!reply) {
        const bool refused = reply.error().kind == client::FailureKind::kRefused;
        (refused ? edits_refused_ : edits_failed_).fetch_add(1, std::memory_order_release);
        return;
    }
    edit_latency_.add(Clock::now() - begin);
    push_watch_.edited(reply->version, begin);
    acknowledged_.store(std::max(acknowledged_.load(), reply->version));
    edits_done_.fetch_add(1, std::memory_order_release);
}

}  // namespace outrider::load
