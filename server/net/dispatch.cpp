#include <algorithm>
#include <utility>

#include "outrider/base/limits.hpp"
#include "outrider/net/map_infos.hpp"
#include "outrider/net/refusals.hpp"
#include "outrider/net/session.hpp"
#include "outrider/net/slow_log.hpp"

namespace outrider::net {
namespace {

constexpr const char* kServerName = "outrider";

// What an answer and its pushes are to remember of the request.
struct Mark {
    codec::PathFormat format{};
    bool follows{false};

    static constexpr std::uint8_t kFollows = 0x80;
    [[nodiscard]] std::uint8_t packed() const {
        return static_cast<std::uint8_t>(static_cast<unsigned>(format) |
                                         (follows ? unsigned{kFollows} : 0U));
    }
    static Mark of(std::uint8_t packed) {
        const bool follows = (packed & kFollows) != 0;
        return {static_cast<codec::PathFormat>(packed & ~unsigned{kFollows}), follows};
    }
};

}  // namespace

void Session::take_frame(std::span<const std::byte> bytes) {
    auto message = tools_.decoder.decode(bytes);
    if (!message) {
        take_rejection(message.error());
        return;
    }
    const bool is_hello = std::holds_alternative<codec::Hello>(message->body);
    if (state_ == State::kHello && !is_hello) {
        close_with(refusal(model::RefusalCode::kUnauthenticated, "hello",
                           "the first message was no Hello; send one with your token"));
        return;
    }
    ++requests_;
    static_assert(std::variant_size_v<decltype(message->body)> == kMessageKindCount);
    count(shared_.counters.messages[message->body.index()]);
    if (!lets_pass(*message)) {
        return;
    }
    std::visit([&](auto& body) { handle(message->id, std::move(body)); }, message->body);
}

void Session::take_rejection(const codec::Rejection& rejection) {
    if (rejection.fatal || state_ == State::kHello) {
        close_with(rejection.refusal);
        return;
    }
    // It took as long to read as one that is sound.
    const auto no = take_from_rates(0);
    refuse(rejection.id, no ? *no : rejection.refusal);
}

void Session::refuse(model::RequestId id, const model::Refusal& refusal) {
    count(at(shared_.counters.refusals, refusal.code));
    answer([&](codec::ReplyEncoder& encoder, codec::Output& out) {
        encoder.refusal(id, refusal, out);
    });
}

std::optional<model::Refusal> Session::refusal_of_drain() const {
    if (!shared_.draining.load(std::memory_order_relaxed)) {
        return std::nullopt;
    }
    auto shutting_down = refusal(model::RefusalCode::kShuttingDown, {},
                                 "the server shuts down and takes no new requests");
    shutting_down.retry_after = config().retry_after;
    return shutting_down;
}

bool Session::refuse_if_draining(model::RequestId id) {
    const auto no = refusal_of_drain();
    if (no) {
        refuse(id, *no);
    }
    return no.has_value();
}

void Session::handle(model::RequestId id, codec::Hello&& hello) {
    if (state_ != State::kHello) {
        refuse(id, refusal(model::RefusalCode::kInvalidArgument, "hello",
                           "was sent before; one greeting a session"));
        return;
    }
    if (hello.protocol_version != codec::kProtocolVersion) {
        close_with(refusal(model::RefusalCode::kInvalidArgument, "hello.protocol_version",
                           "is not " + std::to_string(codec::kProtocolVersion) +
                               ", the only one that this server speaks"));
    } else if (!take_token(hello.token)) {
        shared_.parts.log.warn_limited("token refused", {{"session", number_}, {"peer", peer_}});
        close_with(refusal(model::RefusalCode::kUnauthenticated, "hello.token",
                           hello.token.empty()
                               ? "is empty, and this server asks for one (outrider: --token)"
                               : "is none of this server's tokens"));
    } else {
        greet(id, hello);
    }
}

void Session::greet(model::RequestId id, const codec::Hello& hello) {
    mailbox_ = std::make_shared<Mailbox>(
        [session = weak_from_this(), executor = stream_.socket().get_executor()] {
            asio::post(executor, [session] {
                if (const auto alive = session.lock()) {
                    alive->guarded([&alive] { alive->pump(); });
                }
            });
        },
        [parts = shared_.parts, number = number_](const engine::SlowRequest& request) {
            log_slow(request, number, parts);
        });
    const auto client = shared_.parts.engine.connect(mailbox_);
    if (!client) {
        mailbox_.reset();
        close_with(client.error());
        return;
    }
    client_ = *client;
    client_name_ = hello.client_name;
    state_ = State::kOpen;
    count_as(role_);
    mailbox_->expect();
    shared_.parts.log.write(telemetry::Level::kInfo, "session opened",
                            {{"session", number_},
                             {"peer", peer_},
                             {"tls", stream_.tls_version()},
                             {"client", client_name_},
                             {"role", name_of(role_)},
                             {"token", token_name_}});
    outbox_.small([&](codec::ReplyEncoder& encoder, codec::Output& out) {
        encoder.welcome(id, welcome(), out);
    });
}

codec::Welcome Session::welcome() const {
    constexpr std::size_t kUint32Max = 0xFFFF'FFFFU;
    const engine::Config& engine = shared_.parts.engine_config;
    return {
        .protocol_version = codec::kProtocolVersion,
        .server_name = kServerName,
        .limits = {.frame_bytes_max =
                       static_cast<std::uint32_t>(std::min(config().frame_bytes_max, kUint32Max)),
                   .requests_in_flight_max = static_cast<std::uint32_t>(
                       std::min(engine.requests_per_client_max, kUint32Max)),
                   .edits_per_batch_max =
                       static_cast<std::uint32_t>(base::limits::kEditsPerBatchMax),
                   .expansions_max = engine.expansions_max,
                   .idle_timeout = config().idle_timeout,
                   .follows_max = static_cast<std::uint32_t>(
                       std::min({engine.follows_per_client_max, engine.follows_max, kUint32Max}))},
        .maps = infos_of(shared_.parts.engine.maps())};
}

void Session::handle(model::RequestId id, codec::PathRequest&& request) {
    model::PathRequest out{.id = id,
                           .map = request.map,
                           .query = request.query,
                           .priority = request.priority,
                           .deadline = std::nullopt,
                           .unit = request.unit,
                           .mark = Mark{request.format, request.follow.has_value()}.packed(),
                           .follow = request.follow,
                           .first_leg = request.first_leg};
    const auto place = tools_.names.place({out.map, out.query.movement_class}, request.map_name,
                                          request.class_name);
    if (!place) {
        refuse(id, named_in("path", place.error()));
        return;
    }
    out.map = place->map;
    out.query.movement_class = place->movement_class;
    if (request.deadline_us > 0) {
        out.deadline = now_ + std::chrono::microseconds(request.deadline_us);
    }
    ++in_flight_;
    shared_.parts.engine.submit(*client_, std::move(out));
}

void Session::handle(model::RequestId id, codec::EditRequest&& request) {
    if (refuse_if_draining(id)) {
        return;
    }
    const auto receipt = shared_.parts.engine.edit(request.map, std::move(request.batch));
    if (!receipt) {
        refuse(id, named_in("edit", receipt.error()));
        return;
    }
    count(shared_.counters.edits);
    answer(
        [&](codec::ReplyEncoder& encoder, codec::Output& out) { encoder.edit(id, *receipt, out); });
}

void Session::handle(model::RequestId id, codec::CancelRequest&& request) {
    const bool cancelled = shared_.parts.engine.cancel(*client_, request.request);
    answer([&](codec::ReplyEncoder& encoder, codec::Output& out) {
        encoder.cancel(id, cancelled, out);
    });
}

void Session::handle(model::RequestId id, codec::Ping&& ping) {
    answer([&](codec::ReplyEncoder& encoder, codec::Output& out) {
        encoder.pong(id, ping.payload, out);
    });
}

void Session::handle(model::RequestId id, codec::StatsRequest&&) {
    const engine::Stats stats = shared_.parts.engine.stats();
    const codec::StatsReply reply{.submitted = stats.submitted,
                                  .answered = stats.answered,
                                  .refused = stats.refused,
                                  .joined = stats.joined,
                                  .verdicts = stats.verdicts,
                                  .cache_hits = stats.cache_hits,
                                  .cache_misses = stats.cache_misses,
                                  .cache_carried = stats.cache_carried,
                                  .cache_fallen = stats.cache_fallen,
                                  .expansions = stats.expansions,
                                  .edits = stats.edits,
                                  .surveys_submitted = stats.surveys_submitted,
                                  .surveys_answered = stats.surveys_answered,
                                  .survey_parts = stats.survey_parts};
    answer(
        [&](codec::ReplyEncoder& encoder, codec::Output& out) { encoder.stats(id, reply, out); });
}

void Session::handle(model::RequestId id, codec::ListMapsRequest&&) {
    const auto maps = infos_of(shared_.parts.engine.maps());
    answer([&](codec::ReplyEncoder& encoder, codec::Output& out) {
        encoder.list_maps(id, maps, out);
    });
}

void Session::handle(model::RequestId id, codec::MapStateRequest&& request) {
    if (!refuse_if_draining(id)) {
        ++replies_;
        outbox_.state({id, request.map, request.watch});
    }
}

void Session::handle(model::RequestId id, codec::UnwatchRequest&& request) {
    shared_.parts.engine.unwatch(*client_, request.map);
    watches_.erase(request.map);
    outbox_.forget_watch(request.map);
    answer([&](codec::ReplyEncoder& encoder, codec::Output& out) { encoder.unwatch(id, out); });
}

void Session::handle(model::RequestId id, codec::AddClassRequest&& request) {
    if (refuse_if_draining(id)) {
        return;
    }
    const auto added =
        shared_.parts.engine.add_class(request.map, std::move(request.movement_class));
    if (!added) {
        refuse(id, named_in("add_class", added.error()));
        return;
    }
    answer([&](codec::ReplyEncoder& encoder, codec::Output& out) {
        encoder.add_class(id, {added->first, added->second}, out);
    });
}

void Session::handle(model::RequestId id, codec::ProgressRequest&& request) {
    const std::vector<model::RequestId> unknown =
        shared_.parts.engine.report(*client_, request.units);
    answer([&](codec::ReplyEncoder& encoder, codec::Output& out) {
        encoder.progress(id, unknown, out);
    });
}

void Session::deliver(model::PathPush&& push) {
    count(shared_.counters.pushes);
    if (push.reason == model::PushReason::kEnded) {
        --follows_;
    }
    charge(push.body ? push.body->result->expansions : 0);
    if (push.body) {
        outbox_.path(push, Mark::of(push.mark).format);
    } else {
        outbox_.small([&](codec::ReplyEncoder& encoder, codec::Output& out) {
            encoder.refused_push(push, out);
        });
    }
}

void Session::deliver(model::LegPush&& push) {
    count(shared_.counters.pushes);
    charge(push.leg->expansions);
    outbox_.small(
        [&](codec::ReplyEncoder& encoder, codec::Output& out) { encoder.first_leg(push, out); });
}

void Session::deliver(model::PathReply&& reply) {
    --in_flight_;
    charge(reply.body && reply.searched ? reply.body->result->expansions : 0);
    if (!reply.body) {
        refuse(reply.id, named_in("path", std::move(reply.body.error())));
        return;
    }
    const Mark mark = Mark::of(reply.mark);
    if (mark.follows && model::keeps_following(reply.body->result->outcome)) {
        ++follows_;
    }
    ++replies_;
    outbox_.path(reply.id, *std::move(reply.body), mark.format);
}

void Session::deliver(EditLetter&& edit) {
    const auto watch = watches_.find(edit.map);
    // An unwatched map's last edits may still be under way, also into a later watch of it.
    if (watch == watches_.end() || edit.version <= watch->second.version) {
        return;
    }
    watch->second.version = edit.version;
    count(shared_.counters.pushes);
    outbox_.edit({watch->second.id, edit.map, edit.version, std::move(edit.batch)});
}

std::expected<OpenState, model::Refusal> Session::open_state(const StateAsk& ask) {
    auto state = try_open_state(ask);
    if (!state) {
        count(at(shared_.counters.refusals, state.error().code));
    }
    return state;
}

std::expected<OpenState, model::Refusal> Session::try_open_state(const StateAsk& ask) {
    if (ask.watch && watches_.contains(ask.map)) {
        return std::unexpected(refusal(model::RefusalCode::kInvalidArgument, "map_state.watch",
                                       "is on for this map already; unwatch it first"));
    }
    const bool crowded = shared_.counters.map_states.fetch_add(1) >= config().map_states_max;
    StatePlace place(this);
    if (crowded || shared_.parts.engine.memory().full()) {
        auto later = refusal(model::RefusalCode::kOverloaded, "map_state",
                             crowded ? "too many maps are being sent; try again"
                                     : "the server has all the memory that it may take; try again");
        later.retry_after = config().retry_after;
        return std::unexpected(later);
    }
    engine::Engine& engine = shared_.parts.engine;
    auto info = engine.map_info(ask.map);
    auto state = ask.watch ? engine.watch(*client_, ask.map) : engine.map_state(ask.map);
    if (!info || !state) {
        return std::unexpected(named_in("map_state", info ? state.error() : info.error()));
    }
    if (ask.watch) {
        watches_[ask.map] = {ask.id, state->version};
    }
    times_.note_state_began(now_);
    set_back(*info, *state);
    return OpenState{std::move(place),
                     {.info = info_of(*std::move(info)),
                      .terrain = std::move(state->grid.terrain),
                      .obstacles = std::move(state->obstacles)}};
}

void Session::close_state() noexcept {
    shared_.counters.map_states.fetch_sub(1);
    times_.note_state_ended();
}

}  // namespace outrider::net
