#include "outrider/client/pending.hpp"

#include <memory>
#include <type_traits>
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
    (format == codec::PathFormat::kCells ? answer.cells : result.turning_points) =
        std::move(reply.points);
    return answer;
}

namespace {

template <class T>
Completion complete(Callback<T> done, T value) {
    return [done = std::move(done), value = std::move(value)]() mutable { done(std::move(value)); };
}

std::expected<Completion, std::string> take_part(PendingPath& pending, codec::PathPart part,
                                                 bool& finished) {
    auto whole = pending.assembler.add(std::move(part));
    if (!whole) {
        return std::unexpected(std::move(whole.error().message));
    }
    finished = *whole;
    if (!finished) {
        return Completion{};
    }
    return complete(std::move(pending.done), answer_of(pending.assembler.take(), pending.format));
}

std::expected<Completion, std::string> take_part(PendingMapState& pending, codec::MapStatePart part,
                                                 bool& finished) {
    auto whole = pending.assembler.add(std::move(part));
    if (!whole) {
        return std::unexpected(std::move(whole.error().message));
    }
    finished = *whole;
    if (!finished) {
        return Completion{};
    }
    return complete(std::move(pending.done), pending.assembler.take());
}

std::unexpected<std::string> unasked() {
    return std::unexpected(std::string("a reply of another kind than the request"));
}

// The reply that fits the call, or unasked().
struct Acceptor {
    bool& finished;

    std::expected<Completion, std::string> operator()(PendingPath& pending, codec::PathPart& part) {
        return take_part(pending, std::move(part), finished);
    }
    std::expected<Completion, std::string> operator()(PendingMapState& pending,
                                                      codec::MapStatePart& part) {
        return take_part(pending, std::move(part), finished);
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
    return std::visit(Acceptor{finished}, pending, message.body);
}

void fail_call(const Pending& pending, const Failure& failure) {
    std::visit(
        [&failure](const auto& call) {
            using Call = std::decay_t<decltype(call)>;
            if constexpr (std::is_same_v<Call, PendingPath> ||
                          std::is_same_v<Call, PendingMapState>) {
                call.done(std::unexpected(failure));
            } else {
                call(std::unexpected(failure));
            }
        },
        pending);
}

}  // namespace outrider::client
