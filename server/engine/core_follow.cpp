#include <algorithm>
#include <utility>

#include "outrider/engine/core.hpp"
#include "outrider/engine/replies.hpp"

namespace outrider::engine {
namespace {

bool lives_on(const std::expected<model::PathAnswer, model::Refusal>& body) {
    return body && model::keeps_following(body->result->outcome);
}

}  // namespace

bool Core::look_at_edit(EditLook& look, base::TimePoint now, Effects& effects) {
    Newest newest(effects.released);
    const bool more = follows_.look_at(look, newest);
    start_replans(now, effects);
    return more;
}

void Core::report(model::ClientId id, std::span<const model::Progress> reports, base::TimePoint now,
                  std::vector<model::RequestId>& unknown, Effects& effects) {
    Newest newest(effects.released);
    for (const model::Progress& progress : reports) {
        const FollowSlot slot = find_follow(find_client(id), progress.follow);
        if (slot == kNowhere || !newest.contains(*follows_[slot].map, progress.cell)) {
            unknown.push_back(progress.follow);
        } else {
            follows_.report(slot, progress.cell, newest);
            end_if_over(slot, effects);
        }
    }
    start_replans(now, effects);
}

FollowSlot Core::find_follow(const Client* client, model::RequestId id) {
    if (client == nullptr) {
        return kNowhere;
    }
    const auto found = client->follows.find(id);
    return found == client->follows.end() ? kNowhere : found->second;
}

void Core::begin_drain(Effects& effects) {
    draining_ = true;
    for (std::uint32_t i = 0; i < clients_.capacity(); ++i) {
        end_follows_of(clients_[i], shutting_down(), effects);
    }
}

void Core::end_follows_of(Client& client, const model::Refusal& why, Effects& effects) {
    // Those still to begin end with their first answer.
    std::vector<FollowSlot> living;
    for (const auto& [id, slot] : client.follows) {
        if (follows_[slot].live) {
            living.push_back(slot);
        }
    }
    std::ranges::sort(living, {}, [this](FollowSlot slot) { return follows_[slot].birth; });
    for (const FollowSlot slot : living) {
        end_follow(slot, std::unexpected(why), effects);
    }
}

FollowSlot Core::older_follow(const Client& client, std::uint32_t older, model::UnitId unit) const {
    if (older != kNowhere) {
        return requests_[older].follow;
    }
    const auto found = client.followed_units.find(unit);
    return found == client.followed_units.end() ? kNowhere : found->second;
}

std::optional<model::Refusal> Core::follow_overload_of(const Client& client) const {
    if (follows_.count() >= follows_max_) {
        return overloaded("followed units", follows_max_, retry_after_);
    }
    if (client.follows.size() >= follows_per_client_max_) {
        return overloaded("followed units of one client", follows_per_client_max_, retry_after_);
    }
    if (follows_.bytes() >= follow_bytes_max_) {
        return overloaded("bytes of followed paths", follow_bytes_max_, retry_after_);
    }
    return std::nullopt;
}

FollowSlot Core::reserve_follow(ClientIndex client, const Submission& submission) {
    const model::PathRequest& asked = submission.request;
    Follow follow;
    follow.id = asked.id;
    follow.client = client;
    follow.map = submission.map;
    follow.query = asked.query;
    follow.unit = asked.unit;
    follow.priority = asked.priority;
    follow.mark = asked.mark;
    follow.options = *asked.follow;
    const FollowSlot slot = follows_.add(std::move(follow));
    try {
        clients_[client].follows.emplace(asked.id, slot);
    } catch (...) {
        follows_.remove(slot);
        throw;
    }
    return slot;
}

void Core::begin_follow(FollowSlot slot, const Body& body, Effects& effects) {
    if (!lives_on(body)) {
        return drop_follow(slot, effects);
    }
    const Follow& follow = follows_[slot];
    if (follow.unit != model::UnitId{}) {
        clients_[follow.client].followed_units.insert_or_assign(follow.unit, slot);
    }
    Newest newest(effects.released);
    follows_.begin(slot, *body, newest);
    if (draining_) {
        return end_follow(slot, std::unexpected(shutting_down()), effects);
    }
    if (follow.map->dropped()) {
        return end_follow(slot, std::unexpected(follow.map->refusal()), effects);
    }
    end_if_over(slot, effects);
}

void Core::end_if_over(FollowSlot slot, Effects& effects) {
    const Follow& follow = follows_[slot];
    if (!follow.live) {
        return;
    }
    if (Follows::at_goal(follow)) {
        end_follow(slot, model::Outcome::kComplete, effects);
    } else if (follows_.bytes() > follow_bytes_max_) {
        end_follow(
            slot,
            std::unexpected(overloaded("bytes of followed paths", follow_bytes_max_, retry_after_)),
            effects);
    }
}

void Core::on_replanned(FollowSlot slot, Body body, const map::Snapshot* ground, Effects& effects) {
    if (!body) {
        follows_[slot].replan = kNowhere;
        return end_follow(slot, std::unexpected(std::move(body.error())), effects);
    }
    Newest newest(effects.released);
    const auto answer = follows_.answer_to(slot, *std::move(body), newest);
    if (!answer) {
        return;
    }
    if (const auto reason = follows_.settle(slot, *answer, ground, newest)) {
        push(slot, *reason, *answer, effects);
        end_if_over(slot, effects);
    }
}

void Core::push(FollowSlot slot, model::PushReason reason, Body body, Effects& effects) {
    const Follow& follow = follows_[slot];
    const bool last = reason == model::PushReason::kEnded;
    effects.post(clients_[follow.client].box,
                 model::PathPush{follow.id, reason, last ? follow.query.start : follow.asked_from,
                                 std::move(body), follow.mark});
    ++stats_.pushes;
}

void Core::end_follow(FollowSlot slot, Body last, Effects& effects) {
    make_room_to_drop(slot, effects);
    push(slot, model::PushReason::kEnded, std::move(last), effects);
    drop_follow(slot, effects);
}

void Core::end_follow(FollowSlot slot, model::Outcome outcome, Effects& effects) {
    const Follow& follow = follows_[slot];
    end_follow(slot, model::PathAnswer{follow.answer.version, without_path(follow.query, outcome)},
               effects);
}

void Core::make_room_to_drop(FollowSlot slot, Effects& effects) {
    if (const std::uint32_t replan = follows_[slot].replan; replan != kNowhere) {
        make_room_to_leave(replan, effects);
    }
}

void Core::drop_follow(FollowSlot slot, Effects& effects) {
    Follow& follow = follows_[slot];
    if (follow.replan != kNowhere) {
        forget_request(std::exchange(follow.replan, kNowhere), effects);
    }
    Client& client = clients_[follow.client];
    client.follows.erase(follow.id);
    if (const auto unit = client.followed_units.find(follow.unit);
        unit != client.followed_units.end() && unit->second == slot) {
        client.followed_units.erase(unit);
    }
    follows_.remove(slot);
}

void Core::start_replans(base::TimePoint now, Effects& effects) {
    Newest newest(effects.released);
    follows_.start_wanting([&](FollowSlot slot) { start_replan(slot, now, newest); });
}

void Core::start_replan(FollowSlot slot, base::TimePoint now, Newest& newest) {
    Follow& follow = follows_[slot];
    if (follow.map->dropped()) {
        return;  // its end is on its way
    }
    const std::uint32_t index = requests_.take();
    ++replans_;
    requests_[index] = Request{};
    requests_[index].id = follow.id;
    requests_[index].client = follow.client;
    requests_[index].follow = slot;
    requests_[index].replan = true;
    follow.asked_from = follow.query.start;
    try {
        Submission question;
        question.request.query = follows_.question(slot, newest);
        question.request.priority = follow.priority;
        question.map = follow.map;
        question.version = newest.of(*follow.map).version();
        question.now = now;
        assign(index, question);
    } catch (...) {
        strike_request(index);
        throw;
    }
    follow.replan = index;
    ++stats_.replans;
}

}  // namespace outrider::engine
