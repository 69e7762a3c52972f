#include "outrider/client/pending.hpp"

#include <iterator>
#include <memory>
#include <utility>

namespace outrider::client {

PathAnswer answer_of(codec::PathReply reply, codec::PathFormat format) {
    PathAnswer answer;
    answer.version = reply.head.version;
    model::PathResult& result = answer.result;
    result.outcome = reply.head.outcome;
    result.reason = reply.head.reason;
    result.algorithm = reply.head.algorithm;
    result.bound_percent = reply.head.bound_percent;
    result.cost = reply.head.cost;
    result.expansions = reply.head.expansions;
    result.path_hash = reply.head.path_hash;
    result.explored = std::move(reply.explored);
    result.smooth = {std::move(reply.smooth), reply.head.smooth_length, reply.head.smooth_cost,
                     reply.head.smooth_hash};
    (format == codec::PathFormat::kCells ? answer.cells : result.turning_points) =
        std::move(reply.points);
    return answer;
}

namespace {

template <class T>
Completion complete(Callback<T> done, T value) {
    return [done = std::move(done), value = std::move(value)]() mutable { done(std::move(value)); };
}

// A reply whose parts are one answer; `answer_of_whole` makes that of what the assembler has.
template <class P, class Part, class Answer>
std::expected<Completion, std::string> take_part(P& pending, Part part, bool& finished,
                                                 Answer answer_of_whole) {
    auto whole = pending.assembler.add(std::move(part));
    if (!whole) {
        return std::unexpected(std::move(whole.error().message));
    }
    finished = *whole;
    if (!finished) {
        return Completion{};
    }
    return complete(std::move(pending.done), answer_of_whole(pending.assembler.take()));
}

// Hands the units of a part to who listens, or keeps them.
Completion take_units(PendingSurvey& pending, model::RequestId id, const codec::SurveyReply& reply,
                      std::vector<model::UnitPath> units) {
    if (!pending.on_part) {
        pending.units.insert(pending.units.end(), std::make_move_iterator(units.begin()),
                             std::make_move_iterator(units.end()));
        return {};
    }
    if (units.empty()) {
        return {};
    }
    GroupArrival arrival{id, reply.head.version, reply.head.expansions, std::move(units)};
    return [on_part = pending.on_part, arrival = std::move(arrival)]() mutable {
        on_part(std::move(arrival));
    };
}

std::expected<Completion, std::string> take_part(PendingSurvey& pending, model::RequestId id,
                                                 codec::SurveyPart part, bool& finished) {
    auto whole = pending.assembler.add(std::move(part));
    if (!whole) {
        return std::unexpected(std::move(whole.error().message));
    }
    finished = *whole;
    if (!finished && !pending.assembler.is_group()) {
        return Completion{};
    }
    codec::SurveyReply reply = pending.assembler.take();
    Completion arrive;
    auto* group = std::get_if<model::GroupPaths>(&reply.result.body);
    if (group != nullptr) {
        arrive = take_units(pending, id, reply, std::move(group->units));
    }
    if (!finished) {
        return arrive;
    }
    if (group != nullptr) {
        group->units = std::move(pending.units);
    }
    Completion end = complete(std::move(pending.done),
                              SurveyAnswer{reply.head.version, std::move(reply.result)});
    return [arrive = std::move(arrive), end = std::move(end)] {
        if (arrive) {
            arrive();
        }
        end();
    };
}

std::unexpected<std::string> unasked() {
    return std::unexpected(std::string("a reply of another kind than the request"));
}

// The reply that fits the call, or unasked().
struct Acceptor {
    model::RequestId id;
    bool& finished;

    std::expected<Completion, std::string> operator()(PendingPath& pending, codec::FirstLeg& leg) {
        if (!pending.on_leg) {
            return Completion{};
        }
        // It comes once, and what listens may be large.
        return [on_leg = std::exchange(pending.on_leg, nullptr),
                told = FirstLeg{id, leg.version, std::move(leg.leg)}] { on_leg(told); };
    }
    std::expected<Completion, std::string> operator()(PendingPath& pending, codec::PathPart& part) {
        return take_part(pending, std::move(part), finished, [&](codec::PathReply whole) {
            return answer_of(std::move(whole), pending.format);
        });
    }
    std::expected<Completion, std::string> operator()(PendingSurvey& pending,
                                                      codec::SurveyPart& part) {
        return take_part(pending, id, std::move(part), finished);
    }
    std::expected<Completion, std::string> operator()(PendingMapState& pending,
                                                      codec::MapStatePart& part) {
        return take_part(pending, std::move(part), finished,
                         [](codec::MapState whole) { return whole; });
    }
    template <class T>
    std::expected<Completion, std::string> operator()(Callback<T>& done, T& reply) {
        finished = true;
        return complete(std::move(done), std::move(reply));
    }
    template <class P, class R>
    std::expected<Completion, std::string> operator()(P&, R&) {
        return unasked();
    }
};

}  // namespace

std::expected<Completion, std::string> accept_reply(Pending& pending, codec::ServerMessage message,
                                                    bool& finished) {
    finished = false;
    if (auto* refusal = std::get_if<model::Refusal>(&message.body)) {
        finished = true;
        return [call = std::move(pending), failure = failure_of(std::move(*refusal))] {
            fail_call(call, failure);
        };
    }
    return std::visit(Acceptor{message.id, finished}, pending, message.body);
}

void fail_call(const Pending& pending, const Failure& failure) {
    std::visit(
        [&failure](const auto& call) {
            if constexpr (requires { call.done; }) {
                call.done(std::unexpected(failure));
            } else {
                call(std::unexpected(failure));
            }
        },
        pending);
}

}  // namespace outrider::client
