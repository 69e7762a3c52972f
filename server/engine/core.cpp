#include "outrider/engine/core.hpp"

#include <algorithm>
#include <utility>

#include "outrider/engine/replies.hpp"

namespace outrider::engine {

Core::Core(const Config& config, const ResultMeter& results, MemoryLedger& memory)
    : requests_max_(config.requests_max),
      requests_per_client_max_(config.requests_per_client_max),
      clients_max_(config.clients_max),
      follows_max_(config.follows_max),
      follows_per_client_max_(config.follows_per_client_max),
      follow_bytes_max_(config.follow_bytes_max),
      slots_max_(std::max<std::size_t>(config.suspended_max, config.workers)),
      survey_bytes_max_(config.survey_bytes_max),
      survey_result_bytes_max_(config.survey_result_bytes_max),
      pins_per_map_max_(config.snapshots_per_map_max - 2),
      retry_after_(config.retry_after),
      slow_request_(config.slow_request),
      workers_(std::max(1U, config.workers)),
      door_rules_{config.queue_wait, config.overload_patience, config.wait_max},
      results_(results),
      memory_(memory),
      scheduler_(config.ageing_step),
      benches_(config.workers) {}

std::expected<model::ClientId, model::Refusal> Core::connect(std::shared_ptr<Sink> sink) {
    if (draining_) {
        return std::unexpected(shutting_down());
    }
    if (clients_.in_use() >= clients_max_) {
        return std::unexpected(overloaded("clients", clients_max_, retry_after_));
    }
    auto box = std::make_shared<Postbox>(std::move(sink));
    const ClientIndex index = clients_.take();
    Client& client = clients_[index];
    // The generation keeps a late call with an old id from meeting the record's next client.
    client.id = {std::uint64_t{++client.generation} << 32U | (index + std::uint64_t{1})};
    client.box = std::move(box);
    return client.id;
}

bool Core::disconnect(model::ClientId id, Effects& effects) {
    Client* const record = find_record(id);
    if (record == nullptr) {
        return false;
    }
    Client& client = *record;
    client.leaving = true;
    for (int ends = 0; !client.requests.empty(); ++ends) {
        if (ends == kEndsPerTurn) {
            return true;
        }
        const std::uint32_t request = client.requests.begin()->second;
        make_room_to_leave(request, effects);
        forget_request(request, effects);
        ++stats_.dropped_by_disconnect;
    }
    for (int ends = 0; !client.follows.empty(); ++ends) {
        if (ends == kEndsPerTurn) {
            return true;
        }
        const FollowSlot follow = client.follows.begin()->second;
        make_room_to_drop(follow, effects);
        drop_follow(follow, effects);
    }
    effects.boxes.push_back(std::move(client.box));  // the sink goes where no lock is held
    scheduler_.close(index_of(id));
    const std::uint32_t generation = client.generation;
    client = Client{};
    client.generation = generation;
    clients_.give(index_of(id));
    return false;
}

std::shared_ptr<Sink> Core::sink_of(model::ClientId id) const {
    const Client* client = const_cast<Core*>(this)->find_client(id);
    return client == nullptr ? nullptr : client->box->sink();
}

void Core::submit(Submission submission, Effects& effects) {
    Client* client = find_client(submission.client);
    if (client == nullptr) {
        effects.maps.push_back(std::move(submission.map));  // maybe the last to hold it
        return;
    }
    ++stats_.submitted;
    const model::RequestId id = submission.request.id;
    Asked asked{.id = id, .mark = submission.request.mark, .map = id_of(submission.map)};
    look_for_drop(submission, effects);
    advance(submission.now);
    if (std::optional<model::Refusal> refusal = refusal_at_the_door(*client, id)) {
        return reply(*client, asked, std::unexpected(std::move(*refusal)), effects);
    }
    if (submission.early && !*submission.early) {
        return reply(*client, asked, std::unexpected(std::move(submission.early->error())),
                     effects);
    }
    const auto found = client->units.find(submission.request.unit);
    const std::uint32_t older = found == client->units.end() ? kNowhere : found->second;
    const FollowSlot older_path = older_follow(*client, older, submission.request.unit);
    const bool follows = submission.request.follow.has_value();
    if (follows && older_path == kNowhere) {
        if (std::optional<model::Refusal> refusal = follow_overload_of(*client)) {
            return reply(*client, asked, std::unexpected(std::move(*refusal)), effects);
        }
    }
    const ClientIndex index = index_of(client->id);
    if (std::optional<Body> known = answer_without_search(submission)) {
        const bool negative = (*known)->result->outcome != model::Outcome::kComplete;
        stats_.negative_cache_hits += submission.early && negative ? 1 : 0;
        supersede(older, older_path, effects);
        asked.searched = false;
        reply(*client, asked, *known, effects);
        if (follows) {
            begin_follow(reserve_follow(index, submission), *known, effects);
            start_replans(submission.now, effects);
        }
        return;
    }
    if (older == kNowhere) {
        std::optional<model::Refusal> refusal = overload_of(*client);
        if (!refusal && !door_rules_.always_open() && !would_join(submission)) {
            const auto estimate = estimates_.of(submission.map->id(), submission.request.query);
            refusal = shed(*client, estimate, submission.request.priority, submission.now);
        }
        if (refusal) {
            return reply(*client, asked, std::unexpected(std::move(*refusal)), effects);
        }
    }
    // The newer order comes before the older one leaves, and in its place: when both ask the same,
    // the search goes on under the newer one, however often a unit repeats itself.
    const std::uint32_t request =
        admit(index, submission, follows ? reserve_follow(index, submission) : kNowhere, effects);
    supersede(older, older_path, effects);
    send_leg(request, effects);
}

std::optional<Core::Body> Core::answer_without_search(Submission& submission) {
    if (submission.early) {
        return model::PathAnswer{submission.version, std::move(**submission.early)};
    }
    if (submission.request.deadline && *submission.request.deadline <= submission.now) {
        return model::PathAnswer{submission.version,
                                 without_path(submission.request.query, model::Outcome::kDeadline)};
    }
    return std::nullopt;
}

void Core::supersede(std::uint32_t older, FollowSlot older_path, Effects& effects) {
    if (older != kNowhere) {
        end_early(older, model::Outcome::kSuperseded, effects);
    } else if (older_path != kNowhere) {
        end_follow(older_path, model::Outcome::kSuperseded, effects);
    }
}

bool Core::cancel(model::ClientId id, model::RequestId request, base::TimePoint now,
                  Effects& effects) {
    advance(now);
    Client* client = find_client(id);
    if (client == nullptr) {
        return false;
    }
    if (const auto found = client->requests.find(request); found != client->requests.end()) {
        end_early(found->second, model::Outcome::kCancelled, effects);
        return true;
    }
    if (const auto found = client->follows.find(request); found != client->follows.end()) {
        end_follow(found->second, model::Outcome::kCancelled, effects);
        return true;
    }
    return false;
}

void Core::expire(base::TimePoint now, Effects& effects) {
    advance(now);
    for (int i = 0; i < kExpiriesPerTurn; ++i) {
        if (deadlines_.empty() || *requests_[deadlines_.top()].deadline > now) {
            return;
        }
        const std::uint32_t request = deadlines_.top();
        deadlines_.erase(request, DeadlineOrder{requests_});
        expire_request(request, effects);
    }
}

void Core::shut_down(Effects& effects) {
    draining_ = true;
    for (std::uint32_t i = 0; i < clients_.capacity(); ++i) {
        while (!clients_[i].requests.empty()) {
            end_request(clients_[i].requests.begin()->second, std::unexpected(shutting_down()),
                        effects);
        }
        end_follows_of(clients_[i], shutting_down(), effects);
    }
}

Core::Client* Core::find_record(model::ClientId id) {
    if (id == model::ClientId{} || index_of(id) >= clients_.capacity()) {
        return nullptr;
    }
    Client& client = clients_[index_of(id)];
    return client.id == id ? &client : nullptr;
}

Core::Client* Core::find_client(model::ClientId id) {
    Client* const record = find_record(id);
    return record != nullptr && !record->leaving ? record : nullptr;
}

ClientIndex Core::index_of(model::ClientId id) {
    return static_cast<ClientIndex>((id.value & 0xFFFFFFFFU) - 1);
}

void Core::reply(Client& client, Asked asked, Body body, Effects& effects) {
    const End end = body ? end_of(body->result->outcome) : end_of(body.error().code);
    effects.post(client.box,
                 model::PathReply{asked.id, std::move(body), asked.mark, asked.searched});
    count_reply(asked, end);
}

std::optional<model::Refusal> Core::refusal_at_the_door(const Client& client,
                                                        model::RequestId id) const {
    if (draining_) {
        return shutting_down();
    }
    if (client.requests.contains(id) || client.follows.contains(id)) {
        return duplicate_request(id);
    }
    return std::nullopt;
}

}  // namespace outrider::engine
